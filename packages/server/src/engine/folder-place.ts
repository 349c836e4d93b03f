import { randomUUID } from "node:crypto";
import { chmod, link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { isId } from "../store/team/directory.ts";
import type { WorkerPlace } from "../store/worker/workers.ts";

/** Name of the file with the id. Names of teams' folders are ids, so this is none of them. */
export const placeFileName = "place-id";

/**
 * The identity of a folder of workspaces, kept in the folder itself. Workspaces are recorded by it, so they stay with the folder:
 * it is the same after a restart, on another host that gets the disk, and for all processes that share the folder.
 *
 * @throws Error when the folder can't be written, or the file holds something else
 */
export async function openFolderPlace(workspacesDir: string): Promise<WorkerPlace> {
  const made = await mkdir(workspacesDir, { recursive: true, mode: 0o711 });
  // The users of steps pass through it, whatever the mask of this process.
  if (made !== undefined) await chmod(workspacesDir, 0o711);
  const path = join(workspacesDir, placeFileName);
  const id = (await readId(path)) ?? (await createId(path));
  return { id, host: hostname(), path: workspacesDir };
}

async function readId(path: string): Promise<string | undefined> {
  let text: string;
  try {
    text = (await readFile(path, "utf8")).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  if (!isId(text))
    throw new Error(`${path} does not contain the ID of a workspace folder; restore it, or remove it if no run needs the folder`);
  return text;
}

/** Whole or not at all, and the first of several processes wins. */
async function createId(path: string): Promise<string> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, `${randomUUID()}\n`, { mode: 0o600, flag: "wx", flush: true });
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  const id = await readId(path);
  if (id === undefined) throw new Error(`${path} vanished while it was created`);
  return id;
}
