import type { RerunReason } from "@millrace/contract/run/rerun.ts";
import type { TaskState } from "../run-state.ts";
import type { Side } from "./compare-nodes.ts";

export interface RerunQuestion {
  before: Side;
  /** By node of the plan that ran. */
  tasks: readonly TaskState[];
  /** `plan` is the same object as before if the version is the same; `layers` is the same object if no parameter was edited. */
  after: Side;
  /** Names of the tasks to run from. */
  chosen: ReadonlySet<string>;
  /** Names of failed tasks that count as succeeded. */
  marked: ReadonlySet<string>;
  /** The tasks share a workspace that belongs to this run alone: the new run starts with an empty one. */
  hasWorkspace: boolean;
}

/** Why a node runs again, with a detail for the message. */
export interface Again {
  why: RerunReason;
  /** What has changed, or the task that it follows. */
  detail?: string;
}
