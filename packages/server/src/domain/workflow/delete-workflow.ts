import { AppError } from "../../base/app-error.ts";
import type { Queryable } from "../../store/database.ts";
import { deleteSchedulesOfWorkflow } from "../../store/schedules.ts";
import { countOpenRuns, hideWorkflow } from "../../store/workflow-deletion.ts";
import type { WorkflowRow } from "../../store/workflows.ts";

/**
 * Deletes a workflow that is locked: it is hidden at once, with its runs, actions and tokens, and its name is free again. Rows
 * go in the background (purge-deleted-workflows.ts). Nobody's work ends by surprise: while runs are not over it is a 409. Its schedules go
 * first: one that fires at this moment is waited for, and the run that it submits is counted.
 */
export async function deleteWorkflow(db: Queryable, teamId: string, workflow: WorkflowRow): Promise<void> {
  await deleteSchedulesOfWorkflow(db, teamId, workflow.id);
  const open = await countOpenRuns(db, teamId, workflow.id);
  if (open > 0) {
    const runs = open === 1 ? "1 run that is not over; cancel it first" : `${open} runs that are not over; cancel them first`;
    throw new AppError("CONFLICT", [`Workflow ${workflow.name} has ${runs}`]);
  }
  await hideWorkflow(db, teamId, workflow.id);
}
