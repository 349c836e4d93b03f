import { Group, Pagination, Table, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Schedule } from "../../api/queries/schedules.ts";
import { paths } from "../../paths.ts";
import { TimeText } from "../../ui/time/time-text.tsx";
import { ScheduleMenu } from "./schedule-menu.tsx";
import { ScheduleMark, whenWords } from "./schedule-words.tsx";
import classes from "./schedules.module.css";
import type { ChangePlace } from "./use-schedules-place.ts";

interface ScheduleTableProps {
  team: string;
  schedules: readonly Schedule[];
  pageCount: number;
  page: number;
  onPlace: ChangePlace;
}

/** The list: what runs when, what comes next, what came last. */
export function ScheduleTable({ team, schedules, pageCount, page, onPlace }: ScheduleTableProps) {
  return (
    <>
      <section className={classes.scroll} aria-label="Schedules">
        <Table verticalSpacing={6} horizontalSpacing="md" highlightOnHover className={classes.wide}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Schedule</Table.Th>
              <Table.Th>Workflow</Table.Th>
              <Table.Th>When</Table.Th>
              <Table.Th>Status</Table.Th>
              <Table.Th>Next run</Table.Th>
              <Table.Th>Last run</Table.Th>
              <Table.Th>
                <span className="only-heard">Actions</span>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {schedules.map((schedule) => (
              <Row key={schedule.id} team={team} schedule={schedule} onPlace={onPlace} />
            ))}
          </Table.Tbody>
        </Table>
      </section>
      {pageCount > 1 && (
        <Group justify="flex-end" p="md">
          <Pagination
            total={pageCount}
            value={page + 1}
            onChange={(next) => onPlace({ page: next - 1 })}
            size="sm"
            getControlProps={controlName}
          />
        </Group>
      )}
    </>
  );
}

function controlName(control: "first" | "previous" | "next" | "last") {
  return { "aria-label": `${control} page` };
}

function Row({ team, schedule, onPlace }: { team: string; schedule: Schedule; onPlace: ChangePlace }) {
  const { id, name, workflowRef, workflowDisplayName, timezone, nextScheduleDate, lastScheduleDate, lastRunRef } = schedule;
  const words = whenWords(schedule);
  return (
    <Table.Tr>
      <Table.Td maw={280}>
        <Link to="." search={(before) => ({ ...before, schedule: id })} className={classes.name}>
          {name}
        </Link>
      </Table.Td>
      <Table.Td>
        <Link to={paths.workflow(team, workflowRef)} className={classes.link}>
          {workflowDisplayName}
        </Link>
      </Table.Td>
      <Table.Td>
        {words}
        <Text size="xs" className="quiet">
          {words !== schedule.cronSchedule && schedule.cronSchedule && <code>{schedule.cronSchedule} · </code>}
          {timezone}
        </Text>
      </Table.Td>
      <Table.Td>
        <ScheduleMark schedule={schedule} />
      </Table.Td>
      <Table.Td>
        <TimeText at={schedule.status === "active" ? nextScheduleDate : undefined} />
      </Table.Td>
      <Table.Td>
        {lastRunRef !== undefined ? (
          <Link to={paths.run(team, lastRunRef)} className={classes.link}>
            <TimeText at={lastScheduleDate} />
          </Link>
        ) : (
          <span className="quiet">–</span>
        )}
      </Table.Td>
      <Table.Td ta="right">
        <ScheduleMenu team={team} schedule={schedule} onEdit={() => onPlace({ edit: id, schedule: "" })} />
      </Table.Td>
    </Table.Tr>
  );
}
