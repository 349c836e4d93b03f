import type { Log } from "../base/process/log.ts";
import { RetryLater, waitAtMost } from "../base/process/retry-later.ts";
import { Loop, type Service } from "../base/process/service.ts";
import { isId } from "../base/text/uuid.ts";
import type { KeptWorkspace, WorkspaceKeeper } from "../engine/executor.ts";
import type { Database } from "../store/database/database.ts";
import { listGoneWorkflows, listRunsOver, markFinalized } from "../store/run/runs.ts";

/** Teams whose workspaces are removed at the same time. */
const teamsAtOnce = 4;
/** The longest time that a round waits for removals; a large one continues during the next rounds. */
const patienceMs = 20_000;

/**
 * Removes workspaces that nobody can use any more, wherever they are kept (folders of this machine, volumes of a cluster): of runs that
 * are over, which are finalized by that, and of workflows that were deleted. What the keepers have is the list of what there is to check.
 *
 * Teams do not wait for each other: a workspace that can't be removed is logged once and retried later, and one that takes long delays only
 * its own team.
 */
export function createWorkspaceCleanupService(
  sql: Database,
  keepers: readonly WorkspaceKeeper[],
  log: Log,
  clock: () => number = () => performance.now(),
): Service {
  const cleanups = keepers.map((keeper) => new Cleanup(sql, keeper, log, clock));
  return new Loop({
    name: "workspace-cleanup",
    intervalMs: 30_000,
    log,
    round: async () => {
      await Promise.all(cleanups.map((cleanup) => cleanup.round()));
      return undefined;
    },
  });
}

/** The workspaces of one keeper. */
class Cleanup {
  readonly #sql: Database;
  readonly #keeper: WorkspaceKeeper;
  readonly #log: Log;
  readonly #later: RetryLater;
  /** Teams whose workspaces are being removed, now or since an earlier round. */
  readonly #busy = new Set<string>();

  constructor(sql: Database, keeper: WorkspaceKeeper, log: Log, clock: () => number) {
    this.#sql = sql;
    this.#keeper = keeper;
    this.#log = log;
    this.#later = new RetryLater(clock);
  }

  async round(): Promise<void> {
    const kept = await this.#list();
    this.#later.keepOnly(new Set(kept.map(keyOf)));
    const byTeam = groupByTeam(kept);
    const waiting = [...byTeam].filter(([teamId]) => !this.#busy.has(teamId));
    const lanes = Array.from({ length: teamsAtOnce }, async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await this.#cleanTeam(...next);
    });
    await waitAtMost(Promise.all(lanes), patienceMs);
  }

  /** If a cluster is unreachable, its volumes stay; the folders of this machine are cleaned all the same. */
  async #list(): Promise<KeptWorkspace[]> {
    try {
      return (await this.#keeper.list()).filter(({ teamId, ownerId }) => isId(teamId) && isId(ownerId));
    } catch (error) {
      this.#log.warn({ err: error }, "workspaces could not be listed for cleanup");
      return [];
    }
  }

  async #cleanTeam(teamId: string, kept: readonly KeptWorkspace[]): Promise<void> {
    this.#busy.add(teamId);
    try {
      const over = await unused(kept, "workflowrun", (ids) => listRunsOver(this.#sql, teamId, ids));
      const gone = await unused(kept, "workflow", (ids) => listGoneWorkflows(this.#sql, teamId, ids));
      for (const workspace of [...over, ...gone]) await this.#remove(workspace);
    } catch (error) {
      this.#log.warn({ err: error, teamId }, "the workspaces of a team could not be checked for cleanup; they will be checked again");
    } finally {
      this.#busy.delete(teamId);
    }
  }

  async #remove(workspace: KeptWorkspace): Promise<void> {
    const key = keyOf(workspace);
    if (!this.#later.isDue(key)) return;
    const { teamId, scope, ownerId } = workspace;
    try {
      await this.#keeper.remove(workspace);
      if (scope === "workflowrun") await markFinalized(this.#sql, teamId, ownerId);
      if (this.#later.succeed(key)) this.#log.info(workspace, "a workspace was removed after earlier failures");
    } catch (error) {
      const { isNew, retryMs } = this.#later.fail(key, String((error as Error).message));
      if (isNew) this.#log.warn({ err: error, ...workspace, retryMs }, "a workspace could not be removed; it will be retried");
    }
  }
}

function keyOf({ teamId, scope, ownerId }: KeptWorkspace): string {
  return `${teamId}/${scope}/${ownerId}`;
}

function groupByTeam(kept: readonly KeptWorkspace[]): Map<string, KeptWorkspace[]> {
  const byTeam = new Map<string, KeptWorkspace[]>();
  for (const workspace of kept) {
    const ofTeam = byTeam.get(workspace.teamId);
    if (ofTeam) ofTeam.push(workspace);
    else byTeam.set(workspace.teamId, [workspace]);
  }
  return byTeam;
}

/** Those of that scope whose owner no longer exists. */
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
