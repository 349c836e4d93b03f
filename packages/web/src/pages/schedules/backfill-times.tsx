import { Anchor, ScrollArea, Table, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { components } from "../../api/schema.generated.ts";
import { paths } from "../../paths.ts";
import { clockText, dateText, offsetAt, viewerZone, zoneShort } from "../../ui/time/zone-time.ts";
import { EntryMark } from "./entry-mark.tsx";

interface BackfillTimesProps {
  team: string;
  times: readonly components["schemas"]["ScheduleBackfillTime"][];
  timezone: string;
}

/** The times of a range: which get a run, and what is recorded of them so far. */
export function BackfillTimes({ team, times, timezone }: BackfillTimesProps) {
  const own = viewerZone();
  const count = times.filter(({ isNew }) => isNew).length;
  const isElsewhere = times.some(
    ({ scheduledDate }) => offsetAt(own, Date.parse(scheduledDate)) !== offsetAt(timezone, Date.parse(scheduledDate)),
  );
  if (times.length === 0)
    return (
      <Text size="sm" role="status">
        The schedule has no past times in this period.
      </Text>
    );
  return (
    <>
      <Text size="sm" fw={500} role="status">
        {times.length} {times.length === 1 ? "time" : "times"}, {count} without a run
      </Text>
      <ScrollArea.Autosize
        mah={280}
        type="auto"
        viewportProps={{ tabIndex: 0, "aria-label": "Scheduled times in this period", role: "region" }}
      >
        <Table verticalSpacing={2} stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{timezone}</Table.Th>
              {isElsewhere && <Table.Th>Your time</Table.Th>}
              <Table.Th>Outcome so far</Table.Th>
              <Table.Th>Backfill</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {times.map(({ scheduledDate, isNew, outcome, workflowRunRef }) => (
              <Table.Tr key={scheduledDate}>
                <Table.Td>
                  {dateText(timezone, scheduledDate)} {clockText(timezone, scheduledDate)} {zoneShort(timezone, scheduledDate)}
                </Table.Td>
                {isElsewhere && <Table.Td className="quiet">{clockText(own, scheduledDate)}</Table.Td>}
                <Table.Td>{outcome ? <EntryMark kind={outcome} /> : <span className="quiet">None</span>}</Table.Td>
                <Table.Td>
                  {isNew
                    ? "Starts a run"
                    : workflowRunRef && (
                        <Anchor inherit component={Link} to={paths.run(team, workflowRunRef)} c="inherit">
                          Has a run
                        </Anchor>
                      )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea.Autosize>
    </>
  );
}
