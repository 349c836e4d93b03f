import { chmodSync, chownSync, mkdirSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { shortHash } from "../../base/text/short-hash.ts";
import type { Job } from "../../engine/executor.ts";
import { isFileName, parameterText } from "../steps/step-command.ts";
import type { Identity } from "./identity.ts";

/**
 * The folder of one attempt. What the service writes and what the steps write are kept apart, and the service writes everything before the
 * first step starts: otherwise a step could put a link where the service writes next, and redirect the write anywhere.
 *
 *     <attempt>/            the service's; the user of the steps may pass through
 *       fixed/params        one file for each parameter
 *       fixed/steps         script and environment of each step; the program that starts it
 *       writable/work …     the user's: working folder, results, home, temporary files
 *       volumes               for tasks with volumes (volume-folders.ts)
 *
 * Small work with a bounded number of calls is done synchronously: some twenty calls of a few microseconds each. As many trips to the
 * thread pool would cost the event loop several times as much, and a task ten milliseconds. What a step can make large is never handled
 * that way.
 */
export interface Attempt {
  name: string;
  folder: string;
  fixed: string;
  writable: string;
  identity: Identity | undefined;
  /** What the service wrote below `fixed` for its steps. */
  fixedFiles: string[];
  /** Name of the program that starts its steps, among their files; absent if there is none. */
  launcher?: string;
}

const launcherName = "start-step";

const writableFolders = ["work", "results", "home", "tmp"] as const;
const fixedFolders = ["params", "steps"] as const;

/** The name is derived from the attempt, so its paths are known before it starts. */
export function attemptFolderName({ taskRunId, attempt }: Pick<Job, "taskRunId" | "attempt">): string {
  return /^[\w-]{1,64}$/.test(taskRunId) ? `${taskRunId}-${attempt}` : shortHash([taskRunId, attempt]);
}

/** The paths of an attempt, whether its folder exists or not. */
export function attemptPlace(parent: string, name: string, identity: Identity | undefined): Attempt {
  const folder = join(parent, name);
  return { name, folder, fixed: join(folder, "fixed"), writable: join(folder, "writable"), identity, fixedFiles: [] };
}

/**
 * @param launcher the program that starts its steps: each attempt has its own copy, so that a step that could change it changes only that
 * @throws EEXIST if this attempt already has its folder here
 */
export function createAttempt(parent: string, name: string, identity: Identity | undefined, launcher?: Buffer): Attempt {
  const attempt = attemptPlace(parent, name, identity);
  mkdirSync(attempt.folder, { mode: 0o700 });
  try {
    openTo(attempt.folder, identity);
    for (const folder of serviceFolders(attempt)) makeShared(folder, identity);
    for (const folder of userFolders(attempt)) makeWritable(folder, identity);
    if (launcher) writeLauncher(attempt, launcher);
    return attempt;
  } catch (error) {
    // No step has seen it yet, so it contains no links.
    rmSync(attempt.folder, { recursive: true, force: true });
    throw error;
  }
}

/** Synchronously: a process that was started in the meantime would have it open for writing, and then it could not be executed. */
function writeLauncher(attempt: Attempt, program: Buffer): void {
  const path = join(attempt.fixed, "steps", launcherName);
  writeFileSync(path, program, { flag: "wx" });
  chmodSync(path, 0o755);
  attempt.launcher = launcherName;
}

export function makeWritable(folder: string, identity: Identity | undefined): void {
  mkdirSync(folder, { mode: 0o700 });
  if (identity !== undefined) chownSync(folder, identity.uid, identity.gid);
}

function serviceFolders({ fixed, writable }: Attempt): string[] {
  return [fixed, writable, ...fixedFolders.map((part) => join(fixed, part))];
}

/** The folders that the steps may write to. */
export function userFolders({ writable }: Attempt): string[] {
  return writableFolders.map((part) => join(writable, part));
}

/** Others can pass through the service's folder only with the group of this attempt. */
function openTo(folder: string, identity: Identity | undefined): void {
  if (identity === undefined) return;
  chownSync(folder, process.geteuid?.() ?? 0, identity.gid);
  chmodSync(folder, 0o710);
}

/** Readable for the user of the steps, whatever the umask of the service. */
export function makeShared(folder: string, identity: Identity | undefined): void {
  mkdirSync(folder, { mode: 0o755 });
  if (identity !== undefined) chmodSync(folder, 0o755);
}

const largeBytes = 65_536;

/** Writes a file that the steps may read; only before the first one starts. */
export async function writeFixed(attempt: Attempt, part: (typeof fixedFolders)[number], name: string, text: string): Promise<void> {
  const path = join(attempt.fixed, part, name);
  attempt.fixedFiles.push(path);
  if (text.length > largeBytes) await writeFile(path, text, { flag: "wx" });
  else writeFileSync(path, text, { flag: "wx" });
  if (attempt.identity !== undefined) chmodSync(path, 0o644);
}

/** Removes what the service wrote for the steps, except for the given number of files. @returns false if some of it could not be removed */
export function clearFixed(attempt: Attempt, kept = 0): boolean {
  try {
    for (const path of attempt.fixedFiles.splice(kept)) removeFile(path);
    return true;
  } catch {
    return false;
  }
}

/** Without the two looks of `rmSync`. A file that could not be written may not exist. */
function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

/** Names of parameters are used as names of files; a parameter whose name can't be a file name only has its variable. */
export async function writeParameters(job: Job, attempt: Attempt): Promise<void> {
  const files = job.params.filter(({ name }) => isFileName(name));
  await Promise.all(files.map(({ name, value }) => writeFixed(attempt, "params", name, parameterText(value))));
}
