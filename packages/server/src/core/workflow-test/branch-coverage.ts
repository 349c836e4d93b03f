import type { WorkflowTestCoverage, WorkflowTestLink, WorkflowTestResult } from "@millrace/contract/workflow/workflow-test.ts";
import { CostlyPatterns } from "../parameter/condition.ts";
import { didRun, holdsAfter } from "../run/consider-node.ts";
import { noFacts } from "../run/facts.ts";
import type { RunState } from "../run/run-state.ts";
import { nodeAt, type Plan, type PlanEdge, type PlanNode } from "../workflow/plan.ts";

/** Links that led from a task that ran to another task that ran, or to the end. */
export function takenLinks(plan: Plan, state: RunState): WorkflowTestLink[] {
  return plan.nodes.flatMap((node) => {
    const holding = holdingLinks(node, state);
    const taken = holding.filter(({ to }) => state.nodes[to] !== undefined && didRun(state.nodes[to]));
    return taken.map(({ to }) => ({ from: node.name, to: nodeAt(plan, to).name }));
  });
}

function holdingLinks(node: PlanNode, { nodes }: RunState): PlanEdge[] {
  const task = nodes[node.index];
  if (task === undefined || !didRun(task)) return [];
  if (node.type !== "decision") return node.outgoing.filter(({ condition }) => holdsAfter(condition, task.status));
  if (task.decisionValue === null) return node.outgoing.filter(({ decisionCondition }) => !decisionCondition);
  try {
    const { choice } = noFacts().decisions.choose(node.index, task.decisionValue, node.outgoing);
    return node.outgoing.filter((_, at) => choice[at]);
  } catch (error) {
    // The costly patterns ended the run, and no link was chosen.
    if (error instanceof CostlyPatterns) return [];
    throw error;
  }
}

/** Which parts of the workflow all tests together have run. */
export function coverageOf(plan: Plan, results: readonly WorkflowTestResult[]): WorkflowTestCoverage {
  const ran = new Set(
    results.flatMap(({ run }) => run?.tasks.filter(({ status }) => ranStatuses.has(status)).map(({ name }) => name) ?? []),
  );
  const taken = new Set(results.flatMap(({ run }) => run?.links.map(keyOf) ?? []));
  const tasks = plan.nodes.filter(({ type }) => type !== "start" && type !== "end").map(({ name }) => name);
  const links = plan.nodes.flatMap(({ name, outgoing }) => outgoing.map(({ to }) => ({ from: name, to: nodeAt(plan, to).name })));
  const missingTasks = tasks.filter((name) => !ran.has(name));
  const missingLinks = links.filter((link) => !taken.has(keyOf(link)));
  return {
    tasks: { total: tasks.length, covered: tasks.length - missingTasks.length, missing: missingTasks },
    links: { total: links.length, covered: links.length - missingLinks.length, missing: missingLinks },
  };
}

const ranStatuses: ReadonlySet<string> = new Set(["succeeded", "failed", "timedout", "invalid"]);

function keyOf({ from, to }: WorkflowTestLink): string {
  return JSON.stringify([from, to]);
}
