import { randomBytes } from "node:crypto";
import { chmod, lstat, mkdir, readdir, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { removeTree } from "../../base/file/remove-tree.ts";
import { waitAtMost } from "../../base/process/retry-later.ts";
import { isUserOfSteps } from "../folders/identity.ts";
import { endProcessesOfUsers } from "./end-users.ts";
import { endProcessesOfFolder, readStartTicks } from "./process-table.ts";

/**
 * The files of one executor while it lives, in a separate folder below the scratch folder, which several services may share. The name
 * includes the process that owns it, so that the next one can detect leftovers.
 */
export interface ScratchRoot {
  folder: string;
  attempts: string;
  /**
   * Named pipes, in a folder that only the service may pass. A step sees the path of the pipes that it writes to, so they are in the
   * temporary folder: the path of the service's data must not be revealed.
   */
  pipes: string;
  /** A copy of what steps need of /etc. */
  etc: string;
  /** Where steps without their own file system find Node. */
  bin: string;
  /** Mount point of a new root; always empty here. */
  emptyRoot: string;
}

/** @param onProblem called for leftovers of a dead process that can't be removed; that does not prevent a start */
export async function openScratchRoot(scratchDir: string, onProblem: (error: unknown) => void): Promise<ScratchRoot> {
  await mkdir(scratchDir, { recursive: true, mode: 0o711 });
  await removeLeftovers(scratchDir, "", onProblem);
  await removeLeftovers(tmpdir(), pipesPrefix, onProblem);
  const name = `${process.pid}-${await readStartTicks(process.pid)}-${randomBytes(4).toString("hex")}`;
  const folder = join(scratchDir, name);
  const part = (child: string): string => join(folder, child);
  const root = {
    folder,
    attempts: part("attempts"),
    pipes: join(tmpdir(), pipesPrefix + name),
    etc: part("etc"),
    bin: part("bin"),
    emptyRoot: part("root"),
  };
  await mkdir(folder, { mode: 0o711 });
  await Promise.all([root.attempts, root.etc, root.bin, root.emptyRoot].map((path) => mkdir(path, { mode: 0o755 })));
  await mkdir(root.pipes, { mode: 0o700 });
  // Steps may pass through, each to its own folder, but not list what is here. The umask of the process must not change that.
  await Promise.all([chmod(folder, 0o711), chmod(root.attempts, 0o711)]);
  return root;
}

/** @returns whether a user without any rights could reach the folder */
export async function isReachableByAnyone(folder: string): Promise<boolean> {
  const { mode } = await stat(folder).catch(() => ({ mode: 0 }));
  if ((mode & 0o001) === 0) return false;
  return dirname(folder) === folder || (await isReachableByAnyone(dirname(folder)));
}

const pipesPrefix = "millrace-pipes-";
/** How long a start waits for the removal of leftovers; after that it continues in the background. */
const patienceMs = 10_000;

/** Removes the folders of dead processes, in a folder that others may use as well. */
async function removeLeftovers(parent: string, prefix: string, onProblem: (error: unknown) => void): Promise<void> {
  const removals: Promise<void>[] = [];
  for (const name of await readdir(parent)) {
    const [, pid, startTicks] = (name.startsWith(prefix) && /^(\d+)-(\d+)-[0-9a-f]{8}$/.exec(name.slice(prefix.length))) || [];
    if (pid === undefined || !(await isOwn(join(parent, name))) || (await readStartTicks(Number(pid))) === Number(startTicks)) continue;
    await endProcessesOfFolder(join(parent, name));
    await endProcessesOfUsers(await usersOf(join(parent, name)));
    removals.push(removeTree(join(parent, name)).catch(onProblem));
  }
  await waitAtMost(Promise.all(removals), patienceMs);
}

/**
 * Users of attempts, if the service is root: a process that cleared its environment can't be found by its folder, but it can't change its
 * user. Only the service can set the group of these folders.
 */
async function usersOf(folder: string): Promise<number[]> {
  if (process.geteuid?.() !== 0) return [];
  const names = await readdir(join(folder, "attempts")).catch(() => []);
  const found = await Promise.all(names.map((name) => lstat(join(folder, "attempts", name)).catch(() => undefined)));
  return found.flatMap((attempt) => (attempt?.uid === 0 && isUserOfSteps(attempt.gid) ? attempt.gid : []));
}

/** In a folder that everyone may write to, anyone can choose such a name. */
async function isOwn(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined);
  return found?.isDirectory() === true && found.uid === (process.geteuid?.() ?? found.uid);
}
