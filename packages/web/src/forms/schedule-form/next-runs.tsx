import { Text } from "@mantine/core";
import { t } from "../../texts/schedules.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { clockText, dateText, offsetAt, viewerZone, zoneShort } from "../../ui/time/zone-time.ts";
import classes from "./schedule-form.module.css";

interface NextRunsProps {
  /** ISO 8601. */
  times: readonly string[];
  timezone: string;
  label?: string;
}

/** Coming times in the time zone of the schedule, and in the viewer's if it differs. Marks clock changes (DST) between two times. */
export function NextRuns({ times, timezone, label = t("nextRuns.upcomingRuns") }: NextRunsProps) {
  const own = viewerZone();
  const isElsewhere = times.some((time) => offsetAt(own, Date.parse(time)) !== offsetAt(timezone, Date.parse(time)));
  return (
    <DataTable
      label={label}
      isBare
      rows={times}
      keyOf={(time) => time}
      columns={[
        { title: timezone, cell: (time) => <ZoneTime time={time} timezone={timezone} before={times[times.indexOf(time) - 1]} /> },
        isElsewhere && {
          title: t("nextRuns.time", { own }),
          cell: (time) => (
            <span className="quiet">
              {dateText(own, time)} {clockText(own, time)}
            </span>
          ),
        },
      ]}
    />
  );
}

function ZoneTime({ time, timezone, before }: { time: string; timezone: string; before: string | undefined }) {
  return (
    <>
      <time dateTime={time}>
        {dateText(timezone, time)} <strong>{clockText(timezone, time)}</strong> {zoneShort(timezone, time)}
      </time>
      {clocksChanged(timezone, before, time) && (
        <Text span size="xs" className={classes.shift}>
          {t("nextRuns.dstChange")}
        </Text>
      )}
    </>
  );
}

function clocksChanged(timezone: string, before: string | undefined, time: string): boolean {
  return before !== undefined && offsetAt(timezone, Date.parse(before)) !== offsetAt(timezone, Date.parse(time));
}
