import { AppError } from "../../base/error/app-error.ts";
import type { Queryable } from "../../store/database/database.ts";
import { lockWorkflow, type WorkflowRow } from "../../store/workflow/workflows.ts";

/**
 * The workflow, held until the transaction ends.
 * @throws WORKFLOW_INVALID_REFERENCE
 */
export async function requireWorkflow(db: Queryable, teamId: string, ref: string): Promise<WorkflowRow> {
  const workflow = await lockWorkflow(db, teamId, ref);
  if (workflow === undefined) throw new AppError("WORKFLOW_INVALID_REFERENCE", [ref]);
  return workflow;
}
