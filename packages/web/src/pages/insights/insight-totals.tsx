import type { Insight } from "../../api/queries/run/insights.ts";
import { successText } from "../../components/success-rate.ts";
import { t } from "../../texts/run/insights.ts";
import { numberText } from "../../ui/format.ts";
import { durationText } from "../../ui/time/time-format.ts";
import classes from "./insights.module.css";

export function duration(ms: number | null): string {
  return ms === null ? "–" : durationText(ms);
}

/** The most important numbers, in one line. */
export function InsightTotals({ data }: { data: Insight }) {
  const { totalRuns, concurrentRuns, durations, queueTimes, statuses } = data;
  const failed = (statuses.failed ?? 0) + (statuses.timedout ?? 0) + (statuses.invalid ?? 0);
  const succeeded = statuses.succeeded ?? 0;
  const numbers: [string, string, string?][] = [
    [t("insightTotals.runs"), numberText(totalRuns), t("insightTotals.runningNow", { concurrentRuns })],
    [t("insightTotals.successRate"), successText(succeeded, succeeded + failed), t("insightTotals.failed", { failed })],
    [t("insightTotals.durationMedian"), duration(durations.p50), `p95 ${duration(durations.p95)}`],
    [t("insightTotals.medianQueueTime"), duration(queueTimes.p50), `p95 ${duration(queueTimes.p95)}`],
    [t("insightTotals.totalRunTime"), durationText(data.totalDuration)],
  ];
  return (
    <dl className={classes.totals}>
      {numbers.map(([name, value, more]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className={classes.number}>{value}</dd>
          {more && <dd className="quiet">{more}</dd>}
        </div>
      ))}
    </dl>
  );
}
