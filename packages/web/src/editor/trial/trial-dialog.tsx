import { Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { ParamsOfForm, type ParamValues, paramFaults } from "../../forms/parameter-form.tsx";
import { paramOfFault, toRunParams } from "../../forms/parameter-values.ts";
import { t } from "../../texts/workflow/trial.ts";
import { FormDialog } from "../../ui/dialog/form-dialog.tsx";
import { useDraft } from "../draft/draft-context.ts";
import { useTrial } from "./trial-context.ts";

/** Asks for the parameters of the current draft, and runs it as a trial. */
export function TrialDialog({ onClose }: { onClose: () => void }) {
  const { history } = useDraft();
  const { params: given, start, whyNot } = useTrial();
  const { params } = history.present;
  const form = useForm<{ params: ParamValues }>({
    initialValues: { params: given },
    validate: (values) => paramFaults(params, values.params),
  });
  return (
    <FormDialog
      title={t("trialDialog.title")}
      size="lg"
      form={form}
      action={t("trialDialog.start")}
      whyNot={whyNot}
      places={(fault) => {
        const param = paramOfFault(fault, toRunParams(params, form.values.params), params);
        return param === undefined ? undefined : `params.${param}`;
      }}
      onSubmit={() => start({}, form.values.params)}
      onClose={onClose}
      noValidate
      isLong
    >
      <Text className="quiet">{t("trialDialog.why")}</Text>
      {params.length === 0 && <Text className="quiet">{t("trialDialog.noParameters")}</Text>}
      <ParamsOfForm
        params={params}
        values={form.values.params}
        errors={form.errors}
        onChange={(next) => form.setFieldValue("params", next)}
        forget={form.clearFieldError}
      />
    </FormDialog>
  );
}
