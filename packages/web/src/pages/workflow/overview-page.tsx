import { Anchor, Button, Group, Text, Title } from "@mantine/core";
import { mostGridTasks } from "@millrace/contract/run/usual-runs.ts";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { type WorkflowOverview, workflowOverviewQuery } from "../../api/queries/workflow/workflow-overview.ts";
import { useDraft } from "../../editor/draft/draft-context.ts";
import { useParam, useTeam } from "../../hooks/use-team.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/workflow/workflow-overview.ts";
import { QueryView } from "../../ui/state/not-loaded.tsx";
import classes from "./overview.module.css";
import { OverviewFacts } from "./overview-facts.tsx";
import { Failures, OpenActions, RecentVersions } from "./overview-lists.tsx";
import { RunGrid } from "./run-grid.tsx";
import { UsualCharts } from "./usual-charts.tsx";

/** The start page of a workflow: its last runs, its usual values, what needs attention, and what comes next. */
export function OverviewPage() {
  const team = useTeam();
  const workflow = useParam("workflow");
  const [firstTask, setFirstTask] = useState(0);
  const query = useQuery(workflowOverviewQuery(team, workflow, firstTask));
  const { loaded, isDirty } = useDraft();
  return (
    <QueryView query={query} label={t("overviewPage.loading")} rows={10}>
      {(overview) => (
        <div className={classes.page}>
          <div className={classes.main}>
            <OpenActions team={team} actions={overview.actions} />
            <LastRuns team={team} workflow={workflow} overview={overview} firstTask={firstTask} onTasks={setFirstTask} />
            {overview.runs.length > 0 && <UsualCharts usual={overview.usual} runs={overview.runs} />}
            {overview.runs.length > 0 && <Failures team={team} failures={overview.failures} />}
          </div>
          <aside className={classes.aside}>
            <OverviewFacts team={team} workflow={loaded.data} overview={overview} whyNot={isDirty ? t("facts.saveFirst") : undefined} />
            <RecentVersions team={team} workflow={workflow} versions={overview.versions} />
          </aside>
        </div>
      )}
    </QueryView>
  );
}

interface LastRunsProps {
  team: string;
  workflow: string;
  overview: WorkflowOverview;
  firstTask: number;
  onTasks: (first: number) => void;
}

function LastRuns({ team, workflow, overview: { runs, tasks, totalTasks }, firstTask, onTasks }: LastRunsProps) {
  const last = firstTask + tasks.length;
  return (
    <section aria-label={t("overviewPage.tasksByRun", { count: runs.length })}>
      <Group justify="space-between">
        <Title order={2}>{t("overviewPage.tasksByRun", { count: runs.length })}</Title>
        <Anchor component={Link} to={paths.workflow(team, workflow, "runs")} size="sm">
          {t("overviewPage.allRuns")}
        </Anchor>
      </Group>
      {runs.length === 0 ? (
        <Text size="sm" className="quiet">
          {t("overviewPage.noRunsYet")}. {t("overviewPage.noRunsYetHelp")}
        </Text>
      ) : (
        <RunGrid team={team} tasks={tasks} runs={runs} />
      )}
      {totalTasks > mostGridTasks && (
        <Group gap="xs" mt="xs">
          <Button
            size="compact-sm"
            variant="default"
            disabled={firstTask === 0}
            onClick={() => onTasks(Math.max(0, firstTask - mostGridTasks))}
          >
            {t("overviewPage.earlierTasks")}
          </Button>
          <Text size="sm" className="quiet">
            {t("overviewPage.tasksShown", { first: firstTask + 1, last, total: totalTasks })}
          </Text>
          <Button size="compact-sm" variant="default" disabled={last >= totalTasks} onClick={() => onTasks(last)}>
            {t("overviewPage.laterTasks")}
          </Button>
        </Group>
      )}
    </section>
  );
}
