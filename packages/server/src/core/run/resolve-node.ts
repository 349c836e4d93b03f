import type { Status } from "@millrace/contract/status.ts";
import { maxForEachItems } from "@millrace/contract/workflow/for-each.ts";
import { type ParameterScope, type ResolvedParams, resolveParams, resolveValue } from "../parameter/parameters.ts";
import type { Lookup, ParameterWarning } from "../parameter/parameters-substitution.ts";
import { findReferences } from "../parameter/references.ts";
import { declaredValues, nodeValues, type OpenSecret } from "../parameter/secret-params.ts";
import { nodeAt, type Plan, type PlanNode } from "../workflow/plan.ts";
import { type LoopScope, lookUpInLoop } from "./loops/loop-scope.ts";
import type { Layers, RunResult, Warning } from "./run-state.ts";

/**
 * Resolves the parameters of a node when it starts. The same function serves twice: here with masked layers, for what is
 * stored and shown, and at the hand-over to an executor with the secrets in clear (`resolveForExecutor`). Layers and results of
 * finished tasks no longer change, so both see the same.
 */

export interface NodeScope {
  plan: Plan;
  layers: Layers;
  /** Given when the job is passed to an executor: decrypts the secrets of the node itself. Otherwise they are masked. */
  open?: OpenSecret;
  /** Results of a node by its index; undefined if it has none or did not run. */
  resultsOf(node: number): readonly RunResult[] | undefined;
  /** How a node ended, by its index; undefined: it has not ended. */
  endOf(node: number): Status | undefined;
}

/** The values of one task run. */
export interface OwnScope {
  taskRunId: string;
  name: string;
  item?: { value: unknown; index: number };
  /** Given for a round of a loop. */
  loop?: LoopScope;
  /**
   * Given when the job is passed to an executor: resolves a path (`$(results.NAME.path)` …) by its words. Otherwise such references stay as
   * written.
   */
  place?: (words: readonly string[]) => string | undefined;
}

/** Indexes of the nodes whose results the node refers to. */
export function referredNodes(plan: Plan, node: PlanNode): readonly number[] {
  const known = referred.get(node);
  if (known) return known;
  const nodes = findReferredNodes(plan, node);
  referred.set(node, nodes);
  return nodes;
}

/** A cache: a node never changes and belongs to one plan, and a forEach node is looked up for each of its items. */
const referred = new WeakMap<PlanNode, readonly number[]>();

function findReferredNodes(plan: Plan, node: PlanNode): number[] {
  const references = findReferences([
    node.params,
    node.forEach?.items,
    node.loop?.value,
    declaredValues(node).map((param) => param.default),
  ]);
  const nodes = references.flatMap((reference) => (reference.kind === "result" ? [plan.byName.get(reference.task)] : []));
  return [...new Set(nodes)].filter((index) => index !== undefined);
}

/** A task run can't start, since its parameters refer to names that do not exist. */
export class UnresolvedReference extends Error {
  readonly reason = "UnresolvedReference";
}

/**
 * Parameters of a node, resolved in the scope of its run.
 * @throws UnresolvedReference, unless the node keeps unresolved references as written
 */
export function resolveNodeParams(scope: NodeScope, node: PlanNode, own: OwnScope): ResolvedParams {
  // Opened secrets are texts that nobody has looked at before.
  if (!scope.open && !hasReferences(node)) return resolveParams(nodeValues(node.params), declaredValues(node), {});
  const resolved = resolveParams(nodeValues(node.params, scope.open), declaredValues(node, scope.open), parameterScope(scope, node, own));
  return { ...resolved, warnings: withoutUnresolved(node, resolved.warnings) };
}

/** Whether anything in its values could refer to something; without that no scope has to be made. */
function hasReferences(node: PlanNode): boolean {
  let known = referring.get(node);
  if (known === undefined) {
    known = JSON.stringify([node.params, declaredValues(node)]).includes("$(");
    referring.set(node, known);
  }
  return known;
}

const referring = new WeakMap<PlanNode, boolean>();

const maxNamed = 3;

/**
 * The warnings that remain.
 * @throws UnresolvedReference, unless the node keeps unresolved references as written
 */
export function withoutUnresolved({ keepsUnresolved }: PlanNode, warnings: readonly ParameterWarning[]): Warning[] {
  const unresolved = keepsUnresolved ? [] : warnings.filter((warning) => warning.isUnresolved);
  if (unresolved.length === 0) return warnings.map(({ isUnresolved: _, ...warning }) => warning);
  const named = unresolved.slice(0, maxNamed).map(({ reference, why }) => `${reference}: ${why}`);
  const more = unresolved.length > maxNamed ? [`${unresolved.length - maxNamed} more`] : [];
  throw new UnresolvedReference([...named, ...more].join("; "));
}

export function parameterScope(scope: NodeScope, node: PlanNode, own: OwnScope): ParameterScope {
  const { global, team, workflow, context, unresolved = {} } = scope.layers;
  return {
    global,
    team,
    workflow,
    // A node that keeps unresolved references as written also keeps those in the defaults of parameters.
    unresolved: node.keepsUnresolved ? {} : unresolved,
    task: own.item ? { item: own.item.value, "item-index": own.item.index } : {},
    context: { ...context, "taskrun-ref": own.taskRunId, "taskrun-name": own.name, "taskrun-type": node.type },
    extra: placeLookup(own.place),
    loop: (name) => lookUpInLoop(node, own.loop, name),
    result: (task, name) => {
      const index = scope.plan.byName.get(task);
      if (index === undefined) return { found: false, why: `the workflow has no task "${task}"` };
      const found = scope.resultsOf(index)?.find((result) => result.name === name);
      return found ? { found: true, value: found.value } : missingResult(scope, index, name);
    },
  };
}

/** If the node has ended and could have had the result, the result is empty. */
function missingResult({ plan, endOf }: NodeScope, index: number, name: string): Lookup {
  const node = nodeAt(plan, index);
  const status = endOf(index);
  if (status === undefined) return { found: false, why: `task "${node.name}" has not ended at this point` };
  const isDeclared = [...node.results, ...((node.task?.spec["results"] as { name: string }[] | undefined) ?? [])].some(
    (result) => result.name === name,
  );
  if (status === "succeeded" && !isDeclared) return { found: false, why: `task "${node.name}" has no result "${name}"` };
  const why = status === "succeeded" ? "did not leave it" : `ended as ${status}`;
  return { found: true, why: `task "${node.name}" ${why}, so its result "${name}" is empty` };
}

/** An unknown path is left as written, without a warning: it may mean something to a shell. */
export function placeLookup(place: OwnScope["place"]): NonNullable<ParameterScope["extra"]> {
  return (words) => {
    const value = place?.(words);
    return value === undefined ? { found: false } : { found: true, value };
  };
}

/**
 * The list of a forEach node; another value if it does not resolve to a list.
 * @throws UnresolvedReference, unless the node keeps unresolved references as written
 */
export function resolveItemList(scope: NodeScope, node: PlanNode, own: OwnScope): { items: unknown; warnings: Warning[] } {
  const { value, warnings } = resolveValue(node.forEach?.items, "array", parameterScope(scope, node, own));
  const items = typeof value === "string" ? parseList(value) : value;
  return { items: inBatches(items, node.forEach?.batchSize), warnings: withoutUnresolved(node, warnings) };
}

/** A list that is too long is returned unchanged: it is refused later for its own length. */
function inBatches(items: unknown, size: number | undefined): unknown {
  if (size === undefined || !Array.isArray(items) || items.length > maxForEachItems) return items;
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}

/** One item of the list of a forEach node; null if it does not exist. */
export function resolveItem(scope: NodeScope, node: PlanNode, taskRunId: string, index: number): { value: unknown; index: number } {
  const { items } = resolveItemList(scope, node, { taskRunId, name: node.name });
  return { value: (Array.isArray(items) ? items[index] : undefined) ?? null, index };
}

/** The list may be given as JSON text. */
function parseList(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
