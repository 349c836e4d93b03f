import type { Stats } from "node:fs";
import { measureTree, noLimit, type TreeSize } from "./measure-tree.ts";

interface Room {
  bytes: number;
  files: number;
}

export interface Excess {
  /** With no more than that a folder is left as it is. */
  most: Room;
  /** What it is brought back to. */
  wanted: Room;
  /** Only what was changed or made from then on goes, in ms since 1970. Nobody but the kernel sets these times of a file. */
  since: number;
}

const blockBytes = 512;
/** The clock that the kernel stamps files with may be so much behind, in ms. */
const clockLagMs = 50;
/** Files of at least this part of the limit go first: they are few, and most likely what filled it. */
const largePart = 64;

/**
 * Removes what was written into a folder far beyond its limit: files that are new or changed, the large ones first, until it holds
 * no more than it may. If that is not enough, because there are too many folders, the new folders go. Nothing else does: a task
 * must not lose what earlier ones have left. For a folder that no attempt works in any more.
 *
 * @returns how many files and folders went; undefined: it holds no more than `most`
 * @throws when what was there before is more than that
 */
export async function shrinkTree(path: string, { most, wanted, since }: Excess): Promise<number | undefined> {
  if (!isOver(await measureTree(path, most), most)) return undefined;
  let removed = 0;
  for (const leastBytes of [wanted.bytes / largePart, 0]) {
    const left: Room = await measureTree(path);
    const isRemoved = (stat: Stats): boolean => {
      const bytes = stat.blocks * blockBytes;
      if (stat.isDirectory() || !isOver(left, wanted) || stat.ctimeMs < since - clockLagMs || bytes < leastBytes) return false;
      // With other names its space is still taken.
      if (stat.nlink === 1) left.bytes -= bytes;
      left.files--;
      removed++;
      return true;
    };
    await measureTree(path, noLimit, () => !isOver(left, wanted), isRemoved);
  }
  if (!isOver(await measureTree(path, most), most)) return removed;
  // By when it was made, since removing a file changes the folder that it was in.
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
