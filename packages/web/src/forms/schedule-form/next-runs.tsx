import { Table, Text } from "@mantine/core";
import { t } from "../../texts/schedule-form.ts";
import { clockText, dateText, offsetAt, viewerZone, zoneShort } from "../../ui/time/zone-time.ts";
import classes from "./schedule-form.module.css";

interface NextRunsProps {
  /** ISO 8601. */
  times: readonly string[];
  timezone: string;
  label?: string;
}

/**
 * Coming times on the clocks of the schedule's zone, and on the viewer's where they differ. Says where the clocks change between
 * two of them.
 */
export function NextRuns({ times, timezone, label = t("nextRuns.upcomingRuns") }: NextRunsProps) {
  const own = viewerZone();
  const isElsewhere = times.some((time) => offsetAt(own, Date.parse(time)) !== offsetAt(timezone, Date.parse(time)));
  return (
    <div className={classes.scroll}>
      <Table className={classes.times} verticalSpacing={2} horizontalSpacing="xs" aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{timezone}</Table.Th>
            {isElsewhere && <Table.Th>{t("nextRuns.time", { own })}</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {times.map((time, index) => (
            <Table.Tr key={time}>
              <Table.Td>
                <time dateTime={time}>
                  {dateText(timezone, time)} <strong>{clockText(timezone, time)}</strong> {zoneShort(timezone, time)}
                </time>
                {clocksChanged(timezone, times[index - 1], time) && (
                  <Text span size="xs" className={classes.shift}>
                    {t("nextRuns.dstChange")}
                  </Text>
                )}
              </Table.Td>
              {isElsewhere && (
                <Table.Td className="quiet">
                  {dateText(own, time)} {clockText(own, time)}
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function clocksChanged(timezone: string, before: string | undefined, time: string): boolean {
  return before !== undefined && offsetAt(timezone, Date.parse(before)) !== offsetAt(timezone, Date.parse(time));
}
