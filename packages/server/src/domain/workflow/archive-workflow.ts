import type { Keyring } from "../../base/secret/keyring.ts";
import type { Queryable } from "../../store/database/database.ts";
import { disableSchedulesOfWorkflow } from "../../store/schedule/schedules.ts";
import { archiveWorkflow as archive, restoreWorkflow as restore } from "../../store/workflow/archived-workflows.ts";
import type { WorkflowRow } from "../../store/workflow/workflows.ts";
import { followWorkflow } from "../schedule/follow-workflow.ts";

/**
 * Puts a workflow away, which is locked: it keeps everything that it has and is in no list, nothing starts it, and its schedules stop. Runs
 * that are open go on.
 *
 * @returns false when it is archived already
 */
export async function archiveWorkflow(db: Queryable, teamId: string, workflow: WorkflowRow): Promise<boolean> {
  if (workflow.archivedAt !== null) return false;
  await archive(db, teamId, workflow.id);
  await disableSchedulesOfWorkflow(db, teamId, workflow.id);
  return true;
}

/**
 * Brings it back as it was; its schedules go on with their next times from now.
 *
 * @returns false when it is not archived
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
