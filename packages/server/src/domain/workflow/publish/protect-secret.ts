import type { AbstractParam } from "@millrace/contract/common.ts";
import { AppError } from "../../../base/error/app-error.ts";
import { isSecretParam } from "../../../core/parameter/secret-params.ts";
import type { Queryable } from "../../../store/database/database.ts";
import {
  approveSecrets,
  deleteSecretProtection,
  findSecretProtection,
  listSecretProtections,
  type PossibleUse,
  type SecretProtectionRow,
  setSecretProtection,
} from "../../../store/team/secret-protections.ts";
import type { TeamRow } from "../../../store/team/teams.ts";
import { requireGroup, type WantedProtection } from "./protect-workflow.ts";
import { listSecretUses } from "./secret-uses.ts";

/** Protecting a secret of the team, and what may not be done with one that is. The team must be locked. */

export interface ChangedSecretProtection {
  before: SecretProtectionRow | undefined;
  after: SecretProtectionRow;
  /** Workflows that use it. */
  uses: PossibleUse[];
  /** Versions that are approved at once. */
  approved: PossibleUse[];
}

/**
 * @param approvesCurrent approves the current versions that use it; otherwise their runs are refused until they are approved
 * @throws PARAMS_INVALID_REFERENCE, VALIDATION_FAILED where it is no secret, or the group does not fit
 */
export async function protectSecret(
  db: Queryable,
  { id: teamId, parameters }: Pick<TeamRow, "id" | "parameters">,
  name: string,
  { approvesCurrent, ...wanted }: WantedProtection & { approvesCurrent: boolean },
): Promise<ChangedSecretProtection> {
  const parameter = parameters.find((one) => one.name === name);
  if (parameter === undefined) throw new AppError("PARAMS_INVALID_REFERENCE", [name]);
  if (!isSecretParam(parameter)) {
    const message = `is ${JSON.stringify(name)}, of type ${parameter.type ?? "text"}; only parameters of type password or secret can be protected`;
    throw new AppError("VALIDATION_FAILED", [`parameter ${message}`], { details: [{ path: "/name", message }] });
  }
  const before = await findSecretProtection(db, teamId, name);
  const group = await requireGroup(db, teamId, wanted);
  const after = { name, approverGroupId: group.id, approverGroupName: group.name, approvals: wanted.approvals };
  await setSecretProtection(db, teamId, after);
  const uses = await listSecretUses(db, teamId, { name, layer: "team" });
  const approved = approvesCurrent ? uses.filter(({ isApproved }) => !isApproved) : [];
  for (const { workflowVersionId } of approved) await approveSecrets(db, teamId, workflowVersionId, [{ name, layer: "team" }]);
  return { before, after, uses: uses.map((use) => ({ ...use, isApproved: use.isApproved || approvesCurrent })), approved };
}

/** @returns the protection before; undefined if there was none */
export async function unprotectSecret(db: Queryable, teamId: string, name: string): Promise<SecretProtectionRow | undefined> {
  const before = await findSecretProtection(db, teamId, name);
  if (before) await deleteSecretProtection(db, teamId, name);
  return before;
}

/**
 * A protected secret can't be deleted, or become a plain parameter: its replacement would be protected by the same name, or not at all. New
 * values are allowed.
 * @param after the new parameters of the team
 * @throws CONFLICT
 */
export async function keepProtectedSecrets(db: Queryable, teamId: string, after: readonly AbstractParam[]): Promise<void> {
  const secrets = new Set(after.filter(isSecretParam).map(({ name }) => name));
  const lost = (await listSecretProtections(db, teamId)).find(({ name }) => !secrets.has(name));
  if (lost === undefined) return;
  const isKept = after.some(({ name }) => name === lost.name);
  throw new AppError("CONFLICT", [
    `Secret ${lost.name} is protected, and can't ${isKept ? "become a parameter that is not secret" : "be deleted"}: an owner of the team has to turn its protection off first`,
  ]);
}
