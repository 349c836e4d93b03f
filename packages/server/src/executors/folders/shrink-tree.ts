import type { Stats } from "node:fs";
import { measureTree, noLimit, type TreeSize } from "./measure-tree.ts";

interface Room {
  bytes: number;
  files: number;
}

export interface Excess {
  /** A folder that is not larger is left as it is. */
  most: Room;
  /** The size to which it is reduced. */
  wanted: Room;
  /** Only what was changed or created from this time on is removed, in ms since 1970. Only the kernel sets these times of a file. */
  since: number;
}

const blockBytes = 512;
/** How far the clock with which the kernel stamps files may be behind, in ms. */
const clockLagMs = 50;
/** Files of at least this part of the limit are removed first: they are few, and most likely what filled it. */
const largePart = 64;

/**
 * Removes what was written into a folder far beyond its limit: files that are new or changed, the large ones first, until the folder is
 * within the limit. If that is not enough, because there are too many folders, the new folders are removed. Nothing else is: a task must
 * not lose what earlier ones have left. For a folder that no attempt uses any more.
 *
 * @returns how many files and folders were removed; undefined: it does not exceed `most`
 * @throws if what was there before already exceeds that
 */
export async function shrinkTree(path: string, { most, wanted, since }: Excess): Promise<number | undefined> {
  if (!isOver(await measureTree(path, most), most)) return undefined;
  let removed = 0;
  for (const leastBytes of [wanted.bytes / largePart, 0]) {
    const left: Room = await measureTree(path);
    const isRemoved = (stat: Stats): boolean => {
      const bytes = stat.blocks * blockBytes;
      if (stat.isDirectory() || !isOver(left, wanted) || stat.ctimeMs < since - clockLagMs || bytes < leastBytes) return false;
      // If it has other names, its space is still in use.
      if (stat.nlink === 1) left.bytes -= bytes;
      left.files--;
      removed++;
      return true;
    };
    await measureTree(path, noLimit, () => !isOver(left, wanted), isRemoved);
  }
  if (!isOver(await measureTree(path, most), most)) return removed;
  // By creation time, since removing a file changes the folder that it was in.
  const isNewFolder = (stat: Stats): boolean => {
    if (!stat.isDirectory() || stat.birthtimeMs < since - clockLagMs) return false;
    removed++;
    return true;
  };
  await measureTree(path, noLimit, undefined, isNewFolder);
  if (isOver(await measureTree(path, most), most)) throw new Error("existing files already exceed it");
  return removed;
}

function isOver({ bytes, files }: Pick<TreeSize, "bytes" | "files">, limit: Room): boolean {
  return bytes > limit.bytes || files > limit.files;
}
