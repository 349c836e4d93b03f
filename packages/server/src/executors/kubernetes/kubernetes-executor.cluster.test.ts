import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { executorSpace, inTestImage } from "../../../test/kubernetes/executor-bench.ts";
import { exerciseExecutor } from "../exercise-executor.ts";

/** The conformance suite in a real cluster, with the rights that the manifest gives and no others. */
exerciseExecutor({
  name: "kubernetes",
  async create() {
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
      // The network of the test cluster knows no policies, and the number of processes is for the node's agent to limit.
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
  },
});
