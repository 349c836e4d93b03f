import type { TaskRunOrigin } from "@millrace/contract/run/rerun.ts";
import type { AttemptWaitTimes, RunWarning, TaskRun, TaskRunAttempt } from "@millrace/contract/run/task-run.ts";
import { parseInitiator } from "../../core/run/lineage.ts";
import type { AttemptWaits } from "../../core/run/run-change.ts";
import { externalTaskOf } from "../../core/task/external-task.ts";
import { meets, type RunNeed } from "../../core/task/place-task.ts";
import type { ExecutorKind } from "../../core/task/tekton/runnable.ts";
import type { Plan } from "../../core/workflow/plan.ts";
import type { TaskOrigin } from "../../store/run/reruns.ts";
import type { RunRow } from "../../store/run/runs.ts";
import type { AttemptRow, TaskRunRow } from "../../store/run/task-runs.ts";
import type { LiveWorker } from "../../store/worker/workers.ts";
import { duration } from "./run.view.ts";

/** @param more.waitingFor why it waits, if it does (wait.view.ts) */
export function viewTaskRun(
  row: TaskRunRow,
  run: RunRow,
  plan: Plan,
  more: {
    attempts?: readonly AttemptRow[] | undefined;
    waitingFor?: string | undefined;
    deletionPolicy: string;
    workers: readonly LiveWorker[];
    asked: ReadonlySet<string>;
    origin?: TaskOrigin | undefined;
  },
): TaskRun {
  const { attempts = [], waitingFor } = more;
  const warnings = warningsOfTask(row, more, waitingFor);
  const node = plan.nodes[row.node];
  const spec = node?.task?.spec;
  return {
    id: row.id,
    type: row.type,
    name: row.name,
    labels: { ...node?.labels, ...run.labels },
    annotations: node?.annotations ?? {},
    creationDate: row.createdAt.toISOString(),
    ...(row.startedAt && { startTime: row.startedAt.toISOString() }),
    duration: duration(row),
    ...(row.timeoutMinutes && { timeout: row.timeoutMinutes }),
    params: row.params,
    results: row.results,
    ...(row.isTruncated && { truncated: true }),
    workspaces: node?.workspaces ?? [],
    ...(spec && row.executor && { spec: specOf(spec, run.debug, row.timeoutMinutes, more.deletionPolicy) }),
    status: row.status,
    phase: row.phase,
    ...(row.statusMessage && { statusMessage: row.statusMessage }),
    ...(row.reason && { reason: row.reason }),
    ...(waitingFor && { waitingFor }),
    ...(warnings.length > 0 && { warnings }),
    ...(row.executor && { needs: row.executor }),
    ...(row.runsOn.length > 0 && { runsOn: row.runsOn }),
    attempt: row.attempt,
    ...(attempts.length > 0 && { attempts: attempts.map(viewAttempt) }),
    ...(row.decisionValue !== null && { decisionValue: row.decisionValue }),
    ...startedRun(row),
    ...(row.item !== null && { item: row.item }),
    ...(node?.pin && { pinned: true }),
    ...(more.origin && { origin: viewTaskOrigin(more.origin) }),
    ...referencesOf(row, run, node?.task?.name),
  };
}

/** By what it waits for, and afterwards by its result. The task run of a list has those of all its items. */
function startedRun({ type, waitKind, waitKey, results }: TaskRunRow): { startedRunRef?: string } {
  if (type !== "runworkflow") return {};
  const ref = waitKind === "run" ? waitKey : results.find(({ name }) => name === "workflowRunRef")?.value;
  return typeof ref === "string" && ref !== "" ? { startedRunRef: ref } : {};
}

function referencesOf(row: TaskRunRow, run: RunRow, taskName: string | undefined) {
  return {
    ...(row.taskId && { taskRef: row.taskId }),
    ...(taskName && { taskName }),
    ...(row.taskVersion && { taskVersion: row.taskVersion }),
    workflowRef: run.workflowId,
    workflowName: run.workflowName,
    workflowRevisionRef: run.workflowVersionId,
    workflowRunRef: run.id,
    ...(row.workerId && { agentRef: row.workerId }),
  };
}

function specOf(spec: Record<string, unknown>, debug: boolean, timeout: number | null, deletion: string): TaskRun["spec"] {
  const { params: _params, results: _results, ...rest } = spec;
  return { ...rest, debug, deletion, ...(timeout && { timeout }) };
}

function viewAttempt(row: AttemptRow): TaskRunAttempt {
  return {
    attempt: row.attempt,
    // The database accepts no other words.
    status: row.status as TaskRunAttempt["status"],
    ...(row.reason && { reason: row.reason }),
    ...(row.statusMessage && { statusMessage: row.statusMessage }),
    ...(row.exitCode !== null && { exitCode: row.exitCode }),
    ...(row.signal && { signal: row.signal }),
    ...(row.executor && { executor: row.executor }),
    ...(row.isolation && { isolation: row.isolation }),
    ...(row.host && { host: row.host }),
    ...row.place,
    ...(row.waits && { waits: viewWaits(row.waits) }),
    ...(row.startedAt && { startTime: row.startedAt.toISOString() }),
    endTime: row.endedAt.toISOString(),
  };
}

function viewWaits({ queueMs, quotaMs, schedulingMs, imagePullMs, startMs }: AttemptWaits): AttemptWaitTimes {
  return {
    ...(queueMs !== undefined && { queue: queueMs }),
    ...(quotaMs !== undefined && { quota: quotaMs }),
    ...(schedulingMs !== undefined && { scheduling: schedulingMs }),
    ...(imagePullMs !== undefined && { imagePull: imagePullMs }),
    ...(startMs !== undefined && { start: startMs }),
  };
}

function viewTaskOrigin({ how, runId, taskRunId, by, name, reason, at }: TaskOrigin): TaskRunOrigin {
  const marked = { byRef: parseInitiator(by ?? "").ref ?? "", byName: name ?? "", reason: reason ?? "", date: at ?? "" };
  return { how, workflowRunRef: runId, taskRunRef: taskRunId, ...(how === "marked" && marked) };
}

/** What can run task runs now: workers, and external tasks that external workers ask for. */
interface AtWork {
  workers: readonly LiveWorker[];
  asked: ReadonlySet<string>;
}

/**
 * Warnings about values are stored with the task run. That no worker has the executor of a ready task is true only at this moment. While no
 * worker runs at all there is no warning, since it would apply to every task.
 * @param waitingFor of the task run
 */
function warningsOfTask(row: TaskRunRow, { workers, asked }: AtWork, waitingFor: string | undefined): RunWarning[] {
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
