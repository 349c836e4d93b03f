import type { Job } from "../../engine/executor.ts";

/**
 * Sidecars run while a step runs, and all of them together have no more than what a task may have: memory and processes are shared out, so is what
 * may be written to the log.
 */
export interface ContainerShares {
  steps: Job["limits"];
  /** In their order. */
  sidecars: Job["limits"][];
}

/**
 * A sidecar has the memory that it names as its limit, else as much as each of those that run at once would have. All of them together leave
 * the steps at least as much. Half of the output is for the steps.
 */
export function containerShares({ limits, sidecars = [] }: Pick<Job, "limits" | "sidecars">): ContainerShares {
  if (sidecars.length === 0) return { steps: limits, sidecars: [] };
  const atOnce = sidecars.length + 1;
  const equal = Math.floor(limits.memoryBytes / atOnce);
  const wanted = sidecars.map(({ resources }) => Math.min(resources?.limits?.memoryBytes ?? equal, limits.memoryBytes));
  const together = wanted.reduce((sum, bytes) => sum + bytes, 0);
  const shrink = Math.min(1, (equal * sidecars.length) / together);
  const memory = wanted.map((bytes) => Math.floor(bytes * shrink));
  const processes = Math.max(1, Math.floor(limits.processes / atOnce));
  const outputBytes = Math.floor(limits.outputBytes / 2);
  const ofSidecar = Math.floor(outputBytes / sidecars.length);
  return {
    steps: { ...limits, processes, outputBytes, memoryBytes: limits.memoryBytes - memory.reduce((sum, bytes) => sum + bytes, 0) },
    sidecars: memory.map((memoryBytes) => ({ ...limits, processes, outputBytes: ofSidecar, memoryBytes })),
  };
}
