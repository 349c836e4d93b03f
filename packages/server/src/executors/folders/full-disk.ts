import { neededSpace, readSpace } from "../machine/disk-space.ts";
import { measureTrees, type TreeSize } from "./measure-tree.ts";

/** A disk that is full while an attempt uses it. */
export interface FullDisk {
  /** The folder of the attempt that has filled it; undefined: something else has. */
  filledBy: string | undefined;
}

/** A disk with folders of an attempt, its free space and the size of each of them when the attempt started. */
export interface WatchedDisk {
  path: string;
  before: { bytes: number; files: number };
  folders: { folder: { label: string; path: string; parts?: readonly string[] }; before: TreeSize }[];
}

/** With less free space than that, a step that writes is refused. */
const fullBytes = 1 << 20;
const fullFiles = 16;

export async function findFullDisk(disks: readonly WatchedDisk[]): Promise<FullDisk | undefined> {
  for (const disk of disks) {
    const { left, needed } = await readSpace(neededSpace(disk.path));
    if (left.bytes < fullBytes) return { filledBy: await findFiller(disk, "bytes", left.bytes, needed.bytes) };
    if (left.files < fullFiles) return { filledBy: await findFiller(disk, "files", left.files, needed.files) };
  }
  return undefined;
}

/** There was room when the attempt started, and one of its folders has taken half of what the disk has lost since then. */
async function findFiller(disk: WatchedDisk, part: "bytes" | "files", left: number, needed: number): Promise<string | undefined> {
  if (disk.before[part] < needed) return undefined;
  for (const { folder, before } of disk.folders) {
    const grown = (await measureTrees(folder))[part] - before[part];
    if (2 * grown >= disk.before[part] - left) return folder.label;
  }
  return undefined;
}
