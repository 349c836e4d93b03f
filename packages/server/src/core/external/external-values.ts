import type { AbstractParam } from "@millrace/contract/common.ts";
import { paramKind } from "@millrace/contract/common.ts";
import type { Masker } from "../../base/secret/mask.ts";
import type { NamedValue } from "../workflow/plan.ts";

/** The values that are sent to a program outside of the service, and those that it returns. */

/**
 * Parameters by name, in the types that the task declares. Forms and references give texts: `"3"` for a number becomes 3. A value that
 * can't be read as its type stays unchanged, and the program must report it.
 */
export function typedParams(declared: readonly AbstractParam[], params: readonly NamedValue[]): Record<string, unknown> {
  const types = new Map(declared.map(({ name, type }) => [name, type]));
  return Object.fromEntries(params.map(({ name, value }) => [name, typed(types.get(name), value)]));
}

function typed(type: string | undefined, value: unknown): unknown {
  if (typeof value !== "string") return value;
  const text = value.trim();
  if (type === "number") return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : value;
  if (type === "boolean") return text === "true" || text === "false" ? text === "true" : value;
  const kind = paramKind(type);
  return kind === "string" ? value : parsed(text, kind, value);
}

function parsed(text: string, kind: "array" | "object", otherwise: unknown): unknown {
  try {
    const found: unknown = JSON.parse(text);
    return isOfKind(found, kind) ? found : otherwise;
  } catch {
    return otherwise;
  }
}

function isOfKind(value: unknown, kind: "array" | "object"): boolean {
  return kind === "array" ? Array.isArray(value) : typeof value === "object" && value !== null && !Array.isArray(value);
}

/** For one result, in bytes of JSON. */
const maxResultBytes = 1024 * 1024;
/** Results that the task does not declare are stored, but only this many. */
const maxUndeclared = 100;

export interface ConcludedResults {
  results: { name: string; value: unknown }[];
  /** Why an attempt fails that would otherwise have succeeded. */
  problem?: { reason: string; message: string };
}

/** Results as they are stored: masked, within the limits, and of the types that the task declares. */
export function concludeResults(
  declared: readonly { name: string; type?: string }[],
  given: Readonly<Record<string, unknown>>,
  masker: Masker,
): ConcludedResults {
  const types = new Map(declared.map(({ name, type }) => [name, type]));
  const concluded: ConcludedResults = { results: [] };
  const fail = (reason: string, message: string) => {
    concluded.problem ??= { reason, message };
  };
  let undeclared = 0;
  for (const [original, value] of Object.entries(given)) {
    const name = types.has(original) ? original : masker.maskText(original);
    if (!types.has(original) && ++undeclared > maxUndeclared) {
      fail("InvalidTask", `it left more than ${maxUndeclared} results that the task does not declare`);
      break;
    }
    if (Buffer.byteLength(JSON.stringify(value)) > maxResultBytes) {
      fail("ResultTooLarge", `result "${name}" has more than ${maxResultBytes} bytes`);
      continue;
    }
    const problem = typeProblem(types.get(original), value);
    if (problem !== undefined) fail("InvalidTask", `result "${name}" ${problem}`);
    concluded.results.push({ name, value: masker.maskValue(value) });
  }
  return concluded;
}

/** A scalar is accepted as text, since it becomes text wherever it is inserted into one. */
function typeProblem(type: string | undefined, value: unknown): string | undefined {
  const isStructure = typeof value === "object" && value !== null;
  if (type === "string") return isStructure ? "is declared as string, but is a list or an object" : undefined;
  if (type !== "array" && type !== "object") return undefined;
  return isOfKind(value, type) ? undefined : `is declared as ${type}, but is ${value === null ? "null" : describe(value)}`;
}

function describe(value: unknown): string {
  return Array.isArray(value) ? "a list" : `of the type ${typeof value}`;
}
