import { isFinal } from "@millrace/contract/status.ts";
import { maxRoundsOfRun } from "@millrace/contract/workflow/loop.ts";
import { CostlyPatterns, isHiddenByLineEnd, lineEndWarning, matchesAnyLine } from "../../parameter/condition.ts";
import type { Loop } from "../../workflow/compile-loop.ts";
import { finishTask, type TaskEnd } from "../finish-task.ts";
import { maxLoopResultsLength, textLengthOf } from "../result-sizes.ts";
import { newTaskState, type TaskState } from "../run-state.ts";
import { makeReady, resolveCondition, unlessUnreadable } from "../start-task.ts";
import type { TransitionBuilder } from "../transition-builder.ts";
import { storedLength, storedRound } from "./loop-scope.ts";

/**
 * A task that is repeated on a condition. Each round is an item of the node, begun when the one before is over, so what holds of items
 * holds of rounds: task runs of their own with attempts and logs. The node's own task run waits meanwhile (`items`, between two rounds
 * with a pause `sleep`). No row says how far a loop is: its rounds do. So a process that takes over continues where they stand.
 *
 * After a round, in this order: a failure ends the loop, unless it is to continue; the condition ends it; the limit ends it. Then comes the
 * pause, then the next round. The results of a loop are those of its last round.
 */

/** Rounds of the engine's own tasks end as soon as they start. One change starts at most this many, so that other work gets its turn. */
const begunAtOnce = 50;

export function beginLoop(draft: TransitionBuilder, node: number): void {
  const patch = { attempt: 1, startedAt: draft.now, waitKind: "items" as const, waitKey: null, waitDetail: null };
  draft.move(draft.task(node), patch, "becomeReady", "start", "wait");
  draft.itemNodes.push(node);
}

/** Starts the next round when it is time; ends the loop if there is none. */
export function continueLoop(draft: TransitionBuilder, node: number): void {
  const parent = draft.task(node);
  if (isFinal(parent.status) || draft.items(node).open > 0) return;
  if (parent.waitKind === "sleep") {
    if ((parent.dueAt ?? 0) <= draft.now) beginRound(draft, parent);
    return;
  }
  const end = unlessUnreadable(draft, parent, () => whatNext(draft, parent));
  if (end === "round") beginRound(draft, parent);
  else if (end === "pause") pause(draft, parent);
  else if (end === "later") draft.hasMore = true;
  else if (end) finishTask(draft, parent, end);
}

type Next = "round" | "pause" | "later" | TaskEnd;

/** @throws OversizedResults, UnresolvedReference */
function whatNext(draft: TransitionBuilder, parent: TaskState): Next {
  const loop = draft.node(parent.node).loop as Loop;
  const rounds = draft.items(parent.node);
  const last = rounds.at(rounds.length - 1);
  const results = last ? (draft.results([last])[0] ?? []) : [];
  if (last && last.status !== "succeeded" && loop.stopsAtFailure) return { ...failedBy(last, rounds.length), results };
  const holds = holdsNow(draft, parent, loop);
  if (typeof holds !== "boolean") return holds === "later" ? holds : { ...holds, results };
  if (holds === (loop.kind === "until")) return { status: "succeeded", message: `${countRounds(rounds.length)}`, results };
  if (rounds.length >= loop.maxRounds) {
    const isHidden = loop.kind === "until" && isHiddenByLineEnd(resolveCondition(draft, parent), [loop.matches]);
    return { ...atLimit(loop, isHidden ? `. ${lineEndWarning}` : ""), results };
  }
  if (roundsOfRun(draft) >= maxRoundsOfRun) {
    const message = `The loops of a run can have ${maxRoundsOfRun} rounds in total, and this run has used them all`;
    return { status: "failed", reason: "TooManyRounds", message, results };
  }
  if (resultsLength(draft, parent) > maxLoopResultsLength) {
    const most = `The rounds of a loop can have ${maxLoopResultsLength / 2 ** 20} MiB of results in total`;
    const message = `${most}, and ${countRounds(rounds.length)} have more; keep large data in a workspace`;
    return { status: "failed", reason: "ResultTooLarge", message, results };
  }
  if (draft.roundsBegun >= begunAtOnce) return "later";
  return last && loop.pauseMs > 0 ? "pause" : "round";
}

/** For `until`, the condition is not evaluated before the first round, which always runs. */
function holdsNow(draft: TransitionBuilder, parent: TaskState, loop: Loop): boolean | "later" | TaskEnd {
  if (loop.kind === "until" && draft.items(parent.node).length === 0) return false;
  const value = resolveCondition(draft, parent);
  const untried: string[] = [];
  try {
    const holds = matchesAnyLine(value, loop.matches, { work: draft.loopWork, warn: (text) => untried.push(text) });
    if (holds || untried.length === 0) return holds;
    return { status: "failed", reason: "ConditionNotTried", message: `The condition of the loop is not known. ${untried[0]}` };
  } catch (error) {
    if (!(error instanceof CostlyPatterns)) throw error;
    if (draft.roundsBegun > 0) return "later";
    const message = "The patterns of the loop's condition are too costly for its value; use simpler patterns or a shorter value";
    return { status: "invalid", reason: error.reason, message };
  }
}

function failedBy({ status, statusMessage }: TaskState, count: number): TaskEnd {
  return { status: "failed", reason: "RoundFailed", message: `Round ${count} ended as ${status}: ${statusMessage ?? status}` };
}

function atLimit({ kind, maxRounds, onLimit }: Loop, hint: string): TaskEnd {
  const why = kind === "until" ? "the condition of until never held" : "the condition of while still holds";
  const message = `The limit of ${countRounds(maxRounds)} (loop.maxRounds) was reached, and ${why}${hint}`;
  return { status: onLimit === "fail" ? "failed" : "succeeded", reason: "RoundLimitReached", message };
}

function countRounds(count: number): string {
  return count === 1 ? "1 round" : `${count} rounds`;
}

/** The length of the results of all rounds so far, in characters. */
function resultsLength(draft: TransitionBuilder, { node, params }: TaskState): number {
  return storedLength(params) + textLengthOf(draft.loopOf(node, draft.items(node).length).previous?.results ?? []);
}

function roundsOfRun(draft: TransitionBuilder): number {
  let sum = 0;
  for (const [node, rounds] of draft.run.items) if (draft.node(node).loop) sum += rounds.length;
  return sum;
}

function pause(draft: TransitionBuilder, parent: TaskState): void {
  const { pauseMs } = draft.node(parent.node).loop as Loop;
  const next = draft.items(parent.node).length + 1;
  const waitDetail = `Round ${next} begins after a pause of ${pauseMs / 1000} s`;
  draft.update(parent, { waitKind: "sleep", waitDetail, dueAt: draft.now + pauseMs });
}

function beginRound(draft: TransitionBuilder, parent: TaskState): void {
  const { node } = parent;
  const planNode = draft.node(node);
  const index = draft.items(node).length;
  const params = unlessUnreadable(draft, parent, () => {
    const stored = storedRound(planNode, draft.loopOf(node, index), resultsLength(draft, parent));
    draft.takeParamsLength(stored);
    return stored;
  });
  if (!params) return;
  const waitDetail = `Round ${index + 1} of at most ${(planNode.loop as Loop).maxRounds}`;
  draft.update(parent, { params, waitKind: "items", waitDetail, dueAt: null });
  // Many rounds in one change need many ids, and each request for more ids starts the change over. So the requests grow.
  const [id] = draft.takeIds(1, Math.min(begunAtOnce, 1 + 2 * draft.roundsBegun));
  draft.roundsBegun += 1;
  const round = { ...newTaskState(draft.plan, node, id as string, index), timeoutMinutes: parent.timeoutMinutes };
  draft.createItems(node, [round]);
  makeReady(draft, round);
}

/** Whether this is the task run of a loop that waits between two rounds. */
export function isPausedLoop(draft: TransitionBuilder, { node, item, waitKind }: TaskState): boolean {
  return item === null && waitKind === "sleep" && draft.node(node).loop !== undefined;
}
