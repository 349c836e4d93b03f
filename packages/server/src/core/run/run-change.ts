import type { NewAction } from "../task/task-type.ts";
import type { ExecutorKind } from "../task/tekton/runnable.ts";
import type { AttemptPlace, AttemptWaits } from "./attempt-facts.ts";
import type { RunState, TaskState } from "./run-state.ts";

/** What `advance` decided, to be written as a whole or not at all. */

export interface AttemptRecord {
  taskRunId: string;
  attempt: number;
  status: "succeeded" | "failed" | "invalid" | "cancelled" | "timedout" | "lost";
  reason: string | null;
  statusMessage: string | null;
  exitCode: number | null;
  signal: string | null;
  /** That had it; null where that is not known. */
  executor: ExecutorKind | null;
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

/** What must become true in one transaction. */
export interface RunChange {
  before: RunState;
  after: RunState;
  /** Task runs whose rows change, with the state they must still be in. */
  updated: { before: TaskState; after: TaskState }[];
  /** Task runs to insert (items of a forEach). */
  created: TaskState[];
  attempts: AttemptRecord[];
  actions: NewAction[];
  signals: Signal[];
  /** Lock keys to give back; `all` when the run is over. */
  releasedLocks: string[] | "all";
}
