import type { RunWarning, TaskRun } from "@millrace/contract/run/task-run.ts";
import { whyRunIsCut } from "../../core/run/cut-by-limit.ts";
import { externalNeed, externalTaskOf } from "../../core/task/external-task.ts";
import { meets, needsMet, type RunNeed } from "../../core/task/place-task.ts";
import { type ExecutorKind, executorKinds } from "../../core/task/tekton/runnable.ts";
import type { Queryable } from "../../store/database/database.ts";
import { listAskedTasks } from "../../store/external/external-workers.ts";
import type { RunRow } from "../../store/run/runs.ts";
import { countReadyWithout, type TaskRunRow } from "../../store/run/task-runs.ts";
import { type LiveWorker, listExecutorsAtWork } from "../../store/worker/workers.ts";

/**
 * Warnings of runs and task runs. Those about values are stored with the task run. That no worker has the executor of a ready task is true
 * only at this moment. While no worker runs at all there is no warning, since it would apply to every task.
 */

const allNeeds = needsMet(executorKinds);

/** Enough for a reader at a time. */
const maxWarnings = 100;

/** What can run task runs now: workers, and external tasks that external workers ask for. */
interface AtWork {
  workers: readonly LiveWorker[];
  asked: ReadonlySet<string>;
}

/** @param waitingFor of the task run */
export function warningsOfTask(row: TaskRunRow, { workers, asked }: AtWork, waitingFor: string | undefined): RunWarning[] {
  const stored = row.warnings.map((warning): RunWarning => ({ code: "UNRESOLVED_REFERENCE", ...warning }));
  const atWork = workers.flatMap(({ executors }) => executors);
  const isStuck = row.status === "ready" && row.executor !== null && !canRun(row.executor, atWork, asked);
  if (!isStuck) return stored;
  return [...stored, { code: "NO_EXECUTOR", reference: row.executor ?? "", why: waitingFor ?? "No running worker can run it now" }];
}

function canRun(need: RunNeed, atWork: readonly ExecutorKind[], asked: ReadonlySet<string>): boolean {
  const external = externalTaskOf(need);
  if (external !== undefined) return asked.has(external);
  return atWork.length === 0 || atWork.some((kind) => meets(kind, need));
}

/** Warnings about the run as a whole. */
export function warningsOfRun({ timeoutMinutes, maxActiveMinutes }: RunRow): RunWarning[] {
  const why = whyRunIsCut(timeoutMinutes, maxActiveMinutes ?? Number.POSITIVE_INFINITY);
  return why === undefined ? [] : [{ code: "CUT_BY_LIMIT", reference: "timeout", why }];
}

/** The members of a run whose task runs are included in the response. @param stuck if not all task runs are included */
export function viewWarningsWith(row: RunRow, tasks: readonly TaskRun[], stuck = 0): { warningCount: number; warnings?: RunWarning[] } {
  const found = [...warningsOfRun(row), ...tasks.flatMap(({ name, warnings = [] }) => warnings.map((one) => ({ task: name, ...one })))];
  // Task runs of a large run are loaded without their warnings, so the stored number is used.
  const warningCount = Math.max(found.length, row.warningCount + warningsOfRun(row).length + stuck);
  return { warningCount, ...(found.length > 0 && { warnings: found.slice(0, maxWarnings) }) };
}

/** How many of its task runs no worker can run now, for those of these runs that have any. */
export async function loadStuck(db: Queryable, teamId: string, rows: readonly RunRow[]): Promise<ReadonlyMap<string, number>> {
  const active = rows.filter(({ activity }) => activity === "active").map(({ id }) => id);
  if (active.length === 0) return new Map();
  const atWork = await listExecutorsAtWork(db);
  const asked = [...(await listAskedTasks(db, teamId))].map(externalNeed);
  // While no worker of the service runs, only external tasks are counted.
  return countReadyWithout(db, teamId, active, [...(atWork.length === 0 ? allNeeds : needsMet(atWork)), ...asked]);
}
