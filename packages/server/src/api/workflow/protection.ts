import { ref } from "@millrace/contract/schema.ts";
import {
  type WorkflowProposal,
  type WorkflowProtection,
  workflowDraft,
  workflowProposal,
  workflowProtection,
  workflowProtectionRequest,
} from "@millrace/contract/workflow/protection.ts";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { isId } from "../../base/text/uuid.ts";
import { protectWorkflow as protect, unprotectWorkflow as unprotect } from "../../domain/workflow/publish/protect-workflow.ts";
import { requireProposal } from "../../domain/workflow/publish/publish-proposal.ts";
import { secretsUsedBy } from "../../domain/workflow/publish/secret-uses.ts";
import { readVersion, readWorkflow, requireWorkflow } from "../../domain/workflow/read-workflow.ts";
import { allows } from "../../policy/allows.ts";
import type { Queryable } from "../../store/database/database.ts";
import { closeProposals, isOwnProposal, listProposals, type ProposalRow } from "../../store/workflow/proposals.ts";
import { findProtectionInForce } from "../../store/workflow/protections.ts";
import { defineEndpoint, type Principal } from "../endpoint.ts";
import { teamParameter } from "../request-parameters.ts";
import { viewProtection } from "../team/protection.view.ts";
import { asPublished, describeChanges } from "./propose-workflow.ts";
import { viewWorkflow, workflowPath } from "./workflow.view.ts";

const shared = { tag: "Protected publishing" } as const;
const path = "/api/v2/team/:team/workflow/:workflow/protection";
const proposalsPath = "/api/v2/team/:team/workflow/:workflow/proposal";

export const getWorkflowProtection = defineEndpoint({
  ...shared,
  method: "GET",
  path,
  summary: "Read whether a workflow is protected",
  permission: "workflow/read",
  transaction: "read",
  params: workflowPath,
  response: ref(workflowProtection),
  async handle({ db, team, params }) {
    const { workflow } = await readWorkflow(db, team.id, params.workflow);
    return viewInForce(db, team.id, workflow.id);
  },
});

async function viewInForce(db: Queryable, teamId: string, workflowId: string): Promise<WorkflowProtection> {
  const row = await findProtectionInForce(db, teamId, workflowId);
  const secrets = (await secretsUsedBy(db, teamId, workflowId)).map(({ name, approverGroupName, isApproved }) => ({
    ...{ name, approverGroupName, approved: isApproved },
  }));
  return { ...viewProtection(row), ofTeam: row?.isOfTeam ?? false, secrets };
}

export const protectWorkflow = defineEndpoint({
  ...shared,
  method: "PUT",
  path,
  summary: "Protect a workflow",
  description: "From now on, a new version waits for the approval of the group. Versions that wait already are closed. Only for owners.",
  permission: "team/grant",
  transaction: "write",
  params: workflowPath,
  body: ref(workflowProtectionRequest),
  response: ref(workflowProtection),
  async handle({ db, team, params, body, audit, auditNothing }) {
    const wanted = { approverGroup: body.approverGroup, approvals: body.approvalsRequired ?? 1 };
    const { workflow, before, after } = await protect(db, team.id, params.workflow, wanted);
    if (after === before) auditNothing();
    else audit({ ...auditedAs(workflow), before: viewProtection(before), after: viewProtection(after) });
    return viewInForce(db, team.id, workflow.id);
  },
});

export const unprotectWorkflow = defineEndpoint({
  ...shared,
  method: "DELETE",
  path,
  summary: "Turn the protection of a workflow off",
  description: "Versions that wait are closed; their drafts stay readable. Only for owners.",
  permission: "team/grant",
  transaction: "write",
  params: workflowPath,
  response: null,
  async handle({ db, team, params, audit, auditNothing }) {
    const { workflow, before } = await unprotect(db, team.id, params.workflow);
    if (before === undefined) auditNothing();
    else audit({ ...auditedAs(workflow), before: viewProtection(before), after: viewProtection(undefined) });
  },
});

function auditedAs({ id, name }: { id: string; name: string }) {
  return { kind: "workflow", id, name, action: "workflow/protect" };
}

const proposalPath = Type.Object({
  team: teamParameter,
  workflow: Type.String({ description: "Name or ID of the workflow" }),
  action: Type.String({ description: "ID of the action that asks for the approval" }),
});

export const listWorkflowProposals = defineEndpoint({
  ...shared,
  method: "GET",
  path: proposalsPath,
  summary: "List the versions that were proposed",
  description: "The newest first.",
  permission: "workflow/read",
  transaction: "read",
  params: workflowPath,
  query: Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 100, default: 100, description: "At most so many" }) }),
  response: Type.Array(ref(workflowProposal)),
  async handle({ db, team, params, principal, query: { limit } }) {
    const { workflow } = await readWorkflow(db, team.id, params.workflow);
    const proposals: WorkflowProposal[] = [];
    for (const proposal of await listProposals(db, team.id, workflow.id, { limit }))
      proposals.push(viewProposal(proposal, await canWithdraw(db, team.id, principal, proposal)));
    return proposals;
  },
});

/** Its author, and owners. A closed one can't be withdrawn. */
async function canWithdraw(db: Queryable, teamId: string, principal: Principal, proposal: ProposalRow): Promise<boolean> {
  if (proposal.status !== "submitted" || !allows(principal, "workflow/write", teamId)) return false;
  return allows(principal, "team/grant", teamId) || isOwnProposal(db, proposal, principal.id);
}

function viewProposal(proposal: ProposalRow, isWithdrawable: boolean): WorkflowProposal {
  const { actionId, status, baseVersion, author, reason, note, createdAt, endedAt } = proposal;
  return {
    ...{ actionRef: actionId, status, version: baseVersion + 1, author, reason, note },
    creationDate: createdAt.toISOString(),
    endDate: endedAt?.toISOString() ?? null,
    canWithdraw: isWithdrawable,
  };
}

export const getWorkflowProposal = defineEndpoint({
  ...shared,
  method: "GET",
  path: `${proposalsPath}/:action`,
  summary: "Read a version that was proposed",
  description: "The whole draft, without secrets, and what it changes.",
  permission: "workflow/read",
  transaction: "read",
  params: proposalPath,
  response: ref(workflowDraft),
  async handle({ db, team, params, principal }) {
    const { workflow } = await readWorkflow(db, team.id, params.workflow);
    const proposal = isId(params.action) ? await requireProposal(db, team.id, params.action) : undefined;
    if (proposal?.workflowId !== workflow.id) throw new AppError("ACTION_INVALID_REF", [params.action]);
    const base = await readVersion(db, team.id, workflow, proposal.baseVersion);
    const draft = asPublished(base, proposal);
    return {
      ...viewProposal(proposal, await canWithdraw(db, team.id, principal, proposal)),
      workflow: viewWorkflow(draft),
      changes: describeChanges(base, draft),
    };
  },
});

export const withdrawWorkflowProposal = defineEndpoint({
  ...shared,
  method: "DELETE",
  path: `${proposalsPath}/:action`,
  summary: "Withdraw a version that was proposed",
  description: "Its action is closed. No error if it is over already. Only for the person who proposed it, and for owners.",
  permission: "workflow/write",
  transaction: "write",
  params: proposalPath,
  response: null,
  async handle({ db, team, params, principal, audit, auditNothing }) {
    const workflow = await requireWorkflow(db, team.id, params.workflow);
    const proposal = isId(params.action) ? await requireProposal(db, team.id, params.action) : undefined;
    if (proposal?.workflowId !== workflow.id) throw new AppError("ACTION_INVALID_REF", [params.action]);
    if (proposal.status === "submitted" && !(await canWithdraw(db, team.id, principal, proposal)))
      throw new AppError("PERMISSION_DENIED", [
        `only ${proposal.author}, who proposed it, or an owner of the team can withdraw this version`,
      ]);
    const closed = await closeProposals(db, team.id, workflow.id, `Withdrawn by ${principal.name}`, { only: proposal.actionId });
    if (closed.length === 0) auditNothing();
    else
      audit({ kind: "workflow", id: workflow.id, name: workflow.name, action: "workflow/withdraw", after: { action: proposal.actionId } });
  },
});
