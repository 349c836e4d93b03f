import { constants } from "node:fs";
import { access, statfs } from "node:fs/promises";
import { inMebibytes } from "../folders/measure-tree.ts";
import type { KnownFault } from "./known-fault.ts";

/** A folder that attempts need, and the free space that further attempts require there. */
export interface NeededFolder {
  path: string;
  bytes: number;
  files: number;
}

/** For scripts, parameters and the files of small steps. On a small disk, a twentieth of it is enough. */
const neededBytes = 64 << 20;
const neededFiles = 1_000;
const largestPart = 20;

/** A folder of attempts or workspaces. */
export function neededSpace(path: string): NeededFolder {
  return { path, bytes: neededBytes, files: neededFiles };
}

/** A folder in which only a few empty files are created. */
export function sparse(path: string): NeededFolder {
  return { path, bytes: 0, files: 100 };
}

interface Room {
  bytes: number;
  files: number;
}

/** The space that unprivileged users may take on the disk of a folder, and how much of it further attempts need. */
export async function readSpace({ path, bytes, files }: NeededFolder): Promise<{ left: Room; needed: Room }> {
  const disk = await statfs(path);
  // Some file systems don't count files.
  const left = { bytes: disk.bavail * disk.bsize, files: disk.files === 0 ? Number.POSITIVE_INFINITY : disk.ffree };
  const needed = {
    bytes: Math.min(bytes, (disk.blocks * disk.bsize) / largestPart),
    files: Math.min(files, disk.files / largestPart),
  };
  return { left, needed };
}

const words = "the disk of the worker is full";

/** Why a folder can't take more attempts. A folder that does not exist yet has no shortage. */
export async function findShortage(folder: NeededFolder): Promise<KnownFault | undefined> {
  const { path } = folder;
  const room = await readSpace(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return undefined;
  });
  if (room === undefined) return undefined;
  const { left, needed } = room;
  await access(path, constants.W_OK);
  if (left.bytes < needed.bytes) {
    const detail = `the disk of ${path} is full: ${inMebibytes(left.bytes)} free, needs ${inMebibytes(needed.bytes)}`;
    return { code: "ENOSPC", words, detail };
  }
  if (left.files >= needed.files) return undefined;
  const detail = `the disk of ${path} is out of inodes: ${left.files} files can be created, needs ${Math.ceil(needed.files)}`;
  return { code: "ENOSPC", words, detail };
}
