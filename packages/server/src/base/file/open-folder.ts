import { closeSync, constants, type Dirent, fchmodSync, fstatSync, opendirSync, open as openLater } from "node:fs";
import { chmod, lstat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const open = promisify(openLater);

/**
 * A folder by its descriptor, so that what lies below is reached without its path: nothing is followed that a user put in the way,
 * no path is too long, and a folder that is moved meanwhile is still the same folder. Node has no calls relative to a descriptor;
 * on Linux /proc/self/fd/N/NAME does the same. Elsewhere (development machines) it is the path.
 *
 * Looking for a folder may have to wait for the disk and goes to the thread pool. What is asked of one that is open is in memory:
 * trips to the thread pool would cost the event loop many times as much.
 */
export interface OpenFolder {
  readonly fd: number;
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

/**
 * Hands over the entries of an open folder, some at a time, until `take` says that it is enough. The waits between them let others work.
 */
export async function readFolder(folder: OpenFolder, take: (entry: Dirent) => boolean, settle: () => Promise<void>): Promise<void> {
  const entries = opendirSync(entryPath(folder, "."), { bufferSize: batchSize });
  try {
    let count = 0;
    for (let entry = await entries.read(); entry !== null && take(entry); entry = await entries.read()) {
      if (++count % batchSize === 0) await settle();
    }
  } finally {
    await settle();
    entries.closeSync();
  }
}

const batchSize = 64;

export function entryPath(folder: OpenFolder, name: string): string {
  return `${folder.base}/${name}`;
}

/**
 * @param path of the folder itself, or of an entry of an open one; a symbolic link is not followed
 * @param wanted permissions of the owner that are needed; they are added where they are missing and the folder is ours
 * @throws what the system says; ENOENT, ENOTDIR or ELOOP: it is not a folder (any more)
 */
export async function openFolder(path: string, wanted: 0o500 | 0o700): Promise<OpenFolder> {
  const fd = await open(path, asFolder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EACCES") throw error;
    return undefined;
  });
  if (fd !== undefined) return describe(fd, path, wanted);
  const formerMode = await pry(path, wanted);
  return { ...describe(await open(path, asFolder), path, wanted), formerMode };
}

/** The folder above, when it is still the one that is meant. */
export async function openParent(folder: OpenFolder, expected: Pick<OpenFolder, "device" | "inode">): Promise<OpenFolder | undefined> {
  const path = join(folder.base, "..");
  const fd = await open(isLinux ? `${folder.base}/..` : path, asFolder).catch(() => undefined);
  if (fd === undefined) return undefined;
  const parent = describe(fd, path, undefined);
  if (parent.device === expected.device && parent.inode === expected.inode) return parent;
  closeSync(fd);
  return undefined;
}

/** Gives a folder the permissions back that it had, and closes it. */
export function closeFolder({ fd, formerMode }: Pick<OpenFolder, "fd" | "formerMode">): void {
  try {
    if (formerMode !== undefined) fchmodSync(fd, formerMode);
  } catch {
    // It is not ours any more.
  }
  closeSync(fd);
}

function describe(fd: number, path: string, wanted: number | undefined): OpenFolder {
  try {
    const { dev, ino, blocks, mode, uid } = fstatSync(fd);
    const base = isLinux ? `/proc/self/fd/${fd}` : path;
    const mustOpen = wanted !== undefined && (mode & wanted) !== wanted && uid === process.geteuid?.() && uid !== 0;
    if (mustOpen) fchmodSync(fd, (mode & 0o7777) | wanted);
    return { fd, base, device: dev, inode: ino, blocks, formerMode: mustOpen ? mode & 0o7777 : undefined };
  } catch (error) {
    closeSync(fd);
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
  const fd = await open(path, pathOnly | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    const { mode } = fstatSync(fd);
    await chmod(`/proc/self/fd/${fd}`, (mode & 0o7777) | wanted);
    return mode & 0o7777;
  } finally {
    closeSync(fd);
  }
}
