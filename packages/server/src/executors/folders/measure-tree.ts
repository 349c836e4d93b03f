import type { Dirent, Stats } from "node:fs";
import { lstat, unlink } from "node:fs/promises";
import { throwIfMachineFault } from "../../base/error/machine-fault.ts";
import { closeFolder, entryPath, type OpenFolder, openFolder, openParent, readFolder } from "../../base/file/open-folder.ts";
import { removeTree } from "../../base/file/remove-tree.ts";

/** The size of a folder. */
export interface TreeSize {
  /** Disk space, including that of subfolders; a file with several names counts once, holes in a file don't count. */
  bytes: number;
  /** Files, folders, links and everything else that has a name. */
  files: number;
  /** False if a part of it could not be read, or was moved while it was counted. */
  isComplete: boolean;
  /** It exceeds the limit, and was not counted to the end. */
  isCut: boolean;
}

export const nothing: TreeSize = { bytes: 0, files: 0, isComplete: true, isCut: false };

/** Whether something is to be removed; a folder is removed with everything in it. */
type IsRemoved = (stat: Stats, counted: Pick<TreeSize, "bytes" | "files">) => boolean;

export const noLimit = { bytes: Number.POSITIVE_INFINITY, files: Number.POSITIVE_INFINITY };

const blockBytes = 512;
/** How many folders are open at once; those further up are found again from below. */
const maxOpen = 32;

interface Frame {
  folder: OpenFolder;
  isOpen: boolean;
  /** Folders in it that still have to be counted. */
  names: string[];
}

/**
 * Counts a folder that others may be changing at the same time. It goes from descriptor to descriptor, so that no link is followed and no
 * path is too long. It makes our own folders readable while it reads them, and stops as soon as a limit is exceeded: the cost is bounded by
 * the limit, not by the size of the folder.
 *
 * @param isStopped the result is no longer needed
 * @param isRemoved what is removed does not count
 */
export async function measureTree(path: string, limit = noLimit, isStopped = () => false, isRemoved?: IsRemoved): Promise<TreeSize> {
  const count = new Count(limit, isStopped, isRemoved);
  const root = await openFolder(path, count.wanted).catch((error: NodeJS.ErrnoException) => {
    throwIfMachineFault(error);
    if (!isGone(error)) count.isComplete = false;
    return undefined;
  });
  if (!root) return count.size;
  const frames: Frame[] = [];
  try {
    await enter(count, frames, root);
    while (frames.length > 0 && !count.isOver) await step(count, frames, root);
  } finally {
    for (const { folder, isOpen } of frames) if (isOpen) closeFolder(folder);
  }
  return count.size;
}

/** The same for several folders, which share the limit. */
export async function measureTrees(
  { path, parts = [] }: { path: string; parts?: readonly string[] },
  limit = noLimit,
  isStopped?: () => boolean,
): Promise<TreeSize> {
  const sum = { ...nothing };
  for (const folder of [path, ...parts]) {
    const left = { bytes: limit.bytes - sum.bytes, files: limit.files - sum.files };
    const { bytes, files, isComplete, isCut } = await measureTree(folder, left, isStopped);
    Object.assign(sum, { bytes: sum.bytes + bytes, files: sum.files + files, isComplete: sum.isComplete && isComplete, isCut });
    if (isCut) break;
  }
  return sum;
}

async function step(count: Count, frames: Frame[], root: OpenFolder): Promise<void> {
  const top = frames.at(-1);
  const name = top?.names.pop();
  if (top === undefined) return;
  if (name === undefined) return leave(count, frames);
  const folder = await openFolder(entryPath(top.folder, name), count.wanted).catch((error: NodeJS.ErrnoException) => {
    throwIfMachineFault(error);
    if (!isGone(error)) count.isComplete = false;
    return undefined;
  });
  if (!folder) return;
  if (folder.device === root.device) return enter(count, frames, folder);
  closeFolder(folder);
}

async function enter(count: Count, frames: Frame[], folder: OpenFolder): Promise<void> {
  const frame = { folder, isOpen: true, names: [] };
  frames.push(frame);
  if (frames.length > 1) count.bytes += folder.blocks * blockBytes;
  await readEntries(count, frame);
  const oldest = frames[frames.length - 1 - maxOpen];
  if (!oldest?.isOpen) return;
  oldest.isOpen = false;
  closeFolder(oldest.folder);
}

/** Returns to the parent folder; if the parent is not where it was, folders are being moved while we count. */
async function leave(count: Count, frames: Frame[]): Promise<void> {
  const top = frames.pop();
  const above = frames.at(-1);
  if (top && above && !above.isOpen) {
    const parent = await openParent(top.folder, above.folder);
    if (parent) Object.assign(above, { folder: parent, isOpen: true });
    else {
      count.isComplete = false;
      frames.length = 0;
    }
  }
  if (top) closeFolder(top.folder);
}

async function readEntries(count: Count, { folder, names }: Frame): Promise<void> {
  let batch: Promise<void>[] = [];
  const take = (entry: Dirent): boolean => {
    count.files++;
    if (!entry.isDirectory()) batch.push(addFile(count, folder, entry));
    else if (count.isRemoved) batch.push(keepFolder(count, folder, entry.name, names));
    else names.push(entry.name);
    return !count.isOver;
  };
  try {
    await readFolder(folder, take, async () => {
      await Promise.all(batch);
      batch = [];
    });
  } catch (error) {
    throwIfMachineFault(error);
    if (!isGone(error as NodeJS.ErrnoException)) count.isComplete = false;
  }
}

/** Removes a folder that is to be removed, and counts any other. */
async function keepFolder(count: Count, folder: OpenFolder, name: string, names: string[]): Promise<void> {
  const path = entryPath(folder, name);
  try {
    if (!count.isRemoved?.(await lstat(path), count)) return void names.push(name);
    await removeTree(path);
    count.files--;
  } catch (error) {
    if (!isGone(error as NodeJS.ErrnoException)) count.isComplete = false;
  }
}

async function addFile(count: Count, folder: OpenFolder, entry: Dirent): Promise<void> {
  try {
    const path = entryPath(folder, entry.name);
    const stat = await lstat(path);
    const { blocks, nlink, dev, ino } = stat;
    if (count.isRemoved?.(stat, count)) {
      await unlink(path);
      count.files--;
      return;
    }
    if (nlink > 1 && !count.isNew(`${dev}:${ino}`)) return;
    count.bytes += blocks * blockBytes;
  } catch (error) {
    if (!isGone(error as NodeJS.ErrnoException)) count.isComplete = false;
  }
}

class Count {
  bytes = 0;
  files = 0;
  isComplete = true;
  readonly #limit: { bytes: number; files: number };
  readonly #isStopped: () => boolean;
  readonly #seen = new Set<string>();
  readonly isRemoved: IsRemoved | undefined;

  constructor(limit: { bytes: number; files: number }, isStopped: () => boolean, isRemoved: IsRemoved | undefined) {
    this.#limit = limit;
    this.#isStopped = isStopped;
    this.isRemoved = isRemoved;
  }

  /** Permissions that a folder must have. */
  get wanted(): 0o500 | 0o700 {
    return this.isRemoved ? 0o700 : 0o500;
  }

  get isOver(): boolean {
    return this.bytes > this.#limit.bytes || this.files > this.#limit.files || this.#isStopped();
  }

  get size(): TreeSize {
    const { bytes, files, isComplete, isOver } = this;
    return { bytes, files, isComplete, isCut: isOver };
  }

  /** Whether this is the first name of a file with several names. */
  isNew(key: string): boolean {
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    return true;
  }
}

/** It disappeared, or is not a folder any more: nothing to count there. */
function isGone({ code }: NodeJS.ErrnoException): boolean {
  return code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP";
}

export function inMebibytes(bytes: number): string {
  const mebibytes = bytes / 1_048_576;
  return mebibytes >= 10 ? `${Math.round(mebibytes)} MiB` : `${Math.round(mebibytes * 100) / 100} MiB`;
}
