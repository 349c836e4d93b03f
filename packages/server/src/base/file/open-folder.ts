import { closeSync, constants, type Dirent, fchmodSync, fstatSync, opendirSync, open as openLater } from "node:fs";
import { chmod, lstat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const open = promisify(openLater);

/**
 * A folder by its descriptor, so that its content is reached without its path: no link that a user created is followed, no path is too
 * long, and a folder that is moved meanwhile is still the same folder. Node has no calls relative to a descriptor; on Linux
 * /proc/self/fd/N/NAME does the same. Elsewhere (development machines) it is the path.
 *
 * Looking up a folder may have to wait for the disk and uses the thread pool. Calls on an open folder are served from memory, where trips
 * to the thread pool would cost the event loop many times as much.
 */
export interface OpenFolder {
  readonly fd: number;
  /** The prefix of a name in it. */
  readonly base: string;
  readonly device: number;
  readonly inode: number;
  /** Disk space of the folder itself, in blocks of 512 bytes. */
  readonly blocks: number;
  /** Its permissions before they were extended; undefined: they were not changed. */
  readonly formerMode: number | undefined;
}

const isLinux = process.platform === "linux";
const asFolder = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** Linux: a descriptor that only refers to the file, without read access, which needs no permission. Node does not export the flag. */
const pathOnly = 0o10000000;

/** Passes the entries of an open folder to `take`, some at a time, until it returns that it has enough. Other work runs in between. */
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
 * @param wanted permissions of the owner that are needed; missing ones are added if the folder is ours
 * @throws system errors; ENOENT, ENOTDIR or ELOOP: it is not a folder (any more)
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

/** The parent folder, if it is still the same one. */
export async function openParent(folder: OpenFolder, expected: Pick<OpenFolder, "device" | "inode">): Promise<OpenFolder | undefined> {
  const path = join(folder.base, "..");
  const fd = await open(isLinux ? `${folder.base}/..` : path, asFolder).catch(() => undefined);
  if (fd === undefined) return undefined;
  const parent = describe(fd, path, undefined);
  if (parent.device === expected.device && parent.inode === expected.inode) return parent;
  closeSync(fd);
  return undefined;
}

/** Restores the permissions of a folder, and closes it. */
export function closeFolder({ fd, formerMode }: Pick<OpenFolder, "fd" | "formerMode">): void {
  try {
    if (formerMode !== undefined) fchmodSync(fd, formerMode);
  } catch {
    // It doesn't belong to us any more.
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

/** Extends the permissions of a folder that can't be opened; the target of a link is never changed. @returns the previous permissions */
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
