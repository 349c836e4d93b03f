import { atOnce, type Steps } from "../../../base/process/slices.ts";
import { isBeforeTurn, type TurnNode, turnsOf } from "../node-turn.ts";

/**
 * A cycle of a graph, as indexes in the direction of the edges; undefined if there is none. Takes linear time and does not recurse.
 * @param upstream for each node the nodes that it depends on
 */
export function findCycle(upstream: readonly (readonly number[])[]): number[] | undefined {
  const left = nodesInOrBelowCycles(upstream);
  const first = left.findIndex((isLeft) => isLeft);
  if (first < 0) return undefined;
  // Every node that is left depends on another one that is left, so walking upstream must return to a visited node.
  const steps = new Map<number, number>();
  const walk: number[] = [];
  let node = first;
  while (!steps.has(node)) {
    steps.set(node, walk.length);
    walk.push(node);
    node = (upstream[node] ?? []).find((before) => left[before]) as number;
  }
  return walk.slice(steps.get(node)).reverse();
}

/** A node that is not in the order can never start. */
function nodesInOrBelowCycles(upstream: readonly (readonly number[])[]): boolean[] {
  const isLeft = upstream.map(() => true);
  for (const node of dependencyOrder(upstream)) isLeft[node] = false;
  return isLeft;
}

/** Indexes in topological order; nodes on a cycle, or after one, are left out. */
export function dependencyOrder(upstream: readonly (readonly number[])[]): number[] {
  const downstream: number[][] = upstream.map(() => []);
  const open = upstream.map((before) => before.length);
  for (const [node, before] of upstream.entries()) for (const other of before) downstream[other]?.push(node);
  const order = [...open.keys()].filter((node) => open[node] === 0);
  for (let at = 0; at < order.length; at++) {
    for (const after of downstream[order[at] as number] ?? []) {
      open[after] = (open[after] ?? 0) - 1;
      if (open[after] === 0) order.push(after);
    }
  }
  return order;
}

/** Which nodes of a graph come before which others. */
export interface Ancestors {
  /** Whether there is a path from one node to the other, by their indexes. In a graph with cycles, no node comes before another. */
  isBefore(one: number, other: number): boolean;
}

interface Depending extends TurnNode {
  dependencies?: readonly { taskRef: string }[] | null;
}

/**
 * Keeps one bit for each pair of nodes: 10,000 nodes take 12 MB while the graph is checked, whatever they refer to. Even without edges,
 * start comes before all others and end after them, since the graph may not be completed yet; handlers come after all of the flow.
 */
export function ancestorsOf(nodes: Parameters<typeof ancestorsSteps>[0]): Ancestors {
  return atOnce(ancestorsSteps(nodes));
}

/** The same in steps of one node each. */
export function* ancestorsSteps(nodes: readonly (Depending & { type?: string | null })[]): Steps<Ancestors> {
  const byName = new Map(nodes.map(({ name }, index) => [name, index]));
  const upstream = nodes.map(({ dependencies }) => (dependencies ?? []).flatMap(({ taskRef }) => byName.get(taskRef) ?? []));
  const words = Math.ceil(nodes.length / 32);
  const bits = new Uint32Array(nodes.length * words);
  for (const node of dependencyOrder(upstream)) {
    for (const before of upstream[node] ?? []) {
      for (let word = 0; word < words; word++) bits[node * words + word]! |= bits[before * words + word]!;
      bits[node * words + (before >>> 5)]! |= 1 << (before & 31);
    }
    yield;
  }
  const turns = turnsOf(nodes);
  const isMarked = (index: number, marker: string) => (nodes[index]?.type ?? nodes[index]?.name) === marker;
  const isBeforeInTurn = (one: number, other: number) =>
    one !== other && (isMarked(one, "start") || isMarked(other, "end") || (bits[other * words + (one >>> 5)]! & (1 << (one & 31))) !== 0);
  return {
    isBefore: (one, other) => {
      const [turn, otherTurn] = [turns[one] ?? "flow", turns[other] ?? "flow"];
      return turn === otherTurn ? isBeforeInTurn(one, other) : isBeforeTurn(turn, otherTurn);
    },
  };
}
