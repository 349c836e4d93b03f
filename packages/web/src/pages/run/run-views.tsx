import { SegmentedControl, Text, UnstyledButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useCallback } from "react";
import { workflowQuery } from "../../api/queries/workflow/workflows.ts";
import type { RunCanvasProps } from "../../components/run-graph/run-canvas.tsx";
import { countStatuses, parentOf } from "../../components/run-graph/run-graph-model.ts";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { t } from "../../texts/run/run.ts";
import { numberText } from "../../ui/format.ts";
import { StatusMark, statusLook } from "../../ui/mark/status-mark.tsx";
import { LoadingState, NotLoaded } from "../../ui/state/not-loaded.tsx";
import { RunLogSearch } from "./log-search/run-log-search.tsx";
import classes from "./run.module.css";
import { useRunView } from "./run-context.tsx";
import { RunTimeline } from "./run-timeline.tsx";
import { RunValues } from "./run-values.tsx";
import { TaskList } from "./task-list.tsx";

const views = [
  { value: "graph", label: t("runViews.graph") },
  { value: "timeline", label: t("runViews.timeline") },
  { value: "list", label: t("runViews.list") },
  { value: "values", label: t("runViews.parametersResults") },
  { value: "logs", label: t("runViews.searchLogs") },
  { value: "compare", label: t("runViews.compare") },
];

/** The tasks of the run in one of several views; the URL says which. */
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
        {chosen === undefined && isOfTasks(view) && (
          <Text size="sm" className={`${classes.hint} quiet`} visibleFrom="md">
            {t("runViews.selectTaskSeeLog")}
          </Text>
        )}
      </div>
      <View name={view} />
    </section>
  );
}

/** The other views have no tasks to select. */
const isOfTasks = (view: string) => view === "graph" || view === "timeline" || view === "list";

function View({ name }: { name: string }) {
  if (name === "timeline") return <RunTimeline />;
  if (name === "list") return <TaskList />;
  if (name === "compare")
    return (
      <Suspense fallback={<LoadingState label={t("runGraph.loadingComparison")} />}>
        <RunComparison />
      </Suspense>
    );
  if (name === "logs") return <RunLogSearch />;
  return name === "values" ? <RunValues /> : <GraphView />;
}

/** Shows the graph of the version that ran, even if the workflow has changed since. */
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

/** The number of tasks in each status; each number links to the list of them. */
function StatusCounts() {
  const { tasks } = useRunView();
  const [{ status: shown }, setAddress] = useSearchState({ status: "", view: "graph" });
  return (
    <div className={classes.counts}>
      {[...countStatuses(tasks)].map(([status, count]) => (
        <UnstyledButton
          key={status}
          className={classes.count ?? ""}
          aria-pressed={shown === status}
          aria-label={t("statusCounts.showThem", { word: statusLook(status).word, count })}
          onClick={() => setAddress(shown === status ? { status: "" } : { status, view: "list" })}
        >
          <StatusMark status={status} isBare /> {numberText(count)}
        </UnstyledButton>
      ))}
    </div>
  );
}

const RunComparison = lazy(() => import("./compare/run-comparison.tsx").then((module) => ({ default: module.RunComparison })));
const RunCanvas = lazy(() => import("../../components/run-graph/run-canvas.tsx").then((module) => ({ default: module.RunCanvas })));

/** The graph of a run. The code that draws it is loaded when it is first shown. */
function RunGraph(props: RunCanvasProps) {
  return (
    <Suspense fallback={<LoadingState label={t("runGraph.loadingGraph")} />}>
      <RunCanvas {...props} />
    </Suspense>
  );
}
