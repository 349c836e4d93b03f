import { BoundedCache } from "../base/process/bounded-cache.ts";
import type { Database } from "../store/database/database.ts";
import { listUnarchived, type UnarchivedWorkspace } from "../store/worker/workspace-archives.ts";

/** Per round: so many teams at once, and so much time before no further ones of a team begin. */
const teamsAtOnce = 4;
const roundMs = 60_000;
const firstPauseMs = 60_000;
const longestPauseMs = 60 * 60_000;

/**
 * Repeats failed saves of workspaces. Unsaved workspaces of one team, however large, don't delay those of other teams, and a workspace that
 * can't be saved in its current state is retried at growing intervals.
 */
export class RepeatedSaves {
  readonly #parts: { sql: Database; place: string };
  readonly #save: (found: UnarchivedWorkspace) => Promise<void>;
  readonly #postponed = new BoundedCache<{ until: number; pauseMs: number }>("postponed-saves", { maxEntries: 10_000 });

  constructor(parts: { sql: Database; place: string }, save: (found: UnarchivedWorkspace) => Promise<void>) {
    this.#parts = parts;
    this.#save = save;
  }

  /** The workspace can't be saved in its current state. */
  postpone(ownerId: string): void {
    const pauseMs = Math.min(longestPauseMs, 2 * (this.#postponed.get(ownerId)?.pauseMs ?? firstPauseMs / 2));
    this.#postponed.set(ownerId, { until: performance.now() + pauseMs, pauseMs });
  }

  forget(ownerId: string): void {
    this.#postponed.delete(ownerId);
  }

  async round(): Promise<void> {
    const teams = new Map<string, UnarchivedWorkspace[]>();
    for (const found of await listUnarchived(this.#parts.sql, this.#parts.place)) {
      if ((this.#postponed.get(found.ownerId)?.until ?? 0) > performance.now()) continue;
      teams.set(found.teamId, [...(teams.get(found.teamId) ?? []), found]);
    }
    const waiting = [...teams.values()];
    const lane = async (): Promise<void> => {
      for (let team = waiting.shift(); team !== undefined; team = waiting.shift()) await this.#saveSome(team);
    };
    await Promise.all(Array.from({ length: teamsAtOnce }, lane));
  }

  async #saveSome(found: readonly UnarchivedWorkspace[]): Promise<void> {
    const began = performance.now();
    for (const workspace of found) {
      if (performance.now() - began > roundMs) return;
      await this.#save(workspace);
    }
  }
}
