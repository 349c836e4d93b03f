import type { RerunReason } from "@millrace/contract/run/rerun.ts";
import type { TaskState } from "../run-state.ts";
import type { Side } from "./compare-nodes.ts";

export interface RerunQuestion {
  before: Side;
  /** By node of the plan that ran. */
  tasks: readonly TaskState[];
  /** The same object where the workflow is the same version; layers are the same object where no parameter was edited. */
  after: Side;
  /** Names of the tasks to run from. */
  chosen: ReadonlySet<string>;
  /** Names of failed tasks that count as succeeded. */
  marked: ReadonlySet<string>;
  /** Its tasks share a workspace that belongs to the run alone: the new run begins with an empty one. */
  hasWorkspace: boolean;
}

/** Why a node runs again, with what is to be said about it. */
export interface Again {
  why: RerunReason;
  /** What has changed, or the task that it follows. */
  detail?: string;
}
