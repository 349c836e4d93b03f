import { leasesLost } from "../base/metrics/metrics.ts";
import type { Log } from "../base/process/log.ts";
import type { Database } from "../store/database/database.ts";
import { extendLease, type HeldAttempt } from "../store/worker/workers.ts";
import type { ExecutorSet } from "./executor-set.ts";
import type { Worker } from "./worker.ts";

interface LeaseKeeperParts {
  sql: Database;
  worker: Worker;
  executors: ExecutorSet;
  workerId: string;
  leaseSeconds: number;
  log: Log;
  /** When the thread last got a response, by the clock of `performance.now()`. */
  lastBeatAt?: (() => number) | undefined;
  onLost(): void;
}

/**
 * Extends the lease of this process's worker, and notices attempts that it lost.
 *
 * The lease is a row whose end is in the database's time. Two extend it: this loop, and a thread with a connection of its own
 * (services/heartbeat.ts), because this loop may be blocked for longer than a lease. Others take over the attempts when the lease has
 * expired, not counting time in which the database did not respond (core/worker/worker-watch.ts).
 *
 * On this side only the monotonic clock counts. A worker that reaches no database can't tell whether others do. It continues, since an
 * outage is to lose nothing, and ends its attempts itself after a lease, and no sooner than after `outageMs`: for so long at most the
 * old process and a new attempt run side by side when only this worker was cut off (docs/guarantees.md).
 */
export class LeaseKeeper {
  #extendedAt = performance.now();
  /** Attempts that the database shows as ours although we do not run them, with the time since when. */
  #unknown = new Map<string, number>();
  #isLost = false;
  readonly #parts: LeaseKeeperParts;

  constructor(parts: LeaseKeeperParts) {
    this.#parts = parts;
  }

  async tick(): Promise<void> {
    const { sql, worker, workerId, executors, leaseSeconds, log } = this.#parts;
    const askedAt = performance.now();
    try {
      const before = worker.held();
      const rows = await extendLease(sql, workerId, leaseSeconds, executors.available, executors.faults);
      if (rows === undefined) return this.#lose("it was removed from the database");
      this.#extendedAt = askedAt;
      this.#stopTaken(before, rows);
    } catch (error) {
      log.warn({ err: error }, "the worker's lease could not be extended");
    }
  }

  /** Called often and without the database: ends everything if the database was unreachable for too long. */
  check(): void {
    const { leaseSeconds, lastBeatAt } = this.#parts;
    const silentMs = performance.now() - Math.max(this.#extendedAt, lastBeatAt?.() ?? 0);
    if (silentMs > Math.max(leaseSeconds * 1000, outageMs)) this.#lose(`the database did not respond for ${Math.round(silentMs / 1000)} s`);
  }

  /**
   * Compares the attempts that run with those that the database shows as ours. Attempts that are no longer ours (cancelled, timed out,
   * reassigned) are stopped. If an attempt has been ours without our knowledge for seconds, the response to its claim was lost: it is
   * released.
   */
  #stopTaken(before: readonly HeldAttempt[], rows: readonly HeldAttempt[]): void {
    const { worker } = this.#parts;
    const known = new Set(before.map(({ id }) => id));
    const claimedMeanwhile = worker.held().filter(({ id }) => !known.has(id));
    worker.stopTaken(new Map([...rows, ...claimedMeanwhile].map(({ id, attempt }) => [id, attempt])));
    const running = new Set(worker.held().map(({ id }) => id));
    const unknown = rows.filter(({ id }) => !running.has(id));
    const now = performance.now();
    this.#unknown = new Map(unknown.map((row) => [nameOf(row), this.#unknown.get(nameOf(row)) ?? now]));
    // Not awaited: the lease must be extended whatever happens to the reports.
    void worker.releaseUnknown(unknown.filter((row) => now - (this.#unknown.get(nameOf(row)) ?? now) > unknownMs));
  }

  #lose(why: string): void {
    if (this.#isLost) return;
    this.#isLost = true;
    leasesLost.inc();
    this.#parts.log.error({ workerId: this.#parts.workerId }, `the worker's lease is lost: ${why}; its attempts are stopped here`);
    this.#parts.worker.abandonAll();
    this.#parts.onLost();
  }
}

/** Longer than a database takes to restart or to fail over. */
const outageMs = 90_000;
/** Longer than a response to a claim takes to arrive. */
const unknownMs = 5000;

function nameOf({ id, attempt }: { id: string; attempt: number }): string {
  return `${id} ${attempt}`;
}
