import type { Step } from "@millrace/contract/task/task.ts";
import type { ErrorDetail } from "../../../base/error/app-error.ts";
import type { StepTexts, TextsOf } from "./step-action/step-action.ts";
import type { StepText } from "./step-values.ts";

/**
 * Sources of a step's environment variables, as in Kubernetes: `env[].valueFrom.secretKeyRef` and `configMapKeyRef`, and `envFrom` with
 * `secretRef` and `configMapRef`. A Secret is a parameter of the team (or of the instance) of type `secret`; a ConfigMap is any other
 * parameter whose value is an object. Their contents are inserted unchanged: references in them are never resolved.
 */
export type EnvKind = "secret" | "config";

export interface EnvSource {
  kind: EnvKind;
  name: string;
  /** Absent: all keys. */
  key?: string;
  isOptional: boolean;
}

/** @returns the keys and texts of that name; undefined if it does not exist */
export type FindSource = (kind: EnvKind, name: string) => Readonly<Record<string, unknown>> | undefined;

type Texts = Readonly<Record<string, string>>;
export type FindTexts = (kind: EnvKind, name: string) => Texts | undefined;

/** Reads each source once: thousands of variables may name the same one, and it may be a large text of JSON. */
export function textFinder(find: FindSource): FindTexts {
  const known = new Map<string, Texts | undefined>();
  return (kind, name) => {
    const place = `${kind} ${name}`;
    if (!known.has(place)) known.set(place, textsOf(find(kind, name)));
    return known.get(place);
  };
}

function textsOf(found: Readonly<Record<string, unknown>> | undefined): Texts | undefined {
  return found && Object.fromEntries(Object.entries(found).map(([key, value]) => [key, asText(value)]));
}

/** More sources would cost time, and would not fit into an environment anyway. */
const maxSources = 100;
const maxVariables = 2_000;

/** A source that the task names does not exist or is too large. The message names it and the remedy. */
export class MissingSource extends Error {
  readonly reason = "SecretMissing";
}

const members: Readonly<Record<string, EnvKind>> = {
  secretKeyRef: "secret",
  configMapKeyRef: "config",
  secretRef: "secret",
  configMapRef: "config",
};

/** The source of a variable or of `envFrom` that no executor supports: the fields of a pod. */
export function foreignSource(valueFrom: unknown): string | undefined {
  return Object.keys((valueFrom ?? {}) as object).find((member) => !Object.hasOwn(members, member));
}

/** Problems because of which the sources of a step can't be read. */
export function envSourceFaults({ env, envFrom }: Step, path: string): ErrorDetail[] {
  const variables = (env ?? []).flatMap(({ name, value, valueFrom }, index) => {
    if (valueFrom == null || foreignSource(valueFrom) !== undefined) return [];
    const at = `${path}/env/${index}`;
    if (value) return [{ path: at, message: `has both value and valueFrom for ${name}; it can have one of them` }];
    const source = readSource(valueFrom);
    if (source?.key !== undefined) return [];
    return [
      {
        path: `${at}/valueFrom`,
        message: "must be secretKeyRef or configMapKeyRef, with name and key as texts; optional is true or false",
      },
    ];
  });
  if (envFrom == null) return variables;
  if (!Array.isArray(envFrom)) return [...variables, { path: `${path}/envFrom`, message: "must be a list of secretRef and configMapRef" }];
  if (envFrom.length > maxSources)
    return [...variables, { path: `${path}/envFrom`, message: `has ${envFrom.length} entries; it can have at most ${maxSources}` }];
  const wholes = envFrom.flatMap((entry: unknown, index) => {
    const source = readSource(entry);
    const at = `${path}/envFrom/${index}`;
    if (source === undefined || source.key !== undefined)
      return [{ path: at, message: "must have secretRef or configMapRef, with name as text; optional is true or false" }];
    const prefix = prefixOf(entry);
    const isPrefix = prefix == null || (typeof prefix === "string" && /^[^=\0]*$/.test(prefix));
    return isPrefix ? [] : [{ path: `${at}/prefix`, message: "must be text without =, a prefix for names of variables" }];
  });
  return [...variables, ...wholes];
}

function prefixOf(entry: unknown): unknown {
  return (entry as { prefix?: unknown }).prefix;
}

function readSource(entry: unknown): EnvSource | undefined {
  const found = Object.entries((entry ?? {}) as Record<string, unknown>).filter(([member]) => Object.hasOwn(members, member));
  const [member, ref] = found[0] ?? [];
  if (found.length !== 1 || member === undefined || typeof ref !== "object" || ref === null) return undefined;
  const { name, key, optional } = ref as Record<string, unknown>;
  if (typeof name !== "string" || name === "") return undefined;
  const isOfKey = member.endsWith("KeyRef");
  if (isOfKey && (typeof key !== "string" || key === "")) return undefined;
  if (optional != null && typeof optional !== "boolean") return undefined;
  return { kind: members[member] as EnvKind, name, isOptional: optional === true, ...(isOfKey && { key: key as string }) };
}

/**
 * The environment of a step, including the contents of its sources. Later variables override earlier ones, and `env` overrides `envFrom`.
 * @param values of `env` by index, references replaced
 * @param texts replace references in names of sources and keys
 * @throws MissingSource
 */
export function sourcedEnvironment(
  { env = [], envFrom }: Step,
  values: readonly StepText[],
  texts: TextsOf,
  find: FindTexts,
): { name: string; value: StepText }[] {
  const named = (source: EnvSource, { text }: StepTexts): EnvSource => ({
    ...source,
    name: text(source.name),
    ...(source.key !== undefined && { key: text(source.key) }),
  });
  const variables = new Map<string, StepText>();
  for (const entry of Array.isArray(envFrom) ? envFrom : []) {
    const written = readSource(entry);
    if (written === undefined) continue;
    const source = named(written, texts("task"));
    const prefix = prefixOf(entry);
    const keys = Object.entries(keysFor(source, find));
    if (variables.size + keys.length > maxVariables) throw new MissingSource(describeTooMany(source));
    for (const [key, value] of keys) variables.set(`${typeof prefix === "string" ? prefix : ""}${key}`, value);
  }
  for (const [index, entry] of env.entries()) {
    const { name, valueFrom } = entry;
    const source = valueFrom == null ? undefined : readSource(valueFrom);
    const value = source === undefined ? values[index] : textOf(named(source, texts("env", entry)), find);
    if (value === undefined) continue;
    variables.delete(name);
    variables.set(name, value);
  }
  return [...variables].map(([name, value]) => ({ name, value }));
}

/** Undefined: it is optional and does not exist. */
function textOf(source: EnvSource, find: FindTexts): string | undefined {
  const keys = keysFor(source, find);
  const { key = "" } = source;
  return Object.hasOwn(keys, key) ? keys[key] : undefined;
}

function keysFor(source: EnvSource, find: FindTexts): Texts {
  const { kind, name, key, isOptional } = source;
  const found = find(kind, name);
  const isThere = found !== undefined && (key === undefined || Object.hasOwn(found, key));
  if (!isThere && !isOptional) throw new MissingSource(describeMissing(source, found !== undefined));
  return found ?? {};
}

function describeTooMany({ name }: EnvSource): string {
  return `with ${name} envFrom gives more than ${maxVariables} variables; name the keys with valueFrom`;
}

/** Describes a source that a step or a volume names but that does not exist, with the remedy. */
export function describeMissing({ kind, name, key }: Omit<EnvSource, "isOptional">, isSourceThere: boolean): string {
  const what = kind === "secret" ? "secret" : "ConfigMap";
  if (isSourceThere) return `the ${what} ${name} has no key ${key}; add the key to the parameter ${name} of the team`;
  const type = kind === "secret" ? "of type secret" : "of type json, with an object as its value";
  return `there is no ${what} ${name}; add a parameter ${name} ${type} to the team`;
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
