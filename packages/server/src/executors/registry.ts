import type { Executor } from "../engine/executor.ts";
import { createProcessExecutor } from "./process/process-executor.ts";
import type { ProcessExecutorSettings } from "./process/settings.ts";

export interface ExecutorSettings {
  process: ProcessExecutorSettings;
}

export type OpenExecutor = Executor & {
  /** From now on nothing may run without a sandbox: the service turned out to be open to others. */
  forbidUnsandboxed(): void;
  /** Ends it, when no job runs any more. */
  close(): Promise<void>;
};

/** Every executor of this process, by kind; one line for each. */
export async function openExecutors(settings: ExecutorSettings): Promise<OpenExecutor[]> {
  return [await createProcessExecutor(settings.process)];
}
