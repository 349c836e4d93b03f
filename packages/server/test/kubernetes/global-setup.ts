import type { TestProject } from "vitest/node";
import { isRequiredTier } from "../kit/suite/test-tier.ts";
import { startCluster } from "../kit/worker/kubernetes-cluster.ts";
import type { ClusterPlan } from "./control-plane.ts";

declare module "vitest" {
  export interface ProvidedContext {
    kubernetes: ClusterPlan;
  }
}

/** One cluster for all files of the run. If there can't be one, no file runs, and the reason is reported. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const startedAt = performance.now();
  const cluster = await startCluster();
  if ("why" in cluster) {
    if (isRequiredTier("kubernetes")) throw new Error(cluster.why);
    console.log(`SKIPPED: ${cluster.why}`);
    // The runner has no way to succeed without having run anything.
    process.exit(0);
  }
  console.log(`a cluster is ready after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  project.provide("kubernetes", cluster.plan);
  return () => cluster.close();
}
