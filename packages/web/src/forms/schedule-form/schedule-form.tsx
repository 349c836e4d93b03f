import { Alert, Anchor, Button, Divider, Select, Stack, TagsInput, Text, Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { scheduledWorkflowQuery, workflowChoicesQuery } from "../../api/queries/schedules.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/schedule-form.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { ParameterForm } from "../parameter-form.tsx";
import { PolicyFields } from "./policy-fields.tsx";
import type { DraftField, ScheduleDraft } from "./schedule-draft.ts";
import classes from "./schedule-form.module.css";
import { TimeFields } from "./time-fields.tsx";

interface ScheduleFormProps {
  team: string;
  draft: ScheduleDraft;
  onChange: (draft: ScheduleDraft) => void;
  /** In the words of the service; `whole` is about none of the fields. */
  errors: Readonly<Partial<Record<DraftField | "whole", string>>>;
  onSubmit: () => void;
  onCancel: () => void;
  isBusy: boolean;
  whyNot: string | undefined;
}

/** All of a schedule: what runs, when, with what, and what happens in the cases that are not usual. */
export function ScheduleForm({ team, draft, onChange, errors, onSubmit, onCancel, isBusy, whyNot }: ScheduleFormProps) {
  const change = (part: Partial<ScheduleDraft>) => onChange({ ...draft, ...part });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <WorkflowField team={team} draft={draft} error={errors.workflow} onChange={change} />
        <TextInput
          label={t("scheduleForm.name")}
          placeholder={draft.workflow || t("scheduleForm.namePlaceholder")}
          maxLength={200}
          value={draft.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
          error={errors.name}
        />
        <Textarea
          label={t("scheduleForm.description")}
          autosize
          minRows={1}
          maxLength={500}
          value={draft.description}
          onChange={(event) => change({ description: event.currentTarget.value })}
        />
        <Divider label={t("scheduleForm.when")} labelPosition="left" />
        <TimeFields team={team} draft={draft} errors={errors} onChange={change} />
        <Divider label={t("scheduleForm.parameters")} labelPosition="left" />
        <ParameterFields team={team} draft={draft} error={errors.params} onChange={change} />
        <TagsInput
          openOnFocus={false}
          label={t("scheduleForm.labels")}
          description={t("scheduleForm.labelsHelp")}
          value={draft.labels}
          onChange={(labels) => change({ labels })}
          error={errors.labels}
        />
        <Policies draft={draft} errors={errors} onChange={change} />
        {errors.whole !== undefined && (
          <Alert color="red" variant="outline" role="alert">
            {errors.whole}
          </Alert>
        )}
      </Stack>
      <div className={classes.foot}>
        <Button variant="default" onClick={onCancel}>
          {t("scheduleForm.cancel")}
        </Button>
        <ActionButton type="submit" loading={isBusy} whyNot={whyNot}>
          {draft.id === undefined ? t("scheduleForm.createSchedule") : t("scheduleForm.save")}
        </ActionButton>
      </div>
    </form>
  );
}

interface PoliciesProps {
  draft: ScheduleDraft;
  errors: ScheduleFormProps["errors"];
  onChange: (part: Partial<ScheduleDraft>) => void;
}

/** Folded until somebody wants it, or a field in it was refused. */
function Policies({ draft, errors, onChange }: PoliciesProps) {
  const [isOpen, setOpen] = useState(false);
  const isRefused = (errors.exclusions ?? errors.catchUpWindow ?? errors.jitter) !== undefined;
  return (
    <details open={isOpen || isRefused} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t("scheduleForm.overlapDowntimeJitterExcluded")}</summary>
      {(isOpen || isRefused) && (
        <Stack pt="sm">
          <PolicyFields draft={draft} errors={errors} onChange={onChange} />
        </Stack>
      )}
    </details>
  );
}

interface PartProps {
  team: string;
  draft: ScheduleDraft;
  error: string | undefined;
  onChange: (part: Partial<ScheduleDraft>) => void;
}

/** A schedule stays with its workflow. Says when that is not to be run by schedules. */
function WorkflowField({ team, draft, error, onChange }: PartProps) {
  const { data: choices = [] } = useQuery(workflowChoicesQuery(team));
  const { data: workflow } = useQuery(scheduledWorkflowQuery(team, draft.workflow));
  return (
    <>
      <Select
        label={t("scheduleForm.workflow")}
        required
        searchable
        allowDeselect={false}
        data={choices}
        value={draft.workflow || null}
        disabled={draft.id !== undefined}
        description={draft.id === undefined ? undefined : t("scheduleForm.workflowHelp")}
        onChange={(chosen) => onChange({ workflow: chosen ?? "", params: {} })}
        error={error}
        nothingFoundMessage={t("scheduleForm.noWorkflowName")}
      />
      {workflow?.isTriggerOn === false && (
        <Alert color="yellow" variant="outline" title={t("scheduleForm.scheduleTriggerWorkflowOff")}>
          <Text size="sm">
            {t.rich("scheduleForm.scheduleStartsNoRuns", {
              link: (chunks) => (
                <Anchor component={Link} to={paths.workflowConfigure(team, draft.workflow, "triggers")}>
                  {chunks}
                </Anchor>
              ),
              workflow: draft.workflow,
            })}
          </Text>
        </Alert>
      )}
    </>
  );
}

function ParameterFields({ team, draft, error, onChange }: PartProps) {
  const { data: workflow } = useQuery(scheduledWorkflowQuery(team, draft.workflow));
  const hint = draft.workflow === "" ? t("scheduleForm.selectWorkflowSeeParameters") : t("scheduleForm.workflowHasNoParameters");
  return (
    <>
      {workflow !== undefined && workflow.params.length > 0 ? (
        <ParameterForm params={workflow.params} values={draft.params} onChange={(params) => onChange({ params })} />
      ) : (
        <Text size="sm" className="quiet">
          {hint}
        </Text>
      )}
      {error !== undefined && (
        <Text role="alert" size="sm" c="var(--status-failed)">
          {error}
        </Text>
      )}
    </>
  );
}
