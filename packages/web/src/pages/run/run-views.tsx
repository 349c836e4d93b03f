import { SegmentedControl, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { workflowQuery } from "../../api/queries/workflows.ts";
import { RunGraph } from "../../components/run-graph/run-graph.tsx";
import { parentOf } from "../../components/run-graph/run-graph-model.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { t } from "../../texts/run.ts";
import { NotLoaded } from "../../ui/state/not-loaded.tsx";
import classes from "./run.module.css";
import { useRunView } from "./run-context.ts";
import { RunTimeline } from "./run-timeline.tsx";
import { RunValues } from "./run-values.tsx";
import { StatusCounts } from "./status-counts.tsx";
import { TaskList } from "./task-list.tsx";

const views = [
  { value: "graph", label: t("runViews.graph") },
  { value: "timeline", label: t("runViews.timeline") },
  { value: "list", label: t("runViews.list") },
  { value: "values", label: t("runViews.parametersResults") },
];

/** The tasks of the run in one of three ways; which one is in the address. */
export function RunViews() {
  const [{ view: wanted }, setAddress] = useSearchState({ view: "graph" });
  const { chosen } = useRunView();
  const view = views.some(({ value }) => value === wanted) ? wanted : "graph";
  return (
    <section className={classes.views} aria-label={t("runViews.tasksRun")}>
      <div className={classes.bar}>
        <SegmentedControl
          size="xs"
          data={views}
          value={view}
          onChange={(chosen) => setAddress({ view: chosen })}
          aria-label={t("runViews.view")}
        />
        <StatusCounts />
        {chosen === undefined && view !== "values" && (
          <Text size="sm" className={`${classes.hint} quiet`} visibleFrom="md">
            {t("runViews.selectTaskSeeLog")}
          </Text>
        )}
      </div>
      <View name={view} />
    </section>
  );
}

function View({ name }: { name: string }) {
  if (name === "timeline") return <RunTimeline />;
  if (name === "list") return <TaskList />;
  return name === "values" ? <RunValues /> : <GraphView />;
}

/** The graph is that of the version that ran, whatever the workflow looks like now. */
function GraphView() {
  const { team, run, tasks, byName, chosen, choose } = useRunView();
  const query = useQuery({
    ...workflowQuery(team, run.workflowRef, run.workflowVersion),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { data } = query;
  const onChoose = useCallback((name: string) => choose(byName.get(name)?.id), [byName, choose]);
  if (data === undefined) return <NotLoaded query={query} label={t("runViews.loadingWorkflow")} />;
  return (
    <div className={classes.graph}>
      <RunGraph workflow={data.data.tasks ?? []} tasks={tasks} chosen={chosen && parentOf(chosen.name)} onChoose={onChoose} />
    </div>
  );
}
