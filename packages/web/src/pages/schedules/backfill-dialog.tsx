import { Anchor, Group, Select, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDebouncedValue } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import type { components } from "@millrace/client/schema.generated.ts";
import { maxBackfillTimes } from "@millrace/contract/schedule.ts";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { backfillSchedule, type Schedule, scheduledWorkflowQuery } from "../../api/queries/schedules.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/schedules.ts";
import { FormDialog } from "../../ui/dialog/form-dialog.tsx";
import { RefusalText } from "../../ui/state/refusal-alert.tsx";
import { DataTable } from "../../ui/table/data-table.tsx";
import { addDays, clockText, dateText, dayOf, endOfDay, offsetAt, startOfDay, viewerZone, zoneShort } from "../../ui/time/zone-time.ts";
import { EntryMark } from "./entry-parts.tsx";
import { useRefreshSchedules } from "./use-schedule-actions.ts";

interface BackfillDialogProps {
  team: string;
  schedule: Schedule;
  onClose: () => void;
}

/** Starts runs for past times: first the days are selected, then the times in them are shown, then the runs can be started. */
export function BackfillDialog({ team, schedule, onClose }: BackfillDialogProps) {
  const { timezone } = schedule;
  const today = dayOf(timezone, Date.now());
  const form = useForm<BackfillDays & { timeParam: string | null }>({
    initialValues: { first: addDays(today, -3), last: today, timeParam: null },
  });
  const { first, last } = form.values;
  const { preview, start, isSettled } = useBackfill(team, schedule, { first, last });
  const count = preview.error ? 0 : (preview.data?.count ?? 0);
  return (
    <FormDialog
      title={t("backfillDialog.backfill", { name: schedule.name })}
      size="lg"
      form={form}
      action={count === 0 ? t("backfillDialog.nothingStart") : t("backfillDialog.startRunRuns", { count })}
      whyNot={!isSettled ? t("backfillDialog.timesBeingCounted") : count === 0 ? t("backfillDialog.noTimePeriodWithout") : undefined}
      onSubmit={({ timeParam }) => start.mutateAsync(timeParam)}
      onClose={onClose}
    >
      <Text size="sm" className="quiet">
        {t("backfillDialog.startsRunEachPast", { maxBackfillTimes })}
      </Text>
      <Group grow align="flex-start">
        <TextInput type="date" label={t("backfillDialog.firstDay")} max={today} {...form.getInputProps("first")} />
        <TextInput type="date" label={t("backfillDialog.lastDay")} max={today} {...form.getInputProps("last")} />
      </Group>
      <Text size="xs" className="quiet">
        {t("backfillDialog.daysBothIncluded", { timezone })}
      </Text>
      <TimeParameter
        team={team}
        workflow={schedule.workflowRef}
        value={form.values.timeParam}
        onChange={(name) => form.setFieldValue("timeParam", name)}
      />
      <RefusalText error={preview.error} />
      {!preview.error && preview.data && <BackfillTimes team={team} times={preview.data.times} timezone={timezone} />}
    </FormDialog>
  );
}

interface TimeParameterProps {
  team: string;
  workflow: string;
  value: string | null;
  onChange: (value: string | null) => void;
}

/**
 * Selects a parameter that receives the scheduled time, so that a run for a past day can process that day. Hidden for workflows without
 * parameters.
 */
function TimeParameter({ team, workflow, value, onChange }: TimeParameterProps) {
  const { data } = useQuery(scheduledWorkflowQuery(team, workflow));
  const names = (data?.params ?? []).map(({ name }) => name);
  if (names.length === 0) return null;
  return (
    <Select
      label={t("backfillDialog.parameterReceivesTimeEach")}
      description={t("backfillDialog.parameterReceivesTimeEachHelp")}
      placeholder={t("backfillDialog.parameterReceivesTimeEachPlaceholder")}
      clearable
      data={names}
      value={value}
      onChange={onChange}
    />
  );
}

interface BackfillTimesProps {
  team: string;
  times: readonly components["schemas"]["ScheduleBackfillTime"][];
  timezone: string;
}

/** The times in the range: which of them get a run, and what has been recorded for them so far. */
function BackfillTimes({ team, times, timezone }: BackfillTimesProps) {
  const own = viewerZone();
  const count = times.filter(({ isNew }) => isNew).length;
  const isElsewhere = times.some(
    ({ scheduledDate }) => offsetAt(own, Date.parse(scheduledDate)) !== offsetAt(timezone, Date.parse(scheduledDate)),
  );
  if (times.length === 0)
    return (
      <Text size="sm" role="status">
        {t("backfillDialog.scheduleHasNoPast")}
      </Text>
    );
  return (
    <>
      <Text size="sm" fw={500} role="status">
        {t("backfillDialog.timeTimesWithoutRun", { count: times.length, count2: count })}
      </Text>
      <DataTable
        label={t("backfillDialog.scheduledTimesPeriod")}
        minWidth={400}
        maxHeight={280}
        rows={times}
        keyOf={({ scheduledDate }) => scheduledDate}
        columns={[
          {
            title: timezone,
            kind: "short",
            cell: ({ scheduledDate: at }) => `${dateText(timezone, at)} ${clockText(timezone, at)} ${zoneShort(timezone, at)}`,
          },
          isElsewhere && {
            title: t("backfillDialog.time"),
            cell: ({ scheduledDate }) => <span className="quiet">{clockText(own, scheduledDate)}</span>,
          },
          {
            title: t("backfillDialog.outcomeSoFar"),
            cell: ({ outcome }) =>
              outcome ? (
                <EntryMark kind={outcome} />
              ) : (
                <span className="quiet">{t("backfillDialog.parameterReceivesTimeEachPlaceholder")}</span>
              ),
          },
          { title: t("backfillDialog.backfillTitle"), cell: (time) => <BackfillMark team={team} time={time} /> },
        ]}
      />
    </>
  );
}

function BackfillMark({ team, time: { isNew, workflowRunRef } }: { team: string; time: BackfillTimesProps["times"][number] }) {
  if (isNew) return t("backfillDialog.startsRun");
  if (!workflowRunRef) return null;
  return (
    <Anchor inherit component={Link} to={paths.run(team, workflowRunRef)} c="inherit">
      {t("backfillDialog.hasRun")}
    </Anchor>
  );
}

/** Days in the schedule's time zone, both included; empty while the user types. */
interface BackfillDays {
  first: string;
  last: string;
}

/** The times in the selected days as the service computes them, and the mutation that starts their runs. */
function useBackfill(team: string, schedule: Schedule, { first, last }: BackfillDays) {
  const [askedFirst] = useDebouncedValue(first, 300);
  const [askedLast] = useDebouncedValue(last, 300);
  const isRange = askedFirst !== "" && askedLast !== "";
  const range = isRange ? rangeOf(schedule.timezone, { first: askedFirst, last: askedLast }) : { from: "", to: "" };
  const preview = useQuery({
    queryKey: ["firings", team, schedule.id, "backfill", range],
    queryFn: () => backfillSchedule(team, schedule.id, { ...range, preview: true }),
    enabled: isRange,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const refresh = useRefreshSchedules(team);
  const start = useMutation({
    mutationFn: (timeParam: string | null) =>
      backfillSchedule(team, schedule.id, { ...range, preview: false, ...(timeParam !== null && { timeParam }) }),
    onSuccess: async ({ count }) => {
      notifications.show({ message: t("backfillDialog.runRunsStartedPast", { count, workflowRef: schedule.workflowRef }) });
      await refresh();
    },
  });
  return { preview, start, isSettled: askedFirst === first && askedLast === last && !preview.isPlaceholderData };
}

function rangeOf(timezone: string, { first, last }: BackfillDays) {
  return { from: new Date(startOfDay(timezone, first)).toISOString(), to: new Date(endOfDay(timezone, last)).toISOString() };
}
