import { AppError } from "../../../base/error/app-error.ts";
import type { Queryable } from "../../../store/database/database.ts";
import { lockApproverGroups } from "../../../store/team/members.ts";
import { closeProposals } from "../../../store/workflow/proposals.ts";
import {
  deleteProtection,
  deleteTeamProtection,
  findProtection,
  findTeamProtection,
  type ProtectionRow,
  setProtection,
  setTeamProtection,
} from "../../../store/workflow/protections.ts";
import type { WorkflowRow } from "../../../store/workflow/workflows.ts";
import { requireWorkflow } from "../read-workflow.ts";

/**
 * Turns the protection of a workflow on or off, or changes its group. Open proposals end with it, because they were made under other rules.
 */

export interface ChangedProtection {
  workflow: WorkflowRow;
  before: ProtectionRow | undefined;
  after: ProtectionRow | undefined;
}

/** @throws WORKFLOW_INVALID_REFERENCE, VALIDATION_FAILED if there is no such group, or it has too few members */
export async function protectWorkflow(db: Queryable, teamId: string, ref: string, wanted: WantedProtection): Promise<ChangedProtection> {
  const workflow = await requireWorkflow(db, teamId, ref);
  const before = await findProtection(db, teamId, workflow.id);
  const group = await requireGroup(db, teamId, wanted);
  const after = { approverGroupId: group.id, approverGroupName: group.name, approvals: wanted.approvals };
  if (before?.approverGroupId === group.id && before.approvals === wanted.approvals) return { workflow, before, after: before };
  await setProtection(db, teamId, workflow.id, after);
  await closeProposals(db, teamId, workflow.id, "Other people have to approve now");
  return { workflow, before, after };
}

export interface WantedProtection {
  /** Name or id. */
  approverGroup: string;
  approvals: number;
}

/** The group, locked until the transaction ends. */
export async function requireGroup(
  db: Queryable,
  teamId: string,
  { approverGroup, approvals }: WantedProtection,
): Promise<{ id: string; name: string }> {
  const [group] = await lockApproverGroups(db, teamId, [approverGroup]);
  if (group === undefined) throw invalid("approverGroup", `is ${JSON.stringify(approverGroup)}; it must be an approver group of the team`);
  const members = group.approvers.length;
  if (approvals > members) throw invalid("approvalsRequired", `is ${approvals}, but approver group ${group.name} has ${members} members`);
  return group;
}

/** For all workflows of the team; undefined: each by itself. The team must be locked. Open proposals stay, and the new rules apply, too. */
export async function protectTeam(
  db: Queryable,
  teamId: string,
  wanted: WantedProtection | undefined,
): Promise<{ before: ProtectionRow | undefined; after: ProtectionRow | undefined }> {
  const before = await findTeamProtection(db, teamId);
  if (wanted === undefined) {
    await deleteTeamProtection(db, teamId);
    return { before, after: undefined };
  }
  const group = await requireGroup(db, teamId, wanted);
  const after = { approverGroupId: group.id, approverGroupName: group.name, approvals: wanted.approvals };
  await setTeamProtection(db, teamId, after);
  return { before, after };
}

export async function unprotectWorkflow(db: Queryable, teamId: string, ref: string): Promise<ChangedProtection> {
  const workflow = await requireWorkflow(db, teamId, ref);
  const before = await findProtection(db, teamId, workflow.id);
  if (before === undefined) return { workflow, before, after: undefined };
  await deleteProtection(db, teamId, workflow.id);
  await closeProposals(db, teamId, workflow.id, "The workflow is not protected any more: save the version");
  return { workflow, before, after: undefined };
}

function invalid(member: string, message: string): AppError {
  return new AppError("VALIDATION_FAILED", [`body /${member} ${message}`], { details: [{ path: `/${member}`, message }] });
}
