import { AppError } from "../../base/error/app-error.ts";
import { isSecretParam } from "../../core/parameter/secret-params.ts";
import type { Queryable } from "../../store/database/database.ts";
import { lockGlobalParameter } from "../../store/team/global-parameters.ts";
import {
  deleteGlobalSecretProtection,
  findGlobalSecretProtection,
  type GlobalSecretProtection,
  listTeamsWithAccess,
  setGlobalSecretProtection,
} from "../../store/team/global-secret-protections.ts";
import { approveSecrets, type PossibleUse } from "../../store/team/secret-protections.ts";
import { listSecretUses } from "../workflow/publish/secret-uses.ts";

/**
 * Protecting a secret of the instance (ADR 0100): in each team, the approver group of a certain name approves the workflows that use it.
 */

/** In one of the teams that may use the secret. */
export interface UseInTeam extends PossibleUse {
  team: { id: string; name: string };
}

export interface ChangedGlobalProtection {
  before: GlobalSecretProtection | undefined;
  after: GlobalSecretProtection;
  uses: UseInTeam[];
  /** Versions that are approved at once. */
  approved: UseInTeam[];
}

/**
 * @param approvesCurrent approves the current versions that use it; otherwise their runs are refused until they are approved
 * @throws PARAMS_INVALID_REFERENCE, VALIDATION_FAILED where it is no secret
 */
export async function protectGlobalSecret(
  db: Queryable,
  after: GlobalSecretProtection,
  approvesCurrent: boolean,
): Promise<ChangedGlobalProtection> {
  const { name } = after;
  const parameter = await lockGlobalParameter(db, name);
  if (parameter === undefined) throw new AppError("PARAMS_INVALID_REFERENCE", [name]);
  if (!isSecretParam(parameter)) {
    const message = `is ${JSON.stringify(name)}, of type ${parameter.type ?? "text"}; only parameters of type password or secret can be protected`;
    throw new AppError("VALIDATION_FAILED", [`parameter ${message}`], { details: [{ path: "/name", message }] });
  }
  const before = await findGlobalSecretProtection(db, name);
  await setGlobalSecretProtection(db, after);
  const uses = await listGlobalSecretUses(db, name);
  const approved = approvesCurrent ? uses.filter(({ isApproved }) => !isApproved) : [];
  for (const { team, workflowVersionId } of approved) await approveSecrets(db, team.id, workflowVersionId, [{ name, layer: "global" }]);
  return { before, after, uses: uses.map((use) => ({ ...use, isApproved: use.isApproved || approvesCurrent })), approved };
}

/** @returns the protection before; undefined if there was none */
export async function unprotectGlobalSecret(db: Queryable, name: string): Promise<GlobalSecretProtection | undefined> {
  await lockGlobalParameter(db, name);
  const before = await findGlobalSecretProtection(db, name);
  if (before) await deleteGlobalSecretProtection(db, name);
  return before;
}

/** Workflows whose latest version uses it, of all teams that may. Reads their documents: for an administrator who views it. */
export async function listGlobalSecretUses(db: Queryable, name: string): Promise<UseInTeam[]> {
  const uses: UseInTeam[] = [];
  for (const { id, name: teamName, hasShortName } of await listTeamsWithAccess(db, name)) {
    const found = await listSecretUses(db, id, { name, layer: "global", hasShortName });
    uses.push(...found.map((use) => ({ ...use, team: { id, name: teamName } })));
  }
  return uses;
}

/**
 * A protected secret can't be deleted, or become a plain parameter. New values are allowed. The parameter must be locked.
 * @throws CONFLICT
 */
export async function keepProtectedSecret(db: Queryable, name: string, change: string): Promise<void> {
  if ((await findGlobalSecretProtection(db, name)) === undefined) return;
  throw new AppError("CONFLICT", [
    `Secret ${name} is protected, and can't ${change}: an administrator has to turn its protection off first`,
  ]);
}
