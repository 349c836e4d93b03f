import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exerciseExecutor } from "../../src/executors/exercise-executor.ts";
import { executorSpace, inTestImage } from "./executor-bench.ts";

/**
 * The conformance suite in a real cluster, with exactly the permissions that the manifest gives. Its scenarios wait for pods most of the
 * time, so they are divided between two files.
 */
export function exerciseCluster(at: 0 | 1): void {
  exerciseExecutor({ name: "kubernetes", share: { of: 2, at }, create });
}

async function create() {
  const space = await executorSpace();
  const folder = await mkdtemp(join(tmpdir(), "millrace-exercise-"));
  const [privateDir, workspacesDir] = [join(folder, "data"), join(folder, "workspaces")];
  await Promise.all([mkdir(privateDir), mkdir(workspacesDir)]);
  const executor = await space.open();
  return {
    executor,
    privateDir,
    workspacesDir,
    environmentText: "VITEST_POOL_ID",
    // The network of the test cluster does not implement policies, and limiting the number of processes is up to the node's agent.
    promises: {
      files: true,
      network: false,
      processes: true,
      memory: true,
      processCount: false,
      programs: false,
      sidecars: true,
      workspaceSizes: false,
      scratchSizes: true,
      openFiles: true,
      endsOnShutdown: false,
      loopback: false,
      ownMounts: false,
    },
    adapt: inTestImage,
    async leftovers() {
      await executor.settle();
      return space.leftovers();
    },
    async close() {
      await executor.close();
      await rm(folder, { recursive: true, force: true });
      await space.remove();
    },
  };
}
