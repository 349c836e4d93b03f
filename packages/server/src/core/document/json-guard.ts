import { escapePointer } from "@millrace/contract/json-pointer.ts";
import type { ErrorDetail } from "../../base/error/app-error.ts";

/**
 * What PostgreSQL can't store as JSON or text, or would return changed: NUL, lone surrogates, values that are not JSON, and unbounded
 * nesting. Documents with any of it are refused (`checkJson`); output of processes is repaired (`cleanJson`, `cleanText`), since no one is
 * there to correct it.
 */

export const maxJsonDepth = 64;

/** The first problem, with its place as a JSON pointer; undefined if the value can be stored. */
export function checkJson(value: unknown, depth = 0): ErrorDetail | undefined {
  if (typeof value === "string") return checkText(value);
  if (typeof value === "number") return Number.isFinite(value) ? undefined : problem("is a number that JSON cannot write");
  if (typeof value === "boolean" || value === null) return undefined;
  if (typeof value !== "object") return problem(`is ${typeof value}, which is not a JSON value`);
  if (depth >= maxJsonDepth) return problem(`is nested deeper than ${maxJsonDepth} levels`);
  return Array.isArray(value) ? checkElements(value, depth) : checkMembers(value, depth);
}

function checkElements(list: readonly unknown[], depth: number): ErrorDetail | undefined {
  for (let index = 0; index < list.length; index += 1) {
    const found = checkJson(list[index], depth + 1);
    if (found) return inside(found, String(index));
  }
  return undefined;
}

function checkMembers(object: object, depth: number): ErrorDetail | undefined {
  for (const [name, child] of Object.entries(object)) {
    const found = checkText(name) ?? checkJson(child, depth + 1);
    if (found) return inside(found, name);
  }
  return undefined;
}

/** The pointer is built on the way back up, so that a valid value causes no work on strings. */
function inside(found: ErrorDetail, step: string): ErrorDetail {
  const token = escapePointer(cleanText(step.slice(0, 100)));
  return { path: `/${token}${found.path}`, message: found.message };
}

function problem(message: string): ErrorDetail {
  return { path: "", message };
}

function checkText(text: string): ErrorDetail | undefined {
  const found = textProblem(text);
  return found === undefined ? undefined : problem(found);
}

/** Why a text can't be stored, to follow its place; undefined: it can. */
export function textProblem(text: string): string | undefined {
  if (text.includes("\0")) return "contains a NUL character, which can't be stored";
  return isWellFormed(text) ? undefined : "contains half of a surrogate pair, which is not a character";
}

/** The same text with NUL replaced by its symbol (U+2400), and lone surrogates by the replacement character. */
export function cleanText(text: string): string {
  const wellFormed = isWellFormed(text) ? text : text.replaceAll(/\p{Surrogate}/gu, "\ufffd");
  return wellFormed.includes("\0") ? wellFormed.replaceAll("\0", "\u2400") : wellFormed;
}

/** The same value with all its texts and names cleaned; parts that can't be repaired (nested too deeply, not JSON) become null. */
export function cleanJson(value: unknown): unknown {
  return checkJson(value) === undefined ? value : repair(value, 0);
}

function repair(value: unknown, depth: number): unknown {
  if (typeof value === "string") return cleanText(value);
  if (value === null || typeof value !== "object") return checkJson(value) === undefined ? value : null;
  if (depth >= maxJsonDepth) return null;
  if (Array.isArray(value)) return Array.from(value, (element) => repair(element, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [cleanText(name), repair(child, depth + 1)]));
}

/** Every supported Node has this method, but the types for our target do not include it yet. */
function isWellFormed(text: string): boolean {
  return (text as string & { isWellFormed(): boolean }).isWellFormed();
}
