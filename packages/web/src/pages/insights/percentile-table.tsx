import type { Insight } from "../../api/queries/insights.ts";
import { t } from "../../texts/insights.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { duration } from "./insight-totals.tsx";
import classes from "./insights.module.css";

const percentiles = [
  ["p50", t("percentileTable.halfRuns")],
  ["p90", t("percentileTable.ninetieth")],
  ["p95", t("percentileTable.ninetyFifth")],
  ["p99", t("percentileTable.ninetyNinth")],
  ["max", t("percentileTable.maximum")],
] as const;

/** How long runs take and wait, from the usual to the worst: each number with a bar that compares it with the worst of its column. */
export function PercentileTable({ data }: { data: Insight }) {
  const { durations, queueTimes } = data;
  return (
    <section className={`${classes.frame} ${classes.whole}`} aria-labelledby="percentiles">
      <h2 id="percentiles" className={classes.title}>
        {t("percentileTable.durationQueueTime")}
      </h2>
      <p className={`quiet ${classes.detail}`}>{t("percentileTable.percentilesDurationQueueTime")}</p>
      <DataTable
        label={t("percentileTable.durationQueueTime")}
        isBare
        rows={percentiles}
        keyOf={([key]) => key}
        columns={[
          {
            title: t("percentileTable.share"),
            cell: ([key, words]) => (
              <>
                {words} <span className="quiet">{key}</span>
              </>
            ),
          },
          { title: t("percentileTable.duration"), cell: ([key]) => <Measured value={durations[key]} max={durations.max} /> },
          { title: t("percentileTable.queueTime"), cell: ([key]) => <Measured value={queueTimes[key]} max={queueTimes.max} /> },
        ]}
      />
    </section>
  );
}

function Measured({ value, max }: { value: number | null; max: number | null }) {
  const share = value === null || !max ? 0 : value / max;
  return (
    <span className={classes.measured}>
      {duration(value)}
      <span className={classes.bar} aria-hidden="true">
        <span style={{ width: `${Math.max(share * 100, value ? 1 : 0)}%` }} />
      </span>
    </span>
  );
}
