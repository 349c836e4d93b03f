import { machineFaultOf } from "../base/error/machine-fault.ts";
import type { ExecutorKind } from "../core/task/tekton/runnable.ts";
import type { ContainerExecutorSettings } from "./container/settings.ts";
import type { KubernetesExecutorSettings } from "./kubernetes/settings.ts";
import { LateExecutor, type OpenExecutor } from "./open-executor.ts";
import { createProcessExecutor } from "./process/process-executor.ts";
import type { ProcessExecutorSettings } from "./process/settings.ts";

export interface ExecutorSettings {
  /** The executors for tasks here, in order of preference. */
  kinds: readonly ExecutorKind[];
  process: ProcessExecutorSettings;
  container: ContainerExecutorSettings;
  kubernetes: KubernetesExecutorSettings;
}

/**
 * Opens an executor. One that can't work now (no sandbox, no engine, no cluster) is not an error: `describe` reports that it is off, and it
 * may become available later. Code that needs a heavy library is only imported here, by `import()`.
 *
 * @throws StartError about settings that can never work
 */
type Opener = (settings: ExecutorSettings) => Promise<OpenExecutor>;

/** All kinds of executors, one line for each. */
const openers: Readonly<Record<ExecutorKind, Opener>> = {
  process: ({ process }) => createProcessExecutor(process),
  container: async ({ container }) => (await import("./container/container-executor.ts")).createContainerExecutor(container),
  kubernetes: async ({ kubernetes }) => (await import("./kubernetes/kubernetes-executor.ts")).createKubernetesExecutor(kubernetes),
};

/** A fault of the machine must not prevent the rest of the process from starting. */
async function openNowOrLater(kind: ExecutorKind, settings: ExecutorSettings): Promise<OpenExecutor> {
  try {
    return await openers[kind](settings);
  } catch (error) {
    if (!machineFaultOf(error)) throw error;
    return new LateExecutor(kind, () => openers[kind](settings), error, settings[kind].log);
  }
}

/** The executors of this process, in the order of `kinds`. */
export async function openExecutors(settings: ExecutorSettings): Promise<OpenExecutor[]> {
  const executors: OpenExecutor[] = [];
  try {
    for (const kind of settings.kinds) executors.push(await openNowOrLater(kind, settings));
    return executors;
  } catch (error) {
    await closeExecutors(executors);
    throw error;
  }
}

export async function closeExecutors(executors: readonly OpenExecutor[]): Promise<void> {
  await Promise.all(executors.map((executor) => executor.close()));
}
