import { constants } from "node:fs";
import { chmod, type FileHandle, lstat, open } from "node:fs/promises";
import { join } from "node:path";

/**
 * A folder by its descriptor, so that what lies below is reached without its path: nothing is followed that a user put in the way, no path is too
 * long, and a folder that is moved meanwhile is still the same folder. Node has no calls relative to a descriptor; on Linux
 * /proc/self/fd/N/NAME does the same. Elsewhere (development machines) it is the path.
 */
export interface OpenFolder {
  readonly handle: FileHandle;
  /** What a name is appended to. */
  readonly base: string;
  readonly device: number;
  readonly inode: number;
  /** Disk space of the folder itself, in blocks of 512 bytes. */
  readonly blocks: number;
  /** Its permissions before they were opened; undefined: they were left alone. */
  readonly formerMode: number | undefined;
}

const isLinux = process.platform === "linux";
const asFolder = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** Linux: a descriptor that only names the file, for which no permission is needed. Node does not export it. */
const pathOnly = 0o10000000;

export function entryPath(folder: OpenFolder, name: string): string {
  return `${folder.base}/${name}`;
}

/**
 * @param path of the folder itself, or of an entry of an open one; a symbolic link is not followed
 * @param wanted permissions of the owner that are needed; they are added where they are missing and the folder is ours
 * @throws what the system says; ENOENT, ENOTDIR or ELOOP: it is no folder (any more)
 */
export async function openFolder(path: string, wanted: 0o500 | 0o700): Promise<OpenFolder> {
  const handle = await open(path, asFolder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EACCES") throw error;
    return undefined;
  });
  if (handle) return describe(handle, path, wanted);
  const formerMode = await pry(path, wanted);
  return { ...(await describe(await open(path, asFolder), path, wanted)), formerMode };
}

/** The folder above, when it is still the one that is meant. */
export async function openParent(folder: OpenFolder, expected: Pick<OpenFolder, "device" | "inode">): Promise<OpenFolder | undefined> {
  const path = join(folder.base, "..");
  const handle = await open(isLinux ? `${folder.base}/..` : path, asFolder).catch(() => undefined);
  if (!handle) return undefined;
  const parent = await describe(handle, path, undefined);
  if (parent.device === expected.device && parent.inode === expected.inode) return parent;
  await handle.close();
  return undefined;
}

/** Gives a folder the permissions back that it had, and closes it. */
export async function closeFolder(folder: OpenFolder): Promise<void> {
  if (folder.formerMode !== undefined) await folder.handle.chmod(folder.formerMode).catch(() => undefined);
  await folder.handle.close().catch(() => undefined);
}

async function describe(handle: FileHandle, path: string, wanted: number | undefined): Promise<OpenFolder> {
  try {
    const { dev, ino, blocks, mode, uid } = await handle.stat();
    const base = isLinux ? `/proc/self/fd/${handle.fd}` : path;
    const mustOpen = wanted !== undefined && (mode & wanted) !== wanted && uid === process.geteuid?.() && uid !== 0;
    if (mustOpen) await handle.chmod((mode & 0o7777) | wanted);
    return { handle, base, device: dev, inode: ino, blocks, formerMode: mustOpen ? mode & 0o7777 : undefined };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Opens the permissions of a folder that can't be opened; what a link points to is never touched. @returns those it had */
async function pry(path: string, wanted: number): Promise<number> {
  if (!isLinux) {
    const { mode } = await lstat(path);
    await chmod(path, (mode & 0o7777) | wanted);
    return mode & 0o7777;
  }
  const handle = await open(path, pathOnly | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    const { mode } = await handle.stat();
    await chmod(`/proc/self/fd/${handle.fd}`, (mode & 0o7777) | wanted);
    return mode & 0o7777;
  } finally {
    await handle.close();
  }
}
