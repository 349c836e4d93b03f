import { randomUUID } from "node:crypto";
import { link, opendir, readFile, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { makeParentFolders } from "../base/file/parent-folders.ts";
import { removeTree } from "../base/file/remove-tree.ts";
import type { Log } from "../base/process/log.ts";
import { isId } from "../base/text/uuid.ts";
import type { WorkerPlace } from "../store/worker/workers.ts";
import type { KeptWorkspace, WorkspaceKeeper } from "./executor.ts";
import { workspaceFolder } from "./job-workspaces.ts";
import type { WorkspaceStore } from "./workspace-store.ts";

/** The workspaces that are folders of this machine. The folders themselves are the list. */
export function folderWorkspaces(workspacesDir: string, log: Pick<Log, "warn">): WorkspaceKeeper {
  return {
    async list() {
      const kept: KeptWorkspace[] = [];
      for (const teamId of await idsIn(workspacesDir)) {
        try {
          for (const scope of ["workflow", "workflowrun"] as const) {
            const owners = await idsIn(join(workspacesDir, teamId, scope));
            kept.push(...owners.map((ownerId) => ({ teamId, scope, ownerId })));
          }
        } catch (error) {
          // An error in one team's folder must not prevent the clean-up of the others.
          log.warn({ err: error, teamId }, "the workspaces of a team could not be listed");
        }
      }
      return kept;
    },
    async remove({ teamId, scope, ownerId }) {
      const folder = workspaceFolder(workspacesDir, teamId, scope, ownerId);
      await removeTree(folder).catch((error: Error) => {
        throw new Error(`${folder}: ${error.message}`, { cause: error });
      });
    },
  };
}

/** Names in a folder that are ids; empty if the folder doesn't exist. */
async function idsIn(folder: string): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const { name } of await opendir(folder, { bufferSize: 256 })) if (isId(name)) names.push(name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  return names;
}

/** Interval of listing the store, which takes a request for every thousand keys. */
const intervalMs = 10 * 60_000;

/** The archives in the store, for the clean-up of finished runs and deleted workflows. */
export function archivedWorkspaces(store: WorkspaceStore, clock: () => number = () => performance.now()): WorkspaceKeeper {
  let listedAt = Number.NEGATIVE_INFINITY;
  return {
    async list() {
      if (clock() - listedAt < intervalMs) return [];
      listedAt = clock();
      const found = new Map<string, KeptWorkspace>();
      for await (const key of store.list("")) {
        const [teamId = "", scope, ownerId = ""] = key.split("/");
        if (scope === "workflow" || scope === "workflowrun") found.set(`${teamId}/${scope}/${ownerId}`, { teamId, scope, ownerId });
      }
      return [...found.values()];
    },
    async remove({ teamId, scope, ownerId }) {
      for await (const key of store.list(`${teamId}/${scope}/${ownerId}/`)) await store.remove(key);
    },
  };
}

/** Name of the file with the id. Names of teams' folders are ids, so this is none of them. */
export const placeFileName = "place-id";

/**
 * The identity of a folder of workspaces, stored in the folder itself. Workspaces are recorded by it, so they stay with the folder: it is
 * the same after a restart, on another host that gets the disk, and for all processes that share the folder.
 *
 * @throws Error if the folder is not writable, the file contains something else, or another user made the folders in it
 */
export async function openFolderPlace(workspacesDir: string): Promise<WorkerPlace> {
  await makeParentFolders(workspacesDir);
  await refuseForeignFolders(workspacesDir);
  const path = join(workspacesDir, placeFileName);
  const id = (await readId(path)) ?? (await createId(path));
  return { id, host: hostname(), path: workspacesDir };
}

/**
 * A service that ran as root leaves folders that it can't use as another user: every task with a workspace would fail, instead of
 * waiting for the remedy. Only folders that no step can change are checked, so that no step can stop the others.
 */
async function refuseForeignFolders(workspacesDir: string): Promise<void> {
  for (const teamId of await idsIn(workspacesDir)) {
    const ofTeam = join(workspacesDir, teamId);
    for (const folder of [ofTeam, join(ofTeam, "workflow"), join(ofTeam, "workflowrun")]) {
      await idsIn(folder).catch((cause: NodeJS.ErrnoException) => {
        const remedy = `Start Millrace as that user, or give all of them to this one: chown -R ${process.geteuid?.()} ${workspacesDir}`;
        throw new Error(`The workspaces in ${folder} cannot be used: another user made them (${cause.code}). ${remedy}`, { cause });
      });
    }
  }
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

/** Written completely or not at all, and the first of several processes wins. */
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
