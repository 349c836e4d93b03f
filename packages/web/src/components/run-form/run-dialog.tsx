import { NumberInput, SegmentedControl, SimpleGrid, Stack, Switch, TagsInput, Text } from "@mantine/core";
import { type UseFormReturnType, useForm } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api, call } from "../../api/client.ts";
import { type Workflow, workflowQuery } from "../../api/queries/workflow/workflows.ts";
import { ParamsOfForm, paramFaults } from "../../forms/parameter-form.tsx";
import { kindOf, paramOfFault, toRunParams } from "../../forms/parameter-values.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { useApiMutation } from "../../hooks/use-renew.ts";
import { useRequestKey } from "../../hooks/use-request-key.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/forms.ts";
import { CopyField } from "../../ui/copy-field.tsx";
import { FormDialog } from "../../ui/dialog/form-dialog.tsx";
import { Fold } from "../../ui/fold.tsx";
import { NotLoaded } from "../../ui/state/not-loaded.tsx";
import { bodyOf, curlCommand, fieldOfOption, noOptions, type RunValues, type SubmitRequest, secretPlaceholder } from "./run-body.ts";

interface RunDialogProps {
  team: string;
  /** Its name or id. */
  workflow: string;
  onClose: () => void;
  /** Initial values, e.g. those of a run that is repeated. */
  initialParams?: Record<string, unknown>;
  title?: string;
}

/**
 * Asks for the parameters of a workflow, starts a run, and opens it. If the service rejects the request, the input is kept. Mounted only
 * while it is open.
 */
export function RunDialog({ team, workflow: ref, onClose, initialParams = {}, title }: RunDialogProps) {
  const query = useQuery(workflowQuery(team, ref));
  const workflow = query.data?.data;
  const params = workflow?.params ?? [];
  const form = useForm<RunValues>({
    initialValues: { ...noOptions, params: initialParams },
    validate: (values) => paramFaults(params, values.params),
  });
  const submission = useRunSubmission(team, workflow?.name ?? ref, onClose);
  const rights = useRights(team);
  const sent = toRunParams(params, form.values.params);
  const body = bodyOf(sent, form.values);
  const { isStartedNow } = form.values;
  const isOff = workflow?.status === "inactive" ? t("runForm.workflowInactiveActivateFirst") : undefined;
  const isLoading = workflow === undefined ? t("runDialog.loadingParameters") : undefined;
  return (
    <FormDialog
      title={title ?? t("runDialog.run", { name: workflow?.displayName || workflow?.name || ref })}
      size="lg"
      form={form}
      action={t("runForm.run")}
      whyNot={rights.whyNot("workflow/action") ?? isOff ?? isLoading}
      places={(fault) => {
        const param = paramOfFault(fault, sent, params);
        return param === undefined ? fieldOfOption(fault.path) : `params.${param}`;
      }}
      onSubmit={() => submission.mutateAsync({ body, isStartedNow })}
      onClose={onClose}
      // The dialog closes itself before it opens the run.
      staysOpen
      noValidate
      isLong
      aside={<StartChoice value={isStartedNow} onChange={(isNow) => form.setFieldValue("isStartedNow", isNow)} />}
    >
      <NotLoaded query={query} label={t("runDialog.loadingParameters")} rows={3} />
      {workflow?.description && <Text className="quiet">{workflow.description}</Text>}
      {workflow && params.length === 0 && <Text className="quiet">{t("runForm.workflowHasNoParameters")}</Text>}
      <ParamsOfForm
        params={params}
        values={form.values.params}
        errors={form.errors}
        onChange={(next) => form.setFieldValue("params", next)}
        forget={form.clearFieldError}
      />
      {workflow && <RunOptionsFold form={form} workflow={workflow} />}
      {workflow && <RunCommandFold team={team} workflow={workflow} body={body} isStartedNow={isStartedNow} />}
    </FormDialog>
  );
}

interface Submission {
  body: SubmitRequest;
  isStartedNow: boolean;
}

/** Starts a run and opens it. Repeated requests use the same key, so that a lost response doesn't lead to a second run. */
function useRunSubmission(team: string, workflow: string, onDone: () => void) {
  const navigate = useNavigate();
  const { keyFor, noteError } = useRequestKey();
  return useApiMutation({
    changes: ["runs", "run-counts", "insights"],
    team,
    leadsAway: true,
    mutationFn: ({ body, isStartedNow }: Submission) =>
      call(
        api.POST("/api/v2/team/{team}/workflow/{workflow}/submit", {
          params: {
            path: { team, workflow },
            query: { start: isStartedNow },
            header: { "Idempotency-Key": keyFor([body, isStartedNow]) },
          },
          body,
        }),
      ),
    onError: noteError,
    onSuccess: async ({ id }) => {
      onDone();
      await navigate({ to: paths.run(team, id) });
    },
  });
}

function StartChoice({ value, onChange }: { value: boolean; onChange: (value: boolean) => void }) {
  return (
    <Stack gap={4} align="flex-start">
      <SegmentedControl
        aria-label={t("runForm.start")}
        size="xs"
        value={value ? "now" : "queue"}
        onChange={(chosen) => onChange(chosen === "now")}
        data={[
          { value: "queue", label: t("runForm.queue") },
          { value: "now", label: t("runForm.startImmediately") },
        ]}
      />
      <Text size="xs" className="quiet">
        {value ? t("runForm.rejectedIfConcurrencyLimit") : t("runForm.waitsIfConcurrencyLimit")}
      </Text>
    </Stack>
  );
}

interface RunCommandFoldProps {
  team: string;
  workflow: Workflow;
  body: SubmitRequest;
  isStartedNow: boolean;
}

/** The same request as a shell command, without secrets. */
function RunCommandFold({ team, workflow, body, isStartedNow }: RunCommandFoldProps) {
  const path = `/api/v2/team/${encodeURIComponent(team)}/workflow/${encodeURIComponent(workflow.name)}/submit`;
  const command = curlCommand({
    url: `${window.location.origin}${path}${isStartedNow ? "?start=true" : ""}`,
    body: withoutSecrets(workflow, body),
  });
  return (
    <Fold title={t("runCommandFold.showCurlCommand")}>
      <Stack gap="xs">
        <Text size="sm" className="quiet">
          {t("runCommandFold.submitsSameRunToken")}
        </Text>
        <CopyField value={command} label={t("runCommandFold.command")} />
      </Stack>
    </Fold>
  );
}

function withoutSecrets(workflow: Workflow, body: SubmitRequest): SubmitRequest {
  const secrets = new Set((workflow.params ?? []).filter((param) => kindOf(param) === "password").map(({ name }) => name));
  if (secrets.size === 0 || !body.params) return body;
  return { ...body, params: body.params.map((param) => (secrets.has(param.name) ? { ...param, value: secretPlaceholder } : param)) };
}

interface RunOptionsFoldProps {
  form: UseFormReturnType<RunValues>;
  workflow: Workflow;
}

/** Labels, version, time-out, retries and debug mode of this run only. */
function RunOptionsFold({ form, workflow }: RunOptionsFoldProps) {
  const { labels, version, timeout, retries, isDebug } = form.errors;
  return (
    <Fold title={t("runOptionsFold.runOptions")} isRefused={Boolean(labels ?? version ?? timeout ?? retries ?? isDebug)}>
      <Stack gap="sm">
        <TagsInput
          openOnFocus={false}
          label={t("runOptionsFold.labels")}
          description={t("runOptionsFold.labelsHelp")}
          placeholder={form.values.labels.length === 0 ? t("runOptionsFold.labelsPlaceholder") : ""}
          {...form.getInputProps("labels")}
        />
        <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
          <NumberInput
            label={t("runOptionsFold.version")}
            placeholder={t("runOptionsFold.versionPlaceholder", { version: String(workflow.version ?? 1) })}
            min={1}
            max={workflow.version ?? 1}
            allowDecimal={false}
            {...form.getInputProps("version")}
            onChange={(value) => form.setFieldValue("version", String(value))}
          />
          <NumberInput
            label={t("runOptionsFold.timeoutMinutes")}
            placeholder={workflow.timeout ? String(workflow.timeout) : t("runOptionsFold.timeoutMinutesPlaceholder")}
            min={0}
            allowDecimal={false}
            {...form.getInputProps("timeout")}
            onChange={(value) => form.setFieldValue("timeout", String(value))}
          />
          <NumberInput
            label={t("runOptionsFold.retries")}
            placeholder={String(workflow.retries ?? 0)}
            min={0}
            max={100}
            allowDecimal={false}
            {...form.getInputProps("retries")}
            onChange={(value) => form.setFieldValue("retries", String(value))}
          />
        </SimpleGrid>
        <Switch
          label={t("runOptionsFold.debug")}
          description={t("runOptionsFold.debugHelp")}
          {...form.getInputProps("isDebug", { type: "checkbox" })}
        />
      </Stack>
    </Fold>
  );
}
