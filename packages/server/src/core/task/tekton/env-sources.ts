import type { Step } from "@millrace/contract/task.ts";
import type { ErrorDetail } from "../../../base/error/app-error.ts";

/**
 * Where a step takes environment variables from, as in Kubernetes: `env[].valueFrom.secretKeyRef` and `configMapKeyRef`, and `envFrom` with
 * `secretRef` and `configMapRef`. A Secret is a parameter of the team (or of the instance) of type `secret`, a ConfigMap any other parameter
 * whose value is an object. What they hold is put in as it is: it is never looked at for references.
 */
export type EnvKind = "secret" | "config";

export interface EnvSource {
  kind: EnvKind;
  name: string;
  /** Absent: all keys. */
  key?: string;
  isOptional: boolean;
}

/** @returns the keys and texts of that name, undefined if there is none */
export type FindSource = (kind: EnvKind, name: string) => Readonly<Record<string, unknown>> | undefined;

/** A source that the task names does not exist. The message names it and says how to make it. */
export class MissingSource extends Error {
  readonly reason = "SecretMissing";
}

const members: Readonly<Record<string, EnvKind>> = {
  secretKeyRef: "secret",
  configMapKeyRef: "config",
  secretRef: "secret",
  configMapRef: "config",
};

/** What of a variable or of `envFrom` no executor of ours has: the fields of a pod. */
export function foreignSource(valueFrom: unknown): string | undefined {
  return Object.keys((valueFrom ?? {}) as object).find((member) => !(member in members));
}

/** What makes the sources of a step unreadable. */
export function envSourceFaults({ env, envFrom }: Step, path: string): ErrorDetail[] {
  const variables = (env ?? []).flatMap(({ name, value, valueFrom }, index) => {
    if (valueFrom == null || foreignSource(valueFrom) !== undefined) return [];
    const at = `${path}/env/${index}`;
    if (value) return [{ path: at, message: `has both value and valueFrom for ${name}; it can have one of them` }];
    const source = readSource(valueFrom);
    if (source?.key !== undefined) return [];
    return [{ path: `${at}/valueFrom`, message: "must be secretKeyRef or configMapKeyRef, with name and key as texts" }];
  });
  if (envFrom == null) return variables;
  if (!Array.isArray(envFrom)) return [...variables, { path: `${path}/envFrom`, message: "must be a list of secretRef and configMapRef" }];
  const wholes = envFrom.flatMap((entry: unknown, index) => {
    const source = readSource(entry);
    if (source !== undefined && source.key === undefined) return [];
    return [{ path: `${path}/envFrom/${index}`, message: "must have secretRef or configMapRef, with name as text" }];
  });
  return [...variables, ...wholes];
}

function readSource(entry: unknown): EnvSource | undefined {
  const found = Object.entries((entry ?? {}) as Record<string, unknown>).filter(([member]) => member in members);
  const [member, ref] = found[0] ?? [];
  if (found.length !== 1 || member === undefined || typeof ref !== "object" || ref === null) return undefined;
  const { name, key, optional } = ref as Record<string, unknown>;
  if (typeof name !== "string" || name === "") return undefined;
  const isOfKey = member.endsWith("KeyRef");
  if (isOfKey && (typeof key !== "string" || key === "")) return undefined;
  return { kind: members[member] as EnvKind, name, isOptional: optional === true, ...(isOfKey && { key: key as string }) };
}

/**
 * The environment of a step with what its sources hold. Later ones win, and `env` wins over `envFrom`.
 * @param values of `env` by their places, references replaced
 * @param text replaces references in names of sources and keys
 * @throws MissingSource
 */
export function sourcedEnvironment(
  { env = [], envFrom }: Step,
  values: readonly string[],
  text: (text: string) => string,
  find: FindSource,
): { name: string; value: string }[] {
  const named = (source: EnvSource): EnvSource => ({
    ...source,
    name: text(source.name),
    ...(source.key !== undefined && { key: text(source.key) }),
  });
  const variables = new Map<string, string>();
  for (const entry of Array.isArray(envFrom) ? envFrom : []) {
    const source = readSource(entry);
    if (source === undefined) continue;
    const prefix = (entry as { prefix?: unknown }).prefix;
    const texts = textsOf(named(source), find);
    for (const [key, value] of Object.entries(texts)) variables.set(`${typeof prefix === "string" ? prefix : ""}${key}`, value);
  }
  for (const [index, { name, valueFrom }] of env.entries()) {
    const source = valueFrom == null ? undefined : readSource(valueFrom);
    const value = source === undefined ? values[index] : textsOf(named(source), find)[source.key === undefined ? "" : text(source.key)];
    variables.delete(name);
    if (value !== undefined) variables.set(name, value);
  }
  return [...variables].map(([name, value]) => ({ name, value }));
}

function textsOf(source: EnvSource, find: FindSource): Record<string, string> {
  const { kind, name, key, isOptional } = source;
  const found = find(kind, name);
  const isThere = found !== undefined && (key === undefined || Object.hasOwn(found, key));
  if (!isThere && !isOptional) throw new MissingSource(describeMissing(source, found !== undefined));
  return Object.fromEntries(Object.entries(found ?? {}).map(([one, value]) => [one, asText(value)]));
}

function describeMissing({ kind, name, key }: EnvSource, isSourceThere: boolean): string {
  const what = kind === "secret" ? "secret" : "ConfigMap";
  if (isSourceThere) return `the ${what} ${name} has no key ${key}; add the key to the parameter ${name} of the team`;
  const type = kind === "secret" ? "of type secret" : "of type json, with an object as its value";
  return `there is no ${what} ${name}; add a parameter ${name} ${type} to the team`;
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
