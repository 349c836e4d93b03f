import { atOnce, type Steps } from "../../../base/process/slices.ts";
import type { Finding } from "../../parameter/check-references.ts";
import { conditionLines } from "../../parameter/condition.ts";
import { dependencyOrder } from "./check-graph-cycle.ts";

/**
 * Tasks of a graph that no run can ever reach, by the rules of consider-node.ts: because of a link that can't hold, links that exclude each
 * other, or because only such tasks come before them. Every warning is certain, but not all unreachable tasks are found, since the outcomes
 * of tasks may depend on each other in ways that this check can't see.
 */

interface Link {
  taskRef: string;
  executionCondition?: string | null;
  decisionCondition?: string | null;
}

export interface ReachedNode {
  name: string;
  type?: string | null | undefined;
  dependencies?: readonly Link[] | null;
}

/** The outcome of a node that another node needs to run. `lines`: a switch chose the link with these patterns; empty: its default link. */
type Outcome = { kind: "succeeded" | "failed" } | { kind: "chose"; lines: readonly string[] };

/** By node; contains only nodes whose outcomes can exclude each other. */
type Outcomes = ReadonlyMap<number, readonly Outcome[]>;

const nothing: Outcomes = new Map();
/** For all nodes together; beyond that, no more outcomes are remembered and fewer problems are found. */
const maxOutcomes = 200_000;

/** @param paths JSON pointer of each task of the document, by task name; the service added the tasks that have none */
export function unreachableNodes(nodes: readonly ReachedNode[], paths: ReadonlyMap<string, string>): Finding[] {
  return atOnce(unreachableNodesSteps(nodes, paths));
}

/** The same in steps of one node each. */
export function* unreachableNodesSteps(nodes: readonly ReachedNode[], paths: ReadonlyMap<string, string>): Steps<Finding[]> {
  const byName = new Map(nodes.map(({ name }, index) => [name, index]));
  const upstream = nodes.map(({ dependencies }) => (dependencies ?? []).flatMap(({ taskRef }) => byName.get(taskRef) ?? []));
  const graph: Graph = { nodes, byName, splits: splittingNodes(nodes, byName), needs: [], why: [], left: maxOutcomes };
  yield;
  for (const index of dependencyOrder(upstream)) {
    look(graph, index);
    yield;
  }
  return nodes.flatMap(({ name }, index) => {
    const path = paths.get(name);
    const message = graph.why[index];
    return path === undefined || message === undefined ? [] : [{ path, message }];
  });
}

interface Graph {
  nodes: readonly ReachedNode[];
  byName: ReadonlyMap<string, number>;
  splits: ReadonlySet<number>;
  /** The outcomes that each reachable node needs. */
  needs: Outcomes[];
  /** Why a node never runs. */
  why: string[];
  left: number;
}

/** Nodes with links that need different outcomes. */
function splittingNodes(nodes: readonly ReachedNode[], byName: ReadonlyMap<string, number>): Set<number> {
  const kinds = new Map<number, Set<string>>();
  for (const link of nodes.flatMap(({ dependencies }) => dependencies ?? [])) {
    const from = byName.get(link.taskRef);
    if (from === undefined) continue;
    const kind = nodes[from]?.type === "decision" ? (link.decisionCondition ?? "") : (link.executionCondition ?? "always");
    if (kind !== "always") kinds.set(from, (kinds.get(from) ?? new Set()).add(kind));
  }
  return new Set([...kinds].filter(([, set]) => set.size > 1).map(([from]) => from));
}

function look(graph: Graph, index: number): void {
  const node = graph.nodes[index]!;
  const links = (node.dependencies ?? []).flatMap((link) => {
    const from = graph.byName.get(link.taskRef);
    return from === undefined ? [] : [{ from, ...readLink(graph, from, link) }];
  });
  if (links.length === 0) return;
  const isEnd = (node.type ?? node.name) === "end";
  const broken = isEnd ? undefined : links.find(({ from, needsRun }) => needsRun && graph.why[from] !== undefined);
  const neverFails = links.find(({ from, outcome }) => outcome?.kind === "failed" && isStart(graph.nodes[from]!));
  const living = links.filter(({ from }) => graph.why[from] === undefined);
  if (!isEnd && neverFails) graph.why[index] = `never runs: "${graph.nodes[neverFails.from]?.name}", which it waits for, can't fail`;
  else if (broken || living.length === 0)
    graph.why[index] = `never runs, because "${graph.nodes[(broken ?? links[0]!).from]?.name}" before it never runs`;
  else if (!isEnd) gather(graph, index, links);
}

function isStart({ type, name }: ReachedNode): boolean {
  return (type ?? name) === "start";
}

interface ReadLink {
  /** The link holds only if the task that it comes from ran. */
  needsRun: boolean;
  /** Undefined: the link holds after any outcome. */
  outcome: Outcome | undefined;
}

function readLink({ nodes }: Graph, from: number, { executionCondition, decisionCondition }: Link): ReadLink {
  if (nodes[from]?.type === "decision") {
    const lines = conditionLines(decisionCondition);
    return { needsRun: lines.length > 0, outcome: { kind: "chose", lines } };
  }
  if (executionCondition === "success") return { needsRun: true, outcome: { kind: "succeeded" } };
  return executionCondition === "failure" ? { needsRun: true, outcome: { kind: "failed" } } : { needsRun: false, outcome: undefined };
}

/** Collects what all links of a node need together; if it is contradictory, the node never runs. */
function gather(graph: Graph, index: number, links: readonly (ReadLink & { from: number })[]): void {
  // Even if no link requires it, one of the tasks before must have run; with a single link it is known which one.
  const certain = links.length === 1 ? links : links.filter(({ needsRun }) => needsRun);
  let needs: Outcomes = nothing;
  const add = (from: number, outcomes: readonly Outcome[]) => {
    const known = needs.get(from) ?? [];
    const fresh = outcomes.filter((outcome) => !known.includes(outcome));
    const isTorn = fresh.some((one) => known.some((other) => excludes(one, other)));
    if (isTorn) graph.why[index] = contradiction(graph.nodes[from]!);
    if (fresh.length === 0 || graph.left <= 0) return;
    needs = new Map(needs).set(from, [...known, ...fresh]);
  };
  for (const { from } of certain) {
    const inherited = graph.needs[from] ?? nothing;
    if (needs.size === 0) needs = inherited;
    else for (const [node, outcomes] of inherited) add(node, outcomes);
  }
  for (const { from, outcome } of links) if (outcome && graph.splits.has(from)) add(from, [outcome]);
  graph.left -= needs.size;
  graph.needs[index] = graph.left > 0 ? needs : nothing;
}

function contradiction({ name, type }: ReachedNode): string {
  return type === "decision"
    ? `never runs: the links before it need switch "${name}" to choose two paths that exclude each other`
    : `never runs: the links before it need task "${name}" both to succeed and to fail`;
}

const isWord = /^[\w -]*$/;

function excludes(one: Outcome, other: Outcome): boolean {
  if (one.kind !== "chose" || other.kind !== "chose") return one.kind !== other.kind;
  if ((one.lines.length === 0) !== (other.lines.length === 0)) return true;
  const areWords = [...one.lines, ...other.lines].every((line) => isWord.test(line));
  return areWords && one.lines.length > 0 && !one.lines.some((line) => other.lines.includes(line));
}
