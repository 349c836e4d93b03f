import { labelLimits } from "@millrace/contract/schema.ts";
import type { ErrorDetail } from "../base/app-error.ts";

/** The labels of a thing after a change: added, or replaced by key; null removes one. */
export function mergeLabels(
  present: Readonly<Record<string, string>>,
  change: Readonly<Record<string, string | null>>,
): Record<string, string> {
  const merged = new Map<string, string | null>([...Object.entries(present), ...Object.entries(change)]);
  return Object.fromEntries([...merged].filter((entry): entry is [string, string] => entry[1] !== null));
}

/** What is wrong with the labels that a thing would have: each request is within the limits, many of them together may not be. */
export function labelFaults(merged: Readonly<Record<string, string>>): ErrorDetail[] {
  const count = Object.keys(merged).length;
  if (count <= labelLimits.count) return [];
  return [{ path: "/labels", message: `would be ${count} labels with those that are there; at most ${labelLimits.count} are possible` }];
}
