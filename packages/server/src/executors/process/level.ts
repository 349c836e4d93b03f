import type { TaskNetwork } from "../../core/task-network.ts";
import type { JobWorkspace } from "../../engine/executor.ts";
import type { Attempt } from "../folders/attempt-folder.ts";
import type { UidFilter } from "../networks/uid-filter.ts";
import type { View } from "../steps/view.ts";
import type { LevelName } from "./settings.ts";

/** What one step wants to run, in paths of its view. */
export interface LaunchRequest {
  attempt: Attempt;
  /** Program and arguments; the launcher script and its own arguments are in it already. */
  argv: readonly string[];
  network: TaskNetwork;
  workspaces: readonly JobWorkspace[];
  /** Files that a process writes `0` to, to join the control groups of the attempt. */
  joinFiles: readonly string[];
}

/** How to start it: the program of the sandbox with its arguments. Its environment is only ever the `PATH` of the system. */
export interface Launch {
  file: string;
  args: string[];
  uid?: number;
  gid?: number;
  /** The program waits (bubblewrap's info and block descriptors, 3 and 4), so that we can put it into control groups before it begins. */
  hasGate: boolean;
}

/** One way to hold a step. Each counts only if its exact command ran `true` when the service started. */
export interface Level {
  readonly name: LevelName;
  /** Own process space: what a step leaves behind ends with its first process. */
  readonly hasOwnProcesses: boolean;
  readonly hasOwnNetwork: boolean;
  /** For levels that share the network of the machine: keeps it from the users of steps. Absent: nothing does. */
  readonly filter?: UidFilter;
  readonly hasOwnFiles: boolean;
  /** How many processes, from the spawned one down in a line, are the launcher's own and must outlive a TERM. */
  readonly launcherDepth: number;
  /** For people: what holds and what does not. */
  readonly detail: string;
  view(attempt: Attempt): View;
  launch(request: LaunchRequest): Launch;
}
