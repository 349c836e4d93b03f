import { Anchor, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Insight } from "../../api/queries/insights.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/insights.ts";
import { EmptyState } from "../../ui/state/empty-state.tsx";
import { DayCharts } from "./day-charts.tsx";
import { WorkflowTables } from "./group-tables.tsx";
import { InsightTotals } from "./insight-totals.tsx";
import classes from "./insights.module.css";
import { PercentileTable } from "./percentile-table.tsx";
import { TeamTable } from "./team-table.tsx";

interface InsightContentProps {
  /** Undefined on the page of the instance. */
  team?: string;
  workflows: readonly string[];
  data: Insight;
}

/** What runs tell together. */
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
