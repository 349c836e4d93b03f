import type { Draft } from "./draft.ts";
import { declaredValues, nodeValues, type OpenSecret } from "./node-secrets.ts";
import { type ParameterScope, resolveParams, resolveValue } from "./parameters.ts";
import type { NamedValue, Plan, PlanNode } from "./plan.ts";
import { findReferences } from "./references.ts";
import type { Layers, RunResult, TaskState, Warning } from "./run-state.ts";

/**
 * Resolves the parameters of a node when its turn has come. The same function serves twice: here with masked layers, for what is
 * stored and shown, and at the hand-over to an executor with the secrets in clear (`resolveForExecutor`). Layers and results of
 * finished tasks no longer change, so both see the same.
 */

export interface NodeScope {
  plan: Plan;
  layers: Layers;
  /** At the hand-over: opens the secrets that the node itself has. Otherwise they are masked. */
  open?: OpenSecret;
  /** Results of a node by its index; undefined when it has none or did not run. */
  resultsOf(node: number): readonly RunResult[] | undefined;
}

/** What only one task run has. */
export interface OwnScope {
  taskRunId: string;
  name: string;
  item?: { value: unknown; index: number };
  /** At the hand-over: what a place (`$(results.NAME.path)` …) stands for, by its words. Otherwise places stay as written. */
  place?: (words: readonly string[]) => string | undefined;
}

/** Indexes of the nodes whose results these values refer to. */
export function referredNodes(plan: Plan, node: PlanNode): readonly number[] {
  const known = referred.get(node);
  if (known) return known;
  const nodes = findReferredNodes(plan, node);
  referred.set(node, nodes);
  return nodes;
}

/** A node never changes and belongs to one plan; a forEach node is asked once for each of its items. */
const referred = new WeakMap<PlanNode, readonly number[]>();

function findReferredNodes(plan: Plan, node: PlanNode): number[] {
  const references = findReferences([node.params, node.forEach?.items, declaredValues(node).map((param) => param.default)]);
  const nodes = references.flatMap((reference) => (reference.kind === "result" ? [plan.byName.get(reference.task)] : []));
  return [...new Set(nodes)].filter((index) => index !== undefined);
}

/** Parameters of a node, in the scope of its run. */
export function resolveNodeParams(scope: NodeScope, node: PlanNode, own: OwnScope): { params: NamedValue[]; warnings: Warning[] } {
  return resolveParams(nodeValues(node.params, scope.open), declaredValues(node, scope.open), parameterScope(scope, node, own));
}

function parameterScope(scope: NodeScope, node: PlanNode, own: OwnScope): ParameterScope {
  const { global, team, workflow, context } = scope.layers;
  return {
    global,
    team,
    workflow,
    task: own.item ? { item: own.item.value, "item-index": own.item.index } : {},
    context: { ...context, "taskrun-ref": own.taskRunId, "taskrun-name": own.name, "taskrun-type": node.type },
    extra: placeLookup(own.place),
    result: (task, name) => {
      const index = scope.plan.byName.get(task);
      if (index === undefined) return { found: false, why: `the workflow has no task "${task}"` };
      const found = scope.resultsOf(index)?.find((result) => result.name === name);
      return found ? { found: true, value: found.value } : { found: false, why: `task "${task}" has no result "${name}" at this point` };
    },
  };
}

/** A place that nobody knows is left as it is, without a warning: a shell may mean something by it. */
export function placeLookup(place: OwnScope["place"]): NonNullable<ParameterScope["extra"]> {
  return (words) => {
    const value = place?.(words);
    return value === undefined ? { found: false } : { found: true, value };
  };
}

export function resolveNode(draft: Draft, node: PlanNode, task: TaskState): { params: NamedValue[]; warnings: Warning[] } {
  return resolveNodeParams(draftScope(draft, node), node, { taskRunId: task.id, name: task.name, item: itemOf(draft, task) });
}

export function resolveItems(draft: Draft, node: PlanNode, task: TaskState): { items: unknown; warnings: Warning[] } {
  return resolveItemList(draftScope(draft, node), node, { taskRunId: task.id, name: task.name });
}

/** The list of a forEach node; something else when it does not resolve to one. */
export function resolveItemList(scope: NodeScope, node: PlanNode, own: OwnScope): { items: unknown; warnings: Warning[] } {
  const { value, warnings } = resolveValue(node.forEach?.items, "array", parameterScope(scope, node, own));
  return { items: typeof value === "string" ? parseList(value) : value, warnings };
}

/** One item of the list of a forEach node; null when there is none. */
export function resolveItem(scope: NodeScope, node: PlanNode, taskRunId: string, index: number): { value: unknown; index: number } {
  const { items } = resolveItemList(scope, node, { taskRunId, name: node.name });
  return { value: (Array.isArray(items) ? items[index] : undefined) ?? null, index };
}

/** A list that came as JSON text. */
function parseList(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The value of an item was resolved when its node was expanded, and is a parameter of the node's own task run. */
function itemOf(draft: Draft, task: TaskState): OwnScope["item"] {
  if (task.item === null) return undefined;
  const items = draft.task(task.node).params?.find((param) => param.name === "items")?.value as unknown[] | undefined;
  return { value: items?.[task.item] ?? null, index: task.item };
}

function draftScope(draft: Draft, node: PlanNode): NodeScope {
  const results = referredResults(draft, node);
  return { plan: draft.plan, layers: draft.run.layers, resultsOf: (index) => results.get(index) };
}

/** All results that the node refers to, by the node that has them; fetched at once, before any is looked at. */
export function referredResults(draft: Draft, node: PlanNode): ReadonlyMap<number, readonly RunResult[]> {
  const tasks = referredNodes(draft.plan, node).map((index) => draft.task(index));
  const over = tasks.filter((task) => task.endedAt !== null && task.status !== "skipped");
  const results = draft.results(over);
  return new Map(over.map((task) => [task.node, results.get(task.id) ?? []]));
}
