import { isFinal } from "@millrace/contract/status.ts";
import { shorten } from "../../base/text/shorten.ts";
import type { ForEach } from "../workflow/plan.ts";
import { finishTask } from "./finish-task.ts";
import { resolveItems } from "./resolve-in-draft.ts";
import { newTaskState, type RunResult, type TaskState } from "./run-state.ts";
import { makeReady, unlessUnreadable } from "./start-task.ts";
import type { TaskPatch, TransitionBuilder } from "./transition-builder.ts";

/**
 * Fan-out of one node over a list. The node's own task run waits (`items`) while each item is a task run of its own, at most
 * `parallel` of them under way. It ends when all items are over: succeeded when all of them did, else failed. Each result of
 * the items becomes a list in item order, with null where an item has none.
 */

const maxItems = 10_000;

/** Makes one task run of each item. */
export function expandForEach(draft: TransitionBuilder, node: number): void {
  const task = draft.task(node);
  const forEach = draft.node(node).forEach as ForEach;
  const resolved = unlessUnreadable(draft, task, () => resolveItems(draft, draft.node(task.node), task));
  if (!resolved) return;
  const invalid = checkItems(resolved.items);
  if (invalid) return finishTask(draft, draft.update(task, { startedAt: draft.now, warnings: resolved.warnings }), invalid);
  const items = resolved.items as unknown[];
  const ids = draft.takeIds(items.length);
  const patch: TaskPatch = {
    attempt: 1,
    startedAt: draft.now,
    params: [{ name: "items", value: items }],
    warnings: resolved.warnings,
    waitKind: "items",
    waitDetail: `${items.length} items, at most ${forEach.parallel} at a time`,
  };
  const started = draft.move(task, patch, "becomeReady", "start", "wait");
  draft.createItems(
    task.node,
    ids.map((id, item) => ({ ...newTaskState(draft.plan, task.node, id, item), timeoutMinutes: started.timeoutMinutes })),
  );
  draft.itemNodes.push(task.node);
}

function checkItems(items: unknown) {
  if (!Array.isArray(items)) {
    return {
      status: "invalid" as const,
      reason: "ForEachItemsInvalid",
      message: `forEach.items must be a list; it resolved to ${describe(items)}`,
    };
  }
  if (items.length <= maxItems) return undefined;
  return {
    status: "invalid" as const,
    reason: "ForEachTooManyItems",
    message: `forEach.items has ${items.length} items; at most ${maxItems} are allowed`,
  };
}

function describe(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return shorten(text, 80);
}

/** Starts as many items as may be under way; ends the node when none is left. */
export function fillItems(draft: TransitionBuilder, node: number): void {
  const parent = draft.task(node);
  if (isFinal(parent.status)) return;
  startItems(draft, node);
  if (draft.items(node).open > 0) return;
  const end = unlessUnreadable(draft, parent, () => collect(draft, [...draft.items(node)]));
  if (end) finishTask(draft, parent, end);
}

/**
 * The parameters of all items that start in one change are written together, and must fit into the memory of the process and into one
 * statement. Items beyond that start when one of those under way ends.
 */
function startItems(draft: TransitionBuilder, node: number): void {
  const parallel = draft.node(node).forEach?.parallel ?? 1;
  while (draft.items(node).underWay < parallel) {
    const next = draft.items(node).firstUntouched();
    if (!next || (!draft.hasParamsRoom() && draft.items(node).underWay > 0)) return;
    makeReady(draft, next);
  }
}

function collect(draft: TransitionBuilder, items: readonly TaskState[]) {
  const results = listResults(draft, items);
  const bad = items.filter((item) => item.status !== "succeeded");
  const first = bad[0];
  if (!first) return { status: "succeeded" as const, results };
  const message = `${bad.length} of ${items.length} items did not succeed; the first is ${first.name}: ${first.statusMessage ?? first.status}`;
  return { status: "failed" as const, reason: "ItemFailed", message, results };
}

function listResults(draft: TransitionBuilder, items: readonly TaskState[]): RunResult[] {
  const byItem = draft.results(items);
  const names = new Set(items.flatMap((item) => (byItem.get(item.id) ?? []).map((result) => result.name)));
  return [...names].map((name) => ({
    name,
    value: items.map((item) => (byItem.get(item.id) ?? []).find((result) => result.name === name)?.value ?? null),
  }));
}
