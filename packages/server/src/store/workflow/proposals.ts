import type { ActionStatus } from "@millrace/contract/action/action.ts";
import type { WorkflowDocument } from "../../core/workflow/workflow-document.ts";
import type { Queryable } from "../database/database.ts";
import type { UsedTaskVersion } from "./workflow-versions.ts";
import type { WorkflowHead } from "./workflows.ts";

/** Proposed versions of protected workflows. They can't run: they are no versions until they are approved. */

export interface ProposalRow {
  actionId: string;
  workflowId: string;
  baseVersion: number;
  status: ActionStatus;
  /** `user:<id>` or `token:<id>`. */
  proposer: string;
  author: string;
  reason: string;
  /** Why it was closed without a decision. */
  note: string | null;
  createdAt: Date;
  endedAt: Date | null;
}

/** A group that has approved a draft, and the number of approvals that it had to give. */
export interface GroupApproval {
  approverGroupId: string;
  approvals: number;
}

export interface ProposedVersion {
  head: WorkflowHead;
  /** Secrets in it are encrypted. */
  document: WorkflowDocument;
  used: UsedTaskVersion[];
}

const proposalColumns = (db: Queryable) => db`
  p.action_id as "actionId", p.workflow_id as "workflowId", p.base_version as "baseVersion", a.status, a.proposer, p.author, p.reason,
  p.note, a.created_at as "createdAt", a.decided_at as "endedAt"`;

export interface NewProposal extends ProposedVersion, Pick<ProposalRow, "workflowId" | "baseVersion" | "proposer" | "author" | "reason"> {
  approverGroupId: string;
  approvals: number;
  /** Earlier approvals of the same draft. */
  approvedBy: readonly GroupApproval[];
  title: string;
  instructions: string;
  attachments: { label: string; text: string }[];
}

/** Under the lock of the workflow. @returns the id of the action */
export async function insertProposal(db: Queryable, teamId: string, proposal: NewProposal): Promise<string> {
  const [row] = await db<{ id: string }[]>`
    insert into action (team_id, workflow_id, type, title, instructions, attachments, approver_group_id, approvers_wanted, bars_requester, proposer)
    values (${teamId}, ${proposal.workflowId}, 'publish', ${proposal.title}, ${proposal.instructions},
      ${JSON.stringify(proposal.attachments)}::json, ${proposal.approverGroupId}, ${proposal.approvals}, true, ${proposal.proposer})
    returning id`;
  await db`
    insert into workflow_proposal (team_id, action_id, workflow_id, base_version, head, document, used, author, reason, approved_by)
    values (${teamId}, ${row!.id}, ${proposal.workflowId}, ${proposal.baseVersion}, ${JSON.stringify(proposal.head)}::json,
      ${JSON.stringify(proposal.document)}::json, ${JSON.stringify(proposal.used)}::json, ${proposal.author}, ${proposal.reason},
      ${JSON.stringify(proposal.approvedBy)}::json)`;
  return row!.id;
}

export interface FoundProposal extends ProposalRow, ProposedVersion {
  /** Groups that approved the same draft before. */
  approvedBy: GroupApproval[];
  /** The group that its own action asks. */
  asked: GroupApproval;
}

export async function findProposal(db: Queryable, teamId: string, actionId: string): Promise<FoundProposal | undefined> {
  const [row] = await db<FoundProposal[]>`
    select ${proposalColumns(db)}, p.head, p.document, p.used, p.approved_by as "approvedBy",
      json_build_object('approverGroupId', a.approver_group_id, 'approvals', a.approvers_wanted) as asked
    from workflow_proposal p join action a on a.team_id = p.team_id and a.id = p.action_id
    where p.team_id = ${teamId} and p.action_id = ${actionId}`;
  return row;
}

/** As a condition on `action a`: it was proposed by that principal, or by the same person with another credential. */
const isOf = (db: Queryable, principal: string) => db`(a.proposer = ${principal} or people_of(a.proposer) && people_of(${principal}))`;

export async function isOwnProposal(db: Queryable, { proposer }: Pick<ProposalRow, "proposer">, principal: string): Promise<boolean> {
  const [row] = await db<{ isOwn: boolean }[]>`select ${isOf(db, principal)} as "isOwn" from (select ${proposer}::text as proposer) a`;
  return row!.isOwn;
}

/** The newest first (index workflow_proposal_workflow). */
export async function listProposals(
  db: Queryable,
  teamId: string,
  workflowId: string,
  { limit, isOpen, of }: { limit: number; isOpen?: boolean; of?: string },
): Promise<ProposalRow[]> {
  return db<ProposalRow[]>`
    select ${proposalColumns(db)}
    from workflow_proposal p join action a on a.team_id = p.team_id and a.id = p.action_id
    where p.team_id = ${teamId} and p.workflow_id = ${workflowId} ${isOpen ? db`and a.status = 'submitted'` : db``}
      ${of === undefined ? db`` : db`and ${isOf(db, of)}`}
    order by p.action_id desc limit ${limit}`;
}

/** Closes the open ones, or those of one person, without a decision. Under the lock of the workflow. @returns their actions */
export async function closeProposals(
  db: Queryable,
  teamId: string,
  workflowId: string,
  note: string,
  { proposer, only }: { proposer?: string; only?: string } = {},
): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    with closed as (
      update action a set status = 'cancelled', decided_at = (select db_now())
      from workflow_proposal p
      where p.team_id = ${teamId} and p.workflow_id = ${workflowId} and a.team_id = p.team_id and a.id = p.action_id and a.status = 'submitted'
        ${proposer === undefined ? db`` : db`and ${isOf(db, proposer)}`} ${only === undefined ? db`` : db`and a.id = ${only}`}
      returning a.id
    )
    update workflow_proposal p set note = ${note} from closed where p.team_id = ${teamId} and p.action_id = closed.id returning p.action_id as id`;
  return rows.map(({ id }) => id);
}

/** Why a proposal ended without a version, although it was decided. */
export async function noteProposal(db: Queryable, teamId: string, actionId: string, note: string): Promise<void> {
  await db`update workflow_proposal set note = ${note} where team_id = ${teamId} and action_id = ${actionId}`;
}

/** Tasks of which the version is gone: it was replaced, or its task was deleted. The others are locked until the transaction ends. */
export async function listLostTasks(db: Queryable, used: readonly UsedTaskVersion[]): Promise<string[]> {
  const ids = used.map(({ taskVersionId }) => taskVersionId);
  await db`select id from task where id = any(${used.map(({ taskId }) => taskId)}::uuid[]) order by id for key share`;
  const rows = await db<{ name: string }[]>`
    select coalesce(t.name, wanted.id::text) as name
    from unnest(${ids}::uuid[], ${used.map(({ taskId }) => taskId)}::uuid[]) as wanted (id, task_id)
      left join task t on t.id = wanted.task_id left join task_version v on v.id = wanted.id
    where v.id is null or v.replaced_at is not null or t.id is null or t.deleted_at is not null
    order by 1`;
  return rows.map(({ name }) => name);
}
