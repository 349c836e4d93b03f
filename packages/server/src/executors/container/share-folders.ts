import { chmodSync, closeSync, constants, fchmodSync, fstatSync, openSync } from "node:fs";
import type { JobStep } from "../../core/task/tekton/job-steps.ts";
import type { Job } from "../../engine/executor.ts";
import { type Attempt, userFolders } from "../folders/attempt-folder.ts";
import { scratchFolders } from "../folders/volume-folders.ts";
import { terminationFile } from "./attempt-folders.ts";
import { sidecarFolders } from "./sidecars/sidecar-mounts.ts";

/**
 * A step with privileges is another user than the other steps of its task, and need not be able to pass over permissions. So it has their
 * group beside its own, and what is in the folders that they share is for the group as well. Before the first step begins.
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

/** Whom the files of results must belong to; undefined: to anyone, where steps of a task are several users. */
export function resultOwner(job: Pick<Job, "steps">, { identity }: Attempt): number | undefined {
  return hasPrivileges(job.steps) ? undefined : identity?.uid;
}

function hasPrivileges(programs: readonly Pick<JobStep, "privileges">[] = []): boolean {
  return programs.some(({ privileges }) => privileges?.user !== undefined);
}

/** A step of another task may be at work in it. */
function shareWorkspace(source: string): void {
  const fd = openSync(source, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    fchmodSync(fd, (fstatSync(fd).mode & 0o7777) | 0o070);
  } finally {
    closeSync(fd);
  }
}
