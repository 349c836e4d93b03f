import { isFinal } from "@millrace/contract/status.ts";
import { atOnce, type Steps } from "../../base/process/slices.ts";
import type { TaskTypes, WakeEvent } from "../task/task-type.ts";
import type { Plan } from "../workflow/plan.ts";
import { considerNode, outcomeOfFlow } from "./consider-node.ts";
import { type Facts, MissingFact, type Needs } from "./facts.ts";
import { type AttemptLoss, type AttemptOutcome, endAttempt, loseAttempt, timeOutTask } from "./finish-task.ts";
import { handlerDeadline, isEnding } from "./handlers/handler-turns.ts";
import { beginHandlers, outcomeWithHandlers, stopTasks, timeOutHandlers } from "./handlers/run-handlers.ts";
import type { CancelReason } from "./handlers/run-outcome.ts";
import { expandForEach, fillItems } from "./items/for-each.ts";
import { beginLoop, continueLoop, isPausedLoop } from "./loops/run-loop.ts";
import { activeDeadline, isHeld, wallDeadline } from "./run-activity.ts";
import type { RunChange } from "./run-change.ts";
import { runEndings } from "./run-machine.ts";
import type { RunResult, RunState, TaskState } from "./run-state.ts";
import { applyOutcome, finishMarker, makeReady, releaseHeld, typeContext } from "./start-task.ts";
import { TransitionBuilder } from "./transition-builder.ts";

/**
 * The heart of the engine: (plan, state of a run, events) -> the change to write in one transaction.
 *
 * It is pure. Time is passed in, ids and other facts are requested from the database (see transition-builder.ts), and task types are
 * values. Events are applied in order. Then every node whose dependencies have all ended is considered, until nothing changes any more: a
 * chain of the engine's own tasks completes in one call. An event that comes too late (a stale attempt, a finished task, a finished run)
 * changes nothing. This makes redelivery, and retries after an ambiguous commit, harmless.
 *
 * Readiness: a node is considered once, when all its dependencies have ended. It runs if every incoming edge holds and at least one of them
 * comes from a node that ran itself. Otherwise it is skipped, and its successors treat it as ended. `end` needs only one such edge. The run
 * ends when every node has ended; the handlers of its workflow start when all other nodes have (run-handlers.ts).
 */

export type RunEvent =
  /** Without a slot, tasks that need one are delayed. */
  | { kind: "start"; hasPlace: boolean }
  /** The run has a place in the quota again. */
  | { kind: "activate" }
  | { kind: "ended"; taskRunId: string; attempt: number; outcome: AttemptOutcome }
  | { kind: "lost"; taskRunId: string; attempt: number; loss?: AttemptLoss }
  | { kind: "look" }
  | { kind: "callback"; topic: string; status: "succeeded" | "failed"; payload: unknown }
  | { kind: "decided"; taskRunId: string; approved: boolean; results: RunResult[]; message: string }
  | { kind: "lock"; key: string }
  | { kind: "child"; taskRunId: string; runId: string; status: string; results: RunResult[]; message: string | null }
  | { kind: "cancel"; message: string; reason?: CancelReason | undefined; sparesHandlers?: boolean }
  /** The engine itself can't continue with this run: it ends as invalid instead of hanging. */
  | { kind: "broken"; message: string };

export type Advance = { change: RunChange; needs?: undefined } | { change?: undefined; needs: Needs };

/** @param now epoch milliseconds of the database, read after the run's row was locked */
export function advance(...given: Parameters<typeof advanceSteps>): Advance {
  return atOnce(advanceSteps(...given));
}

/** The same in steps of one node each: a run of ten thousand of the engine's own tasks takes a second. */
export function* advanceSteps(
  plan: Plan,
  state: RunState,
  events: readonly RunEvent[],
  facts: Facts,
  types: TaskTypes,
  now: number,
): Steps<Advance> {
  const draft = new TransitionBuilder(plan, state, facts, types, now);
  try {
    for (const event of events) {
      if (isFinal(draft.run.status)) break;
      applyEvent(draft, event);
      yield* settle(draft);
    }
    return { change: draft.change() };
  } catch (error) {
    if (error instanceof MissingFact) return { needs: error.needs };
    throw error;
  }
}

/** True when the change writes nothing. */
export function isEmptyChange(change: RunChange): boolean {
  return (
    change.updated.length === 0 && change.created.length === 0 && change.before.status === change.after.status && !changesActivity(change)
  );
}

function changesActivity({ before, after }: RunChange): boolean {
  return before.activity !== after.activity;
}

function* settle(draft: TransitionBuilder): Steps<void> {
  do {
    while (draft.ready.length + draft.expanding.length + draft.itemNodes.length > 0) {
      for (const node of draft.ready.splice(0)) {
        considerNode(draft, node);
        yield;
      }
      for (const node of draft.expanding.splice(0)) (draft.node(node).loop ? beginLoop : expandForEach)(draft, node);
      for (const node of new Set(draft.itemNodes.splice(0))) (draft.node(node).loop ? continueLoop : fillItems)(draft, node);
    }
  } while (draft.plan.handlers && beginHandlers(draft));
  finishRunWhenOver(draft);
}

function applyEvent(draft: TransitionBuilder, event: RunEvent): void {
  if (event.kind === "start") return startRun(draft, event.hasPlace);
  if (event.kind === "cancel") return cancelRun(draft, event);
  if (event.kind === "broken") return stopRun(draft, "invalid", "InternalError", event.message);
  if (draft.run.phase !== "running") return;
  switch (event.kind) {
    case "ended":
      return withRunning(draft, event.taskRunId, event.attempt, (task) => endAttempt(draft, task, event.outcome));
    case "lost":
      return withRunning(draft, event.taskRunId, event.attempt, (task) => loseAttempt(draft, task, event.loss));
    case "activate":
      return activate(draft);
    case "look":
      return look(draft);
    case "callback":
      return wakeAll(draft, "event", event.topic, { kind: "event", status: event.status, payload: event.payload });
    case "lock":
      return wakeAll(draft, "lock", event.key, { kind: "lock" });
    case "decided":
      return wakeOne(draft, event.taskRunId, "action", {
        kind: "decided",
        approved: event.approved,
        results: event.results,
        message: event.message,
      });
    case "child":
      return wakeOne(draft, event.taskRunId, "run", {
        kind: "child",
        runId: event.runId,
        status: event.status,
        results: event.results,
        message: event.message,
      });
  }
}

/** An automatic cancellation (`sparesHandlers`) may come several times; it must not stop handlers that are already running. */
function cancelRun(draft: TransitionBuilder, { reason = "Cancelled", message, sparesHandlers }: RunEvent & { kind: "cancel" }): void {
  if (sparesHandlers && isEnding(draft.plan, draft.run)) return;
  stopRun(draft, "cancelled", reason, message);
}

function startRun(draft: TransitionBuilder, hasPlace: boolean): void {
  if ((draft.run.phase !== "pending" && draft.run.phase !== "queued") || draft.run.heldFor !== null) return;
  draft.moveRun({ startedAt: draft.now }, "start");
  if (hasPlace) draft.givePlace();
  const start = draft.task(draft.plan.start);
  if (isFinal(start.status)) draft.considerOpenNodes();
  else finishMarker(draft, start);
}

function activate(draft: TransitionBuilder): void {
  draft.givePlace();
  for (const task of draft.inProgress()) if (isHeld(task)) releaseHeld(draft, task);
}

/** Only the newest attempt of a task run that is still running may end it: the fence, as the pure core applies it. */
function withRunning(draft: TransitionBuilder, taskRunId: string, attempt: number, then: (task: TaskState) => void): void {
  const task = draft.findInProgress(taskRunId);
  if (task?.status === "running" && task.attempt === attempt) then(task);
}

/** The timer: handles whatever is due by now. The run's own deadline comes first. */
function look(draft: TransitionBuilder): void {
  const { handlers } = draft.plan;
  const handlersDue = handlers ? handlerDeadline(draft.plan, draft.run) : null;
  if (handlers && handlersDue !== null && handlersDue <= draft.now) return timeOutHandlers(draft, handlers);
  const overdue = handlersDue === null ? whyOverdue(draft) : undefined;
  if (overdue !== undefined) return stopRun(draft, "timedout", "DeadlineExceeded", overdue);
  for (const task of draft.inProgress()) {
    if (task.waitKind === "items") draft.itemNodes.push(task.node);
    if (task.dueAt === null || task.dueAt > draft.now) continue;
    if (task.deadlineAt !== null && task.deadlineAt <= draft.now) timeOutTask(draft, task);
    else if (isPausedLoop(draft, task)) draft.itemNodes.push(task.node);
    else if (task.waitKind === "retry") makeReady(draft, task);
    else wake(draft, task, { kind: "due" });
  }
}

function whyOverdue({ run, now }: TransitionBuilder): string | undefined {
  const [wall, active] = [wallDeadline(run), activeDeadline(run)];
  if (wall !== null && wall <= now) return `The run took longer than ${run.timeoutMinutes} minutes`;
  if (active === null || active > now) return undefined;
  return `The run was active for longer than ${run.maxActiveMinutes} minutes, the quota maxWorkflowRunDuration of its team`;
}

function wakeAll(draft: TransitionBuilder, waitKind: string, waitKey: string, event: WakeEvent): void {
  for (const task of draft.inProgress()) {
    if (task.waitKind === waitKind && task.waitKey === waitKey) wake(draft, task, event);
  }
}

function wakeOne(draft: TransitionBuilder, taskRunId: string, waitKind: string, event: WakeEvent): void {
  const task = draft.findInProgress(taskRunId);
  if (task?.status === "waiting" && task.waitKind === waitKind) wake(draft, task, event);
}

function wake(draft: TransitionBuilder, task: TaskState, event: WakeEvent): void {
  if (task.status !== "waiting") return;
  const outcome = draft.types.get(task.type)?.wake?.(typeContext(draft, task), event);
  if (outcome) applyOutcome(draft, task, outcome);
}

/** Ends the run when every node has ended, with the status that reflects what happened. */
function finishRunWhenOver(draft: TransitionBuilder): void {
  if (draft.run.phase !== "running" || !draft.run.nodes.every((task) => isFinal(task.status))) return;
  const { handlers } = draft.plan;
  const { status, reason, message } = handlers ? outcomeWithHandlers(draft, handlers) : outcomeOfFlow(draft);
  endRun(draft, status, reason, message);
}

/**
 * Cancel and time-out: what runs is cancelled, what had not begun is skipped, whatever waits is let go. Where the workflow has handlers
 * they run now, so the run continues; a second stop ends them too.
 */
function stopRun(draft: TransitionBuilder, status: "cancelled" | "timedout" | "invalid", reason: string, message: string): void {
  const { plan, run } = draft;
  if (!plan.handlers || run.phase !== "running" || status === "invalid") {
    stopTasks(draft, () => true, reason, message);
    return endRun(draft, status, reason, message);
  }
  if (isEnding(plan, run)) return stopTasks(draft, () => true, reason, message);
  draft.noteRun({ reason, statusMessage: message });
  stopTasks(draft, ({ node }) => draft.node(node).turn === "flow", reason, message);
}

function endRun(draft: TransitionBuilder, status: keyof typeof runEndings, reason: string | null, message: string | null): void {
  draft.moveRun({ reason, statusMessage: message, endedAt: draft.now, dueAt: null }, runEndings[status]);
  const { parentRunId, parentTaskRunId, id, results, retryCount, retries } = draft.run;
  if ((status === "failed" || status === "timedout") && retryCount < retries) draft.signals.push({ runId: id, kind: "retry", data: {} });
  if (!parentRunId || !parentTaskRunId) return;
  draft.signals.push({ runId: parentRunId, kind: "child", data: { taskRunId: parentTaskRunId, runId: id, status, results, message } });
}
