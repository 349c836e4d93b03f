import type { MachineFault } from "../base/error/machine-fault.ts";
import type { LineBlock } from "../core/log/log-line.ts";
import type { Lineage } from "../core/run/lineage.ts";
import type { TaskNetwork } from "../core/task/task-network.ts";
import type { JobStep } from "../core/task/tekton/job-steps.ts";
import type { ExecutorKind } from "../core/task/tekton/runnable.ts";
import type { JobSidecar } from "../core/task/tekton/sidecars/job-sidecars.ts";
import type { JobVolume } from "../core/task/tekton/volumes/volume-mounts.ts";

/**
 * The contract between the engine and what runs a task's steps (process, container, Kubernetes).
 * An executor reports; it never writes to the database. One conformance suite, `executors/exercise-executor.ts`,
 * holds for all of them.
 */

/** A folder shared with other task runs: kept per workflow, or per run. */
export interface JobWorkspace {
  name: string;
  /** What keeps it: a workflow across its runs, or one run. With the team and `ownerId` it names the workspace everywhere. */
  scope: "workflow" | "workflowrun";
  /** Id of the workflow or the run. */
  ownerId: string;
  /** Absolute folder on this machine that backs it (process and container executor); created when missing. */
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
  /**
   * So many attempts right before this one were lost with their worker, and what they were may still be running: an executor that
   * outlives its worker takes up the work of the newest of them instead of beginning again. Work of any other attempt is removed.
   */
  lostAttempts: number;
  name: string;
  steps: JobStep[];
  /** They begin before the first step and are ended after the last one; absent: none. */
  sidecars?: JobSidecar[];
  /** Resolved parameters, secrets in clear: for the steps only. `PARAM_<NAME>` and a file each. */
  params: { name: string; value: unknown }[];
  /** Declared results; `$(results.NAME.path)` is a file for each. */
  results: { name: string; type?: "string" | "array" | "object" /** Of another name, in the same folder. */; file?: string }[];
  /** Secret values to mask in every line of output and every result. */
  secrets: string[];
  workspaces: JobWorkspace[];
  /** What its steps mount besides: gone with the attempt. Absent: none. */
  volumes?: JobVolume[];
  /** What its steps reach; core/task/task-network.ts says what each word means. */
  network: TaskNetwork;
  limits: { memoryBytes: number; processes: number; outputBytes: number; resultBytes: number };
  /** Time left until the deadline of the attempt, in ms, from the moment of the call. */
  timeoutMs: number;
  debug: boolean;
  /** Its one step is a function whose sandbox may serve further jobs of the same definition and team; absent: each has a fresh one. */
  keep?: KeptJob;
  /** The workflows that led to it, its own at the end: what the step starts is to say so. */
  lineage?: Lineage;
  /** What its steps name as the parent of their own spans (W3C Trace Context); absent: there is no trace. */
  traceparent?: string | undefined;
  /** What the cluster's scheduler is to know (Kubernetes only). */
  scheduling?: { nodeSelector?: Record<string, string> };
}

export interface KeptJob {
  /** Version of the task. */
  definition: string;
  /** Also when it is given a secret. */
  withSecrets: boolean;
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
  /** The image is not there, its digest is another, or the registry refuses to give it. */
  | "ImagePullFailed"
  /** No node of the cluster took it within the time that it may wait. */
  | "Unschedulable"
  /** A quota of the cluster's namespace kept it out for the time that it may wait. */
  | "QuotaExceeded"
  /** The cluster took its place away: pressure on the node, pre-emption, a drain. */
  | "Evicted"
  /** The machine or node on which it ran is gone. */
  | "NodeLost"
  /** The container engine or the cluster could not be reached for longer than it may be away, or forgot the task. */
  | "ExecutorUnavailable"
  | "SandboxUnavailable"
  /** A sidecar was not ready in time, or ended with an error before the first step. */
  | "SidecarFailed"
  /** The machine has no room, no files, no processes to give, or a disk that can't be written to. */
  | "MachineFault"
  | "ExecutorError";

export interface JobOutcome {
  /** `lost`: what it ran on is to blame and not the task, which may be tried again elsewhere. */
  status: "succeeded" | "failed" | "invalid" | "cancelled" | "timedout" | "lost";
  reason: JobReason;
  /** For people: says the exit code or signal and the step, and the remedy where there is one. */
  message: string;
  exitCode?: number;
  signal?: string;
  /** Kept on failure too. */
  results: { name: string; value: unknown }[];
  /** What held it, for example `bubblewrap`, `own-uid`, `none`, `docker`, `kubernetes`. */
  isolation: string;
  /** The worker's machine. */
  host: string;
  place?: JobPlace;
  waits?: JobWaits;
  /** A step may have begun; said of what is lost. */
  hasBegun?: boolean;
}

/** Where it ran, as far as that says more than the worker's machine. */
export interface JobPlace {
  /** Node of the cluster. */
  node?: string;
  /** Name of the pod, or of the container of the last step. */
  unit?: string;
  /** Image of each step that had one, with the digest that it turned out to be. */
  images?: { step: string; image: string; digest?: string }[];
}

/** How long the attempt waited for what, in ms, before its first step began; absent: it did not, or that can't be known. */
export interface JobWaits {
  /** A quota of the cluster. */
  quotaMs?: number;
  /** A node. */
  schedulingMs?: number;
  imagePullMs?: number;
  /** From there to the begin of the first step. */
  startMs?: number;
}

export interface JobHandle {
  /** Never rejects: what goes wrong is an outcome. */
  readonly done: Promise<JobOutcome>;
  /**
   * Asks the job to end: TERM to its whole group, after the grace period KILL. Safe to call twice. With `shutdown` the worker ends: an
   * executor whose work outlives it (Kubernetes) lets go of the job, and another worker takes it up.
   */
  stop(why: "cancelled" | "timedout" | "shutdown", graceMs: number): void;
}

/** What of a job decides its places; known before it starts. */
export type PlacedJob = Pick<Job, "teamId" | "runId" | "taskRunId" | "attempt" | "name" | "workspaces">;

/**
 * Takes the lines of a job, in their order and at most a thousand at once; never throws. A promise says that they come faster than
 * they can be kept: the executor reads on when it resolves, and the step waits meanwhile. What it has read already it hands over
 * all the same.
 */
export type TakeLines = (block: LineBlock) => Promise<void> | undefined;

export interface ExecutorState {
  available: boolean;
  isolation: string;
  /** More about that, or why it is off: it may name files and addresses of the machine. */
  detail: string;
  /** A fault of the machine for which it is off, in words for everyone. */
  fault?: string;
}

export interface Executor {
  readonly kind: ExecutorKind;
  /**
   * One line for the start-up message and /health: how it isolates, or why it is off. It may change: an engine goes away and comes back.
   */
  describe(): ExecutorState;
  /**
   * Hears of an error that this process met around an attempt. @returns the machine's part in it, for which the executor then is
   * not available
   */
  blame?(error: unknown): MachineFault | undefined;
  /**
   * What a reference like `$(results.NAME.path)` stands for in this job, by its words; undefined: unknown here, and left as written.
   * Known before the job starts, so that places are put in while parameters are resolved, and never into text from outside.
   */
  place(job: PlacedJob, words: readonly string[]): string | undefined;
  start(job: Job, onLines: TakeLines): JobHandle;
  /** Workspaces that it keeps outside of this machine; absent: it keeps none there. */
  readonly workspaces?: WorkspaceKeeper;
}

/** Workspaces that an executor keeps: volumes of a cluster. */
export interface WorkspaceKeeper {
  list(): Promise<KeptWorkspace[]>;
  /** Safe to call twice. */
  remove(workspace: KeptWorkspace): Promise<void>;
}

export interface KeptWorkspace {
  teamId: string;
  scope: JobWorkspace["scope"];
  ownerId: string;
}
