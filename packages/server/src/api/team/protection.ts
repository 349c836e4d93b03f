import { ref } from "@millrace/contract/schema.ts";
import {
  type SecretProtection,
  secretProtection,
  secretProtectionRequest,
  type TeamProtection,
  teamProtection,
  workflowProtectionRequest,
} from "@millrace/contract/workflow/protection.ts";
import Type from "typebox";
import { AppError } from "../../base/error/app-error.ts";
import { holdTeam } from "../../domain/team/change-team.ts";
import { protectSecret as protect, unprotectSecret as unprotect } from "../../domain/workflow/publish/protect-secret.ts";
import { protectTeam as change } from "../../domain/workflow/publish/protect-workflow.ts";
import { listSecretUses } from "../../domain/workflow/publish/secret-uses.ts";
import type { Queryable } from "../../store/database/database.ts";
import { listSecretProtections, type PossibleUse, type SecretProtectionRow } from "../../store/team/secret-protections.ts";
import { findTeam } from "../../store/team/teams.ts";
import { findTeamProtection, listOwnProtections, type ProtectionRow } from "../../store/workflow/protections.ts";
import { defineEndpoint } from "../endpoint.ts";
import { teamParameter, teamPath } from "../request-parameters.ts";
import { viewProtection } from "./protection.view.ts";

const shared = { tag: "Protected publishing" } as const;
const teamProtectionPath = "/api/v2/team/:team/protection";
const secretPath = "/api/v2/team/:team/parameters/:name/protection";

export const getTeamProtection = defineEndpoint({
  ...shared,
  method: "GET",
  path: teamProtectionPath,
  summary: "Read what of a team is protected",
  description: "Whether all of its workflows are, which have a protection of their own, and its protected secrets.",
  permission: "team/read",
  transaction: "read",
  params: teamPath,
  response: ref(teamProtection),
  handle: ({ db, team }) => viewTeamProtection(db, team.id),
});

async function viewTeamProtection(db: Queryable, teamId: string): Promise<TeamProtection> {
  const [workflows, secrets] = [await listOwnProtections(db, teamId), await listSecretProtections(db, teamId)];
  return {
    ...viewProtection(await findTeamProtection(db, teamId)),
    workflows: workflows.map((row) => ({ ref: row.workflowId, name: row.name, ...viewGroup(row) })),
    secrets: secrets.map((row) => ({ name: row.name, ...viewGroup(row) })),
  };
}

function viewGroup({ approverGroupId, approverGroupName, approvals }: ProtectionRow) {
  return { approverGroupRef: approverGroupId, approverGroupName, approvalsRequired: approvals };
}

export const protectTeam = defineEndpoint({
  ...shared,
  method: "PUT",
  path: teamProtectionPath,
  summary: "Protect all workflows of a team",
  description:
    "From now on, a new version of each workflow waits for the approval of the group. A new workflow is inactive until that is approved. " +
    "Workflows with a protection of their own keep it. Only for owners.",
  permission: "team/grant",
  transaction: "write",
  params: teamPath,
  body: ref(workflowProtectionRequest),
  response: ref(teamProtection),
  async handle({ db, team, body, audit, auditNothing }) {
    await holdTeam(db, team);
    const { before, after } = await change(db, team.id, { approverGroup: body.approverGroup, approvals: body.approvalsRequired ?? 1 });
    if (isSame(before, after)) auditNothing();
    else audit({ ...ofTeam(team), before: viewProtection(before), after: viewProtection(after) });
    return viewTeamProtection(db, team.id);
  },
});

function isSame(before: ProtectionRow | undefined, after: ProtectionRow | undefined): boolean {
  return before?.approverGroupId === after?.approverGroupId && before?.approvals === after?.approvals;
}

function ofTeam({ id, name }: { id: string; name: string }) {
  return { kind: "team", id, name, action: "team/protect" };
}

export const unprotectTeam = defineEndpoint({
  ...shared,
  method: "DELETE",
  path: teamProtectionPath,
  summary: "Turn the protection of all workflows of a team off",
  description: "Workflows and secrets with a protection of their own keep it. Only for owners.",
  permission: "team/grant",
  transaction: "write",
  params: teamPath,
  response: null,
  async handle({ db, team, audit, auditNothing }) {
    await holdTeam(db, team);
    const { before } = await change(db, team.id, undefined);
    if (before === undefined) auditNothing();
    else audit({ ...ofTeam(team), before: viewProtection(before), after: viewProtection(undefined) });
  },
});

const secretParams = Type.Object({ team: teamParameter, name: Type.String({ description: "Name of the secret" }) });

export const getSecretProtection = defineEndpoint({
  ...shared,
  method: "GET",
  path: secretPath,
  summary: "Read whether a secret is protected, and what uses it",
  permission: "team/read",
  transaction: "read",
  params: secretParams,
  response: ref(secretProtection),
  async handle({ db, team, params: { name } }) {
    const row = await findTeam(db, team.id);
    if (!row?.parameters.some((parameter) => parameter.name === name)) throw new AppError("PARAMS_INVALID_REFERENCE", [name]);
    const found = (await listSecretProtections(db, team.id)).find((secret) => secret.name === name);
    return viewSecretProtection(found, await listSecretUses(db, team.id, { name, layer: "team" }));
  },
});

function viewSecretProtection(row: SecretProtectionRow | undefined, uses: readonly PossibleUse[]): SecretProtection {
  const workflows = uses.map(({ workflowId, workflowName, version, isApproved }) => ({
    ...{ ref: workflowId, name: workflowName, version, approved: isApproved },
  }));
  return { ...viewProtection(row), workflows };
}

export const protectSecret = defineEndpoint({
  ...shared,
  method: "PUT",
  path: secretPath,
  summary: "Protect a secret of a team",
  description:
    "From now on, only runs of versions that the group has approved get it, and a new version that uses it waits for the approval. " +
    "`workflows` of the answer says what uses it now. Only for owners.",
  permission: "team/grant",
  transaction: "write",
  params: secretParams,
  body: ref(secretProtectionRequest),
  response: ref(secretProtection),
  async handle({ db, team, params: { name }, body, audit, auditNothing }) {
    const row = await holdTeam(db, team);
    const wanted = { approverGroup: body.approverGroup, approvals: body.approvalsRequired ?? 1 };
    const { before, after, uses, approved } = await protect(db, row, name, { ...wanted, approvesCurrent: body.approveCurrent ?? false });
    if (isSame(before, after) && approved.length === 0) auditNothing();
    else {
      const versions = approved.map(({ workflowName, version }) => `${workflowName} ${version}`);
      audit({ ...ofSecret(name), before: viewProtection(before), after: { ...viewProtection(after), approved: versions } });
    }
    return viewSecretProtection(after, uses);
  },
});

function ofSecret(name: string) {
  return { kind: "parameter", name, action: "parameter/protect" };
}

export const unprotectSecret = defineEndpoint({
  ...shared,
  method: "DELETE",
  path: secretPath,
  summary: "Turn the protection of a secret off",
  description:
    "All workflows of the team can use it. What was approved for it is forgotten. No error if it is not protected. Only for owners.",
  permission: "team/grant",
  transaction: "write",
  params: secretParams,
  response: null,
  async handle({ db, team, params: { name }, audit, auditNothing }) {
    await holdTeam(db, team);
    const before = await unprotect(db, team.id, name);
    if (before === undefined) auditNothing();
    else audit({ ...ofSecret(name), before: viewProtection(before), after: viewProtection(undefined) });
  },
});
