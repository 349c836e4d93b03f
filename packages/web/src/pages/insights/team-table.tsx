import { Anchor, Table } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Insight } from "../../api/queries/insights.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/insights.ts";
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
      <div className={classes.scroll}>
        <Table verticalSpacing={4} className={classes.numbers}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("teamTable.team")}</Table.Th>
              <Table.Th ta="right">{t("teamTable.runs")}</Table.Th>
              <Table.Th ta="right">{t("teamTable.failed")}</Table.Th>
              <Table.Th ta="right">{t("teamTable.successRate")}</Table.Th>
              <Table.Th ta="right">p95</Table.Th>
              <Table.Th ta="right">{t("teamTable.totalRunTime")}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {(data.teams ?? []).map(({ teamRef, teamName, total, failed, successRate, p95Duration, totalDuration }) => (
              <Table.Tr key={teamRef}>
                <Table.Th scope="row" fw={400}>
                  {teamName === undefined ? (
                    <span className="quiet">{t("teamTable.deleted")}</span>
                  ) : (
                    <Anchor inherit component={Link} to={paths.insights(teamName)}>
                      {teamName}
                    </Anchor>
                  )}
                </Table.Th>
                <Table.Td ta="right">{total}</Table.Td>
                <Table.Td ta="right">{failed}</Table.Td>
                <Table.Td ta="right">{percent(successRate)}</Table.Td>
                <Table.Td ta="right">{durationText(p95Duration)}</Table.Td>
                <Table.Td ta="right">{durationText(totalDuration)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </section>
  );
}
