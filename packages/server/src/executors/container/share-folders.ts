import { chmodSync, closeSync, constants, fchmodSync, fstatSync, openSync } from "node:fs";
import type { JobStep } from "../../core/task/tekton/job-steps.ts";
import type { Job } from "../../engine/executor.ts";
import { type Attempt, userFolders } from "../folders/attempt-folder.ts";
import { scratchFolders } from "../folders/volume-folders.ts";
import { terminationFile } from "./attempt-folders.ts";
import { sidecarFolders } from "./sidecars/sidecar-mounts.ts";

/**
 * A step with privileges has another user than the other steps of its task, and may be unable to bypass permissions. So it gets their group
 * in addition to its own, and the group gets access to the folders that they share. Done before the first step starts.
 */
export function shareFolders(job: Pick<Job, "steps" | "sidecars" | "volumes" | "workspaces">, attempt: Attempt): void {
  if (attempt.identity === undefined || !(hasPrivileges(job.steps) || hasPrivileges(job.sidecars))) return;
  for (const folder of [
    ...userFolders(attempt),
    ...sidecarFolders(job, attempt),
    ...scratchFolders(job, attempt).flatMap(({ paths }) => paths),
  ])
    chmodSync(folder, 0o770);
  chmodSync(terminationFile(attempt), 0o660);
  for (const { source } of job.workspaces) shareWorkspace(source);
}

/** The required owner of result files; undefined: any, where the steps of a task have several users. */
export function resultOwner(job: Pick<Job, "steps">, { identity }: Attempt): number | undefined {
  return hasPrivileges(job.steps) ? undefined : identity?.uid;
}

function hasPrivileges(programs: readonly Pick<JobStep, "privileges">[] = []): boolean {
  return programs.some(({ privileges }) => privileges?.user !== undefined);
}

/** A step of another task may be using it now. */
function shareWorkspace(source: string): void {
  const fd = openSync(source, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    fchmodSync(fd, (fstatSync(fd).mode & 0o7777) | 0o070);
  } finally {
    closeSync(fd);
  }
}
