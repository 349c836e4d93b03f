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

/** Interval of rounds, over all processes. */
const everySeconds = 30;
const batchSize = 500;
/** Until a run is examined again at which a statement failed. */
const pauseMinutes = 5;

/**
 * Looks for what is late: runs, queues, schedules. Findings are recorded as a change, together with the note that they were found, in one
 * transaction, and then treated like all changes. One process at a time does a round.
 */
export function createAlertService(sql: Database, settings: LiveSettings, log: Log): Service {
  return new Loop({
    name: "alerts",
    intervalMs: everySeconds * 1000,
    log,
    round: async (signal) => {
      // The timing of a loop varies by a tenth.
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

/** In a transaction, unless another process is doing it already. */
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
 * All runs that may be late by now, in batches. A failed batch is taken apart, and a run that fails alone is skipped for some minutes: so
 * whatever its author has written into it, the runs of others are checked.
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
