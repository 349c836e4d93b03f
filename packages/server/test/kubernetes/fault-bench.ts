import { afterEach, beforeAll } from "vitest";
import type { Job, JobOutcome } from "../../src/engine/executor.ts";
import { type Finished, makeJob, run } from "../../src/executors/exercise/scenario.ts";
import type { KubernetesExecutor } from "../../src/executors/kubernetes/kubernetes-executor.ts";
import type { KubernetesExecutorSettings } from "../../src/executors/kubernetes/settings.ts";
import { type ExecutorSpace, executorSpace, helperImage } from "./executor-bench.ts";

export const failure = (reason: JobOutcome["reason"]) => ({ status: "failed", reason });

/** A task that prints that it runs, and then runs for longer than any test. */
export const readyJob = (more: Partial<Job> = {}) => makeJob("echo ready; sleep 1000", more);

/** Steps run in the helper's image, which contains everything that these need. */
function adapt(job: Job): Job {
  return { ...job, steps: job.steps.map((step) => ({ image: helperImage, pullPolicy: "Never" as const, ...step })) };
}

/** For a file of tests: a namespace of its own, and executors that end with each test. Called at the top level. */
export function faultBench() {
  let space: ExecutorSpace;
  beforeAll(async () => {
    space = await executorSpace();
    return space.remove;
  });

  const opened: KubernetesExecutor[] = [];
  afterEach(async () => {
    for (const executor of opened.splice(0)) await executor.close();
  });

  /** An executor for this test, as a bench of the conformance suite. */
  async function open(more: Partial<KubernetesExecutorSettings> = {}) {
    const executor = await space.open(more);
    opened.push(executor);
    const none = { files: false, ownMounts: false, loopback: false, network: false, processes: false, memory: false, processCount: false };
    const promises = { ...none, programs: false, workspaceSizes: false, scratchSizes: true, openFiles: true, endsOnShutdown: false };
    return { executor, adapt, promises, privateDir: "", environmentText: "", workspacesDir: "", leftovers: space.leftovers };
  }

  return {
    space: () => space,
    open,
    async runOnce(job: Job, more: Partial<KubernetesExecutorSettings> = {}): Promise<Finished> {
      return run(await open(more), job);
    },
    async podOf(job: Job): Promise<string> {
      const labelSelector = `dev.millrace/task-run=${job.taskRunId}`;
      const { items } = await space.core.listNamespacedPod({ namespace: space.namespace, labelSelector });
      return items[0]!.metadata!.name!;
    },
  };
}
