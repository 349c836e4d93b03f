import type { JobStep } from "../core/tekton/job-steps.ts";

/**
 * The contract between the engine and what runs a task's steps (process, container, Kubernetes).
 * An executor reports; it never writes to the database. One conformance suite, `executors/exercise-executor.ts`,
 * holds for all of them.
 */

/** A folder shared with other task runs: kept per workflow, or per run. */
export interface JobWorkspace {
  name: string;
  /** Absolute folder on this machine that backs it (process executor); created when missing. */
  source: string;
  /** Where the steps see it. */
  mountPath: string;
  readOnly: boolean;
  sizeLimitBytes: number;
}

export interface Job {
  teamId: string;
  runId: string;
  taskRunId: string;
  attempt: number;
  name: string;
  steps: JobStep[];
  /** Resolved parameters, secrets in clear: for the steps only. `PARAM_<NAME>` and a file each. */
  params: { name: string; value: unknown }[];
  /** Declared results; `$(results.NAME.path)` is a file for each. */
  results: { name: string; type?: "string" | "array" | "object" }[];
  /** Secret values to mask in every line of output and every result. */
  secrets: string[];
  workspaces: JobWorkspace[];
  /** `none`: no network at all (the default); `host`: the network of the machine. */
  network: "none" | "host";
  limits: { memoryBytes: number; processes: number; outputBytes: number; resultBytes: number };
  /** Time left until the deadline of the attempt, in ms, from the moment of the call. */
  timeoutMs: number;
  debug: boolean;
}

/** One line of output. `at` is epoch milliseconds of this machine. */
export interface LogLine {
  at: number;
  step: string;
  stream: "stdout" | "stderr" | "system";
  text: string;
}

export type JobReason =
  | "Succeeded"
  | "ExitCode"
  | "Signal"
  | "OutOfMemory"
  | "DeadlineExceeded"
  | "Cancelled"
  | "CommandNotFound"
  | "ImageRequired"
  | "ResultTooLarge"
  | "WorkspaceFull"
  | "OutputLimit"
  | "InvalidTask"
  | "SandboxUnavailable"
  | "ExecutorError";

export interface JobOutcome {
  status: "succeeded" | "failed" | "invalid" | "cancelled" | "timedout";
  reason: JobReason;
  /** For people: says the exit code or signal and the step, and the remedy where there is one. */
  message: string;
  exitCode?: number;
  signal?: string;
  /** Kept on failure too. */
  results: { name: string; value: unknown }[];
  /** What held it, for example `bubblewrap`, `own-uid`, `none`. */
  isolation: string;
  host: string;
}

export interface JobHandle {
  /** Never rejects: what goes wrong is an outcome. */
  readonly done: Promise<JobOutcome>;
  /** Asks the job to end: TERM to its whole group, after the grace period KILL. Safe to call twice. */
  stop(why: "cancelled" | "timedout" | "shutdown", graceMs: number): void;
}

export interface Executor {
  readonly kind: "process" | "container" | "kubernetes";
  /** One line for the start-up message and /health: how it isolates, or why it is off. */
  describe(): { available: boolean; isolation: string; detail: string };
  /**
   * What a reference like `$(results.NAME.path)` stands for in this job, by its words; undefined: unknown here, it stays as it is.
   * Known before the job starts, so that places are put in while parameters are resolved, and never into text from outside.
   */
  place(job: Pick<Job, "teamId" | "runId" | "taskRunId" | "attempt" | "name" | "workspaces">, words: readonly string[]): string | undefined;
  /** `onLine` is called in order; it must not throw. */
  start(job: Job, onLine: (line: LogLine) => void): JobHandle;
}
