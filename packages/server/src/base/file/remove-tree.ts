import type { Dirent } from "node:fs";
import { rename, rmdir, unlink } from "node:fs/promises";
import { closeFolder, entryPath, type OpenFolder, openFolder, readFolder } from "./open-folder.ts";

/** The most open folders: deeper ones are moved up first, so neither depth nor the length of paths matters. */
const maxOpen = 32;
/** The most non-empty subfolders of a folder that are kept in memory. */
const maxFull = 64;
/** After so many entries that can't be removed, the rest is not tried. */
const maxFailures = 1_000;

interface Frame {
  folder: OpenFolder;
  name: string;
  /** Non-empty subfolders, to be emptied next. */
  full: string[];
  /** What could not be removed. */
  failed: Set<string>;
}

interface Removal {
  root: OpenFolder;
  frames: Frame[];
  /** The first error. */
  problem: Error | undefined;
  failures: number;
  moved: number;
}

/**
 * Removes a folder that others have filled, with all its content: whatever permissions were set, however deep it is, however many entries
 * there are. It goes from descriptor to descriptor, follows no link, stays in one file system, and blocks neither memory with long listings
 * nor the event loop. Everything that can be removed is removed, even if something else can't.
 *
 * @throws the first problem, with the number of remaining entries; a missing folder is no problem
 */
export async function removeTree(path: string): Promise<void> {
  const root = await openFolder(path, 0o700).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT" && error.code !== "ENOTDIR" && error.code !== "ELOOP") throw error;
    return undefined;
  });
  if (!root) return unlink(path).catch(ignoreMissing);
  const removal: Removal = { root, frames: [frameOf(root, "")], problem: undefined, failures: 0, moved: 0 };
  try {
    while (removal.frames.length > 0) await work(removal);
  } finally {
    for (const { folder } of removal.frames) close(folder);
  }
  const { problem, failures } = removal;
  if (problem)
    throw new Error(`${failures} ${failures === 1 ? "entry" : "entries"} could not be removed: ${problem.message}`, { cause: problem });
  await rmdir(path).catch(ignoreMissing);
}

function frameOf(folder: OpenFolder, name: string): Frame {
  return { folder, name, full: [], failed: new Set() };
}

/** One step: into a non-empty folder, or through the entries of the one on top. */
async function work(removal: Removal): Promise<void> {
  const top = removal.frames.at(-1);
  if (!top) return;
  const name = top.full.pop();
  if (name !== undefined) return enter(removal, top, name);
  const isDone = removal.failures >= maxFailures || !(await removeEntries(removal, top));
  if (isDone) await leave(removal, top);
}

async function enter(removal: Removal, top: Frame, name: string): Promise<void> {
  try {
    const folder = await openFolder(entryPath(top.folder, name), 0o700);
    if (folder.device !== removal.root.device) {
      closeFolder(folder);
      throw new Error(`another file system is mounted at "${name}"`);
    }
    if (removal.frames.length < maxOpen) removal.frames.push(frameOf(folder, name));
    else await moveUp(removal, top, name, folder);
  } catch (error) {
    fail(removal, top, name, error);
  }
}

async function moveUp(removal: Removal, top: Frame, name: string, folder: OpenFolder): Promise<void> {
  close(folder);
  for (;;) {
    try {
      return await rename(entryPath(top.folder, name), entryPath(removal.root, `.moved-up-${removal.moved++}`));
    } catch (error) {
      // The name is taken, which is rare.
      if (!["ENOTEMPTY", "EEXIST", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    }
  }
}

async function leave({ frames, ...removal }: Removal, top: Frame): Promise<void> {
  frames.pop();
  close(top.folder);
  const above = frames.at(-1);
  if (!above) return;
  if (top.failed.size > 0 || removal.failures >= maxFailures) above.failed.add(top.name);
  else
    await rmdir(entryPath(above.folder, top.name))
      .catch(ignoreMissing)
      .catch(() => void above.failed.add(top.name));
}

/** Removes the entries of a folder until enough non-empty subfolders were found. @returns whether there was anything to do */
async function removeEntries(removal: Removal, frame: Frame): Promise<boolean> {
  let count = 0;
  let batch: Promise<void>[] = [];
  const take = (entry: Dirent): boolean => {
    if (!frame.failed.has(entry.name)) {
      count++;
      batch.push(removeEntry(removal, frame, entry));
    }
    return frame.full.length < maxFull && removal.failures < maxFailures;
  };
  await readFolder(frame.folder, take, async () => {
    await Promise.all(batch);
    batch = [];
  });
  return count > 0;
}

async function removeEntry(removal: Removal, frame: Frame, entry: Dirent): Promise<void> {
  const path = entryPath(frame.folder, entry.name);
  try {
    if (!entry.isDirectory()) return await unlink(path);
    await rmdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return;
    if (entry.isDirectory() && (code === "ENOTEMPTY" || code === "EEXIST")) frame.full.push(entry.name);
    else fail(removal, frame, entry.name, error);
  }
}

/** Without restoring its permissions, since it is about to be removed. */
function close({ fd }: OpenFolder): void {
  closeFolder({ fd, formerMode: undefined });
}

function fail(removal: Removal, frame: Frame, name: string, error: unknown): void {
  if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
  frame.failed.add(name);
  removal.failures++;
  removal.problem ??= new Error(`${shown(removal, name)}: ${reasonOf(error)}`, { cause: error });
}

/** Its path, from the folder that is removed; a very long path is shortened in the middle. */
function shown({ frames }: Removal, name: string): string {
  const path = [...frames.map((frame) => frame.name), name].filter((part) => part !== "").join("/");
  return path.length <= 300 ? path : `${path.slice(0, 140)}…${path.slice(-140)}`;
}

/** Without the path, which contains a descriptor number. */
function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === undefined ? message : message.replace(/, \w+ '.*$/s, "");
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}
