import type { AbstractParam, RunParam } from "@millrace/contract/common.ts";
import { AppError, type ErrorDetail } from "../../base/error/app-error.ts";
import { isEnvelopeText } from "../../base/secret/envelope.ts";
import { isShort, minSecretLength, sealedTextFault, secretFault } from "./secret-text.ts";

/**
 * Secrets in lists of declared parameters: parameters of type `password`, and of type `secret`, which have keys (below). They
 * are stored sealed; in responses they are empty with `hiddenValue`; and a write that leaves one out keeps the secret stored under that
 * name. A secret of only a few characters could not be masked in a log without destroying other text, so it is refused, except for defaults
 * of workflows and tasks, which get a warning.
 */

const secretMembers = ["value", "default"] as const;

export function isSecretParam(param: Pick<AbstractParam, "type">): boolean {
  return param.type?.toLowerCase() === "password" || isKeyedSecret(param);
}

/**
 * The list in the form in which it is stored. Whatever the client sends for a secret is sealed, even if it looks sealed already.
 * @param stored the list as stored before, sealed; empty for a new one
 * @param path JSON pointer of the list, for errors
 * @param ofDefinition it is a workflow or a task: a default may be too short to be masked (`shortSecrets` warns of it), and none has keys
 * @throws AppError VALIDATION_FAILED naming each secret that is not text or too short; its message never contains the values
 */
export function sealParams(
  written: readonly AbstractParam[],
  stored: readonly AbstractParam[],
  seal: (clear: string) => string,
  path = "/params",
  ofDefinition = false,
): AbstractParam[] {
  const kept = new Map(stored.filter(isSecretParam).map((param) => [param.name, param]));
  const faults = written.flatMap((param, index) =>
    isKeyedSecret(param)
      ? keyedFaults(param, kept.get(param.name), `${path}/${index}`, ofDefinition)
      : secretFaults(param, kept.get(param.name), `${path}/${index}`, ofDefinition),
  );
  const [first] = faults;
  if (first) throw new AppError("VALIDATION_FAILED", [`${first.path} ${first.message}`], { details: faults });
  return written.map((param) => (isSecretParam(param) ? sealParam(param, kept.get(param.name), seal) : param));
}

/** Defaults of definitions that are too short to be masked in a log. */
export function shortSecrets(params: readonly AbstractParam[], path: string): (ErrorDetail & { name: string })[] {
  return params.flatMap((param, index) => {
    if (!isSecretParam(param) || isLeftOut(param.default) || !isShort(param.default)) return [];
    const message = `has a default of fewer than ${minSecretLength} characters, which cannot be masked in logs`;
    return [{ path: `${path}/${index}/default`, name: param.name, message }];
  });
}

function secretFaults(param: AbstractParam, stored: AbstractParam | undefined, path: string, mayBeShort: boolean): ErrorDetail[] {
  if (!isSecretParam(param)) return [];
  const lost = isLeftOut(param.value) && isLeftOut(param.default) ? lostFault(param, stored) : undefined;
  if (lost) return [{ path: `${path}/value`, message: `of parameter "${param.name}" ${lost}` }];
  return secretMembers.flatMap((member) => {
    const isFine = isLeftOut(param[member]) || (mayBeShort && member === "default" && isShort(param[member]));
    const message = isFine ? undefined : secretFault(param[member]);
    return message ? [{ path: `${path}/${member}`, message: `of parameter "${param.name}" ${message}` }] : [];
  });
}

function keyedFaults(param: AbstractParam, stored: AbstractParam | undefined, path: string, ofDefinition: boolean): ErrorDetail[] {
  const fault = (member: string, message: string) => [{ path: `${path}/${member}`, message: `of parameter "${param.name}" ${message}` }];
  if (ofDefinition) return fault("type", "is secret, which only parameters of a team and of the instance can be; use password");
  if (!isLeftOut(param.default)) return fault("default", "can't be given: a secret with keys has a value only");
  const message = isLeftOut(param.value) ? lostFault(param, stored) : keyedFault(param.value, keptKeys(stored));
  return message === undefined ? [] : fault("value", message);
}

/** The stored secret has another form, and would be lost silently. */
function lostFault(param: AbstractParam, stored: AbstractParam | undefined): string | undefined {
  if (stored === undefined || isKeyedSecret(stored) === isKeyedSecret(param)) return undefined;
  if (isKeyedSecret(stored) ? Object.keys(keptKeys(stored)).length === 0 : isLeftOut(stored.value ?? stored.default)) return undefined;
  return `is missing: the stored secret is of type ${stored.type} and can't become one of type ${param.type}; send the value in the same request`;
}

/** A stored secret without keys is not kept if the parameter gets keys. */
function keptKeys(stored: AbstractParam | undefined): object {
  return (stored && isKeyedSecret(stored) && keysOf(stored.value)) || {};
}

function sealParam(param: AbstractParam, stored: AbstractParam | undefined, seal: (clear: string) => string): AbstractParam {
  const { hiddenValue: _computed, ...sealed } = param;
  if (isKeyedSecret(param)) return { ...sealed, ...sealKeys(param, stored && isKeyedSecret(stored) ? stored : undefined, seal) };
  if (stored && isKeyedSecret(stored)) return sealParam(param, undefined, seal);
  for (const member of secretMembers) {
    const value = isLeftOut(param[member]) ? stored?.[member] : seal(param[member] as string);
    if (isLeftOut(value)) delete sealed[member];
    else sealed[member] = value;
  }
  return sealed;
}

/** A secret stored with this type before secrets had keys may be a text or a default; it is kept until keys are set. */
function sealKeys(param: AbstractParam, stored: AbstractParam | undefined, seal: (clear: string) => string): Partial<AbstractParam> {
  if (isLeftOut(param.value)) {
    if (stored === undefined || isLeftOut(stored.default)) return { value: stored?.value ?? {} };
    return { value: stored.value, default: stored.default };
  }
  const kept = keptKeys(stored) as SecretKeys;
  return { value: mapKeys(param.value, (text, key) => (isLeftOut(text) ? ownText(kept, key) : seal(text as string))) };
}

/** Whether this is a secret as in a response, hidden and empty. In a write it asks to keep the stored secret. */
export function isReadMark(param: Pick<AbstractParam, "value" | "default" | "hiddenValue">): boolean {
  return param.hiddenValue === true && isLeftOut(param.value) && isLeftOut(param.default);
}

function isLeftOut(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

/** The list for a response: secrets are empty, whether they have a value or not. Keys are shown. */
export function maskParams(params: readonly AbstractParam[]): AbstractParam[] {
  return params.map((param) => {
    if (!isSecretParam(param)) return param;
    return { ...param, value: isKeyedSecret(param) ? mapKeys(param.value, () => "") : "", default: "", hiddenValue: true };
  });
}

/** The list with its secrets in clear text, for executors only. Other values do not change. */
export function openParams(params: readonly AbstractParam[], open: (sealed: string) => string): AbstractParam[] {
  return params.map((param) => {
    if (!isSecretParam(param)) return param;
    const opened = { ...param };
    if (isKeyedSecret(param)) {
      if (keysOf(param.value))
        opened.value = mapKeys(param.value, (text) => (typeof text === "string" && isEnvelopeText(text) ? open(text) : text));
      return opened;
    }
    for (const member of secretMembers) {
      const value = param[member];
      if (typeof value === "string" && isEnvelopeText(value)) opened[member] = open(value);
    }
    return opened;
  });
}

/**
 * Secrets with several keys: parameters of type `secret`, whose value is a map of texts, like a Secret in Kubernetes. Each text is sealed
 * separately, so the keys can be shown. A write that leaves the text of a key empty keeps the stored text; a key that it does not name is
 * removed. Only teams and the instance can have them: people fill in the parameters of workflows and tasks in forms, which have no field
 * for a map.
 */

export type SecretKeys = Readonly<Record<string, unknown>>;

const maxKeys = 1_000;
const maxBatch = 1_048_576;

export function isKeyedSecret(param: Pick<AbstractParam, "type">): boolean {
  return param.type?.toLowerCase() === "secret";
}

export function keysOf(value: unknown): SecretKeys | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as SecretKeys) : undefined;
}

/** Own members only, so that a key can't find inherited ones. */
function ownText(keys: SecretKeys | undefined, key: string): unknown {
  return keys !== undefined && Object.hasOwn(keys, key) ? keys[key] : undefined;
}

/** The same keys with other texts. */
export function mapKeys(value: unknown, change: (text: unknown, key: string) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(keysOf(value) ?? {}).map(([key, text]) => [key, change(text, key)]));
}

/**
 * What keeps a value from being stored; never says a text.
 * @param stored the value as it is stored, whose texts stay for keys that are left empty; absent: not to be examined
 */
export function keyedFault(value: unknown, stored?: unknown): string | undefined {
  const keys = keysOf(value);
  if (keys === undefined) return `must be an object of texts, since it is a secret with keys, but is ${kindOf(value)}`;
  const entries = Object.entries(keys);
  if (entries.length > maxKeys) return `has ${entries.length} keys; it can have at most ${maxKeys}`;
  let together = 0;
  for (const [key, text] of entries) {
    if (!/^[-._a-zA-Z0-9]{1,253}$/.test(key) || key === "." || key === "..")
      return `has the key ${JSON.stringify(key.slice(0, 80))}; a key has letters, digits, ".", "_" and "-", at most 253 of them`;
    const isKept = text === "" || text === null;
    if (isKept && stored !== undefined && ownText(keysOf(stored), key) === undefined)
      return `has no text for the key "${key}", and none is stored`;
    const fault = isKept ? undefined : sealedTextFault(text);
    if (fault) return `has the key "${key}", which ${fault}`;
    together += typeof text === "string" ? text.length : 0;
  }
  return together > maxBatch ? `has ${together} characters; together the texts can have at most ${maxBatch}` : undefined;
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? "a list" : value === null ? "null" : typeof value;
}

/**
 * Secrets that belong to a node: values for secret parameters of its task, sealed in the workflow document
 * (core/workflow/workflow-document-secrets.ts), and defaults of such parameters, sealed in the definition of the task. The core resolves
 * and shows a mask in their place; they are decrypted only when the job is passed to an executor. Their values contain no references.
 */

/** Replaces a secret in everything that is stored in clear text or shown. */
export const secretMask = "******";

/** The owner of a sealed text, which determines how it is decrypted: the workflow, a task of the team, or a global task. */
export type SecretHolder = "workflow" | "task" | "globaltask";

export type OpenSecret = (sealed: string, holder: SecretHolder) => string;

/** A node of a plan, as far as it has secrets. */
interface Secretive {
  params: readonly RunParam[];
  task: { isGlobal: boolean; spec: Readonly<Record<string, unknown>> } | undefined;
}

/** @param open absent: the secrets are masked */
export function nodeValues(params: readonly RunParam[], open?: OpenSecret): RunParam[] {
  return params.map((param) =>
    isSealed(param) ? { name: param.name, value: open ? open(String(param.value), "workflow") : secretMask } : param,
  );
}

/** The parameters that the definition of the node's task declares, in clear text or masked. @param open absent: the secrets are masked */
export function declaredValues({ task }: Pick<Secretive, "task">, open?: OpenSecret): AbstractParam[] {
  const declared = (task?.spec["params"] as AbstractParam[] | undefined) ?? [];
  if (!declared.some(isSecretParam)) return declared;
  const holder = task?.isGlobal ? "globaltask" : "task";
  return openParams(declared, (sealed) => (open ? open(sealed, holder) : secretMask));
}

/** Whether the node has secrets of its own. */
export function hasNodeSecrets({ params, task }: Secretive): boolean {
  return params.some(isSealed) || declaredValues({ task }).some(isSecretParam);
}

/** The secrets in clear text, to be masked in logs and results. */
export function nodeSecretTexts({ params, task }: Secretive, open: OpenSecret): string[] {
  const defaults = declaredValues({ task }, open).filter(isSecretParam);
  const texts = [...nodeValues(params.filter(isSealed), open), ...defaults.map((param) => ({ value: param.default ?? param.value }))];
  return texts.map(({ value }) => value).filter((value) => typeof value === "string");
}

/** Whether the value is a sealed secret. */
export function isSealed(param: RunParam): boolean {
  return param.hiddenValue === true;
}
