import { AppError } from "../base/error/app-error.ts";
import { alertsRecorded, scheduleDelaySeconds, schedulesFired } from "../base/metrics/metrics.ts";
import type { EventBus } from "../base/process/event-bus.ts";
import type { Log } from "../base/process/log.ts";
import { channels, reportSubmitted } from "../domain/run/report-changes.ts";
import type { RunContext } from "../domain/run/run-context.ts";
import { type Fired, fireSchedules } from "../domain/schedule/fire-schedule.ts";
import type { Database } from "../store/database/database.ts";
import { isOutage } from "../store/database/database-error.ts";
import { transaction } from "../store/database/transaction.ts";
import {
  claimDueSchedules,
  type DueSchedule,
  type DueSchedules,
  type FiredSchedule,
  findDueSchedules,
} from "../store/schedule/due-schedules.ts";
import { failSchedule } from "../store/schedule/schedules.ts";

/**
 * Fires due schedules, a few per transaction. Any number of processes may do this at once: each skips schedules that another one holds. A
 * failed batch is taken apart; a schedule on which the engine itself fails ends as `error`, so that it can't hold up the others.
 */

export interface ScheduleDriverParts {
  sql: Database;
  context: RunContext;
  bus: EventBus;
  log: Log;
}

/** Concurrent transactions: if thousands are due in the same minute, several connections share the work, and some are left for others. */
const lanes = 4;
const batchSize = 50;
/** Pause if something is due that others hold. */
const busyMs = 100;
/** Less than this is a normal difference between two servers that take over from each other. */
const clockToleranceMs = 5_000;
/** The longest pause between two polls, because a wake may be lost. */
const idleMs = 15_000;

export class ScheduleDriver {
  readonly #parts: ScheduleDriverParts;
  #isClockBack = false;

  constructor(parts: ScheduleDriverParts) {
    this.#parts = parts;
  }

  /** Fires everything that is due. @returns milliseconds until the next one is, if nothing wakes the driver earlier */
  async tick(): Promise<number> {
    const { sql } = this.#parts;
    const found = await findDueSchedules(sql, lanes);
    this.#noteClock(found);
    if (found.due === 0) return pauseMs(found);
    const drained = await Promise.allSettled(Array.from({ length: found.due }, () => this.#drain()));
    for (const one of drained) if (one.status === "rejected") throw one.reason;
    return pauseMs(await findDueSchedules(sql, 1));
  }

  /**
   * Each time fires once, so if the clock goes back, all schedules pause, and nobody sees why. This is logged once, and again when it ends.
   */
  #noteClock({ now, lastFiredAt, nextFireAt }: DueSchedules): void {
    const isBack = lastFiredAt !== null && lastFiredAt.getTime() - now.getTime() > clockToleranceMs;
    if (isBack === this.#isClockBack) return;
    this.#isClockBack = isBack;
    const { log } = this.#parts;
    if (!isBack) log.info({ now }, "the clock of the database has passed the last firing of every schedule again");
    else
      log.warn(
        { now, lastFiredAt, nextFireAt },
        "the clock of the database went back: it is behind the last firing of a schedule. No time fires twice, so schedules continue when the clock reaches their next time",
      );
  }

  async #drain(): Promise<void> {
    while ((await this.#fireBatch(batchSize)) > 0);
  }

  /** @returns how many were due that nobody else held */
  async #fireBatch(size: number): Promise<number> {
    const { sql, context } = this.#parts;
    let claimed: DueSchedule[] = [];
    try {
      const fired = await transaction(sql, async (tx) => {
        claimed = await claimDueSchedules(tx, size);
        return fireSchedules(tx, context, claimed);
      });
      this.#committed(fired);
    } catch (error) {
      const [first] = claimed;
      if (!first || isOutage(error)) throw error;
      if (claimed.length > 1) return this.#fireBatch(1);
      // A workflow or a team changed at the same moment; the next attempt reads what it is now.
      if (error instanceof AppError) throw error;
      await this.#giveUp(first, error);
    }
    return claimed.length;
  }

  #committed({ runs, schedules, alerts, at }: Fired): void {
    for (const kind of alerts) alertsRecorded.inc({ kind });
    for (const schedule of schedules) this.#noteFirings(schedule, at);
    for (const { row: _, ...state } of runs) {
      this.#parts.context.states.put(state);
      reportSubmitted(this.#parts, state);
    }
    // A run that ended at once publishes nothing, but an older one may have been asked to end.
    if (runs.length > 0) this.#parts.bus.wake(channels.engine);
  }

  #noteFirings({ teamId, id, firings }: FiredSchedule, at: Date | undefined): void {
    for (const { outcome, count, scheduledFor, runId, message } of firings) {
      schedulesFired.inc({ outcome }, count);
      const lateMs = Math.max(0, (at ?? scheduledFor).getTime() - scheduledFor.getTime());
      if (outcome === "submitted") scheduleDelaySeconds.observe(lateMs / 1000);
      const fields = {
        teamId,
        scheduleId: id,
        scheduledFor,
        outcome,
        ...(runId !== null && { runId }),
        ...(count > 1 && { count }),
        lateMs,
      };
      if (outcome === "refused") this.#parts.log.warn({ ...fields, message }, "schedule refused");
      else this.#parts.log.info(fields, "schedule fired");
    }
  }

  async #giveUp(due: DueSchedule, error: unknown): Promise<void> {
    const { sql, log } = this.#parts;
    log.error(
      { err: error, scheduleId: due.id, teamId: due.teamId },
      "the engine failed on a schedule; the schedule is stopped with an error",
    );
    const statusMessage = "The engine failed on this schedule; see the log of the service";
    await failSchedule(sql, due.teamId, due.id, { seenFireAt: due.fireAt as Date, statusMessage });
  }
}

/** Milliseconds until the next schedule is due; a short pause if one is due that others hold. */
function pauseMs({ now, nextFireAt }: DueSchedules): number {
  if (!nextFireAt) return idleMs;
  const leftMs = nextFireAt.getTime() - now.getTime();
  return leftMs <= 0 ? busyMs : Math.min(leftMs, idleMs);
}
