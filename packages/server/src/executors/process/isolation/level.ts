import type { TaskNetwork } from "../../../core/task/task-network.ts";
import type { Attempt } from "../../folders/attempt-folder.ts";
import type { UidFilter } from "../../networks/uid-filter.ts";
import type { View } from "../../steps/view.ts";
import type { LevelName } from "../settings.ts";
import type { FolderMount } from "../workspace-mounts.ts";

/** What one step wants to run, in paths of its view. */
export interface LaunchRequest {
  attempt: Attempt;
  /** Program and arguments; the launcher script and its own arguments are in it already. */
  argv: readonly string[];
  network: TaskNetwork;
  /** Of workspaces and volumes; none where steps see the machine's own files. */
  folders: readonly FolderMount[];
  /** Single files of volumes, which steps only read. Where they lie no step can write. */
  files: readonly FolderMount[];
  /** Where the folders of the job's workspaces lie on this machine. */
  workspaceSources: readonly string[];
  /** Files that a process writes `0` to, to join the control groups of the attempt. */
  joinFiles: readonly string[];
}

/** How to start it: the program of the sandbox with its arguments. Its environment is only ever the `PATH` of the system. */
export interface Launch {
  file: string;
  args: string[];
  uid?: number;
  gid?: number;
  /**
   * Files of control groups that its first process inside joins before it begins: the program of the sandbox says which process that is, and
   * waits (bubblewrap's info and block descriptors, 3 and 4). Absent or none: there is no such gate.
   */
  gateFiles?: readonly string[];
  /** Folders that the program of the sandbox has open, from the first place on that the gate leaves free. The step never gets them. */
  folders?: string[];
  /** File that the program reads from the last of its descriptors. */
  filterFile?: string;
  /** What the program writes as its last line when the first process inside was killed. */
  lastWords?: string;
}

/** The user of an attempt that is over, who may be that of others, too. */
export interface AttemptUser {
  /** Whether another attempt has begun since. */
  isBusy(): boolean;
  /** Does work unless one has; the next one waits for its end. @returns undefined: one has */
  alone<T>(work: () => Promise<T>): Promise<T> | undefined;
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
  /** Dangerous system calls are refused, the kernel's key store among them. */
  readonly filtersCalls: boolean;
  /** Folders of the machine that steps see at the same path. */
  readonly shownFolders: readonly string[];
  /** How many processes, from the spawned one down in a line, are the launcher's own and must outlive a TERM. */
  readonly launcherDepth: number;
  /** For people: what holds and what does not. */
  readonly detail: string;
  view(attempt: Attempt): View;
  launch(request: LaunchRequest): Launch;
  /** Ends and removes what an attempt has left outside of its folders, when none of its user runs any more. */
  cleanUp?(attempt: Attempt, user: AttemptUser): Promise<void>;
  /** Gives back what the level holds of the machine. */
  close?(): void;
}
