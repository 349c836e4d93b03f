import { AppError } from "../../../base/error/app-error.ts";
import { readActionDetails } from "../../../store/action/action-notes.ts";
import type { Queryable } from "../../../store/database/database.ts";
import { approveSecrets } from "../../../store/team/secret-protections.ts";
import {
  closeProposals,
  type FoundProposal,
  findProposal,
  listLostTasks,
  noteProposal,
  type ProposalRow,
  type ProposedVersion,
} from "../../../store/workflow/proposals.ts";
import { updateWorkflow, type WorkflowRow } from "../../../store/workflow/workflows.ts";
import type { RunContext } from "../../run/run-context.ts";
import { followWorkflow } from "../../schedule/follow-workflow.ts";
import { storeVersion } from "../nested/store-version.ts";
import { type ReadWorkflow, readVersion, requireWorkflow } from "../read-workflow.ts";
import { loadSaveContext } from "../save-context.ts";
import { testNewVersion } from "../tests/saved-tests.ts";
import { askGroup, changesLabel } from "./propose-version.ts";
import { type RequiredApproval, refuseMissingGroups, requiredApprovals } from "./required-approvals.ts";

/** What was published, for the audit. */
export interface Published {
  before: ReadWorkflow;
  after: ReadWorkflow;
}

/**
 * Publishes an approved proposal as the next version, in the transaction of the vote that approved it. It is written as it was approved.
 * Changes around it since then can make this impossible, and then the vote is refused. If another group has to approve it too, that group
 * is asked instead.
 *
 * @returns undefined if another group was asked
 * @throws CONFLICT, WORKFLOW_ARCHIVED, WORKFLOW_TESTS_FAILED
 */
export async function publishProposal(db: Queryable, runs: RunContext, teamId: string, actionId: string): Promise<Published | undefined> {
  const proposal = await requireProposal(db, teamId, actionId);
  const workflow = await requireWorkflow(db, teamId, proposal.workflowId);
  if (workflow.archivedAt !== null) throw new AppError("WORKFLOW_ARCHIVED", [workflow.name]);
  if (workflow.latestVersion !== proposal.baseVersion) throw outdated(workflow, `it was made from version ${proposal.baseVersion}`);
  const lost = await listLostTasks(db, proposal.used);
  if (lost.length > 0) throw outdated(workflow, `these tasks were replaced or deleted since: ${lost.slice(0, 10).join(", ")}`);
  const before = await readVersion(db, teamId, workflow, workflow.latestVersion);
  const required = await requiredApprovals(db, teamId, workflow.id, proposal);
  if (await askNextGroup(db, teamId, workflow, proposal, required)) return undefined;
  const after = await write(db, runs, teamId, workflow, proposal);
  await approveSecrets(
    db,
    teamId,
    after.version.id,
    required.flatMap(({ secrets }) => secrets),
  );
  const context = await loadSaveContext(db, teamId, proposal.author, runs.keyring, runs);
  await testNewVersion(db, runs, context, after, before);
  return { before, after };
}

/** @returns whether there was one */
async function askNextGroup(
  db: Queryable,
  teamId: string,
  { name }: WorkflowRow,
  { actionId, asked, ...proposal }: FoundProposal,
  required: readonly RequiredApproval[],
): Promise<boolean> {
  const approvedBy = [...proposal.approvedBy, asked];
  const next = required.find(
    (one) => !approvedBy.some((by) => by.approverGroupId === one.approverGroupId && by.approvals >= one.approvals),
  );
  if (next === undefined) return false;
  refuseMissingGroups([next], name);
  // It is the same draft, based on the same version.
  const { attachments } = (await readActionDetails(db, teamId, actionId)) ?? { attachments: [] };
  const changes = attachments.flatMap((one) => (one.label === changesLabel && "text" in one ? [one.text] : []))[0] ?? "";
  const id = await askGroup(db, teamId, { ...proposal, approvedBy, workflowName: name, changes, required: next });
  await noteProposal(db, teamId, actionId, `Approver group ${next.approverGroupName} has to approve it, too: action ${id}`);
  return true;
}

async function write(
  db: Queryable,
  runs: RunContext,
  teamId: string,
  workflow: WorkflowRow,
  { head, document, used, author, reason }: ProposalRow & ProposedVersion,
): Promise<ReadWorkflow> {
  const version = workflow.latestVersion + 1;
  await storeVersion(db, { team: { id: teamId } }, { ...workflow, ...head }, { version, document, author, reason }, used);
  await updateWorkflow(db, teamId, workflow.id, head, version);
  const after = { ...workflow, ...head, latestVersion: version };
  await followWorkflow(db, { team: { id: teamId }, keyring: runs.keyring }, after, document.params);
  await closeProposals(db, teamId, workflow.id, `Version ${version} was published, and this one was made from version ${version - 1}`);
  return readVersion(db, teamId, after, version);
}

export async function requireProposal(db: Queryable, teamId: string, actionId: string): Promise<FoundProposal> {
  const proposal = await findProposal(db, teamId, actionId);
  if (proposal === undefined) throw new AppError("ACTION_INVALID_REF", [actionId]);
  return proposal;
}

function outdated({ name, latestVersion }: WorkflowRow, why: string): AppError {
  return new AppError("CONFLICT", [
    `This version of workflow ${name} can't be published: ${why}, and the workflow has version ${latestVersion}. Reject it, and propose it again`,
  ]);
}
