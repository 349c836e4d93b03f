import { AppError } from "../../../base/error/app-error.ts";
import type { Queryable } from "../../../store/database/database.ts";
import { listPinningWorkflows } from "../../../store/workflow/called-workflows.ts";

/**
 * Protects versions that other workflows run by number: they want exactly this content.
 *
 * @param version that is to be replaced; absent: the whole workflow is to be deleted
 * @throws CONFLICT with the names of the workflows
 */
export async function refusePinned(db: Queryable, teamId: string, workflow: { id: string; name: string }, version?: number): Promise<void> {
  const names = await listPinningWorkflows(db, teamId, workflow, version);
  if (names.length === 0) return;
  const users = names.length === 1 ? `workflow ${names[0]} runs` : `workflows ${names.join(", ")} run`;
  const text =
    version === undefined
      ? `Workflow ${workflow.name} is in use: ${users} a fixed version of it; change that first, or delete without force=false`
      : `Version ${version} of workflow ${workflow.name} can't be replaced: ${users} this version; save a new version instead`;
  throw new AppError("CONFLICT", [text]);
}
