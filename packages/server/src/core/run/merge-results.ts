import type { RunResult } from "./run-state.ts";

/** The newest value of a name wins; the order of first appearance stays. */
export function mergeByName(results: readonly RunResult[], more: readonly RunResult[]): RunResult[] {
  const merged = new Map(results.map((result) => [result.name, result]));
  for (const result of more) merged.set(result.name, { ...merged.get(result.name), ...result });
  return [...merged.values()];
}
