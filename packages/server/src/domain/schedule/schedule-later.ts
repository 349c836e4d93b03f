import { AppError } from "../../base/error/app-error.ts";
import { lineageAfter } from "../../core/run/lineage.ts";
import type { RunState } from "../../core/run/run-state.ts";
import type { LaterAnswer, LaterStart } from "../../core/task/task-type.ts";
import type { Plan } from "../../core/workflow/plan.ts";
import { isTryName } from "../../core/workflow/try-name.ts";
import type { Transaction } from "../../store/database/database.ts";
import { lockWorkflow } from "../../store/workflow/workflows.ts";
import { revealParams } from "../run/reveal-params.ts";
import type { RunContext } from "../run/run-context.ts";
import { createSchedule } from "./save-schedule.ts";

/** Label with the run that created a schedule; the schedule's run has it, too. */
export const originLabel = "millrace.dev/scheduled-by";

/**
 * Creates the schedule of a run-scheduled-workflow task, in the transaction that ends the task. If it is refused, the task ends as failed.
 * The same applies to a workflow that schedules can't trigger, since its run would never start.
 */
export async function scheduleLater(
  tx: Transaction,
  context: RunContext,
  plan: Plan,
  run: RunState,
  start: LaterStart,
): Promise<LaterAnswer> {
  const { teamId } = run;
  const workflow = await lockWorkflow(tx, teamId, start.workflowRef);
  if (!workflow || isTryName(workflow.name))
    return { reason: "WORKFLOW_INVALID_REFERENCE", error: `There is no workflow ${start.workflowRef}` };
  if (!workflow.triggers.schedule?.enabled) {
    return { reason: "TriggerDisabled", error: `Workflow ${workflow.name} can't be run by schedules; enable its trigger "schedule"` };
  }
  if (workflow.archivedAt !== null)
    return { reason: "WORKFLOW_ARCHIVED", error: `Workflow ${workflow.name} is archived; restore it first` };
  try {
    const { params, secretParams } = await revealParams(tx, context, plan, run, start);
    const input = {
      workflowRef: workflow.id,
      description: `Created by task run ${start.taskRunId}`,
      type: "runOnce",
      dateSchedule: start.at,
      timezone: start.timeZone,
      labels: { [originLabel]: run.id },
      params,
    };
    const schedule = await createSchedule(
      tx,
      { teamId, keyring: context.keyring, author: { runId: run.id }, lineage: lineageAfter(run.lineage, run.workflowId) },
      input,
      secretParams,
    );
    return { scheduleId: schedule.id };
  } catch (error) {
    if (error instanceof AppError) return { reason: error.reason, error: error.message };
    throw error;
  }
}
