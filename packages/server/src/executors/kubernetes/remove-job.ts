import { setTimeout as pause } from "node:timers/promises";
import type { V1Job } from "@kubernetes/client-node";
import { type ClusterProblem, clusterProblem, isPassing } from "./cluster-problem.ts";
import { ownerAnnotation } from "./object-names.ts";
import type { Runtime } from "./runtime.ts";

const tries = 6;
const firstPauseMs = 250;
const longestPauseMs = 10_000;

/**
 * Removes a Job with its pod and Secrets, if it is still ours: another worker may have taken it over, and must not lose it. Safe to call
 * twice.
 * @param isLasting keeps trying as long as this process runs, since a cluster may be unreachable for minutes while the Job continues
 * @throws Error if the cluster can't be reached for some seconds
 */
export async function removeJob(
  runtime: Runtime,
  name: string,
  owners: readonly (string | undefined)[],
  { isLasting = false } = {},
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const problem = await tryToRemove(runtime, name, owners).then(
      () => undefined,
      (error: unknown) => clusterProblem(error),
    );
    if (problem === undefined || problem.code === 404) return;
    // An API server that has just started refuses calls that it allows a moment later: it has not loaded its roles yet.
    const isGivenUp = isLasting ? attempt >= tries && runtime.closing.aborted : attempt >= tries || !isPassingHere(problem);
    if (isGivenUp) throw new Error(`the Job ${name} can't be removed: ${problem.message}`);
    if (attempt === tries) runtime.settings.log.warn({ problem: problem.message }, `the Job ${name} can't be removed yet; trying again`);
    const pauseMs = Math.min(firstPauseMs * 2 ** (attempt - 1), longestPauseMs);
    await pause(pauseMs, undefined, attempt < tries ? {} : { signal: runtime.closing }).catch(() => undefined);
  }
}

/** 409: the status of the Job changed in the meantime, and maybe its owner. */
function isPassingHere(problem: ClusterProblem): boolean {
  return isPassing(problem) || problem.code === 409;
}

async function tryToRemove(
  { cluster: { batch, namespace } }: Runtime,
  name: string,
  owners: readonly (string | undefined)[],
): Promise<void> {
  const job = await batch.readNamespacedJob({ name, namespace });
  if (!owners.includes(ownerOf(job))) return;
  await deleteJob(batch, namespace, job);
}

export function ownerOf(job: V1Job): string | undefined {
  return job.metadata?.annotations?.[ownerAnnotation];
}

/** Only in this state: if another process changed the Job first, the change counts. */
async function deleteJob(batch: Runtime["cluster"]["batch"], namespace: string, { metadata }: V1Job): Promise<void> {
  const preconditions = {
    ...(metadata?.uid && { uid: metadata.uid }),
    ...(metadata?.resourceVersion && { resourceVersion: metadata.resourceVersion }),
  };
  const body = { propagationPolicy: "Background", preconditions };
  await batch.deleteNamespacedJob({ name: metadata?.name ?? "", namespace, propagationPolicy: "Background", body });
}
