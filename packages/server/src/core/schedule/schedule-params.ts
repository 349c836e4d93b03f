import type { RunParam } from "@millrace/contract/common.ts";
import { AppError, type ErrorDetail } from "../../base/error/app-error.ts";
import { isSealed } from "../parameter/secret-params.ts";
import { secretFault } from "../parameter/secret-text.ts";

/**
 * Parameters that a schedule passes to its runs. Those that the workflow declares as secrets are sealed when they are written, and marked
 * by `hiddenValue`, which a client can't set.
 */

export type Seal = (clear: string) => string;

/** Names of secrets: declared by the workflow, or because their values were derived from secrets. */
export interface SecretNames {
  declared: ReadonlySet<string>;
  inherited: ReadonlySet<string>;
}

/**
 * @param stored the previous list, sealed: a secret that is left empty keeps its value
 * @throws VALIDATION_FAILED naming each declared secret that is not text or too short; its message never contains the values
 */
export function sealScheduleParams(
  written: readonly RunParam[],
  stored: readonly RunParam[],
  { declared, inherited }: SecretNames,
  seal: Seal,
): RunParam[] {
  const kept = new Map(stored.filter(isSealed).map((param) => [param.name, param]));
  const faults: ErrorDetail[] = [];
  const sealed = written.map(({ name, value }, index): RunParam => {
    if (isEmpty(value)) return kept.get(name) ?? { name, value: value ?? null };
    const fault = declared.has(name) && !inherited.has(name) ? secretFault(value) : undefined;
    if (fault) faults.push({ path: `/params/${index}/value`, message: `of parameter "${name}" ${fault}` });
    return declared.has(name) || inherited.has(name) ? sealParam(name, value, seal) : { name, value };
  });
  const [first] = faults;
  if (first) throw new AppError("VALIDATION_FAILED", [`body ${first.path} ${first.message}`], { details: faults });
  return sealed;
}

/** For a list that does not change: values that have become secrets since it was written are sealed, too. */
export function resealScheduleParams(stored: readonly RunParam[], declared: ReadonlySet<string>, seal: Seal): RunParam[] {
  return stored.map((param) => {
    const isClearSecret = !isSealed(param) && declared.has(param.name) && !isEmpty(param.value);
    return isClearSecret ? sealParam(param.name, param.value, seal) : param;
  });
}

/** Sealed as JSON, so that values keep their types. */
function sealParam(name: string, value: unknown, seal: Seal): RunParam {
  return { name, value: seal(JSON.stringify(value)), hiddenValue: true };
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

/** In clear text, for the snapshot of a run, with the names of the secrets, regardless of what the workflow currently declares. */
export function openScheduleParams(
  params: readonly RunParam[],
  open: (sealed: string) => string,
): { params: RunParam[]; secretParams: Set<string> } {
  return {
    params: params.map((param) => (isSealed(param) ? { name: param.name, value: JSON.parse(open(String(param.value))) } : param)),
    secretParams: new Set(params.filter(isSealed).map(({ name }) => name)),
  };
}

/** The parameters for a response: secrets are empty. This includes parameters that have become secrets since they were written. */
export function maskScheduleParams(params: readonly RunParam[], secretNames: readonly string[]): RunParam[] {
  return params.map((param) =>
    isSealed(param) || secretNames.includes(param.name) ? { name: param.name, value: "", hiddenValue: true } : param,
  );
}
