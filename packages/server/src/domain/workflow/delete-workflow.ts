import type { Queryable } from "../../store/database/database.ts";
import { signalOpenRuns } from "../../store/run/run-signals.ts";
import { deleteSchedulesOfWorkflow } from "../../store/schedule/schedules.ts";
import { countOpenRuns, hideWorkflow } from "../../store/workflow/workflow-deletion.ts";
import type { WorkflowRow } from "../../store/workflow/workflows.ts";
import { refuseOpenRuns } from "../run/refuse-open-runs.ts";

/**
 * Deletes a workflow that is locked: it is hidden at once, with its runs, actions and tokens, its name is free again, and its runs
 * that are not over are cancelled; the engine is to be woken after the commit. Rows go in the background
 * (purge-deleted-workflows.ts). Its schedules go first: one that fires at this moment is waited for, and the run that it submits is
 * cancelled, too.
 *
 * @param isForced otherwise runs that are not over keep it from being deleted
 * @throws CONFLICT with the number of such runs
 */
export async function deleteWorkflow(db: Queryable, teamId: string, workflow: WorkflowRow, isForced: boolean): Promise<void> {
  await deleteSchedulesOfWorkflow(db, teamId, workflow.id);
  if (!isForced) refuseOpenRuns(`Workflow ${workflow.name}`, await countOpenRuns(db, teamId, workflow.id));
  await hideWorkflow(db, teamId, workflow.id);
  await signalOpenRuns(db, { teamId, workflowId: workflow.id }, "Cancelled: the workflow was deleted");
}
