import { isExecutorType, isFinal } from "@millrace/contract/status.ts";
import type { PlanNode } from "../workflow/plan.ts";
import { didRun } from "./consider-node.ts";
import { abandonWait, attemptRecord, over } from "./finish-task.ts";
import { runEndings } from "./run-machine.ts";
import type { TransitionBuilder } from "./transition-builder.ts";

/** Ends the run when every node is over, with the honest status. */
export function finishRunWhenOver(draft: TransitionBuilder): void {
  if (draft.run.phase !== "running" || !draft.run.nodes.every((task) => isFinal(task.status))) return;
  const failure = draft.plan.nodes.find((node) => isUnhandledFailure(draft, node));
  const status = draft.run.statusOverride ?? (failure ? "failed" : "succeeded");
  endRun(draft, status, failure && status === "failed" ? "TaskFailed" : null, failure ? failureMessage(draft, failure) : null);
}

/** Cancel and time-out: what runs is cancelled, what had not begun is skipped, whatever waits is let go. */
export function stopRun(draft: TransitionBuilder, status: "cancelled" | "timedout" | "invalid", reason: string, message: string): void {
  for (const task of draft.open()) {
    if (isExecutorType(task.type) && task.status === "running")
      draft.attempts.push(attemptRecord(task, "cancelled", { reason: "Cancelled", message }));
    abandonWait(draft, task, message);
    draft.move(task, { ...over(draft), reason, statusMessage: message }, "cancel");
  }
  endRun(draft, status, reason, message);
}

function endRun(draft: TransitionBuilder, status: keyof typeof runEndings, reason: string | null, message: string | null): void {
  draft.moveRun({ reason, statusMessage: message, endedAt: draft.now, dueAt: null }, runEndings[status]);
  const { parentRunId, parentTaskRunId, id, results, retryCount, retries } = draft.run;
  if ((status === "failed" || status === "timedout") && retryCount < retries) draft.signals.push({ runId: id, kind: "retry", data: {} });
  if (!parentRunId || !parentTaskRunId) return;
  draft.signals.push({ runId: parentRunId, kind: "child", data: { taskRunId: parentTaskRunId, runId: id, status, results, message } });
}

/** A failure is handled when a link that asks for failure led to a task that ran, or to end. */
function isUnhandledFailure(draft: TransitionBuilder, node: PlanNode): boolean {
  const { status } = draft.task(node.index);
  if (status !== "failed" && status !== "timedout" && status !== "invalid") return false;
  if (node.type === "decision") return true;
  return !node.outgoing.some((edge) => edge.condition === "failure" && (edge.to === draft.plan.end || didRun(draft.task(edge.to))));
}

function failureMessage(draft: TransitionBuilder, node: PlanNode): string {
  const task = draft.task(node.index);
  return `Task "${task.name}" ended as ${task.status}${task.statusMessage ? `: ${task.statusMessage}` : ""}`;
}
