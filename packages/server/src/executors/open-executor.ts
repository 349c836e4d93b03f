import type { Executor } from "../engine/executor.ts";

/** An executor of this process, with what only who opened it asks of it. */
export type OpenExecutor = Executor & {
  /**
   * From now on nothing runs that was allowed for one person only: the service turned out to be open to others. Absent: nothing ever does.
   */
  forbidUnsandboxed?(): void;
  /** What is allowed only for one person, as a sentence. */
  onePersonNotice?(): string | undefined;
  /** Ends it, when no job runs any more. */
  close(): Promise<void>;
};
