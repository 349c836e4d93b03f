import { closeSync, constants, fstatSync, open as openLater } from "node:fs";
import { chmod, type FileHandle, open } from "node:fs/promises";
import { promisify } from "node:util";

const openNumber = promisify(openLater);

const readOnly = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** Linux: a descriptor that only refers to the file, without read access, which needs no permission. Node does not export the flag. */
const pathOnly = 0o10000000;

/**
 * Opens a file of a user for reading. Does not follow links, does not wait for the writer of a pipe, and adds the missing read
 * permission to files of our own user while opening them.
 *
 * @param path of an entry of an open folder (open-folder.ts)
 * @returns undefined if it is not a regular file
 * @throws system errors; ENOENT, ELOOP or ENXIO: it is no longer a file
 */
export async function openFile(path: string): Promise<FileHandle | undefined> {
  const handle = await open(path, readOnly).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EACCES" && process.platform === "linux") return openClosed(path);
    throw error;
  });
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  return undefined;
}

async function openClosed(path: string): Promise<FileHandle> {
  const fd = await openNumber(path, pathOnly | constants.O_NOFOLLOW);
  try {
    const { mode } = fstatSync(fd);
    const itself = `/proc/self/fd/${fd}`;
    await chmod(itself, (mode & 0o7777) | constants.S_IRUSR);
    try {
      return await open(itself, constants.O_RDONLY | constants.O_NONBLOCK);
    } finally {
      await chmod(itself, mode & 0o7777);
    }
  } finally {
    closeSync(fd);
  }
}
