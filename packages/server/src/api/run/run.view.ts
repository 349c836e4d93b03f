import type { TaskRunOrigin } from "@millrace/contract/run/rerun.ts";
import type { WorkflowRun } from "@millrace/contract/run/run.ts";
import type { RunAcknowledgement } from "@millrace/contract/run/run-comment.ts";
import type { NestedRun, RunTrial } from "@millrace/contract/run/run-trial.ts";
import type { AttemptWaitTimes, TaskRun, TaskRunAttempt } from "@millrace/contract/run/task-run.ts";
import { isFinal } from "@millrace/contract/status.ts";
import { parseInitiator } from "../../core/run/lineage.ts";
import type { AttemptWaits } from "../../core/run/run-change.ts";
import type { Plan, Trial } from "../../core/workflow/plan.ts";
import { isNestedName, tryPrefix } from "../../core/workflow/try-name.ts";
import type { RerunRow, TaskOrigin } from "../../store/run/reruns.ts";
import type { RunRow } from "../../store/run/runs.ts";
import type { AttemptRow, TaskRunRow } from "../../store/run/task-runs.ts";
import type { LiveWorker } from "../../store/worker/workers.ts";
import type { Principal } from "../endpoint.ts";
import { type QueueView, viewWarningsWith, warningsOfRun, warningsOfTask, whyRunWaits } from "./wait.view.ts";

/**
 * @param more.queue what a queued run waits for
 * @param more.stuck how many of its task runs no worker can run now, if not all of these are in the response
 */
export function viewRun(
  row: RunRow,
  more: {
    tasks?: TaskRun[];
    queue?: QueueView | undefined;
    stuck?: number | undefined;
    trial?: Trial | undefined;
    nested?: NestedRun | undefined;
    rerun?: RerunRow | undefined;
    /** Where the row does not have it. */
    initiatorName?: string;
  } = {},
): WorkflowRun {
  const waitingFor = whyRunWaits(row, more.queue);
  return {
    id: row.id,
    creationDate: row.createdAt.toISOString(),
    ...(row.startedAt && { startTime: row.startedAt.toISOString() }),
    duration: duration(row),
    ...(row.startedAt && { queued: Math.max(0, row.startedAt.getTime() - row.createdAt.getTime()) }),
    status: row.status,
    phase: row.phase,
    ...(row.statusMessage && { statusMessage: row.statusMessage }),
    ...(row.reason && { reason: row.reason }),
    ...(waitingFor && { waitingFor }),
    ...(row.timeoutMinutes && { timeout: row.timeoutMinutes }),
    retries: row.retries,
    debug: row.debug,
    awaitingApproval: row.awaitingApproval,
    ...(row.waitKinds.length > 0 && { waitKinds: row.waitKinds }),
    workflowRef: row.workflowId,
    workflowName: row.workflowName,
    workflowDisplayName: row.workflowDisplayName,
    workflowVersion: row.workflowVersion,
    workflowRevisionRef: row.workflowVersionId,
    trigger: row.trigger,
    ...viewInitiator(row.initiatedBy, more.initiatorName ?? row.initiatorName),
    labels: row.labels,
    annotations: retryAnnotations(row),
    params: row.params,
    results: row.results,
    ...(row.isTruncated && { truncated: true }),
    ...(more.tasks
      ? viewWarningsWith(row, more.tasks, more.stuck)
      : { warningCount: row.warningCount + warningsOfRun(row).length + (more.stuck ?? 0) }),
    workspaces: row.workspaces,
    ...(more.tasks && { tasks: more.tasks }),
    ...(row.retryOf && { retryOf: row.retryOf }),
    ...(more.rerun && { rerunOf: viewOrigin(more.rerun) }),
    ...(row.parentRunId && { parentRunRef: row.parentRunId }),
    ...(row.acknowledgement && { acknowledgement: viewAcknowledgement(row.acknowledgement) }),
    ...(row.commentCount > 0 && { commentCount: row.commentCount }),
    ...(row.workflowName.startsWith(tryPrefix) && !isNestedName(row.workflowName) && { trial: viewTrial(more.trial) }),
    ...(more.nested && { nested: more.nested }),
  };
}

function viewOrigin({ originId, originVersion, reused }: RerunRow) {
  return { workflowRunRef: originId, version: originVersion, reused };
}

function viewTaskOrigin({ how, runId, taskRunId, by, name, reason, at }: TaskOrigin): TaskRunOrigin {
  const marked = { byRef: parseInitiator(by ?? "").ref ?? "", byName: name ?? "", reason: reason ?? "", date: at ?? "" };
  return { how, workflowRunRef: runId, taskRunRef: taskRunId, ...(how === "marked" && marked) };
}

/** @param trial undefined: a task is tried */
export function viewTrial(trial: Trial | undefined): RunTrial {
  if (trial === undefined) return {};
  const { workflow, version, only, upTo, pins } = trial;
  const pinned = pins.map(({ task }) => task);
  return {
    workflow,
    ...(version !== undefined && { version }),
    ...(only !== undefined && { only }),
    ...(upTo !== undefined && { upTo }),
    ...(pinned.length > 0 && { pinned }),
  };
}

function viewAcknowledgement({ by, name, at, text }: NonNullable<RunRow["acknowledgement"]>): RunAcknowledgement {
  return { byRef: parseInitiator(by).ref ?? "", byName: name, date: at, ...(text !== null && { text }) };
}

/** A run that was just recorded for that principal. */
export function viewSubmitted(row: RunRow, principal: Pick<Principal, "name">, rerun?: RerunRow): WorkflowRun {
  return viewRun(row, { rerun, initiatorName: principal.name });
}

function retryAnnotations(row: RunRow): Record<string, unknown> {
  if (!row.retryOf) return row.annotations;
  return { ...row.annotations, "millrace.dev/retry-of": row.retryOf, "millrace.dev/retry-count": row.retryCount };
}

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

function duration(row: { startedAt: Date | null; endedAt: Date | null; status: TaskRun["status"] }): number {
  if (!row.startedAt || !row.endedAt || !isFinal(row.status)) return 0;
  return Math.max(0, row.endedAt.getTime() - row.startedAt.getTime());
}

/** @param stored null if it was not recorded  @param name null if what it refers to was deleted */
export function viewInitiator(
  stored: string | null,
  name: string | null,
): Pick<WorkflowRun, "initiatedByRef" | "initiatedByType" | "initiatedByName"> {
  if (stored === null) return {};
  const { type, ref } = parseInitiator(stored);
  return { ...(ref !== null && { initiatedByRef: ref }), initiatedByType: type, ...(name !== null && { initiatedByName: name }) };
}
