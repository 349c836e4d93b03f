import type { Retention, RetentionDays } from "@millrace/contract/retention.ts";
import { retentionInForce } from "../../core/team/quota.ts";
import type { Database } from "../../store/database/database.ts";
import { dropPartitions, type HistoryMonth } from "../../store/history/history-partitions.ts";
import { listTeamRetentions } from "../../store/history/history-rows.ts";

/** One removal of history: its parameters, and the steps that all kinds of history share. */
export interface HistoryRemoval {
  sql: Database;
  retention: Retention;
  /** Aborts it between two statements. */
  signal: AbortSignal;
  /** Resolves early if the signal is aborted. */
  pause: (ms: number) => Promise<void>;
  /** Running count of what was removed. */
  removed: Removed;
  /** Partitions that could not be dropped because they were in use; the next removal tries again. */
  onBusy: (partition: string) => void;
}

/** Rows, and partitions that were dropped as a whole. */
export interface Removed {
  runs: number;
  logChunks: number;
  /** Logs that were in the log store. */
  logObjects: number;
  deliveries: number;
  events: number;
  auditRecords: number;
  partitions: string[];
}

export const nothingRemoved = (): Removed => ({
  runs: 0,
  logChunks: 0,
  logObjects: 0,
  deliveries: 0,
  events: 0,
  auditRecords: 0,
  partitions: [],
});

/** The most rows that one statement removes. */
export const rowsAtOnce = 1000;

/** Others can use the tables in between, so that a busy instance finds a free moment sooner or later. */
const dropTries = 5;
const dropPauseMs = 200;

/** Drops the partitions of a month of these tables, all or none. @returns false if they are in use */
export async function drop(removal: HistoryRemoval, tables: readonly string[], month: HistoryMonth): Promise<boolean> {
  const { sql, signal, pause, removed, onBusy } = removal;
  if (tables.length === 0) return true;
  const names = tables.map((table) => `${table}_${month.month}`);
  for (let tries = 1; !signal.aborted; tries++) {
    if (await dropPartitions(sql, tables, month)) {
      removed.partitions.push(...names);
      return true;
    }
    if (tries === dropTries) break;
    await pause(dropPauseMs);
  }
  for (const name of names) onBusy(name);
  return false;
}

/** Teams with a shorter retention than the instance. */
export async function shorterThan(
  { sql, retention }: HistoryRemoval,
  kind: keyof RetentionDays,
): Promise<{ teamId: string; days: number }[]> {
  const teams = await listTeamRetentions(sql);
  return teams
    .map(({ teamId, retention: own }) => ({ teamId, days: retentionInForce(retention, own)[kind] }))
    .filter(({ days }) => days !== retention[kind]);
}

/**
 * Works in small transactions, and pauses after each one for as long as it took. So other work never waits for more than one of them, and
 * has half of the database's time for itself.
 *
 * @param work returns where it ended if there may be more
 */
export async function inBatches<Place>(
  { signal, pause }: HistoryRemoval,
  work: (after: Place | undefined) => Promise<Place | undefined>,
): Promise<void> {
  let after: Place | undefined;
  while (!signal.aborted) {
    const startedAt = performance.now();
    after = await work(after);
    if (after === undefined) return;
    await pause(performance.now() - startedAt);
  }
}

/**
 * The same for statements that need not know where the previous one ended. @param work returns how many rows it removed, at most
 * `rowsAtOnce`
 */
export async function allRows(removal: HistoryRemoval, work: () => Promise<number>): Promise<void> {
  await inBatches<true>(removal, async () => ((await work()) === rowsAtOnce ? true : undefined));
}
