import { shorten } from "../../base/text/shorten.ts";
import { CostlyPatterns } from "../parameter/condition.ts";
import type { ExecutionCondition, PlanEdge, PlanNode } from "../workflow/plan.ts";
import { finishTask } from "./finish-task.ts";
import type { TaskState } from "./run-state.ts";
import { makeReady } from "./start-task.ts";
import type { TransitionBuilder } from "./transition-builder.ts";

/**
 * Reason of a task run that was skipped because a condition led elsewhere, as opposed to one that was skipped because its run was stopped.
 */
export const pathNotTaken = "PathNotTaken";

/** Called when all dependencies of a node have ended: decides whether it runs or is skipped (rules: advance.ts). */
export function considerNode(draft: TransitionBuilder, index: number): void {
  const node = draft.node(index);
  const task = draft.task(index);
  if (task.status !== "notstarted") return;
  const considered = unlessOverworked(() => (canRun(draft, node) ? "runs" : { whySkipped: whySkipped(draft, node) }));
  if (considered instanceof CostlyPatterns)
    finishTask(draft, draft.update(task, { startedAt: draft.now }), {
      status: "invalid",
      reason: considered.reason,
      message: considered.message,
    });
  else if (considered === "runs") makeReady(draft, task);
  else finishTask(draft, task, { status: "skipped", reason: pathNotTaken, message: considered.whySkipped });
}

/** If the patterns are too costly to evaluate, neither running nor skipping would be right: which path they choose is unknown. */
function unlessOverworked<T>(consider: () => T): T | CostlyPatterns {
  try {
    return consider();
  } catch (error) {
    if (error instanceof CostlyPatterns) return error;
    throw error;
  }
}

function canRun(draft: TransitionBuilder, node: PlanNode): boolean {
  // A handler without links starts when the flow has ended (run-handlers.ts).
  if (node.incoming.length === 0) return true;
  const holding = node.incoming.filter((edge) => holds(draft, edge));
  if (node.type !== "end" && holding.length < node.incoming.length) return false;
  return holding.some((edge) => didRun(draft.task(edge.from)));
}

/** Whether this task run did its work, whatever the outcome. A path leads only through such nodes. */
export function didRun(task: TaskState): boolean {
  return task.status === "succeeded" || task.status === "failed" || task.status === "timedout" || task.status === "invalid";
}

function holds(draft: TransitionBuilder, edge: PlanEdge): boolean {
  const upstream = draft.task(edge.from);
  if (upstream.type === "decision") return isChosen(draft, edge, upstream);
  return holdsAfter(edge.condition, upstream.status);
}

/** Whether a link with this condition holds after a task that ended with this status. */
export function holdsAfter(condition: ExecutionCondition, status: TaskState["status"]): boolean {
  if (condition === "always") return true;
  if (condition === "success") return status === "succeeded";
  return status === "failed" || status === "timedout" || status === "invalid";
}

/** A decision chooses the edges whose pattern matches the value; if none matches, the default edges. */
function isChosen(draft: TransitionBuilder, edge: PlanEdge, decision: TaskState): boolean {
  if (decision.decisionValue === null) return !edge.decisionCondition;
  return draft.edgesChosenBy(draft.node(edge.from), decision.decisionValue).edges.has(edge);
}

/** For people: names the first edge that keeps the node from running. */
function whySkipped(draft: TransitionBuilder, node: PlanNode): string {
  const broken = node.incoming.find((edge) => !holds(draft, edge));
  if (!broken) return "No path led here: every task before it was skipped";
  const upstream = draft.task(broken.from);
  if (upstream.type === "decision")
    return `Switch "${upstream.name}" did not choose this path (its value was ${quote(upstream.decisionValue)})`;
  return `Task "${upstream.name}" ended as ${upstream.status}, and the link from it requires ${broken.condition}`;
}

function quote(value: string | null): string {
  if (value === null) return "missing";
  return JSON.stringify(shorten(value, 80));
}

/** How the flow of a run ended, not counting handlers. */
export interface RunOutcome {
  status: "succeeded" | "failed" | "cancelled" | "timedout";
  reason: string | null;
  message: string | null;
}

/** The outcome of the flow itself, from the tasks that have ended. */
export function outcomeOfFlow(draft: TransitionBuilder): RunOutcome {
  const failure = draft.plan.nodes.find((node) => node.turn === "flow" && failsRun(draft, node));
  const status = draft.run.statusOverride ?? (failure ? "failed" : "succeeded");
  return {
    status,
    reason: failure && status === "failed" ? "TaskFailed" : null,
    message: failure ? failureMessage(draft, failure) : null,
  };
}

/** A failure counts as handled if a link with the condition `failure` led to a task that ran, or to `end`. */
export function failsRun(draft: TransitionBuilder, node: PlanNode): boolean {
  const { status } = draft.task(node.index);
  if (status !== "failed" && status !== "timedout" && status !== "invalid") return false;
  if (node.type === "decision") return true;
  return !node.outgoing.some((edge) => edge.condition === "failure" && (edge.to === draft.plan.end || didRun(draft.task(edge.to))));
}

export function failureMessage(draft: TransitionBuilder, node: PlanNode): string {
  const task = draft.task(node.index);
  return `Task "${task.name}" ended as ${task.status}${task.statusMessage ? `: ${task.statusMessage}` : ""}`;
}
