import { labelLimits } from "@millrace/contract/schema.ts";
import type { ErrorDetail } from "../../base/error/app-error.ts";

/**
 * Labels (or annotations) after a write, which is merged as in JSON Merge Patch (RFC 7396): keys are added or replaced, and null removes
 * one.
 */
export function mergeLabels<Value = string>(
  present: Readonly<Record<string, Value>>,
  change: Readonly<Record<string, Value | null>>,
): Record<string, Value> {
  const merged = new Map<string, Value | null>([...Object.entries(present), ...Object.entries(change)]);
  return Object.fromEntries([...merged].filter((entry): entry is [string, Value] => entry[1] !== null));
}

/** Problems with the labels after a merge: each request is within the limits, but several of them together may not be. */
export function labelFaults(merged: Readonly<Record<string, string>>): ErrorDetail[] {
  const count = Object.keys(merged).length;
  if (count <= labelLimits.count) return [];
  return [{ path: "/labels", message: `would result in ${count} labels; at most ${labelLimits.count} are allowed` }];
}
