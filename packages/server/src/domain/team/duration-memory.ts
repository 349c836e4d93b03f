import type { Queryable } from "../../store/database/database.ts";
import { listRunDurations, type RunDurations, type TeamUsageRow } from "../../store/team/team-usage.ts";

/**
 * How long the runs of this month took, for the teams of an answer. The database reads every run of the month for it, a third of a
 * second for 100,000. So what was found for a team with many runs is good for a minute in this process; few runs are read anew each time.
 */
export class DurationMemory {
  private readonly known = new Map<string, { month: number; readAtMs: number; durations: RunDurations }>();

  /** @param nowMs of any clock that only goes forward */
  async read(db: Queryable, usages: readonly TeamUsageRow[], nowMs = performance.now()): Promise<Map<string, RunDurations>> {
    const missing = usages.filter((usage) => this.recall(usage, nowMs) === undefined);
    const read = await listRunDurations(
      db,
      missing.map(({ teamId }) => teamId),
    );
    const found = new Map<string, RunDurations>(read.map(({ teamId, ...durations }) => [teamId, durations]));
    for (const usage of usages) {
      const durations = found.get(usage.teamId) ?? this.recall(usage, nowMs);
      if (durations) found.set(usage.teamId, durations);
      if (durations && missing.includes(usage)) this.keep(usage, durations, nowMs);
    }
    return found;
  }

  private recall({ teamId, monthBeginsAt }: TeamUsageRow, nowMs: number): RunDurations | undefined {
    const entry = this.known.get(teamId);
    const isGood = entry !== undefined && entry.month === monthBeginsAt.getTime() && nowMs - entry.readAtMs < goodForMs;
    return isGood ? entry.durations : undefined;
  }

  private keep({ teamId, runs, monthBeginsAt }: TeamUsageRow, durations: RunDurations, nowMs: number): void {
    this.known.delete(teamId);
    if (runs < manyRuns) return;
    this.known.set(teamId, { month: monthBeginsAt.getTime(), readAtMs: nowMs, durations });
    const oldest = this.known.keys().next().value;
    if (this.known.size > maxTeams && oldest !== undefined) this.known.delete(oldest);
  }
}

const goodForMs = 60_000;
const manyRuns = 2000;
const maxTeams = 10_000;
