import type { AbstractParam } from "@millrace/contract/common.ts";
import { AppError, type ErrorDetail } from "../../base/error/app-error.ts";
import { isEnvelopeText } from "../../base/secret/envelope.ts";

/**
 * Secrets in lists of declared parameters: parameters of type `password`. Stored they are sealed, read they are empty with
 * `hiddenValue`, and a write that leaves one out keeps what is stored under that name. A secret of a few characters could not
 * be masked in a log without shredding it, so it is refused; except for defaults of workflows and tasks, which get a warning.
 */

const minSecretLength = 4;
const maxSecretLength = 65_536;

const secretMembers = ["value", "default"] as const;

export function isSecretParam(param: Pick<AbstractParam, "type">): boolean {
  return param.type?.toLowerCase() === "password";
}

/**
 * The list as it is stored. What the client sends for a secret is always sealed, even when it looks sealed already.
 * @param stored the list as it was stored before, sealed; empty for a new one
 * @param path JSON pointer of the list, for errors
 * @param mayBeShort a default may be too short to be masked, as that of a definition: `shortSecrets` tells of it
 * @throws AppError VALIDATION_FAILED naming each secret that is not text or too short; the values are never repeated
 */
export function sealParams(
  written: readonly AbstractParam[],
  stored: readonly AbstractParam[],
  seal: (clear: string) => string,
  path = "/params",
  mayBeShort = false,
): AbstractParam[] {
  const faults = written.flatMap((param, index) => secretFaults(param, `${path}/${index}`, mayBeShort));
  const [first] = faults;
  if (first) throw new AppError("VALIDATION_FAILED", [`${first.path} ${first.message}`], { details: faults });
  const kept = new Map(stored.filter(isSecretParam).map((param) => [param.name, param]));
  return written.map((param) => (isSecretParam(param) ? sealParam(param, kept.get(param.name), seal) : param));
}

/** Defaults of definitions that no log can mask. */
export function shortSecrets(params: readonly AbstractParam[], path: string): (ErrorDetail & { name: string })[] {
  return params.flatMap((param, index) => {
    if (!isSecretParam(param) || isLeftOut(param.default) || !isShort(param.default)) return [];
    const message = `has a default of fewer than ${minSecretLength} characters, which cannot be masked in logs`;
    return [{ path: `${path}/${index}/default`, name: param.name, message }];
  });
}

function isShort(value: unknown): boolean {
  return typeof value === "string" && value.length < minSecretLength;
}

function secretFaults(param: AbstractParam, path: string, mayBeShort: boolean): ErrorDetail[] {
  if (!isSecretParam(param)) return [];
  return secretMembers.flatMap((member) => {
    const isFine = isLeftOut(param[member]) || (mayBeShort && member === "default" && isShort(param[member]));
    const message = isFine ? undefined : secretFault(param[member]);
    return message ? [{ path: `${path}/${member}`, message: `of parameter "${param.name}" ${message}` }] : [];
  });
}

/** What keeps a value from being a secret; never says the value. */
export function secretFault(value: unknown): string | undefined {
  if (typeof value !== "string") return `must be text, since it is a secret, but is ${Array.isArray(value) ? "a list" : typeof value}`;
  if (isShort(value)) return `must have at least ${minSecretLength} characters, since a shorter secret cannot be masked in logs`;
  return value.length > maxSecretLength ? `must have at most ${maxSecretLength} characters, but has ${value.length}` : undefined;
}

function sealParam(param: AbstractParam, stored: AbstractParam | undefined, seal: (clear: string) => string): AbstractParam {
  const { hiddenValue: _computed, ...sealed } = param;
  for (const member of secretMembers) {
    const value = isLeftOut(param[member]) ? stored?.[member] : seal(param[member] as string);
    if (isLeftOut(value)) delete sealed[member];
    else sealed[member] = value;
  }
  return sealed;
}

/** Is that what a read shows of a secret, hidden and empty? In a write it asks to keep what is stored. */
export function isReadMark(param: Pick<AbstractParam, "value" | "default" | "hiddenValue">): boolean {
  return param.hiddenValue === true && isLeftOut(param.value) && isLeftOut(param.default);
}

function isLeftOut(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

/** The list as it is read: secrets are empty, whether there is one or not. */
export function maskParams(params: readonly AbstractParam[]): AbstractParam[] {
  return params.map((param) => (isSecretParam(param) ? { ...param, value: "", default: "", hiddenValue: true } : param));
}

/** The list with its secrets in clear, for executors only. Other values don't change. */
export function openParams(params: readonly AbstractParam[], open: (sealed: string) => string): AbstractParam[] {
  return params.map((param) => {
    if (!isSecretParam(param)) return param;
    const opened = { ...param };
    for (const member of secretMembers) {
      const value = param[member];
      if (typeof value === "string" && isEnvelopeText(value)) opened[member] = open(value);
    }
    return opened;
  });
}
