import { constants } from "node:fs";
import { chmod, lchown, lstat, mkdir, open, opendir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { JobWorkspace } from "../../engine/executor.ts";
import type { Identity } from "./identity.ts";

/** Makes the folders of the workspaces where they are missing, and the user of the steps their owner. */
export async function openWorkspaces(workspaces: readonly JobWorkspace[], identity: Identity | undefined): Promise<void> {
  await Promise.all(workspaces.map((workspace) => openWorkspace(workspace.source, identity)));
}

async function openWorkspace(source: string, identity: Identity | undefined): Promise<void> {
  await openParents(dirname(source));
  await mkdir(source, { mode: 0o700 }).catch(ignoreExisting);
  if (identity === undefined) return;
  const found = await lstat(source);
  if (found.uid !== identity.uid) await giveTree(source, found.uid, identity);
}

/** Folders on the way that we make ourselves let others pass, as the user of the steps walks through them; nobody can list them. */
async function openParents(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o711 });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) await chmod(made, 0o711);
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}

/**
 * Only once in the life of a folder: when it is new, or when the machine's way of running steps has changed. What belonged to the
 * former owner changes hands; anything else, and a file that has a second name somewhere, stays unchanged.
 *
 * A step of another task may be at work in it already, and this may be root: so each folder is opened without following a link, and
 * everything else is looked up in the open folder. A name that turns into a link meanwhile leads nowhere.
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
