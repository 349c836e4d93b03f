import { constants } from "node:fs";
import { lchown, lstat, mkdir, open, opendir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { closeFolder, openFolder } from "../../base/file/open-folder.ts";
import { makeParentFolders } from "../../base/file/parent-folders.ts";
import type { JobWorkspace } from "../../engine/executor.ts";
import type { Identity } from "./identity.ts";

/** Creates missing folders of workspaces, and makes the user of the steps their owner. */
export async function openWorkspaces(workspaces: readonly JobWorkspace[], identity: Identity | undefined): Promise<void> {
  await Promise.all(workspaces.map((workspace) => openWorkspace(workspace.source, identity)));
}

async function openWorkspace(source: string, identity: Identity | undefined): Promise<void> {
  await makeParentFolders(dirname(source));
  await mkdir(source, { mode: 0o700 }).catch(ignoreExisting);
  if (identity === undefined) return openPermissions(source);
  const found = await lstat(source);
  if (found.uid !== identity.uid) await giveTree(source, found.uid, identity);
}

/** A step of our own user can remove the permissions of the folder, which locks out us and every later task. */
async function openPermissions(source: string): Promise<void> {
  // If it is not ours, or no folder, the code that needs it reports that.
  const folder = await openFolder(source, 0o700).catch(() => undefined);
  if (folder) closeFolder({ fd: folder.fd, formerMode: undefined });
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}

/**
 * Happens only once for a folder: when it is new, or when the way in which the machine runs steps has changed. What belonged to the former
 * owner is transferred; anything else, and a file that has a second name somewhere, keeps its owner.
 *
 * A step of another task may already be using it, and this process may be root: so each folder is opened without following links, and
 * everything else is looked up in the open folder. A name that turns into a link in the meantime is not followed.
 */
async function giveTree(folder: string, from: number, to: Identity): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    const inside = process.platform === "linux" ? `/proc/self/fd/${handle.fd}` : folder;
    for await (const entry of await opendir(inside)) {
      const path = join(inside, entry.name);
      const found = await lstat(path);
      if (found.isDirectory()) await giveTree(path, from, to);
      else if (found.uid === from && found.nlink === 1) await lchown(path, to.uid, to.gid);
    }
    if ((await handle.stat()).uid === from) await handle.chown(to.uid, to.gid);
  } finally {
    await handle.close();
  }
}
