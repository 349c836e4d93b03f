import { Alert, Anchor, Badge, Drawer, Group, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { cronQuery, type Schedule, scheduleQuery } from "../../api/queries/schedules.ts";
import { NextRuns } from "../../forms/schedule-form/next-runs.tsx";
import { useRights } from "../../hooks/use-caller.ts";
import { paths } from "../../paths.ts";
import { ActionButton } from "../../ui/dialog/action-button.tsx";
import { QueryView } from "../../ui/state/query-view.tsx";
import { BackfillDialog } from "./backfill-dialog.tsx";
import { FiringHistory } from "./firing-history.tsx";
import { ScheduleFacts } from "./schedule-facts.tsx";
import { ScheduleMenu } from "./schedule-menu.tsx";
import { ScheduleMark } from "./schedule-words.tsx";
import classes from "./schedules.module.css";
import { useScheduleActions } from "./use-schedule-actions.ts";
import type { ChangePlace } from "./use-schedules-place.ts";

interface SchedulePanelProps {
  team: string;
  /** Empty: closed. */
  scheduleId: string;
  onPlace: ChangePlace;
}

/** One schedule beside the list or the calendar: what it does, what comes, the outcome of past times. */
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
      title={query.data?.name ?? "Schedule"}
      closeButtonProps={{ "aria-label": "Close" }}
      // Escape in what opens above it, such as a backfill, closes that alone.
      closeOnEscape={false}
      onKeyDown={({ key, target, currentTarget }) => key === "Escape" && currentTarget.contains(target as Node) && close()}
    >
      <QueryView query={query} label="Loading schedule">
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
        <Alert color="yellow" title="Scheduled">
          {schedule.waitingFor}
        </Alert>
      )}
      {schedule.statusMessage && <Text size="sm">{schedule.statusMessage}</Text>}
      {schedule.description && <Text size="sm">{schedule.description}</Text>}
      <Actions team={team} schedule={schedule} onPlace={onPlace} />
      <ScheduleFacts schedule={schedule} />
      <Coming team={team} schedule={schedule} />
      <section>
        <Title order={2} mb={4}>
          History
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
        Edit
      </ActionButton>
      <ActionButton
        {...shared}
        whyNot={rights.whyNot("schedule/write")}
        onClick={() => void (canResume ? actions.resume(schedule) : actions.pause(schedule))}
      >
        {canResume ? "Resume" : "Pause"}
      </ActionButton>
      <ActionButton {...shared} whyNot={rights.whyNot("schedule/action")} onClick={() => void actions.runNow(schedule)}>
        Run now
      </ActionButton>
      <ActionButton {...shared} whyNot={rights.whyNot("schedule/action")} onClick={() => setBackfill(true)}>
        Backfill
      </ActionButton>
      <ScheduleMenu team={team} schedule={schedule} onEdit={edit} onDeleted={() => onPlace({ schedule: "" })} />
      {isBackfill && <BackfillDialog team={team} schedule={schedule} onClose={() => setBackfill(false)} />}
    </Group>
  );
}

/** Also of one that is paused: what it would do. */
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
        {status === "active" ? "Upcoming runs" : "Upcoming runs once active"}
      </Title>
      <NextRuns times={times.slice(0, 5)} timezone={timezone} />
    </section>
  );
}
