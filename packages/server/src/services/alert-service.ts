import { alertsRecorded } from "../base/metrics/metrics.ts";
import type { Log } from "../base/process/log.ts";
import { Loop, type Service } from "../base/process/service.ts";
import type { AlertLimits } from "../core/alert/run-lateness.ts";
import { findLateQueues } from "../domain/alert/find-late-queues.ts";
import { findLateRuns } from "../domain/alert/find-late-runs.ts";
import { findOverdueSchedules } from "../domain/alert/note-missed-times.ts";
import type { LiveSettings } from "../domain/settings/live-settings.ts";
import { beginAlertRound, tryAlerting, updateAlertTeams } from "../store/alert/alert-rounds.ts";
import { watchFirstLater, watchNewRuns } from "../store/alert/watched-runs.ts";
import type { Database, Transaction } from "../store/database/database.ts";
import { isOutage, isStatementTimeout } from "../store/database/database-error.ts";
import { transaction } from "../store/database/transaction.ts";

/** From one round to the next, by any process. */
const everySeconds = 30;
const batchSize = 500;
/** Until a run is examined again at which a statement failed. */
const pauseMinutes = 5;

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

/** In a transaction, unless another process does just that. */
type Step = <T>(work: (tx: Transaction) => Promise<T>) => Promise<T | undefined>;

async function checkAlerts({ sql, settings, log }: AlertParts, signal: AbortSignal): Promise<void> {
  const { alerts: limits } = await settings.load(sql);
  const step: Step = (work) => transaction(sql, async (tx) => ((await tryAlerting(tx)) ? work(tx) : undefined));
  const failures: unknown[] = [];
  // What is wrong with one team's runs keeps nobody else's queues and schedules from being checked.
  const parts = [
    () =>
      step(async (tx) => {
        await updateAlertTeams(tx);
        await watchNewRuns(tx, batchSize);
      }),
    () => checkRuns(step, limits, log, signal),
    async () => {
      for (const { teamId, status } of (await step((tx) => findLateQueues(tx, limits.queueMinutes))) ?? []) note(log, status, { teamId });
    },
    async () => {
      const unfired = await step((tx) => findOverdueSchedules(tx, limits.scheduleMinutes));
      for (const { teamId, id } of unfired ?? []) note(log, "schedule_missed", { teamId, scheduleId: id });
    },
  ];
  for (const part of parts) await part().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/**
 * All runs that may be late by now, in batches. A batch that fails is taken apart, and a run that fails alone is left for some minutes:
 * whatever its author has written into it, the runs of others come to their turn.
 */
async function checkRuns(step: Step, limits: AlertLimits, log: Log, signal: AbortSignal): Promise<void> {
  for (let [size, isMore] = [batchSize, true]; isMore && !signal.aborted; ) {
    try {
      const found = await step((tx) => findLateRuns(tx, limits, size));
      for (const { teamId, runId, members } of found?.late ?? []) note(log, "run_late", { teamId, runId, why: members.message });
      isMore = found?.looked === size;
      size = Math.min(batchSize, size * 4);
    } catch (error) {
      if (isOutage(error) && !isStatementTimeout(error)) throw error;
      if (size === 1) {
        const run = await step((tx) => watchFirstLater(tx, pauseMinutes));
        log.error({ err: error, ...run }, "whether a run is late could not be checked; trying again later");
        isMore = run !== undefined;
      }
      size = Math.max(1, Math.floor(size / 8));
    }
  }
}

function note(log: Log, kind: string, fields: object): void {
  alertsRecorded.inc({ kind });
  log.warn({ kind, ...fields }, "alert");
}
