import { BoundedCache } from "../../base/process/bounded-cache.ts";
import type { Queryable } from "../../store/database/database.ts";
import { listRunDurations, type RunDurations, type TeamUsageRow } from "../../store/team/team-usage.ts";

const goodForMs = 60_000;
const manyRuns = 2000;
const maxTeams = 10_000;

interface Known {
  month: number;
  readAtMs: number;
  durations: RunDurations;
}

/**
 * How long the runs of this month took, for the teams of an answer. The database reads every run of the month for it, a third of a
 * second for 100,000. So what was found for a team with many runs is good for a minute in this process; few runs are read again each time.
 */
export class DurationMemory {
  readonly #known = new BoundedCache<Known>("run-durations", { maxEntries: maxTeams });

  /** @param nowMs of any clock that only goes forward */
  async read(db: Queryable, usages: readonly TeamUsageRow[], nowMs = performance.now()): Promise<Map<string, RunDurations>> {
    const found = new Map<string, RunDurations>();
    for (const usage of usages) this.#recall(usage, nowMs, found);
    const missing = usages.filter(({ teamId }) => !found.has(teamId));
    const read = await listRunDurations(
      db,
      missing.map(({ teamId }) => teamId),
    );
    for (const { teamId, ...durations } of read) found.set(teamId, durations);
    for (const usage of missing) this.#keep(usage, found.get(usage.teamId), nowMs);
    return found;
  }

  #recall({ teamId, monthBeginsAt }: TeamUsageRow, nowMs: number, found: Map<string, RunDurations>): void {
    const isGood = ({ month, readAtMs }: Known) => month === monthBeginsAt.getTime() && nowMs - readAtMs < goodForMs;
    const entry = this.#known.get(teamId, isGood);
    if (entry) found.set(teamId, entry.durations);
  }

  #keep({ teamId, runs, monthBeginsAt }: TeamUsageRow, durations: RunDurations | undefined, nowMs: number): void {
    if (durations === undefined) return;
    this.#known.delete(teamId);
    if (runs < manyRuns) return;
    this.#known.set(teamId, { month: monthBeginsAt.getTime(), readAtMs: nowMs, durations });
  }
}
