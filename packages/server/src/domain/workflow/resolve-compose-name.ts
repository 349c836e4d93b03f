import { AppError } from "../../base/error/app-error.ts";
import { toSlug } from "../../core/team/slug.ts";
import type { Queryable } from "../../store/database/database.ts";
import { isId } from "../../store/team/directory.ts";
import { findWorkflow } from "../../store/workflow/workflows.ts";
import { toWorkflowName } from "./workflow-name.ts";

/**
 * The name of the workflow that a path names, by its name or id; it may not be there yet. The body may repeat it.
 * @throws VALIDATION_FAILED when the body has another name, WORKFLOW_INVALID_REFERENCE for an unknown id
 */
export async function resolveComposeName(
  db: Queryable,
  teamId: string,
  ref: string,
  nameInBody: string | null | undefined,
): Promise<string> {
  const workflow = await findWorkflow(db, teamId, ref);
  if (workflow === undefined && isId(ref)) throw new AppError("WORKFLOW_INVALID_REFERENCE", [ref]);
  const name = workflow?.name ?? toWorkflowName(ref);
  if (nameInBody == null || toSlug(nameInBody.trim()) === name) return name;
  const message = `is ${JSON.stringify(nameInBody)}, but the path names ${name}; leave it out, or write to the path of the other workflow`;
  throw new AppError("VALIDATION_FAILED", [`body /name ${message}`], { details: [{ path: "/name", message }] });
}
