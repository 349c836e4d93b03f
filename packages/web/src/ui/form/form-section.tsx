import { Button, Group, Stack } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { ReactNode } from "react";
import { t } from "../../texts/ui.ts";
import { ActionButton } from "../dialog/action-button.tsx";
import type { FieldPlaces } from "./place-errors.ts";
import { FormRefusal, useSubmission } from "./use-submission.tsx";

interface FormSectionProps<Values> {
  form: UseFormReturnType<Values>;
  /** The id of its title, or what it is called without one. */
  labelledBy?: string;
  label?: string;
  /** Verb and object, such as `Save retention`. */
  action: string;
  /** Why it can't be saved, beside that nothing was changed. */
  whyNot?: string | undefined;
  /** What is saved becomes what "Discard changes" goes back to. */
  onSubmit: (values: Values) => Promise<unknown>;
  places?: FieldPlaces;
  /** What was entered is gone once it is saved, as a password is. */
  isForgotten?: boolean;
  labels?: { noChanges: string; discard: string };
  children: ReactNode;
}

const ownLabels = { noChanges: t("formSection.ownNochanges"), discard: t("formSection.ownDiscard") };

/** A form that stays on the page: saved with its button or Enter, and taken back as long as it is not saved. */
export function FormSection<Values>({
  form,
  labelledBy,
  label,
  action,
  whyNot,
  onSubmit,
  places,
  isForgotten = false,
  labels = ownLabels,
  children,
}: FormSectionProps<Values>) {
  const onDone = (values: Values) => {
    if (isForgotten) return form.reset();
    form.setInitialValues(values);
    form.resetDirty(values);
  };
  const { submit, isPending, refusal } = useSubmission({ form, onSubmit, places, onDone });
  const isDirty = form.isDirty();
  const why = whyNot ?? (isDirty ? undefined : labels.noChanges);
  return (
    <form
      aria-labelledby={labelledBy}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        if (why === undefined) submit(event);
      }}
    >
      <Stack gap="sm">
        {children}
        <FormRefusal message={refusal} />
        <Group gap="xs">
          <ActionButton type="submit" size="xs" whyNot={why} loading={isPending}>
            {action}
          </ActionButton>
          {isDirty && (
            <Button size="xs" variant="default" onClick={form.reset}>
              {labels.discard}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
