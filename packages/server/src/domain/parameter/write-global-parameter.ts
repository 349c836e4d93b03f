import type { AbstractParam } from "@millrace/contract/common.ts";
import { AppError } from "../../base/app-error.ts";
import type { Keyring } from "../../base/keyring.ts";
import { parameterFaults } from "../../core/read-parameter.ts";
import { globalParametersPlace } from "../../core/sealed-places.ts";
import { sealParams } from "../../core/secret-params.ts";
import type { Queryable } from "../../store/database.ts";
import { insertGlobalParameter, lockGlobalParameter, updateGlobalParameter } from "../../store/global-parameters.ts";
import { refuseFaults } from "../workflow/refuse-faults.ts";

/** Parameters of the whole instance: every run submitted from then on can refer to them. Secrets come in clear and are stored sealed. */

/** @throws PARAMS_NON_UNIQUE_REFERENCE, VALIDATION_FAILED */
export async function createGlobalParameter(db: Queryable, keyring: Keyring, wanted: AbstractParam): Promise<AbstractParam> {
  refuseFaults(parameterFaults(wanted));
  const parameter = seal(keyring, wanted);
  if (!(await insertGlobalParameter(db, parameter))) throw new AppError("PARAMS_NON_UNIQUE_REFERENCE", [wanted.name]);
  return parameter;
}

/**
 * Everything is taken from what is written, only a secret that is left empty stays as it is.
 *
 * @throws PARAMS_INVALID_REFERENCE, VALIDATION_FAILED
 */
export async function replaceGlobalParameter(
  db: Queryable,
  keyring: Keyring,
  wanted: AbstractParam,
): Promise<{ before: AbstractParam; after: AbstractParam }> {
  refuseFaults(parameterFaults(wanted));
  const before = await lockGlobalParameter(db, wanted.name);
  if (before === undefined) throw new AppError("PARAMS_INVALID_REFERENCE", [wanted.name]);
  const after = seal(keyring, wanted, before);
  await updateGlobalParameter(db, after);
  return { before, after };
}

function seal(keyring: Keyring, wanted: AbstractParam, stored?: AbstractParam): AbstractParam {
  const [sealed] = sealParams([wanted], stored ? [stored] : [], (clear) => keyring.sealText(clear, globalParametersPlace), "");
  return sealed!;
}
