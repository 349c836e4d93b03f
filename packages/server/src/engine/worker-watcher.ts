import { workersLost } from "../base/metrics/metrics.ts";
import type { Log } from "../base/process/log.ts";
import { noWatch, type WorkerWatch, watchWorkers } from "../core/worker/worker-watch.ts";
import { groupByRun } from "../domain/run/advance-runs.ts";
import type { Database } from "../store/database/database.ts";
import { listAttemptsOfWorkers } from "../store/run/queue/engine-work.ts";
import { checkWorkers, endLeases, type HeldAttempt } from "../store/worker/workers.ts";
import type { RunDriver } from "./run-driver.ts";

const maxAttempts = 500;

/** Reclaims the attempts of lost workers. Every engine does so by its own observations; the fence accepts only one of them. */
export class WorkerWatcher {
  #watch: WorkerWatch = noWatch;
  readonly #known = new Set<string>();
  readonly #parts: { sql: Database; driver: RunDriver; log: Log };

  constructor(parts: { sql: Database; driver: RunDriver; log: Log }) {
    this.#parts = parts;
  }

  /** One poll. @returns milliseconds until the next */
  async tick(): Promise<number> {
    const { sql, log } = this.#parts;
    const look = await checkWorkers(sql);
    const { watch, lost, ahead } = watchWorkers(this.#watch, look);
    this.#watch = watch;
    for (const id of this.#known) if (!lost.includes(id)) this.#known.delete(id);
    if (ahead.length > 0) {
      log.warn({ workerIds: ahead }, "the clock of the database went back: leases that end in the future, without a heartbeat, are ended");
      const seen = look.workers.filter(({ id }) => ahead.includes(id));
      await endLeases(sql, seen);
    }
    const holders = lost.filter((id) => look.holders.includes(id));
    if (holders.length > 0) await this.#reclaim(holders);
    return watch.pauseMs;
  }

  async #reclaim(lost: readonly string[]): Promise<void> {
    const { sql, driver, log } = this.#parts;
    const attempts = await listAttemptsOfWorkers(sql, lost, maxAttempts);
    if (attempts.length === 0) return;
    const fresh = lost.filter((id) => !this.#known.has(id));
    for (const id of fresh) this.#known.add(id);
    workersLost.inc(fresh.length);
    if (fresh.length > 0) log.warn({ workerIds: fresh, attempts: attempts.length }, "workers were lost; their tasks move to other workers");
    await driver.advance(groupByRun(attempts, lossOf), { skipLocked: true });
  }
}

function lossOf({ id, attempt }: HeldAttempt) {
  return { kind: "lost" as const, taskRunId: id, attempt };
}
