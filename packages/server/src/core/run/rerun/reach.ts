import { type NamedValue, nodeAt, type Plan, type PlanNode } from "../../workflow/plan.ts";
import type { Again, RerunQuestion } from "./rerun-question.ts";

/** Which nodes come after a node, and which nodes must run again because of those. */

/** Indexes of the nodes in topological order. */
export function orderOf(plan: Plan): number[] {
  const open = plan.nodes.map((node) => node.incoming.length);
  const order = plan.nodes.filter((node) => node.incoming.length === 0).map(({ index }) => index);
  for (let place = 0; place < order.length; place++) {
    for (const { to } of nodeAt(plan, order[place] as number).outgoing) {
      open[to] = (open[to] ?? 0) - 1;
      if (open[to] === 0) order.push(to);
    }
  }
  return order;
}

/** @param isLast nodes at which the search stops: what comes after them is not included */
function nodesBehind(plan: Plan, from: PlanNode, isLast: (node: PlanNode) => boolean = () => false): Set<number> {
  const found = new Set<number>();
  const queue = [from];
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    for (const { to } of node.outgoing) {
      if (found.has(to) || to === plan.end) continue;
      found.add(to);
      const next = nodeAt(plan, to);
      if (!isLast(next)) queue.push(next);
    }
  }
  return found;
}

/** A node that must run again if any of the nodes in `over` does. */
export interface Guard {
  node: number;
  why: "lock" | "approval";
  over: ReadonlySet<number>;
}

export function listGuards(question: RerunQuestion): Guard[] {
  return [...listLocks(question.after.plan), ...listApprovals(question)];
}

export function findGuardsAgain(plan: Plan, guards: readonly Guard[], again: ReadonlyMap<number, Again>): [number, Again][] {
  return guards.flatMap(({ node, why, over }): [number, Again][] => {
    if (again.has(node)) return [];
    const first = [...over].find((index) => again.has(index));
    return first === undefined ? [] : [[node, { why, detail: nodeAt(plan, first).name }]];
  });
}

/**
 * A rerun can't take over a lock, since the run that held it has ended. If anything between a lock and its release runs again, the lock
 * must be acquired again, and so everything under it runs again.
 */
function listLocks(plan: Plan): Guard[] {
  const locks = plan.nodes.filter(({ type }) => type === "acquirelock");
  return locks.map((node) => {
    const key = keyOf(node.params);
    const over = nodesBehind(plan, node, (next) => next.type === "releaselock" && keyOf(next.params) === key);
    return { node: node.index, why: "lock", over };
  });
}

function keyOf(params: readonly NamedValue[]): string {
  return JSON.stringify(params.find(({ name }) => name === "key")?.value ?? null);
}

/**
 * People approved what was to follow, as it was at that time. If something after their decision runs again with another version, other
 * parameters or results that a person has entered, they are asked again.
 */
function listApprovals({ before, after, marked }: RerunQuestion): Guard[] {
  const { plan } = after;
  const isOther = before.plan !== plan || before.layers !== after.layers;
  if (!isOther && marked.size === 0) return [];
  const marks = plan.nodes.filter(({ name }) => marked.has(name)).map((node) => ({ node: node.index, behind: nodesBehind(plan, node) }));
  return plan.nodes.filter(isDecidedByPeople).map((node) => {
    const behind = nodesBehind(plan, node);
    const isGiven = (index: number) => marks.some((mark) => !behind.has(mark.node) && mark.behind.has(index));
    return { node: node.index, why: "approval", over: isOther ? behind : new Set([...behind].filter(isGiven)) };
  });
}

function isDecidedByPeople({ type }: Pick<PlanNode, "type">): boolean {
  return type === "approval" || type === "manual";
}
