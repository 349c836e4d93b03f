import type { RerunDecision, RerunReason } from "@millrace/contract/run/rerun.ts";
import { isExecutorType, type TaskType } from "@millrace/contract/status.ts";
import type { Plan, PlanNode } from "../../workflow/plan.ts";
import { referredNodes } from "../resolve-node.ts";
import type { TaskState } from "../run-state.ts";
import { findGuardsAgain, listGuards, orderOf } from "./reach.ts";
import { describeNode, ownReason } from "./reasons.ts";
import type { Again, RerunQuestion } from "./rerun-question.ts";

/**
 * What a rerun of a finished run will do with each node of its workflow: reuse the task run of the finished run with its results, or run
 * the node again, and why. A node that runs again takes with it all nodes that follow it or refer to its results, so a reused node never
 * depends on one that is not reused. A failed task is never reused.
 */

export interface NodePlan {
  node: number;
  name: string;
  type: TaskType;
  decision: RerunDecision;
  /** Absent if the node does not run again. */
  why?: RerunReason;
  text: string;
  /** The task run of the finished run for this node; undefined: it has none that matches. */
  source: TaskState | undefined;
  /** The node is a forEach that runs again with the same list: items that succeeded are kept. */
  keepsItems: boolean;
}

/** One entry for each node of the plan that is to run. There is no real decision about `end`: it always runs. */
export function planRerun(question: RerunQuestion): NodePlan[] {
  const { plan } = question.after;
  const sources = plan.nodes.map((node) => sourceOf(question, node));
  const own = plan.nodes.map((node) => ownReason(question, node, sources[node.index]));
  const order = orderOf(plan);
  const guards = listGuards(question);
  const forced = new Map<number, Again>();
  for (;;) {
    const again = spread(question, order, own, forced);
    const users = findWorkspaceUsers(question, again, sources);
    const more = [...findGuardsAgain(plan, guards, again), ...users].filter(([node]) => !again.has(node));
    if (more.length === 0) return plan.nodes.map((node) => decide(question, node, again, sources[node.index]));
    for (const [node, reason] of more) forced.set(node, reason);
  }
}

/** The task run of the node with the same name and type. */
function sourceOf({ before, tasks }: RerunQuestion, node: PlanNode): TaskState | undefined {
  const index = before.plan.byName.get(node.name);
  const task = index === undefined ? undefined : tasks[index];
  return task?.type === node.type ? task : undefined;
}

/** All nodes that run again: those with a reason of their own, and those that follow them. */
function spread(
  { after: { plan }, marked }: RerunQuestion,
  order: readonly number[],
  own: readonly (Again | undefined)[],
  forced: ReadonlyMap<number, Again>,
): Map<number, Again> {
  const again = new Map<number, Again>();
  const changed = new Set<number>();
  for (const index of order) {
    const node = plan.nodes[index] as PlanNode;
    if (node.index === plan.end) continue;
    const sources = [...node.incoming.map(({ from }) => from), ...referredNodes(plan, node)];
    const behind = sources.find((from) => changed.has(from));
    const reason = own[index] ?? forced.get(index);
    if (reason && (!marked.has(node.name) || reason.why === "chosen" || reason.why === "handler")) again.set(index, reason);
    else if (behind !== undefined) again.set(index, { why: "downstream", detail: (plan.nodes[behind] as PlanNode).name });
    if (again.has(index) || marked.has(node.name)) changed.add(index);
  }
  return again;
}

/** If any task that runs on a worker runs again, so do all other tasks that share the workspace of the run: their files could be needed. */
function findWorkspaceUsers(
  { hasWorkspace, after: { plan } }: RerunQuestion,
  again: ReadonlyMap<number, Again>,
  sources: readonly (TaskState | undefined)[],
): [number, Again][] {
  if (!hasWorkspace || ![...again.keys()].some((index) => isExecutorType((plan.nodes[index] as PlanNode).type))) return [];
  const users = plan.nodes.filter(({ index, type }) => isExecutorType(type) && sources[index]?.status === "succeeded");
  return users.map(({ index }) => [index, { why: "workspace" }]);
}

function decide(question: RerunQuestion, node: PlanNode, again: ReadonlyMap<number, Again>, source: TaskState | undefined): NodePlan {
  const reason = again.get(node.index);
  const isMarked = reason === undefined && question.marked.has(node.name);
  // Tasks after this one could need files of its items, and the workspace of the new run is empty.
  const hasFiles = question.hasWorkspace && isExecutorType(node.type);
  const decision: RerunDecision = reason ? "again" : isMarked ? "marked" : "reused";
  return {
    ...{ node: node.index, name: node.name, type: node.type, decision },
    ...(reason && { why: reason.why }),
    text: describeNode(node, decision, reason, source),
    source,
    keepsItems: reason?.why === "failed" && node.forEach !== undefined && !hasFiles && isUnchanged(question, node, again),
  };
}

/** Whether a failed node gets the same input again, both from the workflow and from the tasks before it. */
function isUnchanged(question: RerunQuestion, node: PlanNode, again: ReadonlyMap<number, Again>): boolean {
  const { plan } = question.after;
  const sources = [...node.incoming.map(({ from }) => from), ...referredNodes(plan, node)];
  const isBehind = sources.some((from) => again.has(from) || question.marked.has((plan.nodes[from] as PlanNode).name));
  return !isBehind && question.before.plan === plan && question.before.layers === question.after.layers;
}

/** Those of the requested task names that the workflow does not have. */
export function unknownNames(plan: Plan, names: Iterable<string>): string[] {
  return [...names].filter((name) => {
    const index = plan.byName.get(name);
    return index === undefined || index === plan.start || index === plan.end;
  });
}
