import { AppError } from "../../base/error/app-error.ts";
import type { Keyring } from "../../base/secret/keyring.ts";
import { isTryName } from "../../core/workflow/try-name.ts";
import type { Database, Queryable, Transaction } from "../../store/database/database.ts";
import { transaction } from "../../store/database/transaction.ts";
import { listDeletedWorkflows } from "../../store/history/purge.ts";
import { signalOpenRuns } from "../../store/run/run-events.ts";
import { deleteSchedulesOfWorkflow, disableSchedulesOfWorkflow } from "../../store/schedule/schedules.ts";
import { deleteDrafts, listDraftsOf } from "../../store/task/task-drafts.ts";
import { archiveWorkflow as archive, restoreWorkflow as restore } from "../../store/workflow/archived-workflows.ts";
import { hideNested } from "../../store/workflow/hidden-workflows.ts";
import { findProtection } from "../../store/workflow/protections.ts";
import { countOpenRuns, hideWorkflow, lockPurgeableRuns, purgeRuns, purgeWorkflow } from "../../store/workflow/workflow-deletion.ts";
import type { WorkflowRow } from "../../store/workflow/workflows.ts";
import { refuseOpenRuns } from "../run/cancel-run.ts";
import { followWorkflow } from "../schedule/follow-workflow.ts";
import { refusePinned } from "./calls/refuse-pinned.ts";

/**
 * Deletes a locked workflow: it is hidden at once, with its runs, actions and tokens, its name is free again, and its open runs are
 * cancelled; the caller wakes the engine after the commit. Rows are deleted in the background (`purgeDeletedWorkflows`). Its schedules go
 * first: if one is firing at this moment, the deletion waits for it, and the run that it submits is cancelled, too.
 *
 * @param isForced otherwise open runs, and workflows that run a version of it, prevent the deletion
 * @throws CONFLICT with the number of such runs, or the names of such workflows, or if the workflow is protected: a new one of its name
 * would not be
 */
export async function deleteWorkflow(db: Queryable, teamId: string, workflow: WorkflowRow, isForced: boolean): Promise<void> {
  if ((await findProtection(db, teamId, workflow.id)) !== undefined)
    throw new AppError("CONFLICT", [`Workflow ${workflow.name} is protected: turn its protection off before you delete it`]);
  await deleteSchedulesOfWorkflow(db, teamId, workflow.id);
  if (!isForced) {
    refuseOpenRuns(`Workflow ${workflow.name}`, await countOpenRuns(db, teamId, workflow.id));
    await refusePinned(db, teamId, workflow);
  }
  await hideWorkflow(db, teamId, workflow.id);
  await hideNested(db, teamId, workflow.id);
  await signalOpenRuns(db, { teamId, workflowId: workflow.id }, "Cancelled: the workflow was deleted");
}

/** Runs that one transaction removes: with their task runs and logs these are thousands of rows. */
const runsAtOnce = 20;

/**
 * Removes the rows of deleted workflows, in small transactions of its own. It can run in several processes at once, be stopped between two
 * batches, and be run again: it is finished when it returns 0.
 *
 * @param maxBatches after which it lets other work run
 * @returns how many batches removed something
 */
export async function purgeDeletedWorkflows(db: Database, maxBatches: number): Promise<number> {
  let batches = 0;
  for (const { teamId, id } of await listDeletedWorkflows(db)) {
    while (batches < maxBatches && (await purgeBatch(db, teamId, id))) batches++;
    if (batches >= maxBatches) return batches;
  }
  return batches;
}

/** True if it removed something, so that there may be more. */
async function purgeBatch(db: Database, teamId: string, workflowId: string): Promise<boolean> {
  return transaction(db, async (tx) => {
    const runs = await lockPurgeableRuns(tx, teamId, workflowId, runsAtOnce);
    if (runs.length === 0) return purgeEmptyWorkflow(tx, teamId, workflowId);
    await purgeRuns(tx, teamId, runs);
    return true;
  });
}

/** Including the draft of a task that the workflow was created to try. */
async function purgeEmptyWorkflow(tx: Transaction, teamId: string, workflowId: string): Promise<boolean> {
  const drafts = await listDraftsOf(tx, teamId, workflowId);
  const isGone = await purgeWorkflow(tx, teamId, workflowId);
  if (isGone && drafts.length > 0) await deleteDrafts(tx, teamId, drafts);
  return isGone;
}

/**
 * Puts a workflow away, which is locked: it keeps everything that it has and is in no list, nothing starts it, and its schedules stop. Runs
 * that are open continue.
 *
 * @returns false if it is archived already
 * @throws WORKFLOW_INVALID_REFERENCE for the workflow of a trial
 */
export async function archiveWorkflow(db: Queryable, teamId: string, workflow: WorkflowRow): Promise<boolean> {
  if (isTryName(workflow.name)) throw new AppError("WORKFLOW_INVALID_REFERENCE", [workflow.id]);
  if (workflow.archivedAt !== null) return false;
  await archive(db, teamId, workflow.id);
  await disableSchedulesOfWorkflow(db, teamId, workflow.id);
  return true;
}

/**
 * Brings it back as it was; its schedules continue with their next times from now.
 *
 * @returns false if it is not archived
 */
export async function restoreWorkflow(
  db: Queryable,
  context: { team: { id: string }; keyring: Keyring },
  workflow: WorkflowRow,
): Promise<boolean> {
  if (workflow.archivedAt === null) return false;
  await restore(db, context.team.id, workflow.id);
  await followWorkflow(db, context, workflow, []);
  return true;
}
