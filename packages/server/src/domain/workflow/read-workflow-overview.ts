import { usualRuns } from "@millrace/contract/run/usual-runs.ts";
import { isFinal } from "@millrace/contract/status.ts";
import { type GridRows, gridRows, nodesOf } from "../../core/insight/run-grid.ts";
import { type UsualRange, usualRange } from "../../core/insight/usual-range.ts";
import type { Queryable } from "../../store/database/database.ts";
import {
  type FailedTaskRow,
  type GridCellRow,
  type GridRunRow,
  listFailedTasks,
  listGridCells,
  listGridRuns,
  listMeasuredRuns,
  type MeasuredRun,
} from "../../store/run/workflow-runs.ts";
import type { PlanCache } from "../run/run-caches.ts";

/** The latest runs of a workflow: reads a limited number of rows, however long its history is. */
export interface RunsOfWorkflow {
  usual: { runs: number; succeeded: number; failed: number; duration: UsualRange; queueTime: UsualRange };
  grid: GridRows;
  runs: GridRunRow[];
  cells: GridCellRow[];
  failures: { run: MeasuredRun; task: FailedTaskRow | undefined }[];
}

export interface WantedGrid {
  runs: number;
  firstTask: number;
  tasks: number;
}

const mostFailures = 3;
const failed: readonly string[] = ["failed", "timedout", "invalid"];

export async function readRunsOfWorkflow(
  db: Queryable,
  plans: PlanCache,
  { teamId, workflowId }: { teamId: string; workflowId: string },
  wanted: WantedGrid,
): Promise<RunsOfWorkflow> {
  const measured = await listMeasuredRuns(db, teamId, workflowId, usualRuns);
  if (wanted.runs === 0) return { usual: usualOf(measured), grid: { tasks: [], total: 0 }, runs: [], cells: [], failures: [] };
  const runs = await listGridRuns(db, teamId, workflowId, wanted.runs);
  const planOf = new Map<string, Awaited<ReturnType<PlanCache["load"]>>>();
  for (const run of runs) planOf.set(run.id, await plans.load(db, { teamId, ...run }));
  const grid = gridRows([...planOf.values()], { first: wanted.firstTask, most: wanted.tasks });
  const nodes = runs.map(({ id }) => ({ runId: id, nodes: nodesOf(planOf.get(id)!, grid.tasks) }));
  const cells = await listGridCells(db, teamId, nodes);
  const failures = measured.filter(({ status }) => failed.includes(status)).slice(0, mostFailures);
  const tasks = await listFailedTasks(
    db,
    teamId,
    failures.map(({ id }) => id),
  );
  const taskOf = new Map(tasks.map((task) => [task.runId, task]));
  return { usual: usualOf(measured), grid, runs, cells, failures: failures.map((run) => ({ run, task: taskOf.get(run.id) })) };
}

/** Durations are those of successful runs: a run that failed at once tells nothing about how long the work takes. */
function usualOf(runs: readonly MeasuredRun[]): RunsOfWorkflow["usual"] {
  const succeeded = runs.filter(({ status }) => status === "succeeded");
  const started = runs.flatMap(({ createdAt, startedAt }) => (startedAt ? [startedAt.getTime() - createdAt.getTime()] : []));
  return {
    runs: runs.filter(({ status }) => isFinal(status)).length,
    succeeded: succeeded.length,
    failed: runs.filter(({ status }) => failed.includes(status)).length,
    duration: usualRange(
      succeeded.flatMap(({ startedAt, endedAt }) => (startedAt && endedAt ? [endedAt.getTime() - startedAt.getTime()] : [])),
    ),
    queueTime: usualRange(started),
  };
}
