import type { Log } from "../base/log.ts";
import type { Database } from "../store/database.ts";
import { extendLease, listHeldAttempts } from "../store/workers.ts";
import type { ExecutorSet } from "./executor-set.ts";
import type { Worker } from "./worker.ts";

/**
 * Keeps the lease of this process's worker, and notices what was taken away from it.
 *
 * The lease is a row whose end is in the database's time. On this side only the monotonic clock counts: if the row was not extended
 * for longer than the lease minus a margin, the worker ends its own attempts before others may take them, so that two processes
 * overlap as little as can be (docs/guarantees.md says what may).
 */
export class LeaseKeeper {
  private extendedAt = performance.now();
  /** Attempts that the database shows as ours although we do not run them, and since when it did. */
  private unknown = new Map<string, number>();
  private isLost = false;
  private readonly parts: {
    sql: Database;
    worker: Worker;
    executors: ExecutorSet;
    workerId: string;
    leaseSeconds: number;
    log: Log;
    onLost(): void;
  };

  constructor(parts: LeaseKeeper["parts"]) {
    this.parts = parts;
  }

  /** How often to tick: three chances within a lease. */
  get everyMs(): number {
    return (this.parts.leaseSeconds * 1000) / 3;
  }

  async tick(): Promise<void> {
    const { sql, workerId, executors, leaseSeconds, log } = this.parts;
    const askedAt = performance.now();
    try {
      if (!(await extendLease(sql, workerId, leaseSeconds, executors.available))) return this.lose("it had run out in the database");
      this.extendedAt = askedAt;
      await this.stopTaken();
    } catch (error) {
      log.warn({ err: error }, "the worker's lease could not be extended");
    }
  }

  /** Called often and without the database: ends everything in time when the lease could not be extended. */
  check(): void {
    const marginMs = Math.min(2000, (this.parts.leaseSeconds * 1000) / 4);
    if (performance.now() - this.extendedAt > this.parts.leaseSeconds * 1000 - marginMs) this.lose("it could not be extended in time");
  }

  /**
   * Compares what we run with what the database shows as ours. What is no longer ours (cancelled, timed out, given to another worker) is
   * stopped. What is ours without our knowing, for seconds, was claimed by a statement whose answer never came: it is given back.
   */
  private async stopTaken(): Promise<void> {
    const { sql, worker, workerId } = this.parts;
    const before = worker.held();
    const rows = await listHeldAttempts(sql, workerId);
    const known = new Set(before.map(({ id }) => id));
    const claimedMeanwhile = worker.held().filter(({ id }) => !known.has(id));
    worker.stopTaken(new Map([...rows, ...claimedMeanwhile].map(({ id, attempt }) => [id, attempt])));
    const running = new Set(worker.held().map(({ id }) => id));
    const unknown = rows.filter(({ id }) => !running.has(id));
    const now = performance.now();
    this.unknown = new Map(unknown.map((row) => [nameOf(row), this.unknown.get(nameOf(row)) ?? now]));
    // Not waited for: the lease must be kept whatever becomes of the reports.
    void worker.giveBackUnknown(unknown.filter((row) => now - (this.unknown.get(nameOf(row)) ?? now) > unknownMs));
  }

  private lose(why: string): void {
    if (this.isLost) return;
    this.isLost = true;
    this.parts.log.error({ workerId: this.parts.workerId }, `the worker's lease is lost: ${why}; its attempts are ended here`);
    this.parts.worker.abandonAll();
    this.parts.onLost();
  }
}

/** Longer than any answer to a claim is on its way. */
const unknownMs = 5000;

function nameOf({ id, attempt }: { id: string; attempt: number }): string {
  return `${id} ${attempt}`;
}
