import { shorten } from "../../base/text/shorten.ts";
import type { PathStep } from "./references.ts";

export type PathEnd = { found: true; value: unknown } | { found: false; why: string };

/**
 * Follows a path into a value: own members and indexes only, nothing inherited. A text on the way is read as JSON.
 * @param parse parses JSON text to a value; undefined if it is not JSON
 */
export function followPath(value: unknown, path: readonly PathStep[], parse: (text: string) => unknown = parseJson): PathEnd {
  let current = value;
  for (const [index, step] of path.entries()) {
    if (typeof current === "string") current = parse(current);
    const child = childOf(current, step);
    if (child === undefined) return { found: false, why: `it has no ${describe(path.slice(0, index + 1))}` };
    current = child;
  }
  return { found: true, value: current };
}

function childOf(value: unknown, step: PathStep): unknown {
  if (value === null || typeof value !== "object") return undefined;
  if (Array.isArray(value)) return isIndex(step) ? value[Number(step)] : undefined;
  return Object.hasOwn(value, step) ? (value as Record<PathStep, unknown>)[step] : undefined;
}

function isIndex(step: PathStep): boolean {
  return typeof step === "number" || /^\d{1,9}$/.test(step);
}

function describe(path: readonly PathStep[]): string {
  const text = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`)).join("");
  return shorten(text, 100);
}

/** Parses JSON objects and lists only: other values have no parts that a path could select. */
export function parseJson(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
