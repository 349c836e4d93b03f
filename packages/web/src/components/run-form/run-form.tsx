import { Alert, Button, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { ApiError, messageOf } from "../../api/api-error.ts";
import type { Workflow } from "../../api/queries/workflows.ts";
import { ParameterForm } from "../../forms/parameter-form.tsx";
import { faultsOf, type ParamValues, refusalsOf, toRunParams } from "../../forms/parameter-values.ts";
import { useRights } from "../../hooks/use-caller.ts";
import { t } from "../../texts/run-form.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { bodyOf, noOptions, type RunOptions } from "./run-body.ts";
import { RunCommandFold } from "./run-command-fold.tsx";
import classes from "./run-form.module.css";
import { RunOptionsFold } from "./run-options-fold.tsx";
import { useRunSubmission } from "./use-run-submission.ts";

interface RunFormProps {
  team: string;
  workflow: Workflow;
  initialParams: Record<string, unknown>;
  onClose: () => void;
}

/** Parameters, options, the command for the same, and the action. */
export function RunForm({ team, workflow, initialParams, onClose }: RunFormProps) {
  const params = workflow.params ?? [];
  const [values, setValues] = useState<ParamValues>(initialParams);
  const [options, setOptions] = useState<RunOptions>(noOptions);
  const [faults, setFaults] = useState<Record<string, string>>({});
  const submission = useRunSubmission(team, workflow.name, onClose);
  const rights = useRights(team);
  const sent = toRunParams(params, values);
  const refusals = refusalsOf(submission.error instanceof ApiError ? submission.error.errors : [], sent, params);
  const body = bodyOf(sent, options);
  const change = (next: ParamValues) => {
    setValues(next);
    // What was said of a field holds no more when it is changed.
    setFaults(Object.fromEntries(Object.entries(faults).filter(([name]) => next[name] === values[name])));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = faultsOf(params, values);
    setFaults(found);
    submission.reset();
    if (Object.keys(found).length === 0) submission.mutate({ body, isStartedNow: options.isStartedNow });
  };
  const isOff = workflow.status === "inactive" ? t("runForm.workflowInactiveActivateFirst") : undefined;
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {workflow.description && <Text className="quiet">{workflow.description}</Text>}
        {params.length === 0 && <Text className="quiet">{t("runForm.workflowHasNoParameters")}</Text>}
        <ParameterForm params={params} values={values} onChange={change} errors={{ ...refusals.byName, ...faults }} />
        <RunOptionsFold options={options} onChange={setOptions} workflow={workflow} />
        <RunCommandFold team={team} workflow={workflow} body={body} isStartedNow={options.isStartedNow} />
        {submission.error !== null && <Refusal error={submission.error} rest={refusals.rest} />}
        {Object.keys(faults).length > 0 && (
          <Text role="alert" c="var(--status-failed)">
            {t("runForm.someValuesMissingNot")}
          </Text>
        )}
        <Group justify="space-between" gap="xs" className={classes.actions}>
          <StartChoice value={options.isStartedNow} onChange={(isStartedNow) => setOptions({ ...options, isStartedNow })} />
          <Group gap="xs">
            <Button variant="default" onClick={onClose}>
              {t("runForm.cancel")}
            </Button>
            <ActionButton type="submit" loading={submission.isPending} whyNot={rights.whyNot("workflow/action") ?? isOff}>
              {t("runForm.run")}
            </ActionButton>
          </Group>
        </Group>
      </Stack>
    </form>
  );
}

function StartChoice({ value, onChange }: { value: boolean; onChange: (isStartedNow: boolean) => void }) {
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

/** In the words of the service; what belongs to a field stands there. */
function Refusal({ error, rest }: { error: unknown; rest: readonly string[] }) {
  return (
    <Alert color="red" variant="outline" role="alert" title={t("runForm.runNotSubmitted")}>
      {messageOf(error)}
      {rest.length > 0 && (
        <ul>
          {rest.map((message) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
    </Alert>
  );
}
