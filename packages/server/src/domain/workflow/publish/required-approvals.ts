import { AppError } from "../../../base/error/app-error.ts";
import { teamNamesUsed, usedAmong } from "../../../core/parameter/team-names-used.ts";
import type { Queryable } from "../../../store/database/database.ts";
import { listPlanTasks } from "../../../store/run/plans.ts";
import { listProtectedSecrets } from "../../../store/run/submissions.ts";
import { type GlobalProtectionOfTeam, listGlobalProtectionsOf } from "../../../store/team/global-secret-protections.ts";
import { listSecretProtections, type NamedLayer } from "../../../store/team/secret-protections.ts";
import type { ProposedVersion } from "../../../store/workflow/proposals.ts";
import { findProtectionInForce, type ProtectionRow } from "../../../store/workflow/protections.ts";

/** Approvals of one group that a version needs before it is published. */
export interface RequiredApproval extends ProtectionRow {
  /** Protected secrets that the version uses and that the group decides about; empty if only the workflow is protected. */
  secrets: NamedLayer[];
  /** Why nobody can be asked: the group of a secret of the instance doesn't exist, or is too small. */
  lacks?: string;
}

/**
 * Whose approval a version needs: of the group that protects the workflow, and of those that protect the secrets it uses. Each group is
 * asked once, for the highest number of approvals that is required of it.
 */
export async function requiredApprovals(
  db: Queryable,
  teamId: string,
  workflowId: string,
  version: Pick<ProposedVersion, "document" | "used">,
): Promise<RequiredApproval[]> {
  const protection = await findProtectionInForce(db, teamId, workflowId);
  const required = new Map<string, RequiredApproval>();
  const add = ({ approverGroupId, approverGroupName, approvals, lacks }: ProtectionRow & { lacks?: string }, secrets: NamedLayer[]) => {
    const key = approverGroupId || approverGroupName;
    const known = required.get(key);
    required.set(key, {
      ...{ approverGroupId, approverGroupName, approvals: Math.max(approvals, known?.approvals ?? 0) },
      secrets: [...(known?.secrets ?? []), ...secrets],
      ...((lacks ?? known?.lacks) !== undefined && { lacks: lacks ?? known?.lacks ?? "" }),
    });
  };
  if (protection) add(protection, []);
  for (const { name, layer, ...by } of await usedSecrets(db, teamId, version)) add(by, [{ name, layer }]);
  return [...required.values()];
}

/** Names of all secrets that need an approval. */
export function secretsOf(required: readonly RequiredApproval[]): string[] {
  return [...new Set(required.flatMap(({ secrets }) => secrets.map(({ name }) => name)))];
}

/** @throws SECRET_PROTECTED if a group that has to approve can't */
export function refuseMissingGroups(required: readonly RequiredApproval[], workflowName: string): void {
  const one = required.find(({ lacks }) => lacks !== undefined);
  if (one)
    throw new AppError("SECRET_PROTECTED", [`This version of workflow ${workflowName}`, secretsOf([one]).join(", "), one.lacks ?? ""]);
}

function ofInstance({ approverGroupId, approverGroupName, approvals, members, ...secret }: GlobalProtectionOfTeam) {
  const has = members === 1 ? "has 1 member" : `has ${members} members`;
  const lacks =
    approverGroupId === null
      ? `Approver group ${approverGroupName} has to approve it, and the team has none of that name: an owner of the team has to create it`
      : `${approvals} members of approver group ${approverGroupName} have to approve it, but it ${has}: an owner of the team has to add some`;
  const isAble = approverGroupId !== null && members >= approvals;
  return {
    ...secret,
    ...{ layer: "global" as const, approverGroupId: approverGroupId ?? "", approverGroupName, approvals },
    ...(!isAble && { lacks }),
  };
}

async function usedSecrets(db: Queryable, teamId: string, { document, used }: Pick<ProposedVersion, "document" | "used">) {
  const own = (await listSecretProtections(db, teamId)).map((row) => ({ ...row, layer: "team" as const }));
  const secrets = [...own, ...(await listGlobalProtectionsOf(db, teamId)).map(ofInstance)];
  if (secrets.length === 0) return [];
  const tasks = await listPlanTasks(
    db,
    used.map(({ taskVersionId }) => taskVersionId),
  );
  return usedAmong(teamNamesUsed([document, tasks.map(({ spec }) => spec)]), secrets);
}

/** Whether a version is approved for the secrets that these are about. */
export async function isApprovedFor(
  db: Queryable,
  teamId: string,
  workflowVersionId: string,
  required: readonly RequiredApproval[],
): Promise<boolean> {
  const secrets = required.flatMap((one) => one.secrets);
  if (secrets.length === 0) return true;
  const approved = (await listProtectedSecrets(db, teamId, workflowVersionId)).filter(({ isApproved }) => isApproved);
  return secrets.every(({ name, layer }) => approved.some((secret) => secret.name === name && secret.layer === layer));
}
