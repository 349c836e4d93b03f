import { listTeamsWithOldDecisions, removeOldDecisions } from "../../store/action/decisions.ts";
import { isEventMonthHeld, isLogMonthHeld } from "../../store/history/history-holds.ts";
import { isPartitionEmpty, listOldMonths } from "../../store/history/history-partitions.ts";
import { type BatchRange, deleteOldAuditRecords, deleteOldLogs, type RowPlace } from "../../store/history/history-rows.ts";
import { deleteOldLogObjects, type LogObjectPlace } from "../../store/log/log-objects.ts";
import { deleteOldDeliveries, deleteOldDeliveriesOfTeam, deleteOldEvents } from "../../store/outbound/delivery-upkeep.ts";
import { allRows, drop, type HistoryRemoval, inBatches, rowsAtOnce, shorterThan } from "./removal.ts";
import { removeRuns } from "./remove-runs.ts";

/**
 * The end of history (docs/history.md). A month that no team keeps any longer is removed by dropping its partitions. Everything else goes
 * in small transactions: what a team keeps for a shorter time, months of which something stays, and rows outside of all months.
 *
 * It may be stopped between any two statements and restarted, and several processes may run it at once.
 */
export async function removeHistory(removal: HistoryRemoval): Promise<void> {
  await removeRuns(removal);
  await removeLogs(removal);
  await removeDeliveries(removal);
  await removeEvents(removal);
  await removeAudit(removal);
}

/** Lines of logs whose runs are kept longer. */
async function removeLogs(removal: HistoryRemoval): Promise<void> {
  const { sql, signal } = removal;
  const days = removal.retention.logs;
  for (const own of await shorterThan(removal, "logs")) {
    await removeLogsOf(removal, own);
    await removeLogObjects(removal, own);
  }
  if (days === 0) return;
  await removeLogObjects(removal, { days });
  await removeLogsOf(removal, { month: "default", days });
  for (const month of await listOldMonths(sql, ["log_chunk"], days)) {
    if (signal.aborted) return;
    const isHeld = await isLogMonthHeld(sql, month, days);
    if (isHeld) await removeLogsOf(removal, { month: month.month, days });
    if (!isHeld || (await isPartitionEmpty(sql, "log_chunk", month))) await drop(removal, ["log_chunk"], month);
  }
}

async function removeLogsOf(removal: HistoryRemoval, range: BatchRange): Promise<void> {
  await inBatches<RowPlace>(removal, async (after) => {
    const { seen, removed, place } = await deleteOldLogs(removal.sql, { ...range, after }, rowsAtOnce);
    removal.removed.logChunks += removed;
    return seen === rowsAtOnce ? place : undefined;
  });
}

/** Of logs that were moved to the log store. */
async function removeLogObjects(removal: HistoryRemoval, of: { teamId?: string; days: number }): Promise<void> {
  await inBatches<LogObjectPlace>(removal, async (after) => {
    const { seen, removed, place } = await deleteOldLogObjects(removal.sql, { ...of, after }, rowsAtOnce);
    removal.removed.logObjects += removed;
    return seen === rowsAtOnce ? place : undefined;
  });
}

async function removeDeliveries(removal: HistoryRemoval): Promise<void> {
  const { sql, removed } = removal;
  const days = removal.retention.deliveries;
  const remove = (some: () => Promise<number>) =>
    allRows(removal, async () => {
      const count = await some();
      removed.deliveries += count;
      return count;
    });
  for (const own of await shorterThan(removal, "deliveries"))
    await remove(() => deleteOldDeliveriesOfTeam(sql, own.teamId, own.days, rowsAtOnce));
  if (days > 0) await remove(() => deleteOldDeliveries(sql, days, rowsAtOnce));
}

/** Events are removed after their last delivery, including those without any receiver. */
async function removeEvents(removal: HistoryRemoval): Promise<void> {
  const { sql, removed, signal } = removal;
  const days = removal.retention.deliveries;
  if (days === 0) return;
  const removeRows = (partition: string) =>
    allRows(removal, async () => {
      const count = await deleteOldEvents(sql, partition, days, rowsAtOnce);
      removed.events += count;
      return count;
    });
  await removeRows("default");
  for (const month of await listOldMonths(sql, ["change_event"], days)) {
    if (signal.aborted) return;
    const isHeld = await isEventMonthHeld(sql, month);
    if (isHeld) await removeRows(month.month);
    if (!isHeld || (await isPartitionEmpty(sql, "change_event", month))) await drop(removal, ["change_event"], month);
  }
}

async function removeAudit(removal: HistoryRemoval): Promise<void> {
  const { sql, removed, signal } = removal;
  const days = removal.retention.audit;
  if (days === 0) return;
  for (const month of await listOldMonths(sql, ["audit"], days)) {
    if (signal.aborted) return;
    await drop(removal, ["audit"], month);
  }
  await allRows(removal, async () => {
    const count = await deleteOldAuditRecords(sql, days, rowsAtOnce);
    removed.auditRecords += count;
    return count;
  });
  for (const teamId of await listTeamsWithOldDecisions(sql, days)) {
    await allRows(removal, async () => {
      const count = await removeOldDecisions(sql, teamId, days, rowsAtOnce);
      removed.auditRecords += count;
      return count;
    });
  }
}
