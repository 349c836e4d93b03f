import { Anchor, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Schedule } from "../../api/queries/schedules.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/schedules.ts";
import { type Column, DataTable } from "../../ui/table/data-table.tsx";
import { RowLink } from "../../ui/table/row-link.tsx";
import { TimeText } from "../../ui/time/time-text.tsx";
import { ScheduleMenu } from "./schedule-menu.tsx";
import { ScheduleMark, whenWords } from "./schedule-words.tsx";
import type { ChangePlace } from "./use-schedules-place.ts";

interface ScheduleListProps {
  team: string;
  schedules: readonly Schedule[];
  onPlace: ChangePlace;
}

/** What runs when, what comes next, what came last. */
export function ScheduleList({ team, schedules, onPlace }: ScheduleListProps) {
  const columns: Column<Schedule>[] = [
    {
      title: t("scheduleList.schedule"),
      cell: ({ id, name }) => (
        <RowLink to="." search={(before) => ({ ...before, schedule: id })}>
          {name}
        </RowLink>
      ),
    },
    {
      title: t("scheduleList.workflow"),
      cell: ({ workflowRef, workflowDisplayName: name }) => <QuietLink to={paths.workflow(team, workflowRef)}>{name}</QuietLink>,
    },
    { title: t("scheduleList.when"), cell: (schedule) => <When schedule={schedule} /> },
    { title: t("scheduleList.status"), kind: "short", cell: (schedule) => <ScheduleMark schedule={schedule} /> },
    {
      title: t("scheduleList.nextRun"),
      kind: "short",
      cell: ({ status, nextScheduleDate }) => <TimeText at={status === "active" ? nextScheduleDate : undefined} />,
    },
    { title: t("scheduleList.lastRun"), kind: "short", cell: (schedule) => <LastRun team={team} schedule={schedule} /> },
    {
      title: t("scheduleList.actions"),
      kind: "actions",
      cell: (schedule) => <ScheduleMenu team={team} schedule={schedule} onEdit={() => onPlace({ edit: schedule.id, schedule: "" })} />,
    },
  ];
  return <DataTable label={t("scheduleList.schedules")} minWidth={880} columns={columns} rows={schedules} keyOf={({ id }) => id} />;
}

function QuietLink({ to, children }: { to: string; children: React.ReactNode }) {
  return (
    <Anchor component={Link} to={to} inherit c="inherit" underline="hover">
      {children}
    </Anchor>
  );
}

function When({ schedule }: { schedule: Schedule }) {
  const words = whenWords(schedule);
  return (
    <>
      {words}
      <Text size="xs" className="quiet">
        {words !== schedule.cronSchedule && schedule.cronSchedule && <code>{schedule.cronSchedule} · </code>}
        {schedule.timezone}
      </Text>
    </>
  );
}

function LastRun({ team, schedule: { lastRunRef, lastScheduleDate } }: { team: string; schedule: Schedule }) {
  if (lastRunRef === undefined) return <span className="quiet">–</span>;
  return (
    <QuietLink to={paths.run(team, lastRunRef)}>
      <TimeText at={lastScheduleDate} />
    </QuietLink>
  );
}
