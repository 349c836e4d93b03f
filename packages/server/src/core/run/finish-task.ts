import type { FinalStatus } from "@millrace/contract/status.ts";
import { isExecutorType, isFinal } from "@millrace/contract/status.ts";
import { shorten } from "../../base/text/shorten.ts";
import { cleanJson, cleanText } from "../document/json-guard.ts";
import { externalExecutor, externalTaskOf } from "../task/external-task.ts";
import { executorKinds } from "../task/tekton/runnable.ts";
import { retryDelayMs } from "./retry-delay.ts";
import type { AttemptFacts, AttemptPlace, AttemptRecord, AttemptWaits } from "./run-change.ts";
import type { RunResult, TaskState } from "./run-state.ts";
import { taskRunEndings } from "./task-run-machine.ts";
import type { TaskPatch, TransitionBuilder } from "./transition-builder.ts";

/**
 * The only place where a task run becomes final, and where a failed attempt is retried.
 *
 * An attempt that failed or timed out is retried while the node's retry policy allows it. An attempt that was lost, because its worker is
 * gone or its machine has a fault, is retried without using up retries, at most five times in a row, unless the node says `onLost: fail`
 * and a step may have started. Attempts that a worker returns in an orderly shutdown are lost too, but do not count against these five:
 * they say nothing about the task. A fault of the machine counts, since the task may be its cause.
 */

export interface AttemptOutcome extends AttemptFacts {
  status: "succeeded" | "failed" | "invalid" | "cancelled" | "timedout";
  reason: string;
  message: string;
  exitCode?: number;
  signal?: string;
  results: RunResult[];
  /** Another attempt would end the same way, so the retry policy is ignored. */
  isTerminal?: boolean;
}

/** An attempt that ended without an end of its own: its worker is gone, or its machine can't continue with it. */
export interface AttemptLoss extends AttemptFacts {
  /** The worker shut down in good order and released the attempt. */
  isReleased?: boolean;
  /** What is wrong with the machine; absent: the worker is gone. */
  fault?: { reason: string; message: string };
  /** No step had started, so a retry does nothing twice. */
  isNotStarted?: boolean;
}

export interface TaskEnd {
  status: FinalStatus;
  reason?: string;
  message?: string;
  results?: RunResult[];
  decisionValue?: string;
}

const maxLossesInARow = 5;

/** Messages repeat input, which may be 1 MiB. But they are for people, and every list contains them, so they are cut. */
const maxMessageLength = 2000;

/** Cleaned, since the cut can split a surrogate pair, and no column accepts half of one. */
function messageOf(message: string | undefined): string | null {
  if (message === undefined) return null;
  return cleanText(shorten(message, maxMessageLength));
}

/** An executor has reported the end of the newest attempt. */
export function endAttempt(draft: TransitionBuilder, task: TaskState, outcome: AttemptOutcome): void {
  draft.attempts.push(attemptRecord(task, outcome.status, outcome));
  const results = mergeResults(draft, task, outcome.results);
  const end = { status: outcome.status, reason: outcome.reason, message: outcome.message, results };
  if (outcome.isTerminal) finishTask(draft, task, end);
  else endOrRetry(draft, task, end);
}

/** Ends the task run with that outcome, or plans the next attempt if the node's policy allows one. */
export function endOrRetry(draft: TransitionBuilder, task: TaskState, end: TaskEnd): void {
  const policy = draft.node(task.node).retry;
  const canRetry = policy && (end.status === "failed" || end.status === "timedout") && policy.on.includes(end.status);
  if (!canRetry || task.retriesUsed >= policy.count) return finishTask(draft, task, end);
  const delayMs = retryDelayMs(policy, task.retriesUsed, task.id);
  draft.move(
    task,
    {
      reason: end.reason ?? null,
      statusMessage: messageOf(end.message),
      retriesUsed: task.retriesUsed + 1,
      losses: 0,
      releasedLosses: 0,
      workerId: null,
      waitKind: "retry",
      waitKey: null,
      waitDetail: `Attempt ${task.attempt} ended as ${end.status}; retry ${task.retriesUsed + 1} of ${policy.count} in ${Math.ceil(delayMs / 1000)} s`,
      dueAt: draft.now + delayMs,
      deadlineAt: null,
      ...(end.results ? { results: end.results } : {}),
    },
    "retryLater",
  );
}

/** The newest attempt has lost its worker, or its worker has lost the machine it needs. */
export function loseAttempt(draft: TransitionBuilder, task: TaskState, loss: AttemptLoss = {}): void {
  const message = lossMessage(task, loss);
  const reason = loss.fault?.reason ?? "WorkerLost";
  draft.attempts.push(attemptRecord(task, "lost", { ...loss, reason, message }));
  if (draft.node(task.node).onLost === "fail" && !loss.isNotStarted) return finishTask(draft, task, { status: "failed", reason, message });
  const losses = task.losses + 1;
  const releasedLosses = task.releasedLosses + (loss.isReleased ? 1 : 0);
  if (!loss.isReleased && losses - releasedLosses >= maxLossesInARow) {
    return finishTask(draft, task, {
      status: "failed",
      reason,
      message: `${message}; loss ${losses - releasedLosses} in a row`,
    });
  }
  draft.move(
    task,
    {
      reason,
      statusMessage: `${message}; retrying`,
      losses,
      releasedLosses,
      workerId: null,
      readyAt: draft.now,
      dueAt: null,
      deadlineAt: null,
    },
    "lose",
  );
}

function lossMessage({ workerId, attempt }: TaskState, { isReleased, fault }: AttemptLoss): string {
  if (fault) return fault.message;
  const worker = `Worker ${workerId ?? "unknown"}`;
  return isReleased ? `${worker} ended during attempt ${attempt}` : `${worker} was lost during attempt ${attempt}`;
}

/** The deadline of the newest attempt has passed. */
export function timeOutTask(draft: TransitionBuilder, task: TaskState): void {
  const minutes = allowedMinutes(draft, task);
  const message = task.waitKind === "action" ? `There was no decision within ${minutes} minutes` : `It took longer than ${minutes} minutes`;
  if (isExecutorType(task.type) && task.status === "running")
    draft.attempts.push(attemptRecord(task, "timedout", { reason: "DeadlineExceeded", message }));
  abandonWait(draft, task, "the task that started this run timed out");
  endOrRetry(draft, task, { status: "timedout", reason: "DeadlineExceeded", message });
}

/** From the start of the attempt to its deadline: the node's timeout, or a shorter one that the task itself sets. */
function allowedMinutes(draft: TransitionBuilder, { node, startedAt, deadlineAt }: TaskState): number | string {
  if (startedAt !== null && deadlineAt !== null) return Math.round((deadlineAt - startedAt) / 60_000);
  return draft.node(node).timeoutMinutes ?? "the allowed";
}

/** Makes a task run final and lets its successors be considered. */
export function finishTask(draft: TransitionBuilder, task: TaskState, end: TaskEnd): void {
  if (isFinal(task.status)) return;
  const patch = over(draft);
  patch.reason = end.reason ?? null;
  patch.statusMessage = messageOf(end.message);
  if (end.results) patch.results = end.results;
  if (end.decisionValue !== undefined) patch.decisionValue = end.decisionValue;
  const done = draft.move(task, patch, taskRunEndings[end.status]);
  if (done.item === null) draft.releaseSuccessors(draft.node(done.node));
  else draft.itemNodes.push(done.node);
}

/** The members of every task run that has ended, however it ended: it waits for nothing, and no worker holds it. */
export function over(draft: TransitionBuilder): TaskPatch {
  return {
    waitKind: null,
    waitKey: null,
    waitDetail: null,
    workerId: null,
    endedAt: draft.now,
    dueAt: null,
    deadlineAt: null,
  };
}

/** Cancels the child run that the task run waits for, since nothing waits for its end any more. */
export function abandonWait(draft: TransitionBuilder, task: TaskState, why: string): void {
  if (task.waitKind === "run" && task.waitKey)
    draft.signals.push({ runId: task.waitKey, kind: "cancel", data: { message: `Cancelled: ${why}` } });
}

type AttemptEnd = Pick<AttemptRecord, "status">["status"];

export function attemptRecord(task: TaskState, status: AttemptEnd, end: Partial<AttemptOutcome>): AttemptRecord {
  return {
    taskRunId: task.id,
    attempt: task.attempt,
    status,
    reason: end.reason ?? null,
    statusMessage: messageOf(end.message),
    exitCode: end.exitCode ?? null,
    signal: end.signal ?? null,
    executor: end.executor ?? executorOf(task),
    isolation: end.isolation ?? null,
    host: end.host ?? null,
    place: end.place ? (cleanJson(end.place) as AttemptPlace) : null,
    waits: waitsOf(task, end.waits),
    workerId: task.workerId,
    startedAt: task.startedAt,
  };
}

/** Null if several kinds of executor could have run it. */
function executorOf({ executor }: TaskState): AttemptRecord["executor"] {
  return externalTaskOf(executor) === undefined ? (executorKinds.find((kind) => kind === executor) ?? null) : externalExecutor;
}

/** The time it waited for a worker is computed here: both ends of it are times of the database. */
function waitsOf({ readyAt, startedAt }: TaskState, others: AttemptWaits | undefined): AttemptWaits | null {
  const rounded = Object.fromEntries(Object.entries(others ?? {}).map(([what, ms]) => [what, Math.max(0, Math.round(ms ?? 0))]));
  if (readyAt === null || startedAt === null) return others ? rounded : null;
  return { queueMs: Math.max(0, startedAt - readyAt), ...rounded };
}

/** Results are merged by name; their descriptions come from the declarations of the task. */
function mergeResults(draft: TransitionBuilder, task: TaskState, results: readonly RunResult[]): RunResult[] {
  const node = draft.node(task.node);
  const declared = [...((node.task?.spec.results as RunResult[] | undefined) ?? []), ...node.results];
  const descriptions = new Map(declared.map((result) => [result.name, result.description]));
  return results.map((result) => ({
    name: result.name,
    description: result.description ?? descriptions.get(result.name),
    value: result.value,
  }));
}
