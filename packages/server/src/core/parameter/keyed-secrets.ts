import type { AbstractParam } from "@millrace/contract/common.ts";
import { sealedTextFault } from "./secret-text.ts";

/**
 * Secrets with several keys: parameters of type `secret`, whose value is a map of texts, like a Secret in Kubernetes. Each text is sealed
 * separately, so the keys can be shown. A write that leaves the text of a key empty keeps the stored text; a key that it does not name is
 * removed. Only teams and the instance can have them: people fill in the parameters of workflows and tasks in forms, which have no field
 * for a map.
 */

export type SecretKeys = Readonly<Record<string, unknown>>;

const maxKeys = 1_000;
const maxTogether = 1_048_576;

export function isKeyedSecret(param: Pick<AbstractParam, "type">): boolean {
  return param.type?.toLowerCase() === "secret";
}

export function keysOf(value: unknown): SecretKeys | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as SecretKeys) : undefined;
}

/** Own members only, so that a key can't find inherited ones. */
export function ownText(keys: SecretKeys | undefined, key: string): unknown {
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
  return together > maxTogether ? `has ${together} characters; together the texts can have at most ${maxTogether}` : undefined;
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? "a list" : value === null ? "null" : typeof value;
}
