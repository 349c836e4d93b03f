import type { AttemptExecutor } from "../task/external-task.ts";
import type { NewAction } from "../task/task-type.ts";
import type { RunState, TaskState } from "./run-state.ts";

/** What `advance` decided: written completely or not at all. */

export interface AttemptRecord {
  taskRunId: string;
  attempt: number;
  status: "succeeded" | "failed" | "invalid" | "cancelled" | "timedout" | "lost";
  reason: string | null;
  statusMessage: string | null;
  exitCode: number | null;
  signal: string | null;
  /** The executor that ran it; null if that is not known. */
  executor: AttemptExecutor | null;
  isolation: string | null;
  host: string | null;
  place: AttemptPlace | null;
  waits: AttemptWaits | null;
  workerId: string | null;
  startedAt: number | null;
}

export interface Signal {
  runId: string;
  kind: "cancel" | "child" | "retry";
  data: unknown;
}

/** Everything that one transaction writes. */
export interface RunChange {
  before: RunState;
  after: RunState;
  /** Task runs whose rows change, with the state that the rows must still have. */
  updated: { before: TaskState; after: TaskState }[];
  /** Task runs to insert (items of a forEach). */
  created: TaskState[];
  attempts: AttemptRecord[];
  actions: NewAction[];
  signals: Signal[];
  /** Keys of locks to release; `all` when the run has ended. */
  releasedLocks: string[] | "all";
  /** The run is due at once, and another change continues with it. */
  hasMore: boolean;
}

/** What is known about how an attempt ran, apart from how it ended. For one that was lost or cancelled that may be little. */
export interface AttemptFacts {
  executor?: AttemptExecutor;
  /** The sandbox level or the container runtime that isolated it. */
  isolation?: string;
  /** The worker's machine. */
  host?: string;
  place?: AttemptPlace;
  waits?: AttemptWaits;
}

/** Where it ran, if that says more than the worker's machine. */
export interface AttemptPlace {
  /** Node of the cluster. */
  node?: string;
  /** Name of the pod or container. */
  unit?: string;
  images?: { step: string; image: string; digest?: string }[];
}

/** How long it waited before its first step started, in ms, by what it waited for. */
export interface AttemptWaits {
  /** From ready to the claim by a worker, by the clock of the database. */
  queueMs?: number;
  /** Waiting for a quota of the cluster. */
  quotaMs?: number;
  schedulingMs?: number;
  imagePullMs?: number;
  startMs?: number;
}
