import type { Insight } from "../../api/queries/insights.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/insights.ts";
import { type Column, DataTable } from "../../ui/table/data-table.tsx";
import { RowLink } from "../../ui/table/row-link.tsx";
import { durationText } from "../../ui/time/time-format.ts";
import { percent } from "./insight-totals.tsx";
import classes from "./insights.module.css";

/** The teams with the most runs; each leads to its own insights. */
export function TeamTable({ data }: { data: Insight }) {
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
    cell: ({ teamName }) =>
      teamName === undefined ? (
        <span className="quiet">{t("teamTable.deleted")}</span>
      ) : (
        <RowLink to={paths.insights(teamName)}>{teamName}</RowLink>
      ),
  },
  { title: t("teamTable.runs"), kind: "number", cell: ({ total }) => total },
  { title: t("teamTable.failed"), kind: "number", cell: ({ failed }) => failed },
  { title: t("teamTable.successRate"), kind: "number", cell: ({ successRate }) => percent(successRate) },
  { title: "p95", kind: "number", cell: ({ p95Duration }) => durationText(p95Duration) },
  { title: t("teamTable.totalRunTime"), kind: "number", cell: ({ totalDuration }) => durationText(totalDuration) },
];
