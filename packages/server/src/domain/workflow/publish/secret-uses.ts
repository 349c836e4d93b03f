import { type NamedSecret, type TeamNamesUsed, teamNamesUsed, usedAmong } from "../../../core/parameter/team-names-used.ts";
import type { Queryable } from "../../../store/database/database.ts";
import { findPlanDocument, listPlanTasks } from "../../../store/run/plans.ts";
import { findSubmission, type ProtectedSecret } from "../../../store/run/submissions.ts";
import { listPossibleUses, type NamedLayer, type PossibleUse } from "../../../store/team/secret-protections.ts";

/** Protected secrets that the latest version of a workflow uses. */
export async function secretsUsedBy(db: Queryable, teamId: string, workflowId: string): Promise<ProtectedSecret[]> {
  const found = await findSubmission(db, { teamId, ref: workflowId, version: undefined });
  if (!found?.workflowVersionId || found.protectedSecrets.length === 0) return [];
  return usedAmong(await namesOf(db, teamId, found.workflowVersionId, found.taskVersionIds), found.protectedSecrets);
}

/** Workflows of a team whose latest version uses a secret. */
export async function listSecretUses(db: Queryable, teamId: string, secret: NamedLayer & NamedSecret): Promise<PossibleUse[]> {
  const uses: PossibleUse[] = [];
  for (const use of await listPossibleUses(db, teamId, secret)) {
    const names = await namesOf(db, teamId, use.workflowVersionId, use.taskVersionIds);
    if (usedAmong(names, [secret]).length > 0) uses.push(use);
  }
  return uses;
}

async function namesOf(
  db: Queryable,
  teamId: string,
  workflowVersionId: string,
  taskVersionIds: readonly string[],
): Promise<TeamNamesUsed> {
  const found = await findPlanDocument(db, teamId, workflowVersionId);
  const tasks = await listPlanTasks(db, taskVersionIds);
  return teamNamesUsed([found?.document, tasks.map(({ spec }) => spec)]);
}
