import { AppError } from "../../../base/error/app-error.ts";
import { isSameJson } from "../../../core/document/same-json.ts";
import type { Queryable } from "../../../store/database/database.ts";
import {
  closeProposals,
  findProposal,
  insertProposal,
  listProposals,
  type NewProposal,
  type ProposedVersion,
} from "../../../store/workflow/proposals.ts";
import type { WorkflowRow } from "../../../store/workflow/workflows.ts";
import { type RequiredApproval, refuseMissingGroups, secretsOf } from "./required-approvals.ts";

/**
 * Proposes a version of a protected workflow: its draft is stored beside an action of the approver group, and the workflow does not change.
 * All of it happens under the lock of the workflow.
 */

/** What a save of a protected workflow would have written. */
export interface Proposal extends ProposedVersion {
  /** The approvals it needs, in order; at least one. */
  required: readonly RequiredApproval[];
  reason: string;
}

interface Proposing extends Proposal {
  workflow: WorkflowRow;
  proposer: { id: string; name: string };
  /** A description of the changes. */
  changes: string;
}

/** Name of the attachment that shows the changes. */
export const changesLabel = "Changes";

const maxOpen = 20;

/**
 * A person has one open proposal for each workflow, regardless of the tokens they use: a new one replaces the previous one, and needs votes
 * of its own. Proposing the same version twice is one proposal.
 *
 * @returns the id of the action; not new: it was proposed already
 * @throws SECRET_PROTECTED if a group that has to approve can't
 */
export async function proposeVersion(db: Queryable, teamId: string, proposing: Proposing): Promise<{ actionId: string; isNew: boolean }> {
  const { workflow, proposer, required, head, document, used, reason, changes } = proposing;
  refuseMissingGroups(required, workflow.name);
  const open = await listProposals(db, teamId, workflow.id, { limit: maxOpen, isOpen: true });
  const [own] = await listProposals(db, teamId, workflow.id, { limit: 1, isOpen: true, of: proposer.id });
  if (own !== undefined && own.baseVersion === workflow.latestVersion) {
    const before = await findProposal(db, teamId, own.actionId);
    if (before && isSameJson([before.head, before.document, before.used], [head, document, used]))
      return { actionId: own.actionId, isNew: false };
  }
  if (own === undefined && open.length >= maxOpen)
    throw new AppError("CONFLICT", [`${maxOpen} versions of workflow ${workflow.name} wait for approval: decide or withdraw one first`]);
  await closeProposals(db, teamId, workflow.id, "A newer version of the same person took its place", { proposer: proposer.id });
  const actionId = await askGroup(db, teamId, {
    ...{ workflowId: workflow.id, baseVersion: workflow.latestVersion, head, document, used, reason },
    ...{ proposer: proposer.id, author: proposer.name, changes, workflowName: workflow.name, approvedBy: [] },
    required: required[0]!,
  });
  return { actionId, isNew: true };
}

interface Asking
  extends Pick<NewProposal, "workflowId" | "baseVersion" | "head" | "document" | "used" | "reason" | "proposer" | "author" | "approvedBy"> {
  workflowName: string;
  changes: string;
  required: RequiredApproval;
}

/** Opens the action for one group. @returns its id */
export async function askGroup(db: Queryable, teamId: string, asking: Asking): Promise<string> {
  const { workflowName, changes, required, ...proposal } = asking;
  const version = proposal.baseVersion + 1;
  const secrets = secretsOf([required]);
  const uses = secrets.length === 0 ? "" : ` It uses the protected ${secrets.length === 1 ? "secret" : "secrets"} ${secrets.join(", ")}.`;
  return insertProposal(db, teamId, {
    ...proposal,
    ...{ approverGroupId: required.approverGroupId, approvals: required.approvals },
    title: `Publish version ${version} of ${workflowName}`,
    instructions: `${proposal.author} proposes version ${version} of the workflow ${workflowName}.${uses} The changes are attached.`,
    attachments: [
      { label: "Reason", text: proposal.reason },
      { label: changesLabel, text: changes },
      ...(secrets.length > 0 ? [{ label: "Protected secrets", text: secrets.join("\n") }] : []),
    ],
  });
}

/** The response to the save. */
export function waitsForApproval({ name, latestVersion }: WorkflowRow, required: readonly RequiredApproval[], actionId: string): AppError {
  const secrets = secretsOf(required);
  const what =
    secrets.length === 0 ? name : `${name}, which uses the protected ${secrets.length === 1 ? "secret" : "secrets"} ${secrets.join(", ")},`;
  const groups = required.map(({ approverGroupName }) => approverGroupName).join(", then ");
  return new AppError("WORKFLOW_PROTECTED", [what, latestVersion + 1, groups, actionId], {
    details: [{ path: "/action", message: actionId }],
  });
}
