import { isFinal, type Status } from "@millrace/contract/status.ts";
import { resolveValue } from "../../parameter/parameters.ts";
import type { NamedValue, PlanNode } from "../../workflow/plan.ts";
import { type NodeScope, type OwnScope, parameterScope, resolveItemList, resolveNodeParams, withoutUnresolved } from "../resolve-node.ts";
import { maxNodeParamsLength, OversizedParameters } from "../result-sizes.ts";
import type { TaskState, Warning } from "../run-state.ts";
import type { TransitionBuilder } from "../transition-builder.ts";

/** Resolves the inputs of a node while a run advances: masked, as they are stored and shown. */

/** @throws OversizedParameters, OversizedResults */
export function resolveNode(draft: TransitionBuilder, node: PlanNode, task: TaskState): { params: NamedValue[]; warnings: Warning[] } {
  const own = { taskRunId: task.id, name: task.name, ...ownOf(draft, task) };
  const { params, warnings, isOverfull } = resolveNodeParams(draftScope(draft, node), node, own);
  if (isOverfull) throw new OversizedParameters(`The parameters of this task`, maxNodeParamsLength);
  draft.takeParamsLength(params);
  return { params, warnings };
}

export function resolveItems(draft: TransitionBuilder, node: PlanNode, task: TaskState): { items: unknown; warnings: Warning[] } {
  return resolveItemList(draftScope(draft, node), node, { taskRunId: task.id, name: task.name });
}

/** The value that the condition of a loop checks, between two rounds. @throws UnresolvedReference, OversizedResults */
export function resolveCondition(draft: TransitionBuilder, task: TaskState): string {
  const node = draft.node(task.node);
  const own = { taskRunId: task.id, name: task.name, loop: draft.loopOf(task.node, draft.items(task.node).length) };
  const { value, warnings } = resolveValue(node.loop?.value, "string", parameterScope(draftScope(draft, node), node, own));
  withoutUnresolved(node, warnings);
  return String(value);
}

function ownOf(draft: TransitionBuilder, task: TaskState): Pick<OwnScope, "item" | "loop"> {
  if (task.item !== null && draft.node(task.node).loop) return { loop: draft.loopOf(task.node, task.item) };
  const item = itemOf(draft, task);
  return item ? { item } : {};
}

/** The value of an item was resolved when its node was expanded; the node's own task run has it in its parameters. */
function itemOf(draft: TransitionBuilder, task: TaskState): OwnScope["item"] {
  if (task.item === null) return undefined;
  const items = draft.task(task.node).params?.find((param) => param.name === "items")?.value as unknown[] | undefined;
  return { value: items?.[task.item] ?? null, index: task.item };
}

function endOf(draft: TransitionBuilder, index: number): Status | undefined {
  const { status } = draft.task(index);
  return isFinal(status) ? status : undefined;
}

function draftScope(draft: TransitionBuilder, node: PlanNode): NodeScope {
  const results = draft.resultsReferredBy(node);
  return { plan: draft.plan, layers: draft.run.layers, resultsOf: (index) => results.get(index), endOf: (index) => endOf(draft, index) };
}
