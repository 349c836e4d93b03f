// What every level of the sandbox offers and gets, and the mounts of workspaces on those that have mounts.

import { closeSync, constants, openSync } from "node:fs";
import type { TaskNetwork } from "../../../core/task/opt-in.ts";
import type { Job } from "../../../engine/executor.ts";
import type { Attempt } from "../../folders/attempt-folder.ts";
import type { UidFilter } from "../../networks/uid-filter.ts";
import { StepProblem } from "../../steps/step-problem.ts";
import type { View } from "../../steps/view.ts";
import { workspaceTarget } from "../../steps/view.ts";
import type { LevelName } from "../settings.ts";

/** What one step runs, with paths as the step sees them. */
export interface LaunchRequest {
  attempt: Attempt;
  /** Program and arguments, including the launcher script and its own arguments. */
  argv: readonly string[];
  network: TaskNetwork;
  /** Mounts of workspaces and volumes; none where steps see the machine's own files. */
  folders: readonly FolderMount[];
  /** Single files of volumes, which steps only read. Steps can't write where these are stored. */
  files: readonly FolderMount[];
  /** The folders of the job's workspaces on this machine. */
  workspaceSources: readonly string[];
  /** Files to which a process writes `0` to join the control groups of the attempt. */
  joinFiles: readonly string[];
  /** The first process inside joins its groups and waits for its step: only where `canBeAhead`. */
  isAhead?: boolean;
}

/** How to start a step: the program of the sandbox with its arguments. Its environment only contains the `PATH` of the system. */
export interface Launch {
  file: string;
  args: string[];
  uid?: number;
  gid?: number;
  /**
   * Files of control groups that the first process inside joins before it starts the step: the program of the sandbox reports which process
   * that is, and waits (bubblewrap's info and block descriptors, 3 and 4). Absent or empty: it does not wait.
   */
  gateFiles?: readonly string[];
  /** After that it waits for `LaunchParts.opened`. */
  isAhead?: boolean;
  /** Folders that the program of the sandbox has open, from the first descriptor that the gate leaves free. The step never gets them. */
  folders?: string[];
  /** File that the program reads from the last of its descriptors. */
  filterFile?: string;
  /** What the program prints as its last line if the first process inside was killed. */
  lastWords?: string;
}

/** The user of a finished attempt, which other attempts may share. */
export interface AttemptUser {
  /** Whether another attempt has started since. */
  isBusy(): boolean;
  /** Does the work unless another attempt has started; the next one waits for the work. @returns undefined if one has started */
  alone<T>(work: () => Promise<T>): Promise<T> | undefined;
}

/** One way to isolate a step. It is only used if its exact command ran `true` when the service started. */
export interface Level {
  readonly name: LevelName;
  /** Own process namespace: what a step leaves behind ends with its first process. */
  readonly hasOwnProcesses: boolean;
  readonly hasOwnNetwork: boolean;
  /** For levels that share the network of the machine: blocks it for the users of steps. Absent: nothing does. */
  readonly filter?: UidFilter;
  readonly hasOwnFiles: boolean;
  /** Dangerous system calls are refused, including those of the kernel's key store. */
  readonly filtersCalls: boolean;
  /** A sandbox can be made before its job is known, and waits with nothing in it but the program that made it. */
  readonly canBeAhead?: boolean;
  /** Folders of the machine that steps see at the same path. */
  readonly shownFolders: readonly string[];
  /** How many generations of processes, from the spawned one down, belong to the launcher and must survive a TERM. */
  readonly launcherDepth: number;
  /** For people: what it enforces and what not. */
  readonly detail: string;
  view(attempt: Attempt): View;
  launch(request: LaunchRequest): Launch;
  /** Ends and removes what an attempt has left outside of its folders, once no attempt of its user runs. */
  cleanUp?(attempt: Attempt, user: AttemptUser): Promise<void>;
  /** Releases what the level uses on the machine. */
  close?(): void;
}

/**
 * How workspaces are mounted for a step, on every level with mounts. The rule: **no source and no target of a mount is resolved through
 * anything that a step can write to.**
 *
 * - A source is opened right before the step without following links: here, so that one that is not a folder can be reported, and, if the
 *   program of the sandbox takes descriptors, again by the spawner, which passes on the open folder itself. Its parent folders belong to
 *   the service. Other programs get the path, which can't lead elsewhere by then.
 * - A target is a folder that the service creates in the fresh root of the sandbox, before anything that a step can write to is mounted.
 *   Targets are never inside each other (core/task/mount-paths.ts), so none is looked up in the workspace of another one.
 * - No target is inside the home of the attempt: its steps write there, and can pass the open folder to a task of their team that runs at
 *   the same time, through a workspace that both share. That task could replace the target with a link at any moment.
 */
export interface FolderMount {
  source: string;
  target: string;
  readOnly: boolean;
}

const openFolder = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * @param job checked by `checkJob` (run-attempt.ts)
 * @throws ELOOP and similar errors of Node
 */
export function checkWorkspaceMounts(job: Pick<Job, "workspaces">): FolderMount[] {
  return job.workspaces.map(({ name, source, mountPath, readOnly }) => {
    const place = workspaceTarget(mountPath);
    if ("problem" in place) throw new StepProblem(`workspace "${name}" can't be mounted: ${place.problem}`);
    closeSync(openSync(source, openFolder));
    return { source, target: place.target, readOnly };
  });
}
