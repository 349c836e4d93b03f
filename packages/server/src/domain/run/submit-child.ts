import { AppError } from "../../base/error/app-error.ts";
import { lineageAfter } from "../../core/run/lineage.ts";
import type { RunState } from "../../core/run/run-state.ts";
import { taskTraceparent } from "../../core/run/run-trace.ts";
import type { ChildAnswer, ChildStart } from "../../core/task/task-type.ts";
import type { Plan } from "../../core/workflow/plan.ts";
import type { Transaction } from "../../store/database/database.ts";
import { revealParams } from "./reveal-params.ts";
import type { RunContext } from "./run-context.ts";
import { submitRun } from "./submit-run.ts";

/** Deeper nesting means that workflows run each other in a loop. */
const maxDepth = 5;

/**
 * Submits the child of a run-workflow task. If the submission is refused, the task ends as failed with that reason. A single child of a run
 * without a parent starts at once. If there are many, or for children of children, the engine starts each in a transaction of its own;
 * otherwise one start could trigger thousands, and everyone would wait for it.
 */
export async function submitChild(
  tx: Transaction,
  context: RunContext,
  plan: Plan,
  parent: RunState,
  child: ChildStart,
): Promise<ChildAnswer> {
  if (parent.depth >= maxDepth) {
    const what = child.isNested ? "the nested workflow" : `workflow "${child.workflowRef}"`;
    return { reason: "NestingDepthExceeded", error: `Runs can be nested ${maxDepth} levels deep; a run of ${what} would be deeper` };
  }
  try {
    const { params, secretParams } = await revealParams(tx, context, plan, parent, child);
    const run = await submitRun(tx, context, {
      teamId: parent.teamId,
      workflow: child.workflowRef,
      request: { params, ...(child.workflowVersion !== undefined && { workflowVersion: child.workflowVersion }) },
      start: child.waits && child.item === null && parent.depth === 0,
      initiatedBy: `run:${parent.id}`,
      trigger: "task",
      parent: { runId: parent.id, taskRunId: child.waits ? child.taskRunId : null, depth: parent.depth + 1 },
      lineage: lineageAfter(parent.lineage, parent.workflowId),
      traceparent: taskTraceparent(context, parent, child.taskRunId),
      secretParams,
      ...(child.isNested && { nestedIn: parent.layers.context }),
    });
    return { runId: run.id };
  } catch (error) {
    if (error instanceof AppError) return { reason: error.reason, error: error.message };
    throw error;
  }
}
