import { isExecutorType, isFinal } from "@millrace/contract/status.ts";
import type { Handlers } from "../../workflow/plan.ts";
import { failsRun, failureMessage, pathNotTaken, type RunOutcome } from "../consider-node.ts";
import { abandonWait, attemptRecord, finishTask, over } from "../finish-task.ts";
import type { TaskState } from "../run-state.ts";
import type { TransitionBuilder } from "../transition-builder.ts";
import { type HandlerTurn, handlerTurns, isEnding } from "./handler-turns.ts";
import { outcomeOf, outcomeResults } from "./run-outcome.ts";

/**
 * What runs when the flow of a workflow has ended, however it ended: first the compensations, one after the other in reverse order, then
 * `onFailure`, then `finally`. Each of these three kinds has its own time limit, counted from the end of the one before. The run ends when
 * all three have ended.
 *
 * No row says how far this is: the flow is over when its end is, and the rest follows from the task runs. So a process that takes over
 * after another one died continues where the rows stand.
 */

/** A task that was pinned in a trial did not run, so there is nothing to undo. */
const pinned = "Pinned";

/** Starts the next handlers. @returns true if a node is now ready to be considered */
export function beginHandlers(draft: TransitionBuilder): boolean {
  const { handlers } = draft.plan;
  if (!handlers || !isEnding(draft.plan, draft.run)) return false;
  for (const [at, turn] of handlerTurns(handlers).entries()) {
    if (turn.nodes.every((index) => isFinal(draft.task(index).status))) continue;
    if (turn.nodes.every((index) => draft.task(index).status === "notstarted")) prepareTurn(draft, handlers, at);
    const ready = nextOf(draft, turn);
    draft.ready.push(...ready);
    if (ready.length > 0) return true;
    if (turn.nodes.some((index) => !isFinal(draft.task(index).status))) return false;
  }
  return false;
}

function nextOf(draft: TransitionBuilder, { nodes, isInOrder }: HandlerTurn): number[] {
  const open = nodes.filter((index) => !isFinal(draft.task(index).status));
  const untouched = open.filter((index) => draft.task(index).status === "notstarted");
  if (!isInOrder) return untouched.filter((index) => draft.node(index).incoming.length === 0);
  const isOneInProgress = untouched.length < open.length;
  return isOneInProgress ? [] : lastEnded(draft, untouched);
}

/** The task that ended last is undone first; of tasks that ended at the same moment, the one that comes later in the plan. */
function lastEnded(draft: TransitionBuilder, open: readonly number[]): number[] {
  const undoes = new Map(draft.plan.handlers?.compensations.map((one) => [one.index, one.undoes]));
  const endOf = (index: number) => draft.task(undoes.get(index) as number).endedAt ?? 0;
  const [first, ...others] = open;
  return first === undefined ? [] : [others.reduce((last, index) => (endOf(index) > endOf(last) ? index : last), first)];
}

/** Gives the handlers the outcome of the flow, and skips the handlers that do not apply to it. */
function prepareTurn(draft: TransitionBuilder, handlers: Handlers, at: number): void {
  const outcome = outcomeOf(draft);
  const { reason, message } = outcome;
  draft.noteRun({ reason, statusMessage: message });
  const end = draft.task(draft.plan.end);
  draft.update(end, { results: outcomeResults(draft, outcome, notUndone(draft, handlers, outcome)) });
  if (at === 0) {
    for (const { index, undoes } of handlers.compensations) {
      const why = whyNotUndone(draft, outcome, undoes);
      if (why !== undefined) skip(draft, index, why);
    }
  }
  if (at === 1 && outcome.status !== "failed" && outcome.status !== "timedout")
    for (const index of handlers.onFailure) skip(draft, index, `The run did not fail: it ended as ${outcome.status}`);
}

function skip(draft: TransitionBuilder, index: number, message: string): void {
  finishTask(draft, draft.task(index), { status: "skipped", reason: pathNotTaken, message });
}

function whyNotUndone(draft: TransitionBuilder, { status }: RunOutcome, index: number): string | undefined {
  if (status === "succeeded") return "There is nothing to undo: the run succeeded";
  const task = draft.task(index);
  if (task.reason === pinned) return `There is nothing to undo: task "${task.name}" did not run in this trial`;
  return hasDone(draft, task) ? undefined : `There is nothing to undo: task "${task.name}" ended as ${task.status}`;
}

/** Whether the task did anything that can be undone; of a list, at least one item must have succeeded. */
function hasDone(draft: TransitionBuilder, task: TaskState): boolean {
  return task.status === "succeeded" || [...draft.items(task.node)].some(({ status }) => status === "succeeded");
}

/** Names of tasks that should have been undone and were not. */
function notUndone(draft: TransitionBuilder, { compensations }: Handlers, outcome: RunOutcome): string[] {
  const left = compensations.filter(
    ({ index, undoes }) => draft.task(index).status !== "succeeded" && whyNotUndone(draft, outcome, undoes) === undefined,
  );
  return left.map(({ undoes }) => draft.node(undoes).name);
}

/**
 * How the run ends when all its handlers have ended. A failed handler turns a successful run into a failed one; it changes no other status.
 */
export function outcomeWithHandlers(draft: TransitionBuilder, handlers: Handlers): RunOutcome {
  const outcome = outcomeOf(draft);
  const left = notUndone(draft, handlers, outcome).map((name) => `"${name}"`);
  const failed = [...handlers.onFailure, ...handlers.finally]
    .map((index) => draft.node(index))
    .filter((node) => hasFailed(draft, node.index));
  const sentences = [
    ...(outcome.message === null ? [] : [outcome.message]),
    ...(left.length > 0 ? [`Not undone: ${left.join(", ")}`] : []),
    ...failed.slice(0, 1).map((node) => failureMessage(draft, node)),
  ];
  const message = sentences.length > 0 ? sentences.join(". ") : null;
  if (outcome.status !== "succeeded" || failed.length === 0) return { ...outcome, message };
  const isCancelled = failed.every(({ index }) => draft.task(index).reason === "Cancelled");
  return isCancelled ? { status: "cancelled", reason: "Cancelled", message } : { status: "failed", reason: "HandlerFailed", message };
}

function hasFailed(draft: TransitionBuilder, index: number): boolean {
  const { status, reason } = draft.task(index);
  // Handlers that were skipped because the handlers were stopped should have run.
  return status === "cancelled" || (status === "skipped" && reason !== pathNotTaken) || failsRun(draft, draft.node(index));
}

/** The time of the handlers that are running is over: those that come after them still run. */
export function timeOutHandlers(draft: TransitionBuilder, handlers: Handlers): void {
  const turn = handlerTurns(handlers).find(({ nodes }) => nodes.some((index) => !isFinal(draft.task(index).status)));
  const stopped = new Set(turn?.nodes);
  const message = `The handlers of this kind took longer than ${handlers.timeoutMinutes} minutes`;
  stopTasks(draft, ({ node }) => stopped.has(node), "DeadlineExceeded", message);
}

/** Running tasks are cancelled, tasks that have not started are skipped, and waits are abandoned. */
export function stopTasks(draft: TransitionBuilder, isMeant: (task: TaskState) => boolean, reason: string, message: string): void {
  for (const task of draft.open()) {
    if (!isMeant(task)) continue;
    if (isExecutorType(task.type) && task.status === "running")
      draft.attempts.push(attemptRecord(task, "cancelled", { reason: "Cancelled", message }));
    abandonWait(draft, task, message);
    draft.move(task, { ...over(draft), reason, statusMessage: message }, "cancel");
  }
}
