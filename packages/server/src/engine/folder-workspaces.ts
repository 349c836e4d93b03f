import { opendir } from "node:fs/promises";
import { join } from "node:path";
import { removeTree } from "../base/file/remove-tree.ts";
import type { Log } from "../base/process/log.ts";
import { isId } from "../store/team/directory.ts";
import type { KeptWorkspace, WorkspaceKeeper } from "./executor.ts";
import { workspaceFolder } from "./job-workspaces.ts";
import type { WorkspaceStore } from "./workspace-store.ts";

/** The workspaces that are folders of this machine. The folders themselves are the list of what there is. */
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
          // One team's folder does not keep the others from being cleaned.
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

/** Names in a folder that are ids; none when the folder is not there. */
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
