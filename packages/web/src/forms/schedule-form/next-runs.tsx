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

/** Coming times in the time zone of the schedule, and in the viewer's if it differs. Marks those that a clock change (DST) is near. */
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

const dayMs = 86_400_000;
const nearMs = 8 * dayMs;

/**
 * Since the time before, or in the day before it if that one is long ago: between two times that are months apart the clocks change without
 * concerning either. The first time has none before it, and may be the one that the change has moved.
 */
function clocksChanged(timezone: string, before: string | undefined, time: string): boolean {
  const at = Date.parse(time);
  const last = before === undefined ? Number.NEGATIVE_INFINITY : Date.parse(before);
  return offsetAt(timezone, at - last > nearMs ? at - dayMs : last) !== offsetAt(timezone, at);
}
