import type { MachineFault } from "../base/error/machine-fault.ts";
import type { LineBlock } from "../core/log/log-lines.ts";
import type { Lineage } from "../core/run/lineage.ts";
import type { TaskNetwork } from "../core/task/opt-in.ts";
import type { JobStep } from "../core/task/tekton/job-steps.ts";
import type { ExecutorKind } from "../core/task/tekton/runnable.ts";
import type { JobSidecar } from "../core/task/tekton/sidecars/job-sidecars.ts";
import type { JobVolume } from "../core/task/tekton/volumes/volume-mounts.ts";

/**
 * The contract between the engine and the executors that run a task's steps (process, container, Kubernetes). An executor reports; it never
 * writes to the database. All of them must pass the same conformance suite, `executors/exercise-executor.ts`.
 */

/** A folder shared with other task runs: kept per workflow, or per run. */
export interface JobWorkspace {
  name: string;
  /** Its owner: a workflow (kept across its runs), or one run. With the team and `ownerId` it identifies the workspace everywhere. */
  scope: "workflow" | "workflowrun";
  /** Id of the workflow or the run. */
  ownerId: string;
  /** Absolute path of the folder on this machine (process and container executor); created if missing. */
  source: string;
  /** The path at which the steps see it. */
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
   * How many attempts directly before this one were lost with their worker. Their work may still be running: an executor that outlives its
   * worker continues the work of the newest of them instead of starting over. Work of any other attempt is removed.
   */
  lostAttempts: number;
  name: string;
  steps: JobStep[];
  /** They start before the first step and are stopped after the last one; absent: none. */
  sidecars?: JobSidecar[];
  /** Resolved parameters, secrets in clear: only for the steps, as `PARAM_<NAME>` and as a file each. */
  params: { name: string; value: unknown }[];
  /** Declared results; `$(results.NAME.path)` is a file for each. */
  results: { name: string; type?: "string" | "array" | "object" /** Of another name, in the same folder. */; file?: string }[];
  /** Secret values to mask in every line of output and every result. */
  secrets: string[];
  workspaces: JobWorkspace[];
  /** What its steps mount in addition; removed with the attempt. Absent: nothing. */
  volumes?: JobVolume[];
  /** What its steps can reach; core/task/opt-in.ts defines the values. */
  network: TaskNetwork;
  limits: { memoryBytes: number; processes: number; outputBytes: number; resultBytes: number };
  /** Time left until the deadline of the attempt, in ms, from the moment of the call. */
  timeoutMs: number;
  debug: boolean;
  /** Its one step is a function whose sandbox may be reused for jobs of the same definition and team; absent: each has a fresh one. */
  keep?: KeptJob;
  /** The workflows that led to it, its own at the end. What the step starts should pass this on. */
  lineage?: Lineage;
  /** The parent of the steps' own spans (W3C Trace Context); absent if there is no trace. */
  traceparent?: string | undefined;
  /** For the cluster's scheduler (Kubernetes only). */
  scheduling?: { nodeSelector?: Record<string, string> };
}

export interface KeptJob {
  /** Version of the task. */
  definition: string;
  /** Reuse the sandbox even if the function is given a secret. */
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
  /** The image does not exist, its digest differs, or the registry refuses it. */
  | "ImagePullFailed"
  /** No node of the cluster accepted it within the time limit. */
  | "Unschedulable"
  /** A quota of the cluster's namespace blocked it for the time limit. */
  | "QuotaExceeded"
  /** The cluster evicted it: pressure on the node, pre-emption, a drain. */
  | "Evicted"
  /** The machine or node on which it ran no longer exists. */
  | "NodeLost"
  /** The container engine or the cluster was unreachable for longer than the limit, or no longer knows the task. */
  | "ExecutorUnavailable"
  | "SandboxUnavailable"
  /** A sidecar was not ready in time, or ended with an error before the first step. */
  | "SidecarFailed"
  /** The machine has no disk space, files or processes left, or a disk is not writable. */
  | "MachineFault"
  | "ExecutorError";

export interface JobOutcome {
  /** `lost`: caused by the machine or cluster and not by the task, which may be retried elsewhere. */
  status: "succeeded" | "failed" | "invalid" | "cancelled" | "timedout" | "lost";
  reason: JobReason;
  /** For people: contains the exit code or signal and the step, and the remedy if there is one. */
  message: string;
  exitCode?: number;
  signal?: string;
  /** Also kept if the attempt failed. */
  results: { name: string; value: unknown }[];
  /** What isolated it, for example `bubblewrap`, `own-uid`, `none`, `docker`, `kubernetes`. */
  isolation: string;
  /** The worker's machine. */
  host: string;
  place?: JobPlace;
  waits?: JobWaits;
  /** A step may have started; set for lost attempts. */
  hasBegun?: boolean;
}

/** Where it ran, if that tells more than the worker's machine. */
export interface JobPlace {
  /** Node of the cluster. */
  node?: string;
  /** Name of the pod, or of the container of the last step. */
  unit?: string;
  /** Image of each step that had one, with its actual digest. */
  images?: { step: string; image: string; digest?: string }[];
}

/** How long the attempt waited for what, in ms, before its first step started. Absent: it did not wait, or that can't be known. */
export interface JobWaits {
  /** A quota of the cluster. */
  quotaMs?: number;
  /** A node. */
  schedulingMs?: number;
  imagePullMs?: number;
  /** From there to the start of the first step. */
  startMs?: number;
}

export interface JobHandle {
  /** Never rejects: errors are outcomes. */
  readonly done: Promise<JobOutcome>;
  /**
   * Asks the job to end: TERM to its whole process group, KILL after the grace period. Safe to call twice. With `shutdown` the worker ends:
   * an executor whose work outlives it (Kubernetes) detaches from the job, and another worker continues it.
   */
  stop(why: "cancelled" | "timedout" | "shutdown", graceMs: number): void;
}

/** The part of a job that determines its paths; known before it starts. */
export type PlacedJob = Pick<Job, "teamId" | "runId" | "taskRunId" | "attempt" | "name" | "workspaces">;

/**
 * Receives the lines of a job, in order and at most a thousand at once; never throws. If it returns a promise, lines come faster than they
 * can be stored: the executor pauses reading until it resolves, and the step blocks meanwhile. Lines that were already read are passed on
 * all the same.
 */
export type TakeLines = (block: LineBlock) => Promise<void> | undefined;

export interface ExecutorState {
  available: boolean;
  isolation: string;
  /** Details, or why it is off: may contain names of files and addresses of the machine. */
  detail: string;
  /** The fault of the machine for which it is off, worded for all users. */
  fault?: string;
}

export interface Executor {
  readonly kind: ExecutorKind;
  /**
   * One line for the start-up message and /health: how it isolates, or why it is off. It may change, because an engine can disappear and
   * return.
   */
  describe(): ExecutorState;
  /**
   * Receives an error that this process met in handling an attempt. @returns the part that the machine has in it; the executor is then
   * unavailable for it
   */
  blame?(error: unknown): MachineFault | undefined;
  /**
   * The value of a reference like `$(results.NAME.path)` in this job, by its words; undefined if unknown here, and then left as written.
   * Known before the job starts, so that paths are inserted while parameters are resolved, and never into text from outside.
   */
  place(job: PlacedJob, words: readonly string[]): string | undefined;
  start(job: Job, onLines: TakeLines): JobHandle;
  /** Workspaces outside of this machine; absent if there are none. */
  readonly workspaces?: WorkspaceKeeper;
}

/** Workspaces of an executor: volumes of a cluster. */
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
