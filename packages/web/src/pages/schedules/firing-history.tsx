import { Anchor, Group, Pagination, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { firingsQuery, type Schedule } from "../../api/queries/schedules.ts";
import { paths } from "../../paths.ts";
import { ErrorState } from "../../ui/error-state.tsx";
import { LoadingState } from "../../ui/loading-state.tsx";
import { clockText, dateText, zoneShort } from "../../ui/zone-time.ts";
import { EntryMark } from "./entry-mark.tsx";
import classes from "./schedules.module.css";
import { useRunEnds } from "./use-calendar.ts";

const pageSize = 20;

/** What came of the past times of a schedule, newest first: its run and how that ended, or why there is none. */
export function FiringHistory({ team, schedule }: { team: string; schedule: Schedule }) {
  const [page, setPage] = useState(0);
  const { data, error, refetch } = useQuery(firingsQuery(team, schedule.id, { limit: pageSize, page }));
  const ids = useMemo(() => (data?.content ?? []).flatMap(({ workflowRunRef }) => workflowRunRef ?? []), [data]);
  const runs = useRunEnds(team, ids);
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState label="Loading the history" rows={3} />;
  if (data.content.length === 0)
    return (
      <Text size="sm" className="quiet">
        No time has come yet. What comes of each is recorded here for 30 days.
      </Text>
    );
  return (
    <>
      <div className={classes.scroll}>
        <Table verticalSpacing={4} aria-label="History">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Time ({schedule.timezone})</Table.Th>
              <Table.Th>What became of it</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.content.map(({ scheduledDate, outcome, count, workflowRunRef, message }) => (
              <Table.Tr key={scheduledDate}>
                <Table.Td style={{ whiteSpace: "nowrap" }}>
                  {dateText(schedule.timezone, scheduledDate)} {clockText(schedule.timezone, scheduledDate)}{" "}
                  {zoneShort(schedule.timezone, scheduledDate)}
                </Table.Td>
                <Table.Td>
                  {workflowRunRef ? (
                    <Anchor inherit component={Link} to={paths.run(team, workflowRunRef)} c="inherit">
                      <EntryMark kind={outcome} run={runs.get(workflowRunRef)} />
                    </Anchor>
                  ) : (
                    <EntryMark kind={outcome} />
                  )}
                  {count > 1 && ` ×${count}`}
                  {message && (
                    <Text span size="xs" className="quiet">
                      {" "}
                      {message}
                    </Text>
                  )}
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
