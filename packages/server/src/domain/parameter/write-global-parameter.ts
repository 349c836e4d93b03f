import type { AbstractParam } from "@millrace/contract/common.ts";
import { AppError } from "../../base/error/app-error.ts";
import type { Keyring } from "../../base/secret/keyring.ts";
import { isSameJson } from "../../core/document/same-json.ts";
import { parameterFaults } from "../../core/parameter/parameters-check.ts";
import { isKeyedSecret, isSecretParam, keysOf, sealParams } from "../../core/parameter/secret-params.ts";
import { globalParametersPlace } from "../../core/secret/sealed-places.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findTeamIds } from "../../store/team/directory.ts";
import {
  deleteGlobalParameter,
  insertGlobalParameter,
  lockGlobalParameter,
  updateGlobalParameter,
} from "../../store/team/global-parameters.ts";
import { sealAgain } from "../secret/seal-again.ts";
import { refuseFaults } from "../workflow/refuse-faults.ts";
import { keepProtectedSecret } from "./protect-global-secret.ts";

/**
 * Parameters of the whole instance: every run submitted from then on can refer to them. Secrets arrive in clear and are stored encrypted.
 */

/**
 * The `teams` of a parameter are names or ids in the input, and ids in the database. @throws PARAMS_NON_UNIQUE_REFERENCE, VALIDATION_FAILED
 */
export async function createGlobalParameter(db: Queryable, keyring: Keyring, wanted: AbstractParam): Promise<AbstractParam> {
  refuseFaults(parameterFaults(wanted));
  const parameter = seal(keyring, await withTeams(db, wanted, wanted.teams));
  if (!(await insertGlobalParameter(db, parameter))) throw new AppError("PARAMS_NON_UNIQUE_REFERENCE", [wanted.name]);
  return parameter;
}

/**
 * All members come from the request. Only an empty secret and missing teams stay unchanged: a client that doesn't know teams must not open
 * a secret to all of them. A stored secret is only given to the teams that it was meant for, so adding teams requires the secret in the
 * same request.
 *
 * @param teams undefined: the stored ones; null: all
 * @param keepsSame if nothing changes, nothing is written, and `after` is `before`
 * @throws PARAMS_INVALID_REFERENCE, VALIDATION_FAILED
 */
export async function replaceGlobalParameter(
  db: Queryable,
  keyring: Keyring,
  wanted: AbstractParam,
  teams: readonly string[] | null | undefined,
  { keepsSame = false } = {},
): Promise<{ before: AbstractParam; after: AbstractParam }> {
  refuseFaults(parameterFaults(wanted));
  const before = await lockGlobalParameter(db, wanted.name);
  if (before === undefined) throw new AppError("PARAMS_INVALID_REFERENCE", [wanted.name]);
  const named = await withTeams(db, wanted, teams === undefined ? before.teams : teams, before.teams);
  refuseWiderSecret(named, before);
  if (!isSecretParam(named)) await keepProtectedSecret(db, named.name, "become a parameter that is not secret");
  const after = seal(keyring, named, before);
  if (keepsSame && isSameJson(before, after)) return { before, after: before };
  await updateGlobalParameter(db, after);
  return { before, after };
}

/**
 * @returns the deleted parameter; undefined if there was none of that name
 * @throws CONFLICT
 */
export async function deleteUnprotectedParameter(db: Queryable, name: string): Promise<AbstractParam | undefined> {
  await lockGlobalParameter(db, name);
  await keepProtectedSecret(db, name, "be deleted");
  return deleteGlobalParameter(db, name);
}

/** @param stored ids that stay valid even if their team was deleted in the meantime */
async function withTeams(
  db: Queryable,
  { teams: _written, ...parameter }: AbstractParam,
  references: readonly string[] | null | undefined,
  stored: readonly string[] = [],
): Promise<AbstractParam> {
  if (references == null) return parameter;
  const found = await findTeamIds(db, references);
  const ids = references.map((reference) => found.get(reference.toLowerCase()) ?? stored.find((id) => id === reference));
  const at = ids.indexOf(undefined);
  if (at >= 0) refuseFaults([{ path: `/teams/${at}`, message: `is ${references[at]}; there is no team of this name or id` }]);
  return { ...parameter, teams: [...new Set(ids as string[])] };
}

function refuseWiderSecret(wanted: AbstractParam, before: AbstractParam): void {
  if (!isSecretParam(wanted) || !isSecretParam(before) || before.teams === undefined || isGiven(wanted)) return;
  const isWithin = wanted.teams?.every((id) => before.teams?.includes(id)) ?? false;
  const message = `of parameter "${wanted.name}" is missing: more teams would get the stored secret; send the secret in the same request`;
  refuseFaults(isWithin ? [] : [{ path: "/value", message }]);
}

/** Nothing of the stored secret is kept. */
function isGiven({ type, value, default: byDefault }: AbstractParam): boolean {
  if (isKeyedSecret({ type }))
    return keysOf(value) !== undefined && Object.values(keysOf(value) ?? {}).every((text) => text !== "" && text !== null);
  return typeof value === "string" && value !== "" && (byDefault === undefined || byDefault !== "");
}

function seal(keyring: Keyring, wanted: AbstractParam, stored?: AbstractParam): AbstractParam {
  const [sealed] = sealParams([wanted], stored ? [stored] : [], sealAgain(keyring, globalParametersPlace, stored), "");
  return sealed!;
}
