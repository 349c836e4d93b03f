import { isSameJson } from "../../document/same-json.ts";
import { declaredValues, nodeValues, type OpenSecret } from "../../parameter/secret-params.ts";
import { nodeAt, type Plan, type PlanNode } from "../../workflow/plan.ts";
import { type NodeScope, resolveItemList, resolveNodeParams, UnresolvedReference } from "../resolve-node.ts";
import type { Layers } from "../run-state.ts";

/** How a node of the workflow that ran differs from the node of the same name in the workflow that is to run. */

/**
 * One of the two workflows. Layers and secrets are in clear text, so that a changed secret counts as a change; their values never leave
 * this comparison.
 */
export interface Side {
  plan: Plan;
  layers: Layers;
  open?: OpenSecret | undefined;
}

/**
 * The differences in the definition, in words; empty: it is the same. Only what affects what the task does and when it runs: not its place
 * on the canvas, labels, timeouts and retries.
 */
export function listChanges(before: Side, one: PlanNode, after: Side, other: PlanNode): string[] {
  const changes: string[] = [];
  if (!isSameTask(before, one, after, other)) changes.push(describeTask(one, other));
  const names = changedParams(nodeValues(one.params, before.open), nodeValues(other.params, after.open));
  if (names.length > 0) changes.push(`its parameters ${listNames(names)}`);
  if (!isSameJson(linksOf(before.plan, one), linksOf(after.plan, other))) changes.push("the links that lead to it");
  if (!isSameJson(one.forEach?.items, other.forEach?.items)) changes.push("its list of items");
  if (!isSameJson(one.forEach?.batchSize, other.forEach?.batchSize)) changes.push("the size of its batches");
  if (!isSameJson(conditionOf(one), conditionOf(other))) changes.push("the condition of its loop");
  if (!isSameJson(one.nested, other.nested)) changes.push("its nested workflow");
  if (!isSameJson(one.workspaces, other.workspaces)) changes.push("its workspaces");
  if (!isSameJson(namesOf(one.results), namesOf(other.results))) changes.push("its results");
  return changes;
}

/** How often and how long it may continue decides about nothing that is over. */
function conditionOf({ loop }: PlanNode) {
  return loop && [loop.kind, loop.value, loop.matches];
}

/** A new version of a task with the same content counts as the same task. */
function isSameTask(before: Side, one: PlanNode, after: Side, other: PlanNode): boolean {
  if (one.task?.versionId === other.task?.versionId) return one.keepsUnresolved === other.keepsUnresolved;
  const content = (node: PlanNode, { open }: Side) => ({ ...node.task?.spec, type: node.task?.type, params: declaredValues(node, open) });
  return isSameJson(content(one, before), content(other, after)) && one.keepsUnresolved === other.keepsUnresolved;
}

function describeTask({ task: one }: PlanNode, { task: other }: PlanNode): string {
  if (one?.name !== other?.name) return `its task (it was ${one?.name ?? "none"}, it is ${other?.name ?? "none"})`;
  if (one?.version === other?.version) return "how it treats references that lead nowhere";
  return `its task (it was version ${one?.version}, it is version ${other?.version})`;
}

type Named = { name: string; value?: unknown };

function changedParams(before: readonly Named[], after: readonly Named[]): string[] {
  const was = new Map(before.map(({ name, value }) => [name, value]));
  const is = new Map(after.map(({ name, value }) => [name, value]));
  return [...new Set([...was.keys(), ...is.keys()])].filter((name) => !isSameJson(was.get(name), is.get(name)));
}

function linksOf(plan: Plan, node: PlanNode): string[] {
  return node.incoming
    .map(({ from, condition, decisionCondition }) => JSON.stringify([nodeAt(plan, from).name, condition, decisionCondition ?? ""]))
    .sort();
}

function namesOf(results: readonly { name: string }[]): string[] {
  return results.map(({ name }) => name).sort();
}

/**
 * The parameters of a node whose values differ. It is called when its definition and the results of all tasks are the same, so results are
 * not compared: the same text stands for each of them on both sides.
 */
export function changedInputs(before: Side, one: PlanNode, after: Side, other: PlanNode): string[] {
  const was = resolveInputs(before, one);
  const is = resolveInputs(after, other);
  return changedParams(was, is);
}

function resolveInputs(side: Side, node: PlanNode): { name: string; value: unknown }[] {
  const scope: NodeScope = {
    plan: side.plan,
    layers: side.layers,
    ...(side.open && { open: side.open }),
    resultsOf: () => [],
    endOf: () => "failed",
  };
  const own = { taskRunId: "", name: node.name, item: { value: "", index: 0 }, loop: { index: 0, previous: undefined } };
  const items = node.forEach ? [{ name: "items", value: settle(() => resolveItemList(scope, node, own).items) }] : [];
  const params = settle(() => resolveNodeParams(scope, node, own).params);
  return Array.isArray(params) ? [...items, ...params] : [...items, { name: "references", value: params }];
}

/** Two values that can't be resolved are the same if the reason is the same. */
function settle(resolve: () => unknown): unknown {
  try {
    return resolve();
  } catch (error) {
    if (error instanceof UnresolvedReference) return error.message;
    throw error;
  }
}

const mostNamed = 5;

export function listNames(names: readonly string[]): string {
  const shown = names.slice(0, mostNamed).join(", ");
  return names.length > mostNamed ? `${shown} and ${names.length - mostNamed} more` : shown;
}
