import { isFinal } from "@millrace/contract/status.ts";
import { outcomeOfFlow } from "./consider-node.ts";
import { isEnding } from "./handlers/handler-turns.ts";
import { outcomeWithHandlers, stopTasks } from "./handlers/run-handlers.ts";
import { runEndings } from "./run-machine.ts";
import type { TransitionBuilder } from "./transition-builder.ts";

/** Ends the run when every node has ended, with the status that reflects what happened. */
export function finishRunWhenOver(draft: TransitionBuilder): void {
  if (draft.run.phase !== "running" || !draft.run.nodes.every((task) => isFinal(task.status))) return;
  const { handlers } = draft.plan;
  const { status, reason, message } = handlers ? outcomeWithHandlers(draft, handlers) : outcomeOfFlow(draft);
  endRun(draft, status, reason, message);
}

/**
 * Cancel and time-out: what runs is cancelled, what had not begun is skipped, whatever waits is let go. Where the workflow has handlers
 * they run now, so the run continues; a second stop ends them too.
 */
export function stopRun(draft: TransitionBuilder, status: "cancelled" | "timedout" | "invalid", reason: string, message: string): void {
  const { plan, run } = draft;
  if (!plan.handlers || run.phase !== "running" || status === "invalid") {
    stopTasks(draft, () => true, reason, message);
    return endRun(draft, status, reason, message);
  }
  if (isEnding(plan, run)) return stopTasks(draft, () => true, reason, message);
  draft.noteRun({ reason, statusMessage: message });
  stopTasks(draft, ({ node }) => draft.node(node).turn === "flow", reason, message);
}

function endRun(draft: TransitionBuilder, status: keyof typeof runEndings, reason: string | null, message: string | null): void {
  draft.moveRun({ reason, statusMessage: message, endedAt: draft.now, dueAt: null }, runEndings[status]);
  const { parentRunId, parentTaskRunId, id, results, retryCount, retries } = draft.run;
  if ((status === "failed" || status === "timedout") && retryCount < retries) draft.signals.push({ runId: id, kind: "retry", data: {} });
  if (!parentRunId || !parentTaskRunId) return;
  draft.signals.push({ runId: parentRunId, kind: "child", data: { taskRunId: parentTaskRunId, runId: id, status, results, message } });
}
