import { AppError } from "../../../base/error/app-error.ts";
import { isSameJson } from "../../../core/document/same-json.ts";
import type { Queryable } from "../../../store/database/database.ts";
import { closeProposals, findProposal, insertProposal, listProposals, type ProposedVersion } from "../../../store/workflow/proposals.ts";
import type { ProtectionRow } from "../../../store/workflow/protections.ts";
import type { WorkflowRow } from "../../../store/workflow/workflows.ts";

/**
 * A version of a protected workflow is proposed: its draft is kept beside an action of the approver group, and the workflow does not change.
 * All of it is under the lock of the workflow.
 */

/** What a save of a protected workflow would have written. */
export interface Proposal extends ProposedVersion {
  protection: ProtectionRow;
  reason: string;
}

interface Proposing extends Proposal {
  workflow: WorkflowRow;
  proposer: { id: string; name: string };
  /** What changes, for people. */
  changes: string;
}

const maxOpen = 20;

/**
 * Of one proposer, one is open for each workflow: the newest takes the place of the one before, and asks for votes of its own. What is proposed
 * twice is one proposal.
 *
 * @returns the id of the action
 */
export async function proposeVersion(db: Queryable, teamId: string, proposing: Proposing): Promise<string> {
  const { workflow, proposer, protection, head, document, used, reason, changes } = proposing;
  const open = await listProposals(db, teamId, workflow.id, { limit: maxOpen, isOpen: true });
  const own = open.find((one) => one.proposer === proposer.id);
  if (own !== undefined && own.baseVersion === workflow.latestVersion) {
    const before = await findProposal(db, teamId, own.actionId);
    if (before && isSameJson([before.head, before.document, before.used], [head, document, used])) return own.actionId;
  }
  if (own === undefined && open.length >= maxOpen)
    throw new AppError("CONFLICT", [`${maxOpen} versions of workflow ${workflow.name} wait for approval: decide or withdraw one first`]);
  await closeProposals(db, teamId, workflow.id, "A newer version of the same person took its place", { proposer: proposer.id });
  const version = workflow.latestVersion + 1;
  return insertProposal(db, teamId, {
    ...{ workflowId: workflow.id, baseVersion: workflow.latestVersion, head, document, used, reason },
    ...{ proposer: proposer.id, author: proposer.name },
    ...{ approverGroupId: protection.approverGroupId, approvals: protection.approvals },
    title: `Publish version ${version} of ${workflow.name}`,
    instructions: `${proposer.name} proposes version ${version} of the workflow ${workflow.name}. The changes are attached.`,
    attachments: [
      { label: "Reason", text: reason },
      { label: "Changes", text: changes },
    ],
  });
}

/** The answer to the save. */
export function waitsForApproval({ name, latestVersion }: WorkflowRow, { approverGroupName }: ProtectionRow, actionId: string): AppError {
  return new AppError("WORKFLOW_PROTECTED", [name, latestVersion + 1, approverGroupName, actionId], {
    details: [{ path: "/action", message: actionId }],
  });
}
