import { alertsRecorded } from "../base/metrics/metrics.ts";
import type { Log } from "../base/process/log.ts";
import { Loop, type Service } from "../base/process/service.ts";
import { findLateQueues } from "../domain/alert/find-late-queues.ts";
import { findLateRuns } from "../domain/alert/find-late-runs.ts";
import { findOverdueSchedules } from "../domain/alert/note-missed-times.ts";
import type { LiveSettings } from "../domain/settings/live-settings.ts";
import { beginAlertRound, tryAlerting, updateAlertTeams } from "../store/alert/alert-rounds.ts";
import { watchNewRuns } from "../store/alert/watched-runs.ts";
import type { Database, Transaction } from "../store/database/database.ts";
import { transaction } from "../store/database/transaction.ts";

/** From one round to the next, by any process. */
const everySeconds = 30;
const batchSize = 500;

/**
 * Looks for what is late: runs, queues, schedules. What it finds is recorded as a change, with the note that it was found in the same
 * transaction, and goes the way of all changes from there. One process of all does a round.
 */
export function createAlertService(sql: Database, settings: LiveSettings, log: Log): Service {
  return new Loop({
    name: "alerts",
    intervalMs: everySeconds * 1000,
    log,
    round: async (signal) => {
      // A loop is late or early by a tenth.
      if (await beginAlertRound(sql, everySeconds * 0.8)) await checkAlerts({ sql, settings, log }, signal);
      return undefined;
    },
  });
}

interface AlertParts {
  sql: Database;
  settings: LiveSettings;
  log: Log;
}

async function checkAlerts({ sql, settings, log }: AlertParts, signal: AbortSignal): Promise<void> {
  const { alerts: limits } = await settings.load(sql);
  const step = <T>(work: (tx: Transaction) => Promise<T>): Promise<T | undefined> =>
    transaction(sql, async (tx) => ((await tryAlerting(tx)) ? work(tx) : undefined));
  await step(async (tx) => {
    await updateAlertTeams(tx);
    await watchNewRuns(tx, batchSize);
  });
  for (let isMore = true; isMore && !signal.aborted; ) {
    const found = await step((tx) => findLateRuns(tx, limits, batchSize));
    for (const { teamId, runId, members } of found?.late ?? []) note(log, "run_late", { teamId, runId, why: members.message });
    isMore = found?.looked === batchSize;
  }
  for (const { teamId, status } of (await step((tx) => findLateQueues(tx, limits.queueMinutes))) ?? []) note(log, status, { teamId });
  const unfired = await step((tx) => findOverdueSchedules(tx, limits.scheduleMinutes));
  for (const { teamId, id } of unfired ?? []) note(log, "schedule_missed", { teamId, scheduleId: id });
}

function note(log: Log, kind: string, fields: object): void {
  alertsRecorded.inc({ kind });
  log.warn({ kind, ...fields }, "alert");
}
