import { teamNamesUsed, usedAmong } from "../../../core/parameter/team-names-used.ts";
import type { Queryable } from "../../../store/database/database.ts";
import { listPlanTasks } from "../../../store/run/plans.ts";
import { listProtectedSecrets, listSecretProtections } from "../../../store/team/secret-protections.ts";
import type { ProposedVersion } from "../../../store/workflow/proposals.ts";
import { findProtectionInForce, type ProtectionRow } from "../../../store/workflow/protections.ts";

/** Approvals of one group that a version needs before it is published. */
export interface RequiredApproval extends ProtectionRow {
  /** Names of protected secrets that the version uses, and that the group decides about; none where only the workflow is protected. */
  secrets: string[];
}

/**
 * Whose approval a version needs: of the group that protects the workflow, and of those that protect the secrets it uses. Each group is asked
 * once, for the most approvals that it is to give.
 */
export async function requiredApprovals(
  db: Queryable,
  teamId: string,
  workflowId: string,
  version: Pick<ProposedVersion, "document" | "used">,
): Promise<RequiredApproval[]> {
  const protection = await findProtectionInForce(db, teamId, workflowId);
  const required = new Map<string, RequiredApproval>();
  const add = ({ approverGroupId, approverGroupName, approvals }: ProtectionRow, secrets: string[]) => {
    const known = required.get(approverGroupId);
    required.set(approverGroupId, {
      ...{ approverGroupId, approverGroupName, approvals: Math.max(approvals, known?.approvals ?? 0) },
      secrets: [...(known?.secrets ?? []), ...secrets],
    });
  };
  if (protection) add(protection, []);
  for (const secret of await usedSecrets(db, teamId, version)) add(secret, [secret.name]);
  return [...required.values()];
}

async function usedSecrets(db: Queryable, teamId: string, { document, used }: Pick<ProposedVersion, "document" | "used">) {
  const secrets = await listSecretProtections(db, teamId);
  if (secrets.length === 0) return [];
  const tasks = await listPlanTasks(
    db,
    used.map(({ taskVersionId }) => taskVersionId),
  );
  return usedAmong(teamNamesUsed([document, tasks.map(({ spec }) => spec)]), secrets);
}

/** Is a version approved for the secrets that these are about? */
export async function isApprovedFor(
  db: Queryable,
  teamId: string,
  workflowVersionId: string,
  required: readonly RequiredApproval[],
): Promise<boolean> {
  const names = required.flatMap(({ secrets }) => secrets);
  if (names.length === 0) return true;
  const approved = (await listProtectedSecrets(db, teamId, workflowVersionId)).filter(({ isApproved }) => isApproved);
  return names.every((name) => approved.some((secret) => secret.name === name));
}
