import type { WorkflowInput, WorkflowStatus } from "@millrace/contract/workflow/workflow.ts";
import { AppError } from "../../../base/error/app-error.ts";
import { isId } from "../../../base/text/uuid.ts";
import { trialPrefix } from "../../../core/workflow/try-name.ts";
import type { WorkflowDocument } from "../../../core/workflow/workflow-document.ts";
import { maskDocument } from "../../../core/workflow/workflow-document-secrets.ts";
import type { Queryable } from "../../../store/database/database.ts";
import { findWorkflowAtVersion } from "../../../store/workflow/workflow-versions.ts";
import type { WorkflowRow } from "../../../store/workflow/workflows.ts";
import { readWorkflow } from "../read-workflow.ts";
import { toWorkflowName } from "../workflow-name.ts";

/** The subject of a trial or preview: a draft, or the saved workflow. */
export interface DraftedWorkflow {
  name: string;
  /** Undefined: it was never saved. */
  id: string | undefined;
  /** In the form in which its author would write it. */
  whole: WorkflowInput;
  /** The version before, which provides secrets that this one leaves out. */
  stored: WorkflowDocument | undefined;
  version: number | undefined;
  /** Of the saved workflow. */
  status: WorkflowStatus | undefined;
  isArchived: boolean;
}

/**
 * @param ref name or id of a workflow; with a draft also a name that doesn't exist yet
 * @throws WORKFLOW_INVALID_REFERENCE, WORKFLOW_REVISION_NOT_FOUND, WORKFLOW_INVALID_NAME
 */
export async function findDrafted(
  db: Queryable,
  teamId: string,
  ref: string,
  draft: WorkflowInput | undefined,
  version: number | undefined,
): Promise<DraftedWorkflow> {
  if (draft === undefined) {
    const { workflow, version: found } = await readWorkflow(db, teamId, ref, version);
    const { name, displayName, labels } = workflow;
    const whole = { ...(maskDocument(found.document) as Partial<WorkflowInput>), name, displayName, labels };
    return { name, id: workflow.id, whole, stored: found.document, version: found.version, ...stateOf(workflow) };
  }
  const found = await findWorkflowAtVersion(db, teamId, ref, undefined);
  const isTrial = found?.workflow.name.startsWith(trialPrefix);
  if (isTrial || (found === undefined && isId(ref))) throw new AppError("WORKFLOW_INVALID_REFERENCE", [ref]);
  const name = found?.workflow.name ?? toWorkflowName(ref);
  const { workflow, version: saved } = found ?? {};
  return { name, id: workflow?.id, whole: { ...draft, name }, stored: saved?.document, version: saved?.version, ...stateOf(workflow) };
}

function stateOf(workflow: WorkflowRow | undefined): Pick<DraftedWorkflow, "status" | "isArchived"> {
  return { status: workflow?.status, isArchived: workflow != null && workflow.archivedAt !== null };
}
