import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "../base/log.ts";
import { Loop, type Service } from "../base/service.ts";
import { workspaceFolder } from "../engine/job-workspaces.ts";
import type { Database } from "../store/database.ts";
import { isId } from "../store/directory.ts";
import { listGoneWorkflows, listRunsOver, markFinalized } from "../store/runs.ts";

/**
 * Removes the folders of workspaces that nobody can use any more from this machine: of runs that are over, which are finalized by that,
 * and of workflows that were deleted. The folders themselves are the list of what there is to look at.
 */
export function createWorkspaceCleanupService(sql: Database, workspacesDir: string, log: Log): Service {
  return new Loop({
    name: "workspace-cleanup",
    intervalMs: 30_000,
    log,
    round: async () => {
      for (const teamId of await idsIn(workspacesDir)) {
        await cleanRuns(sql, workspacesDir, teamId);
        await cleanWorkflows(sql, workspacesDir, teamId);
      }
      return undefined;
    },
  });
}

async function cleanRuns(sql: Database, workspacesDir: string, teamId: string): Promise<void> {
  const ids = await idsIn(join(workspacesDir, teamId, "workflowrun"));
  if (ids.length === 0) return;
  for (const id of await listRunsOver(sql, teamId, ids)) {
    await rm(workspaceFolder(workspacesDir, teamId, "workflowrun", id), { recursive: true, force: true });
    await markFinalized(sql, teamId, id);
  }
}

async function cleanWorkflows(sql: Database, workspacesDir: string, teamId: string): Promise<void> {
  const ids = await idsIn(join(workspacesDir, teamId, "workflow"));
  if (ids.length === 0) return;
  for (const id of await listGoneWorkflows(sql, teamId, ids)) {
    await rm(workspaceFolder(workspacesDir, teamId, "workflow", id), { recursive: true, force: true });
  }
}

/** Names in a folder that are ids; none when the folder is not there. */
async function idsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return names.filter(isId);
}
