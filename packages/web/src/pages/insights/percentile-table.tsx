import { Table } from "@mantine/core";
import type { Insight } from "../../api/queries/insights.ts";
import { t } from "../../texts/insights.ts";
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
      <Table verticalSpacing={4} className={classes.percentiles}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("percentileTable.share")}</Table.Th>
            <Table.Th>{t("percentileTable.duration")}</Table.Th>
            <Table.Th>{t("percentileTable.queueTime")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {percentiles.map(([key, words]) => (
            <Table.Tr key={key}>
              <Table.Th scope="row" fw={400}>
                {words} <span className="quiet">{key}</span>
              </Table.Th>
              <Measured value={durations[key]} max={durations.max} />
              <Measured value={queueTimes[key]} max={queueTimes.max} />
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

function Measured({ value, max }: { value: number | null; max: number | null }) {
  const share = value === null || !max ? 0 : value / max;
  return (
    <Table.Td>
      <span className={classes.measured}>
        {duration(value)}
        <span className={classes.bar} aria-hidden="true">
          <span style={{ width: `${Math.max(share * 100, value ? 1 : 0)}%` }} />
        </span>
      </span>
    </Table.Td>
  );
}
