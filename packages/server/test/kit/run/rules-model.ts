import type { ExecutionCondition } from "../../../src/core/workflow/plan.ts";

/**
 * The rules of a run a second time, as short as possible and without any code of the engine: the status with which each task of a workflow
 * must end, given the end of each attempt. The engine is compared with this (model.test.ts).
 */

export type AttemptEnd = "succeeded" | "failed" | "timedout" | "invalid" | "lost";

export interface ModelEdge {
  from: string;
  on: ExecutionCondition;
  /** For an edge out of a decision: the lines, one of which must equal the value; none: the default edge. */
  when?: string[];
}

export interface ModelNode {
  name: string;
  /** `child…`: the same with a run of another workflow in place of a script. */
  kind: "script" | "forEach" | "loop" | "child" | "childEach" | "childLoop" | "decision" | "property" | "status";
  /** For `child…`: the other workflow is nested in this one. Nothing else is different. */
  isNested?: boolean;
  edges: ModelEdge[];
  /**
   * How the attempts end, one after the other: of a script; of each item of a list; of each round of a loop. After the last entry, the next
   * one succeeds.
   */
  ends: AttemptEnd[][];
  retries: number;
  retryOn: ("failed" | "timedout")[];
  onLost: "retry" | "fail";
  /** For a list or a loop: nothing more starts once one has not succeeded. */
  stops?: boolean;
  /** For a list: two values are one item. */
  batches?: boolean;
  /** For a loop: its condition is checked after a round, so that there is at least one. */
  isUntil?: boolean;
  /** For a decision: its value, undefined if missing; for a status task: the status that it sets. */
  value?: string;
}

/** Runs when all nodes have finished. Its links are with others of its kind. */
export interface ModelHandler extends ModelNode {
  on: "onFailure" | "finally";
}

/** Compensates a node. */
export interface ModelCompensation extends ModelNode {
  undoes: string;
}

export interface Scenario {
  nodes: ModelNode[];
  endEdges: ModelEdge[];
  handlers: ModelHandler[];
  compensations: ModelCompensation[];
}

/** Of each loop. */
export const roundLimit = 3;

/** What an attempt of a task leaves that runs another workflow, and what it is of a list of them. */
export const childResult = "place";

export interface Expected {
  run: string;
  tasks: Record<string, string>;
  /** Of scripts and items. */
  attempts: Record<string, number>;
}

const broken = ["failed", "timedout", "invalid"];

export function playModel({ nodes, endEdges, handlers, compensations }: Scenario): Expected {
  const tasks: Record<string, string> = { start: "succeeded" };
  const attempts: Record<string, number> = {};
  const find = (name: string) => nodes.find((node) => node.name === name);
  const didRun = (name: string) => tasks[name] !== "skipped";
  const holds = ({ from, on, when }: ModelEdge): boolean => {
    const decision = find(from)?.kind === "decision" ? find(from) : undefined;
    if (!decision) return on === "always" || (on === "success" ? tasks[from] === "succeeded" : broken.includes(tasks[from] as string));
    const siblings = [...nodes.flatMap((node) => node.edges), ...endEdges].filter((edge) => edge.from === from);
    const matches = (edge: ModelEdge) => didRun(from) && decision.value !== undefined && (edge.when?.includes(decision.value) ?? false);
    return siblings.some(matches) ? matches({ from, on, ...(when && { when }) }) : when === undefined;
  };
  for (const node of nodes) {
    const runs = node.edges.every(holds) && node.edges.some((edge) => didRun(edge.from));
    tasks[node.name] = runs ? endOf(node, attempts) : "skipped";
  }
  tasks.end = endEdges.some((edge) => holds(edge) && didRun(edge.from)) ? "succeeded" : "skipped";
  const handled = (name: string) =>
    find(name)?.kind !== "decision" &&
    (endEdges.some((edge) => edge.from === name && edge.on === "failure") ||
      nodes.some((node) => didRun(node.name) && node.edges.some((edge) => edge.from === name && edge.on === "failure")));
  const override = nodes.find((node) => node.kind === "status" && didRun(node.name))?.value;
  const failure = nodes.some((node) => broken.includes(tasks[node.name] as string) && !handled(node.name));
  const flow = override ?? (failure ? "failed" : "succeeded");
  for (const node of compensations) {
    const done = tasks[node.undoes] === "succeeded" || Object.keys(attempts).some((name) => isItemDone(find(node.undoes), name));
    tasks[node.name] = flow === "failed" && done ? endOf(node, attempts) : "skipped";
  }
  for (const node of handlers) {
    const isMeant = node.on === "finally" || flow === "failed";
    const isNext = node.edges.length === 0 || (node.edges.every(holds) && node.edges.some((edge) => didRun(edge.from)));
    tasks[node.name] = isMeant && isNext ? endOf(node, attempts) : "skipped";
  }
  const isCaredFor = (name: string) =>
    handlers.some((node) => didRun(node.name) && node.edges.some((edge) => edge.from === name && edge.on === "failure"));
  const isHandlerBroken = handlers.some(({ name }) => broken.includes(tasks[name] as string) && !isCaredFor(name));
  return { run: isHandlerBroken ? "failed" : flow, tasks, attempts };
}

/** For a node with a list: one of its items has succeeded. */
function isItemDone(node: ModelNode | undefined, name: string): boolean {
  const [, of, item] = /^(\w+)\[(\d+)\]$/.exec(name) ?? [];
  return (
    node !== undefined && isRepeated(node) && of === node.name && endOfOne(node, name, node.ends[Number(item)] ?? [], {}) === "succeeded"
  );
}

/** Its own task run has no attempts, but there is a task run for each item or round. */
export function isRepeated({ kind }: ModelNode): boolean {
  return kind === "forEach" || kind === "loop" || kind === "childEach" || kind === "childLoop";
}

/** The last attempt of each item, in the order of the items; null: it never started. Undefined: the node has no such result. */
export function resultOfChildren({ name, kind, ends }: ModelNode, attempts: Record<string, number>): unknown {
  const placeOf = (one: string) => (attempts[one] === undefined ? null : `${one} ${attempts[one]}`);
  if (kind === "child") return placeOf(name) ?? undefined;
  if (kind !== "childEach" && kind !== "childLoop") return undefined;
  const all = Array.from({ length: Math.max(roundLimit, ends.length) }, (_, index) => placeOf(`${name}[${index}]`));
  const begun = all.filter((place) => place !== null);
  if (begun.length === 0) return undefined;
  return kind === "childLoop" ? begun.at(-1) : all.slice(0, ends.length);
}

export function runsChild({ kind }: ModelNode): boolean {
  return kind === "child" || kind === "childEach" || kind === "childLoop";
}

function endOf(node: ModelNode, attempts: Record<string, number>): string {
  if (node.kind === "decision") return node.value === undefined ? "failed" : "succeeded";
  if (node.kind === "property" || node.kind === "status") return "succeeded";
  if (node.kind === "script" || node.kind === "child") return endOfOne(node, node.name, node.ends[0] ?? [], attempts);
  if (node.kind === "loop" || node.kind === "childLoop") return endOfLoop(node, attempts);
  let end = "succeeded";
  for (const [index, ends] of node.ends.entries()) {
    if (endOfOne(node, `${node.name}[${index}]`, ends, attempts) === "succeeded") continue;
    end = "failed";
    if (node.stops) break;
  }
  return end;
}

/** It continues while there are ends, and if it stops at failures, only as long as its rounds succeed. */
function endOfLoop(node: ModelNode, attempts: Record<string, number>): string {
  const rounds = node.isUntil && node.ends.length === 0 ? [[]] : node.ends;
  for (const [round, ends] of rounds.entries()) {
    if (round === roundLimit) return "failed";
    if (endOfOne(node, `${node.name}[${round}]`, ends, attempts) !== "succeeded" && node.stops) return "failed";
  }
  return "succeeded";
}

/** An attempt of a task that runs another workflow is a run of it, which only fails or not: attempts lost inside it are repeated there. */
function endOfOne(node: ModelNode, name: string, ends: readonly AttemptEnd[], attempts: Record<string, number>): string {
  return endOfAttempts(node, name, runsChild(node) ? ends.map(endOfChild) : ends, attempts);
}

export function endOfChild(end: AttemptEnd): "succeeded" | "failed" {
  return end === "succeeded" || end === "lost" ? "succeeded" : "failed";
}

function endOfAttempts(node: ModelNode, name: string, ends: readonly AttemptEnd[], attempts: Record<string, number>): string {
  for (let attempt = 1, retried = 0, losses = 0; ; attempt++) {
    attempts[name] = attempt;
    const end = ends[attempt - 1] ?? "succeeded";
    if (end === "lost" && (node.onLost === "fail" || ++losses === 5)) return "failed";
    if (end === "lost") continue;
    if (retried === node.retries || !node.retryOn.some((kind) => kind === end)) return end;
    retried += 1;
    losses = 0;
  }
}
