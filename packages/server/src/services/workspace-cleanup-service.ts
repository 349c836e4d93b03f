import type { Log } from "../base/log.ts";
import { Loop, type Service } from "../base/service.ts";
import type { KeptWorkspace, WorkspaceKeeper } from "../engine/executor.ts";
import type { Database } from "../store/database.ts";
import { isId } from "../store/directory.ts";
import { listGoneWorkflows, listRunsOver, markFinalized } from "../store/runs.ts";

/**
 * Removes workspaces that nobody can use any more, wherever they are kept (folders of this machine, volumes of a cluster): of runs that
 * are over, which are finalized by that, and of workflows that were deleted. What the keepers have is the list of what there is to look at.
 */
export function createWorkspaceCleanupService(sql: Database, keepers: readonly WorkspaceKeeper[], log: Log): Service {
  return new Loop({
    name: "workspace-cleanup",
    intervalMs: 30_000,
    log,
    round: async () => {
      const cleaned = await Promise.allSettled(keepers.map((keeper) => clean(sql, keeper)));
      // A cluster that is away keeps what it has; the folders of this machine are cleaned all the same.
      for (const end of cleaned) if (end.status === "rejected") log.warn({ err: end.reason }, "workspaces could not be cleaned up");
      return undefined;
    },
  });
}

async function clean(sql: Database, keeper: WorkspaceKeeper): Promise<void> {
  const kept = (await keeper.list()).filter(({ teamId, ownerId }) => isId(teamId) && isId(ownerId));
  for (const teamId of new Set(kept.map((workspace) => workspace.teamId))) {
    const ofTeam = kept.filter((workspace) => workspace.teamId === teamId);
    for (const workspace of await unused(ofTeam, "workflowrun", (ids) => listRunsOver(sql, teamId, ids))) {
      await keeper.remove(workspace);
      await markFinalized(sql, teamId, workspace.ownerId);
    }
    for (const workspace of await unused(ofTeam, "workflow", (ids) => listGoneWorkflows(sql, teamId, ids))) await keeper.remove(workspace);
  }
}

/** Those of that scope whose owner is gone. */
async function unused(
  kept: readonly KeptWorkspace[],
  scope: KeptWorkspace["scope"],
  listGone: (ids: string[]) => Promise<string[]>,
): Promise<KeptWorkspace[]> {
  const ofScope = kept.filter((workspace) => workspace.scope === scope);
  if (ofScope.length === 0) return [];
  const gone = new Set(await listGone([...new Set(ofScope.map(({ ownerId }) => ownerId))]));
  return ofScope.filter(({ ownerId }) => gone.has(ownerId));
}
