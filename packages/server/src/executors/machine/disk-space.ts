import { constants } from "node:fs";
import { access, statfs } from "node:fs/promises";
import { inMebibytes } from "../folders/measure-tree.ts";
import type { KnownFault } from "./known-fault.ts";

/** A folder that attempts need, and how much room there must be for more of them. */
export interface NeededFolder {
  path: string;
  bytes: number;
  files: number;
}

/** For scripts, parameters and what small steps write. A disk that is small itself has to have a twentieth of it. */
const neededBytes = 64 << 20;
const neededFiles = 1_000;
const largestPart = 20;

/** A folder of attempts or workspaces. */
export function neededSpace(path: string): NeededFolder {
  return { path, bytes: neededBytes, files: neededFiles };
}

/** A folder that only a few empty files are made in. */
export function sparse(path: string): NeededFolder {
  return { path, bytes: 0, files: 100 };
}

interface Room {
  bytes: number;
  files: number;
}

/** What users without rights may take of the disk of a folder, and how much of it must be there for more attempts. */
export async function readSpace({ path, bytes, files }: NeededFolder): Promise<{ left: Room; needed: Room }> {
  const disk = await statfs(path);
  // Some file systems count no files.
  const left = { bytes: disk.bavail * disk.bsize, files: disk.files === 0 ? Number.POSITIVE_INFINITY : disk.ffree };
  const needed = {
    bytes: Math.min(bytes, (disk.blocks * disk.bsize) / largestPart),
    files: Math.min(files, disk.files / largestPart),
  };
  return { left, needed };
}

const words = "the disk of the worker is full";

/** Why a folder can't take more attempts. One that is not there yet is in nobody's way. */
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
