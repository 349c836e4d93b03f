import type { Transaction } from "../../store/database/database.ts";
import { allowLongStatements, transaction } from "../../store/database/transaction.ts";
import { isRunMonthHeld } from "../../store/history/history-holds.ts";
import { type HistoryMonth, isPartitionEmpty, listOldMonths } from "../../store/history/history-partitions.ts";
import { closeMonth, reopenMonth } from "../../store/history/history-removal.ts";
import {
  type BatchRange,
  deleteOldProposals,
  deleteRowsOfMonth,
  listTeamRetentions,
  lockOldRuns,
  lockRunsAcrossMonths,
  type RowPlace,
} from "../../store/history/history-rows.ts";
import { deleteLogObjectsOfMonth } from "../../store/log/log-objects.ts";
import { purgeRuns } from "../../store/workflow/workflow-deletion.ts";
import { allRows, drop, type HistoryRemoval, inBatches, rowsAtOnce, shorterThan } from "./removal.ts";

const runTables = ["run", "task_run", "task_run_attempt", "log_chunk", "run_search"];
/** With their task runs and logs these are thousands of rows. */
const runsAtOnce = 20;

/** Runs with their task runs, attempts, logs, actions and events, by whole months where possible. */
export async function removeRuns(removal: HistoryRemoval): Promise<void> {
  const { sql, signal } = removal;
  const days = removal.retention.runs;
  for (const own of await shorterThan(removal, "runs")) {
    await removeRunsOf(removal, own);
    if (own.days > 0) await removeProposals(removal, own);
  }
  if (days === 0) return;
  await removeProposals(removal, { days });
  await removeRunsOf(removal, { month: "default", days });
  for (const month of await listOldMonths(sql, runTables, days)) {
    if (signal.aborted) return;
    await closeMonth(sql, month.month);
    if (await isRunMonthHeld(sql, month, days)) {
      await reopenMonth(sql, month.month);
      await emptyMonth(removal, month, days);
    } else await dropMonth(removal, month, days);
  }
}

/** Actions about versions of workflows, which belong to no run. The versions and the records of decisions stay. */
async function removeProposals(removal: HistoryRemoval, of: { teamId?: string; days: number }): Promise<void> {
  await allRows(removal, () => deleteOldProposals(removal.sql, of, rowsAtOnce));
}

/**
 * Nothing of the month stays. Rows of its runs outside of its partitions go first: so they never stay behind without their run. If
 * the process ends in between, or the partitions are in use, the month stays closed, and the next removal continues.
 */
async function dropMonth(removal: HistoryRemoval, month: HistoryMonth, days: number): Promise<void> {
  const { sql, signal } = removal;
  await purgeInBatches(removal, (tx) => lockRunsAcrossMonths(tx, month, days, runsAtOnce));
  for (const { teamId } of await listTeamRetentions(sql))
    await inBatches<true>(removal, async () => ((await deleteRowsOfMonth(sql, teamId, month, rowsAtOnce)) ? true : undefined));
  await allRows(removal, () => deleteLogObjectsOfMonth(sql, month, rowsAtOnce));
  if (signal.aborted) return;
  if (await drop(removal, tablesOf(month), month)) await reopenMonth(sql, month.month);
}

async function emptyMonth(removal: HistoryRemoval, month: HistoryMonth, days: number): Promise<void> {
  if (month.tables.includes("run")) await removeRunsOf(removal, { month: month.month, days });
  for (const table of tablesOf(month)) if (await isPartitionEmpty(removal.sql, table, month)) await drop(removal, [table], month);
}

/** In the order in which statements use them. */
const tablesOf = (month: HistoryMonth) => runTables.filter((table) => month.tables.includes(table));

async function removeRunsOf(removal: HistoryRemoval, range: BatchRange): Promise<void> {
  await purgeInBatches(removal, (tx, after) => lockOldRuns(tx, { ...range, after }, runsAtOnce));
}

async function purgeInBatches(
  removal: HistoryRemoval,
  lock: (tx: Transaction, after: RowPlace | undefined) => Promise<RowPlace[]>,
): Promise<void> {
  await inBatches<RowPlace>(removal, async (after) => {
    const runs = await transaction(removal.sql, async (tx) => {
      // One run may have a hundred thousand task runs. Nothing waits for rows of finished runs.
      await allowLongStatements(tx);
      const locked = await lock(tx, after);
      for (const [teamId, ids] of byTeam(locked)) await purgeRuns(tx, teamId, ids);
      return locked;
    });
    removal.removed.runs += runs.length;
    return runs.length === runsAtOnce ? runs.at(-1) : undefined;
  });
}

function byTeam(places: readonly RowPlace[]): Map<string, string[]> {
  const teams = new Map<string, string[]>();
  for (const { teamId, id } of places) teams.set(teamId, [...(teams.get(teamId) ?? []), id]);
  return teams;
}
