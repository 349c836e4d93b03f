import { Alert, Anchor, Badge, Drawer, Group, Stack, Text, Title } from "@mantine/core";
import type { CatchUpPolicy, OverlapPolicy } from "@millrace/contract/schedule.ts";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useMemo, useState } from "react";
import { cronQuery, firingsQuery, type Schedule, scheduleQuery } from "../../api/queries/schedules.ts";
import { ScheduleMark, whenWords } from "../../components/schedule-words.tsx";
import { NextRuns } from "../../forms/schedule-form/next-runs.tsx";
import { TurnOnSchedules } from "../../forms/schedule-form/turn-on-schedules.tsx";
import { useRights } from "../../hooks/use-caller.ts";
import { paths } from "../../paths.ts";
import { outcomeOf } from "../../texts/language.ts";
import { t } from "../../texts/schedules.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { ListSection } from "../../ui/list/list-page.tsx";
import { QueryView } from "../../ui/state/not-loaded.tsx";
import { DataTable } from "../../ui/table/data-table.tsx";
import { durationText } from "../../ui/time/time-format.ts";
import { clockText, dateText, viewerZone, zoneShort } from "../../ui/time/zone-time.ts";
import { BackfillDialog } from "./backfill-dialog.tsx";
import { pastEntries } from "./calendar-entries.ts";
import { Outcome } from "./entry-parts.tsx";
import { ScheduleMenu } from "./schedule-menu.tsx";
import classes from "./schedules.module.css";
import { useRunEnds } from "./use-calendar.ts";
import { useScheduleActions } from "./use-schedule-actions.ts";
import type { ChangePlace } from "./use-schedules-place.ts";

interface SchedulePanelProps {
  team: string;
  /** Empty: the panel is closed. */
  scheduleId: string;
  onPlace: ChangePlace;
}

/** One schedule, beside the list or the calendar: its settings, its coming times, and the outcomes of past times. */
export function SchedulePanel({ team, scheduleId, onPlace }: SchedulePanelProps) {
  const query = useQuery({ ...scheduleQuery(team, scheduleId), enabled: scheduleId !== "" });
  const close = () => onPlace({ schedule: "" });
  return (
    <Drawer
      opened={scheduleId !== ""}
      onClose={close}
      position="right"
      size="lg"
      classNames={{ title: classes.panelTitle ?? "" }}
      title={query.data?.name ?? t("schedulePanel.schedule")}
      closeButtonProps={{ "aria-label": t("schedulePanel.close") }}
      // Escape in a dialog above the panel, such as a backfill, must close only that dialog.
      closeOnEscape={false}
      onKeyDown={({ key, target, currentTarget }) => key === "Escape" && currentTarget.contains(target as Node) && close()}
    >
      <QueryView query={query} label={t("schedulePanel.loadingSchedule")}>
        {(schedule) => <Content team={team} schedule={schedule} onPlace={onPlace} />}
      </QueryView>
    </Drawer>
  );
}

function Content({ team, schedule, onPlace }: { team: string; schedule: Schedule; onPlace: ChangePlace }) {
  return (
    <Stack gap="md">
      <Group gap="xs">
        <ScheduleMark schedule={schedule} />
        <Anchor component={Link} to={paths.workflow(team, schedule.workflowRef)}>
          {schedule.workflowDisplayName}
        </Anchor>
        {Object.entries(schedule.labels).map(([key, value]) => (
          <Badge key={key} variant="default" tt="none" fw={400}>
            {key}={value}
          </Badge>
        ))}
      </Group>
      {schedule.waitingFor && (
        <Alert color="yellow" title={t("schedulePanel.scheduled")}>
          {outcomeOf(schedule.waitingFor)}
        </Alert>
      )}
      {schedule.statusMessage && <Text size="sm">{outcomeOf(schedule.statusMessage)}</Text>}
      {schedule.status === "trigger_disabled" && (
        <div>
          <TurnOnSchedules team={team} workflow={schedule.workflowRef} />
        </div>
      )}
      {schedule.description && <Text size="sm">{schedule.description}</Text>}
      <Actions team={team} schedule={schedule} onPlace={onPlace} />
      <ScheduleFacts schedule={schedule} />
      <Coming team={team} schedule={schedule} />
      <section>
        <Title order={2} mb={4}>
          {t("schedulePanel.history")}
        </Title>
        <FiringHistory key={schedule.id} team={team} schedule={schedule} />
      </section>
    </Stack>
  );
}

function Actions({ team, schedule, onPlace }: { team: string; schedule: Schedule; onPlace: ChangePlace }) {
  const rights = useRights(team);
  const actions = useScheduleActions(team);
  const [isBackfill, setBackfill] = useState(false);
  const canResume = schedule.status === "inactive" || schedule.status === "archived";
  const edit = () => onPlace({ edit: schedule.id, schedule: "" });
  const shared = { size: "xs", variant: "default" } as const;
  return (
    <Group gap="xs">
      <ActionButton {...shared} whyNot={rights.whyNot("schedule/write")} onClick={edit}>
        {t("schedulePanel.edit")}
      </ActionButton>
      <ActionButton
        {...shared}
        whyNot={rights.whyNot("schedule/write")}
        onClick={() => void (canResume ? actions.resume(schedule) : actions.pause(schedule))}
      >
        {canResume ? t("schedulePanel.resume") : t("schedulePanel.pause")}
      </ActionButton>
      <ActionButton {...shared} whyNot={rights.whyNot("schedule/action")} onClick={() => void actions.runNow(schedule)}>
        {t("schedulePanel.runNow")}
      </ActionButton>
      <ActionButton {...shared} whyNot={rights.whyNot("schedule/action")} onClick={() => setBackfill(true)}>
        {t("schedulePanel.backfill")}
      </ActionButton>
      <ScheduleMenu team={team} schedule={schedule} onEdit={edit} onDeleted={() => onPlace({ schedule: "" })} />
      {isBackfill && <BackfillDialog team={team} schedule={schedule} onClose={() => setBackfill(false)} />}
    </Group>
  );
}

/** The coming times. For a paused schedule, those it would have. */
function Coming({ team, schedule }: { team: string; schedule: Schedule }) {
  const { cronSchedule, timezone, exclusions, status, nextScheduleDate } = schedule;
  const isOver = status === "archived" || status === "completed";
  const { data } = useQuery({
    ...cronQuery(team, { cron: cronSchedule ?? "", timezone, exclusions }),
    enabled: cronSchedule !== undefined && !isOver,
  });
  const times = cronSchedule === undefined ? (nextScheduleDate === undefined ? [] : [nextScheduleDate]) : (data?.next ?? []);
  if (isOver || times.length === 0) return null;
  return (
    <section>
      <Title order={2} mb={4}>
        {status === "active" ? t("schedulePanel.upcomingRuns") : t("schedulePanel.upcomingRunsOnceActive")}
      </Title>
      <NextRuns times={times.slice(0, 5)} timezone={timezone} />
    </section>
  );
}

const overlaps: Readonly<Record<OverlapPolicy, string>> = {
  queue: t("schedulePanel.nextStartedToo"),
  skip: t("schedulePanel.nextSkipped"),
  cancel: t("schedulePanel.openRunCancelledFirst"),
};
const catchUps: Readonly<Record<CatchUpPolicy, string>> = {
  one: t("schedulePanel.oneRunAllThem"),
  all: t("schedulePanel.oneRunEach"),
  none: t("schedulePanel.noRuns"),
};

/** All settings of a schedule; default values in short. */
function ScheduleFacts({ schedule }: { schedule: Schedule }) {
  const { cronSchedule, timezone, params, overlapPolicy, catchUpPolicy, catchUpWindow, jitter, exclusions } = schedule;
  const own = viewerZone();
  const facts: [string, ReactNode][] = [
    [t("schedulePanel.when"), whenWords(schedule)],
    ...(cronSchedule === undefined
      ? []
      : ([[t("schedulePanel.expression"), <code key="cron">{cronSchedule}</code>]] as [string, ReactNode][])),
    [
      t("schedulePanel.timeZone"),
      timezone === own ? t("schedulePanel.yoursToo", { timezone }) : t("schedulePanel.yours", { timezone, own }),
    ],
    ...params.map(({ name, value, hiddenValue }): [string, ReactNode] => [
      name,
      <code key={name}>{hiddenValue ? t("schedulePanel.secret") : typeof value === "string" ? value : JSON.stringify(value)}</code>,
    ]),
    [t("schedulePanel.ifRunStillOpen"), overlaps[overlapPolicy]],
    [
      t("schedulePanel.missedTimes"),
      catchUpWindow === undefined
        ? catchUps[catchUpPolicy]
        : t("schedulePanel.catchUpWithin", { how: catchUps[catchUpPolicy], duration: durationText(catchUpWindow * 60_000) }),
    ],
    ...(jitter > 0
      ? ([[t("schedulePanel.jitter"), t("schedulePanel.upLater", { duration: durationText(jitter * 1000) })]] as [string, ReactNode][])
      : []),
    ...(exclusions.length > 0 ? ([[t("schedulePanel.excludedDays"), exclusions.join(", ")]] as [string, ReactNode][]) : []),
  ];
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <div key={name} style={{ display: "contents" }}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const pageSize = 20;

/** The outcomes of past times, newest first: the run and its status, or why there is none. */
function FiringHistory({ team, schedule }: { team: string; schedule: Schedule }) {
  const [page, setPage] = useState(0);
  const query = useQuery(firingsQuery(team, schedule.id, { limit: pageSize, page }));
  const { data } = query;
  const ids = useMemo(() => (data?.content ?? []).flatMap(({ workflowRunRef }) => workflowRunRef ?? []), [data]);
  const runs = useRunEnds(team, ids);
  const { timezone } = schedule;
  return (
    <ListSection pages={data && { page, size: pageSize, total: data.totalElements, onChange: setPage }}>
      <DataTable
        label={t("schedulePanel.history")}
        isBare
        query={query}
        loadingRows={3}
        rows={data && pastEntries(schedule, data.content)}
        keyOf={({ at }) => at}
        columns={[
          {
            title: t("schedulePanel.time", { timezone }),
            kind: "short",
            cell: ({ at }) => `${dateText(timezone, at)} ${clockText(timezone, at)} ${zoneShort(timezone, at)}`,
          },
          { title: t("schedulePanel.outcome"), cell: (entry) => <Outcome team={team} entry={entry} runs={runs} /> },
        ]}
        empty={
          <Text size="sm" className="quiet">
            {t("schedulePanel.noRunsYetOutcome")}
          </Text>
        }
      />
    </ListSection>
  );
}
