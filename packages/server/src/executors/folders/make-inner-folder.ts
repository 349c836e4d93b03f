import { constants } from "node:fs";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import type { Identity } from "./identity.ts";

const asFolder = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * Creates a folder below one that steps can change, for their user. Each part is opened before the next one is looked up in it, and links
 * are never followed: wherever a link of a step points, nothing is created there.
 *
 * @returns false if a link or a file is in the way. Otherwise the path is the real one, as long as no process of a step runs.
 */
export async function makeInnerFolder(base: string, path: string, identity: Identity | undefined): Promise<boolean> {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.includes("..") || process.platform !== "linux") return false;
  let folder = await open(base, asFolder);
  try {
    for (const part of parts) {
      const next = await openPart(folder, part, identity);
      await folder.close();
      folder = next;
    }
    return true;
  } catch {
    return false;
  } finally {
    await folder.close();
  }
}

async function openPart(folder: FileHandle, part: string, identity: Identity | undefined): Promise<FileHandle> {
  const path = `/proc/self/fd/${folder.fd}/${part}`;
  const isMade = await mkdir(path, { mode: 0o755 }).then(
    () => true,
    () => false,
  );
  const made = await open(path, asFolder);
  if (isMade && identity) await made.chown(identity.uid, identity.gid);
  return made;
}
