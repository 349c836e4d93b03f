import { useLocalStorage } from "@mantine/hooks";
import { isRunOver } from "@millrace/contract/run/run-rules.ts";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { rerunsQuery } from "../../api/queries/run/reruns.ts";
import { runExpectationQuery } from "../../api/queries/run/run-expectation.ts";
import { followUpsQuery, type Run, runQuery } from "../../api/queries/run/runs.ts";
import { PageView } from "../../components/missing/page-view.tsx";
import { useSearchState } from "../../hooks/use-search-state.ts";
import { useParam, useTeam } from "../../hooks/use-team.ts";
import { t } from "../../texts/run/run.ts";
import { RunNeighbours, RunSteps } from "./neighbours/run-neighbours.tsx";
import { useNeighbours } from "./neighbours/use-neighbours.ts";
import { useTaskLeftOut } from "./paged-task.ts";
import classes from "./run.module.css";
import { type RunView, RunViewContext } from "./run-context.tsx";
import { RunHeader } from "./run-header.tsx";
import { RunNotices } from "./run-notices.tsx";
import { RunViews } from "./run-views.tsx";
import { TaskPanel } from "./task-panel.tsx";

/** A run: its status, what its tasks did, and the actions for it. */
export function RunPage() {
  const team = useTeam();
  const run = useParam("run");
  return (
    <PageView query={useQuery(runQuery(team, run))} label={t("runPage.loadingRun")} rows={8} sought={{ kind: "run", name: run, team }}>
      {(loaded) => <ShownRun key={run} team={team} run={loaded} />}
    </PageView>
  );
}

function ShownRun({ team, run }: { team: string; run: Run }) {
  const view = useView(team, run);
  const [{ wide }] = useSearchState({ wide: false });
  const neighbours = useNeighbours(team, run);
  const [isListOpen, setListOpen] = useLocalStorage({
    key: "millrace-run-neighbours",
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  return (
    <RunViewContext value={view}>
      <div className={classes.page} data-settling={!useSettled(team, run) || undefined}>
        <RunHeader steps={<RunSteps {...{ neighbours, isListOpen }} onList={() => setListOpen(!isListOpen)} />} />
        <RunNotices />
        <div className={classes.body} data-wide={(wide && view.chosen !== undefined) || undefined}>
          {isListOpen && <RunNeighbours neighbours={neighbours} />}
          <RunViews />
          {view.chosen !== undefined && <TaskPanel key={view.chosen.id} task={view.chosen} />}
        </div>
      </div>
    </RunViewContext>
  );
}

const settlesWithinMs = 3_000;

/**
 * Whether what may add lines above the views has been loaded: they are hidden until then, for 3 s at most, so that nothing moves away from
 * the pointer. What they need is loaded meanwhile. Later changes of the run hide nothing.
 */
function useSettled(team: string, run: Run): boolean {
  const isOver = isRunOver(run);
  const above = [
    useQuery(runExpectationQuery(team, run.id, !isOver)),
    useQuery({ ...rerunsQuery(team, run.id), enabled: isOver }),
    useQuery({ ...followUpsQuery(team, run.id), enabled: isOver }),
  ];
  const [isSettled, setSettled] = useState(false);
  if (!isSettled && above.every(({ isLoading }) => !isLoading)) setSettled(true);
  // Not for long: an answer that does not come must not hide what is there.
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), settlesWithinMs);
    return () => clearTimeout(timer);
  }, []);
  return isSettled;
}

const noTasks: NonNullable<Run["tasks"]> = [];

/** The selected task is in the URL, by its id; a name works as well. */
function useView(team: string, run: Run): RunView {
  const [{ task: named }, setAddress] = useSearchState({ task: "", tab: "", line: 0, step: "" });
  const tasks = run.tasks ?? noTasks;
  const byName = useMemo(() => new Map(tasks.map((task) => [task.name, task])), [tasks]);
  const known = useMemo(() => tasks.find(({ id }) => id === named) ?? byName.get(String(named)), [tasks, byName, named]);
  const leftOut = useTaskLeftOut(team, run.id, known === undefined && named !== "" ? String(named) : undefined);
  const chosen = known ?? leftOut;
  const change = useRef(setAddress);
  change.current = setAddress;
  const choose = useCallback((id: string | undefined, tab = "") => change.current({ task: id ?? "", tab, line: 0, step: "" }), []);
  return { team, run, tasks, byName, chosen, choose };
}
