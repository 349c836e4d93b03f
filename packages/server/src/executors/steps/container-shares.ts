import type { Job } from "../../engine/executor.ts";

/**
 * Sidecars run while a step runs, and all of them together get no more than the limits of a task: memory and processes are divided among
 * them, and so is the limit of the log.
 */
export interface ContainerShares {
  steps: Job["limits"];
  /** In the order of the sidecars. */
  sidecars: Job["limits"][];
}

/**
 * A sidecar gets the memory that it names as its limit, otherwise an equal share of all that run at the same time. All of them together
 * leave at least as much for the steps. Half of the output is for the steps.
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
