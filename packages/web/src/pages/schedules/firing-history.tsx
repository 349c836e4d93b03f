import { Group, Pagination, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { firingsQuery, type Schedule } from "../../api/queries/schedules.ts";
import { NotLoaded } from "../../ui/state/not-loaded.tsx";
import { clockText, dateText, zoneShort } from "../../ui/time/zone-time.ts";
import { pastEntries } from "./calendar-entries.ts";
import { Outcome } from "./outcome.tsx";
import classes from "./schedules.module.css";
import { useRunEnds } from "./use-calendar.ts";

const pageSize = 20;

/** What came of the past times of a schedule, newest first: its run and how that ended, or why there is none. */
export function FiringHistory({ team, schedule }: { team: string; schedule: Schedule }) {
  const [page, setPage] = useState(0);
  const query = useQuery(firingsQuery(team, schedule.id, { limit: pageSize, page }));
  const { data } = query;
  const ids = useMemo(() => (data?.content ?? []).flatMap(({ workflowRunRef }) => workflowRunRef ?? []), [data]);
  const runs = useRunEnds(team, ids);
  if (data === undefined) return <NotLoaded query={query} label="Loading history" rows={3} />;
  if (data.content.length === 0)
    return (
      <Text size="sm" className="quiet">
        No runs yet. The outcome of each scheduled time is kept for 30 days.
      </Text>
    );
  return (
    <>
      <div className={classes.scroll}>
        <Table verticalSpacing={4} aria-label="History">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Time ({schedule.timezone})</Table.Th>
              <Table.Th>Outcome</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {pastEntries(schedule, data.content).map((entry) => (
              <Table.Tr key={entry.at}>
                <Table.Td style={{ whiteSpace: "nowrap" }}>
                  {dateText(schedule.timezone, entry.at)} {clockText(schedule.timezone, entry.at)} {zoneShort(schedule.timezone, entry.at)}
                </Table.Td>
                <Table.Td>
                  <Outcome team={team} entry={entry} runs={runs} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      {data.totalPages > 1 && (
        <Group justify="flex-end">
          <Pagination
            size="sm"
            total={data.totalPages}
            value={page + 1}
            onChange={(next) => setPage(next - 1)}
            getControlProps={(control) => ({ "aria-label": `${control} page` })}
          />
        </Group>
      )}
    </>
  );
}
