import type { RunResult } from "./run-state.ts";

/** For each name, the newest value wins; names stay in the order of their first appearance. */
export function mergeByName(results: readonly RunResult[], more: readonly RunResult[]): RunResult[] {
  const merged = new Map(results.map((result) => [result.name, result]));
  for (const result of more) merged.set(result.name, { ...merged.get(result.name), ...result });
  return [...merged.values()];
}
