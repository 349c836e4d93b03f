import { maxWorkflowNameLength, reservedWorkflowNames } from "@millrace/contract/workflow/workflow.ts";
import { AppError } from "../../base/error/app-error.ts";
import { isId } from "../../base/text/uuid.ts";
import { toSlug } from "../../core/team/slug.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findWorkflow } from "../../store/workflow/workflows.ts";

/** The slug under which a workflow of that name is stored. Refuses invalid names; does not check whether it is taken. */
export function toWorkflowName(given: string): string {
  const name = toSlug(given.trim());
  if (!/[a-z0-9]/.test(name)) {
    const message = `is ${JSON.stringify(given)}; a name needs at least one letter or digit (a-z, 0-9)`;
    throw new AppError("VALIDATION_FAILED", [`body /name ${message}`], { details: [{ path: "/name", message }] });
  }
  if (reservedWorkflowNames.includes(name) || isId(name)) throw new AppError("WORKFLOW_NON_UNIQUE_NAME", [name, "reserved"]);
  return name;
}

/** The first free one of `NAME-duplicate`, `NAME-duplicate-2` and so on; a very long name is cut. */
export function duplicateName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? "-duplicate" : `-duplicate-${number}`;
    const candidate = `${name.slice(0, maxWorkflowNameLength - suffix.length)}${suffix}`;
    if (!taken.has(candidate)) return candidate;
  }
}

/**
 * The name of the workflow that a path names, by its name or id; it may not exist yet. The body may repeat it.
 * @throws VALIDATION_FAILED if the body has another name, WORKFLOW_INVALID_REFERENCE for an unknown id
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
