import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { isId } from "../store/directory.ts";
import type { KeptWorkspace, WorkspaceKeeper } from "./executor.ts";
import { workspaceFolder } from "./job-workspaces.ts";

/** The workspaces that are folders of this machine. The folders themselves are the list of what there is. */
export function folderWorkspaces(workspacesDir: string): WorkspaceKeeper {
  return {
    async list() {
      const kept: KeptWorkspace[] = [];
      for (const teamId of await idsIn(workspacesDir)) {
        for (const scope of ["workflow", "workflowrun"] as const) {
          const owners = await idsIn(join(workspacesDir, teamId, scope));
          kept.push(...owners.map((ownerId) => ({ teamId, scope, ownerId })));
        }
      }
      return kept;
    },
    remove: ({ teamId, scope, ownerId }) => rm(workspaceFolder(workspacesDir, teamId, scope, ownerId), { recursive: true, force: true }),
  };
}

/** Names in a folder that are ids; none when the folder is not there. */
async function idsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return names.filter(isId);
}
