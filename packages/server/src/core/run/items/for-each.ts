import { isFinal } from "@millrace/contract/status.ts";
import { maxForEachItems } from "@millrace/contract/workflow/for-each.ts";
import { shorten } from "../../../base/text/shorten.ts";
import { type ForEach, nodeAt, type Plan } from "../../workflow/plan.ts";
import { finishTask } from "../finish-task.ts";
import { newTaskState, type RunResult, type RunState, type TaskState } from "../run-state.ts";
import { makeReady, resolveItems, unlessUnreadable } from "../start-task.ts";
import type { TaskPatch, TransitionBuilder } from "../transition-builder.ts";
import type { ItemList } from "./item-list.ts";

/**
 * Fan-out of one node over a list. The node's own task run waits (`items`) while each item is a task run of its own, at most `parallel` of
 * them at a time. It ends when all items have ended: succeeded if all of them did, otherwise failed. Each result of the items becomes a
 * list in item order, with null where an item does not have it.
 *
 * A list may have a hundred thousand items, and items of the engine's own types end as soon as they start. So one change starts only some
 * of them and leaves the others to the next change, which follows at once. Only the first items get rows immediately; the others get theirs
 * when they are about to start.
 */

/**
 * The most items that one change starts. A change is computed without a pause, and nothing else can run until it is; larger batches would
 * be no faster.
 */
const begunAtOnce = 500;
/**
 * How many items get rows when the list is known: no more than one change starts. Further items of the engine's own types are then inserted
 * already ended, instead of being updated, which takes several times as long.
 */
const firstRows = begunAtOnce;

/** Resolves the list of a node and creates the task runs of its first items. */
export function expandForEach(draft: TransitionBuilder, node: number): void {
  const task = draft.task(node);
  const forEach = draft.node(node).forEach as ForEach;
  const resolved = unlessUnreadable(draft, task, () => resolveItems(draft, draft.node(task.node), task));
  if (!resolved) return;
  const invalid = checkItems(resolved.items);
  if (invalid) return finishTask(draft, draft.update(task, { startedAt: draft.now, warnings: resolved.warnings }), invalid);
  const items = resolved.items as unknown[];
  const patch: TaskPatch = {
    attempt: 1,
    startedAt: draft.now,
    params: [{ name: "items", value: items }],
    warnings: resolved.warnings,
    waitKind: "items",
    waitKey: String(items.length),
    waitDetail: `${items.length} items, at most ${forEach.parallel} at a time`,
  };
  draft.move(task, patch, "becomeReady", "start", "wait");
  // In a rerun, some items may already exist, because an earlier run has completed them.
  createItems(draft, task.node, Math.max(0, Math.min(items.length, firstRows) - draft.items(node).length));
  draft.itemNodes.push(task.node);
}

function createItems(draft: TransitionBuilder, node: number, count: number): void {
  const { length } = draft.items(node);
  const { timeoutMinutes } = draft.task(node);
  const ids = draft.takeIds(count);
  draft.createItems(
    node,
    ids.map((id, index) => Object.assign(newTaskState(draft.plan, node, id, length + index), { timeoutMinutes })),
  );
}

/**
 * How many items of the list have no row yet. The node's wait key is the length of the list. It is null in rows of an earlier version,
 * where all items have rows.
 */
function countMissing(draft: TransitionBuilder, node: number): number {
  const { waitKey } = draft.task(node);
  return waitKey === null ? 0 : Number(waitKey) - draft.items(node).length;
}

/** Whether there is a node that may start items now, or the next round of its loop. */
export function mayBeginItems(plan: Plan, { nodes, items }: Pick<RunState, "nodes" | "items">): boolean {
  for (const [node, list] of items) {
    const parent = nodes[node];
    if (parent?.waitKind === "items" && nodeAt(plan, node).loop && list.open === 0) return true;
    if (parent?.waitKind !== "items" || list.inProgress >= parallelOf(plan, node) || hasStopped(plan, node, list)) continue;
    if (list.firstUntouched() || list.length < Number(parent.waitKey ?? 0)) return true;
  }
  return false;
}

function parallelOf(plan: Plan, node: number): number {
  return nodeAt(plan, node).forEach?.parallel ?? 1;
}

function checkItems(items: unknown) {
  if (!Array.isArray(items)) {
    return {
      status: "invalid" as const,
      reason: "ForEachItemsInvalid",
      message: `forEach.items must be a list; it resolved to ${describe(items)}`,
    };
  }
  if (items.length <= maxForEachItems) return undefined;
  return {
    status: "invalid" as const,
    reason: "ForEachTooManyItems",
    message: `forEach.items has ${items.length} items; at most ${maxForEachItems} are allowed`,
  };
}

function describe(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return shorten(text, 80);
}

/** Starts as many items as may run at a time; ends the node when none is left. */
export function fillItems(draft: TransitionBuilder, node: number): void {
  const parent = draft.task(node);
  if (isFinal(parent.status)) return;
  const isStopped = hasStopped(draft.plan, node, draft.items(node));
  if (isStopped) skipOthers(draft, node);
  else startItems(draft, node);
  if (draft.items(node).open > 0 || (!isStopped && countMissing(draft, node) > 0)) return;
  const end = unlessUnreadable(draft, parent, () => collect(draft, [...draft.items(node)]));
  if (end) finishTask(draft, parent, end);
}

function hasStopped(plan: Plan, node: number, list: ItemList<TaskState>): boolean {
  return list.failed > 0 && nodeAt(plan, node).forEach?.stopsAtFailure === true;
}

/** Items that have no row yet get none; what is under way continues to its end. */
function skipOthers(draft: TransitionBuilder, node: number): void {
  if (draft.items(node).inProgress > 0) return;
  const untouched = [...draft.items(node)].filter(({ status }) => status === "notstarted");
  for (const item of untouched)
    finishTask(draft, item, { status: "skipped", reason: "ItemFailed", message: "Another item did not succeed, and stopAtFailure is set" });
}

/**
 * The parameters of all items that start in one change are written together, and must fit into the memory of the process and into one
 * statement. Items beyond that start when a running one ends.
 */
function startItems(draft: TransitionBuilder, node: number): void {
  const parallel = parallelOf(draft.plan, node);
  while (draft.items(node).inProgress < parallel) {
    const next = draft.items(node).firstUntouched();
    const missing = next ? 0 : countMissing(draft, node);
    if (!next && missing === 0) return;
    if (!draft.hasParamsRoom() && draft.items(node).inProgress > 0) return;
    if (draft.itemsBegun >= begunAtOnce) {
      draft.hasMore = true;
      return;
    }
    if (next) {
      draft.itemsBegun += 1;
      makeReady(draft, next);
    } else createItems(draft, node, Math.min(missing, begunAtOnce - draft.itemsBegun));
  }
}

function collect(draft: TransitionBuilder, items: readonly TaskState[]) {
  const results = listResults(draft, items);
  const bad = items.filter((item) => item.status !== "succeeded");
  const first = bad.find((item) => item.status !== "skipped") ?? bad[0];
  if (!first) return { status: "succeeded" as const, results };
  const message = `${bad.length} of ${items.length} items did not succeed; the first is ${first.name}: ${first.statusMessage ?? first.status}`;
  return { status: "failed" as const, reason: "ItemFailed", message, results };
}

function listResults(draft: TransitionBuilder, items: readonly TaskState[]): RunResult[] {
  const lists = new Map<string, unknown[]>();
  for (const [index, results] of draft.results(items).entries()) {
    for (const { name, value } of results) {
      const list = lists.get(name) ?? items.map(() => null as unknown);
      lists.set(name, list);
      list[index] ??= value ?? null;
    }
  }
  return [...lists].map(([name, value]) => ({ name, value }));
}
