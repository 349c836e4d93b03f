import { Alert, Divider, NumberInput, SegmentedControl, Select, Stack, TagsInput, Text, Textarea, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { type CatchUpPolicy, maxJitterSeconds, type OverlapPolicy } from "@millrace/contract/schedule.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { workflowChoicesQuery } from "../../api/queries/schedules.ts";
import { t } from "../../texts/schedules.ts";
import { ActionForm } from "../../ui/form/action-form.tsx";
import { viewerZone } from "../../ui/time/zone-time.ts";
import { ParamsOfForm } from "../parameter-form.tsx";
import type { Param } from "../parameter-values.ts";
import { CronField } from "./cron-field.tsx";
import { fieldOfRefusal, type ScheduleDraft } from "./schedule-draft.ts";
import classes from "./schedule-form.module.css";
import { TurnOnSchedules } from "./turn-on-schedules.tsx";
import { ZoneSelect } from "./zone-select.tsx";

const overlaps: { value: OverlapPolicy; label: string }[] = [
  { value: "queue", label: t("policyFields.queueStartNextToo") },
  { value: "skip", label: t("policyFields.skipLeaveNextOut") },
  { value: "cancel", label: t("policyFields.cancelEndOpenRun") },
];
const catchUps: { value: CatchUpPolicy; label: string }[] = [
  { value: "one", label: t("policyFields.oneRunAllMissed") },
  { value: "all", label: t("policyFields.oneRunEach") },
  { value: "none", label: t("policyFields.none") },
];

/** Settings that most schedules leave at their defaults: overlap, downtime, jitter, excluded days. */
function PolicyFields({ form }: { form: UseFormReturnType<ScheduleDraft> }) {
  const draft = form.values;
  return (
    <Stack gap="sm">
      <TagsInput
        openOnFocus={false}
        label={t("policyFields.excludedDays")}
        description={t("policyFields.excludedDaysHelp")}
        placeholder={draft.exclusions.length === 0 ? "2030-12-25" : ""}
        {...form.getInputProps("exclusions")}
      />
      <Select label={t("policyFields.ifRunStillOpen")} data={overlaps} allowDeselect={false} {...form.getInputProps("overlapPolicy")} />
      <Select
        label={t("policyFields.timesMissedWhileService")}
        data={catchUps}
        allowDeselect={false}
        {...form.getInputProps("catchUpPolicy")}
      />
      {draft.catchUpPolicy !== "none" && (
        <NumberInput
          label={t("policyFields.lookBackMost")}
          description={t(draft.catchUpPolicy === "all" ? "policyFields.lookBackDayHelp" : "policyFields.lookBackNoLimitHelp")}
          min={1}
          max={525_600}
          allowDecimal={false}
          {...form.getInputProps("catchUpWindow")}
          onChange={(value) => form.setFieldValue("catchUpWindow", typeof value === "number" ? value : "")}
        />
      )}
      <NumberInput
        label={t("policyFields.jitter")}
        description={t("policyFields.jitterHelp")}
        min={0}
        max={maxJitterSeconds}
        allowDecimal={false}
        {...form.getInputProps("jitter")}
        onChange={(value) => form.setFieldValue("jitter", typeof value === "number" ? value : 0)}
      />
    </Stack>
  );
}

interface ScheduleFormProps {
  team: string;
  form: UseFormReturnType<ScheduleDraft>;
  /** The selected workflow, once it is loaded. */
  workflow: ScheduledWorkflow | undefined;
  onSubmit: (draft: ScheduleDraft) => Promise<unknown>;
  onCancel: () => void;
  whyNot: string | undefined;
}

/** What the form needs from the workflow. */
interface ScheduledWorkflow {
  params: readonly Param[];
  isTriggerOn: boolean;
}

/** All settings of a schedule: what runs, when, with which parameters, and how special cases are handled. */
export function ScheduleForm({ team, form, workflow, onSubmit, onCancel, whyNot }: ScheduleFormProps) {
  const draft = form.values;
  return (
    <ActionForm
      form={form}
      action={draft.id === undefined ? t("scheduleForm.createSchedule") : t("scheduleForm.save")}
      whyNot={whyNot}
      onSubmit={onSubmit}
      places={(fault) => fieldOfRefusal(fault, draft, workflow?.params ?? [])}
      cancel={{ label: t("scheduleForm.cancel"), onClick: onCancel }}
      footClass={classes.foot}
    >
      <WorkflowField team={team} form={form} workflow={workflow} />
      <TextInput
        label={t("scheduleForm.name")}
        placeholder={draft.workflow || t("scheduleForm.namePlaceholder")}
        maxLength={200}
        {...form.getInputProps("name")}
      />
      <Textarea label={t("scheduleForm.description")} autosize minRows={1} maxLength={500} {...form.getInputProps("description")} />
      <Divider label={t("scheduleForm.when")} labelPosition="left" />
      <TimeFields team={team} form={form} />
      <Divider label={t("scheduleForm.parameters")} labelPosition="left" />
      <ParameterFields form={form} workflow={workflow} />
      <TagsInput
        openOnFocus={false}
        label={t("scheduleForm.labels")}
        description={t("scheduleForm.labelsHelp")}
        {...form.getInputProps("labels")}
      />
      <Policies form={form} />
    </ActionForm>
  );
}

/** Collapsed until the user opens it, or a field in it has an error. */
function Policies({ form }: Pick<ScheduleFormProps, "form">) {
  const [isOpen, setOpen] = useState(false);
  const { exclusions, catchUpWindow, jitter } = form.errors;
  const isRefused = (exclusions ?? catchUpWindow ?? jitter) !== undefined;
  return (
    <details open={isOpen || isRefused} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t("scheduleForm.overlapDowntimeJitterExcluded")}</summary>
      {(isOpen || isRefused) && (
        <Stack pt="sm">
          <PolicyFields form={form} />
        </Stack>
      )}
    </details>
  );
}

/** The workflow of an existing schedule can't be changed. Warns if schedules may not run the workflow. */
function WorkflowField({ team, form, workflow }: Pick<ScheduleFormProps, "team" | "form" | "workflow">) {
  const { data: choices = [] } = useQuery(workflowChoicesQuery(team));
  const { id, workflow: name } = form.values;
  return (
    <>
      <Select
        label={t("scheduleForm.workflow")}
        required
        searchable
        allowDeselect={false}
        data={choices}
        disabled={id !== undefined}
        description={id === undefined ? undefined : t("scheduleForm.workflowHelp")}
        nothingFoundMessage={t("scheduleForm.noWorkflowName")}
        {...form.getInputProps("workflow")}
        value={name || null}
        onChange={(chosen) => {
          form.setFieldValue("workflow", chosen ?? "");
          form.setFieldValue("params", {});
        }}
      />
      {workflow?.isTriggerOn === false && (
        <Alert color="yellow" variant="outline" title={t("scheduleForm.scheduleTriggerWorkflowOff")}>
          <Text size="sm" mb="xs">
            {t("scheduleForm.scheduleStartsNoRuns")}
          </Text>
          <TurnOnSchedules team={team} workflow={name} />
        </Alert>
      )}
    </>
  );
}

function ParameterFields({ form, workflow }: Pick<ScheduleFormProps, "form" | "workflow">) {
  const hint = form.values.workflow === "" ? t("scheduleForm.selectWorkflowSeeParameters") : t("scheduleForm.workflowHasNoParameters");
  return (
    <>
      {workflow !== undefined && workflow.params.length > 0 ? (
        <ParamsOfForm
          params={workflow.params}
          values={form.values.params}
          errors={form.errors}
          onChange={(params) => form.setFieldValue("params", params)}
          forget={form.clearFieldError}
        />
      ) : (
        <Text size="sm" className="quiet">
          {hint}
        </Text>
      )}
      {form.errors["params"] !== undefined && (
        <Text role="alert" size="sm" c="var(--status-failed)">
          {form.errors["params"]}
        </Text>
      )}
    </>
  );
}

interface TimeFieldsProps {
  team: string;
  form: UseFormReturnType<ScheduleDraft>;
}

/** Recurring by an expression, or once at a date; in a time zone. */
function TimeFields({ team, form }: TimeFieldsProps) {
  const draft = form.values;
  const isOnce = draft.type === "runOnce";
  const own = viewerZone();
  return (
    <>
      <SegmentedControl
        aria-label={t("timeFields.frequency")}
        data={[
          { value: "cron", label: t("timeFields.recurring") },
          { value: "runOnce", label: t("timeFields.oneTime") },
        ]}
        value={isOnce ? "runOnce" : "cron"}
        onChange={(value) => form.setFieldValue("type", value === "runOnce" ? "runOnce" : "cron")}
      />
      <ZoneSelect
        {...form.getInputProps("timezone")}
        value={draft.timezone}
        {...(draft.timezone !== own && { description: t("timeFields.scheduleUsesTimeZone", { own }) })}
      />
      {isOnce ? (
        <>
          <TextInput type="datetime-local" label={t("timeFields.dateTime")} required {...form.getInputProps("date")} />
          <Text size="xs" className="quiet">
            {t("timeFields.timeZone", { timezone: draft.timezone })}
          </Text>
        </>
      ) : (
        <CronField team={team} {...form.getInputProps("cron")} value={draft.cron} timezone={draft.timezone} exclusions={draft.exclusions} />
      )}
    </>
  );
}
