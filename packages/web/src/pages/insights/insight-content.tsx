import { Anchor, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Insight } from "../../api/queries/run/insights.ts";
import { successText } from "../../components/success-rate.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/run/insights.ts";
import { numberText } from "../../ui/format.ts";
import { EmptyState } from "../../ui/state/notice.tsx";
import { type Column, DataTable } from "../../ui/table/data-table.tsx";
import { RowLink } from "../../ui/table/scroll-box.tsx";
import { durationText } from "../../ui/time/time-format.ts";
import { DayCharts } from "./day-charts.tsx";
import { WorkflowTables } from "./group-tables.tsx";
import { duration, InsightTotals } from "./insight-totals.tsx";
import classes from "./insights.module.css";

const percentiles = [
  ["p50", t("percentileTable.halfRuns")],
  ["p90", t("percentileTable.ninetieth")],
  ["p95", t("percentileTable.ninetyFifth")],
  ["p99", t("percentileTable.ninetyNinth")],
  ["max", t("percentileTable.maximum")],
] as const;

/** The percentiles of run duration and queue time. The bar beside each number compares it with the highest of its column. */
function PercentileTable({ data }: { data: Insight }) {
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
                {words} {key !== "max" && <span className="quiet">{key}</span>}
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

/** The teams with the most runs; each links to its own insights. */
function TeamTable({ data }: { data: Insight }) {
  return (
    <section className={classes.frame} aria-labelledby="teams">
      <h2 id="teams" className={classes.title}>
        {t("teamTable.teams")}
      </h2>
      <p className={`quiet ${classes.detail}`}>{t("teamTable.n20Busiest")}</p>
      <DataTable
        label={t("teamTable.teams")}
        isBare
        minWidth={480}
        columns={columns}
        rows={data.teams ?? []}
        keyOf={({ teamRef }) => teamRef}
      />
    </section>
  );
}

const columns: Column<NonNullable<Insight["teams"]>[number]>[] = [
  {
    title: t("teamTable.team"),
    cell: ({ teamName, teamDisplayName }) =>
      teamName === undefined ? (
        <span className="quiet">{t("teamTable.deleted")}</span>
      ) : (
        <RowLink to={paths.insights(teamName)}>{teamDisplayName || teamName}</RowLink>
      ),
  },
  { title: t("teamTable.runs"), kind: "number", cell: ({ total }) => numberText(total) },
  { title: t("teamTable.failed"), kind: "number", cell: ({ failed }) => numberText(failed) },
  { title: t("teamTable.successRate"), kind: "number", cell: ({ succeeded, failed }) => successText(succeeded, succeeded + failed) },
  { title: "p95", kind: "number", cell: ({ p95Duration }) => durationText(p95Duration) },
  { title: t("teamTable.totalRunTime"), kind: "number", cell: ({ totalDuration }) => durationText(totalDuration) },
];

interface InsightContentProps {
  /** Undefined on the page of the instance. */
  team?: string;
  workflows: readonly string[];
  data: Insight;
}

/** The statistics of the selected runs. */
export function InsightContent({ team, workflows, data }: InsightContentProps) {
  if (data.totalRuns === 0)
    return (
      <EmptyState title={t("insightContent.noRunsPeriod")}>
        <Text className="quiet">
          {t(team === undefined ? "insightContent.chooseLongerPeriod" : "insightContent.chooseOthers")}
          {team !== undefined && (
            <>
              {" "}
              {t.rich("insightContent.startRunsWorkflows", {
                link: (chunks) => (
                  <Anchor component={Link} to={paths.workflows(team)}>
                    {chunks}
                  </Anchor>
                ),
              })}
            </>
          )}
        </Text>
      </EmptyState>
    );
  return (
    <div className={classes.page}>
      <InsightTotals data={data} />
      <div className={classes.grid}>
        <DayCharts data={data} team={team} workflows={workflows} />
        <WorkflowTables data={data} team={team} />
        <PercentileTable data={data} />
        {data.teams && <TeamTable data={data} />}
      </div>
    </div>
  );
}
