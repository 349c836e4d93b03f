import type { Log } from "../base/process/log.ts";
import type { RunEvent } from "../core/run/advance.ts";
import { groupByRun, type RunWork } from "../domain/run/advance-runs.ts";
import { isPoolClosed } from "../store/database/database-error.ts";
import type { HeldAttempt } from "../store/worker/workers.ts";

/**
 * Reports the ends of attempts. Those that end while a report is in progress are reported together in the next one, grouped by run, so a
 * burst of ends costs a few transactions. A failed report is retried until it is known to have succeeded. Its outcome may be unknown (the
 * response to a commit was lost), but a second report finds the attempt ended and changes nothing.
 */

type Report = { attempt: HeldAttempt; event: RunEvent; resolve: () => void };

const batchSize = 200;
const retryMs = 250;

export class AttemptFinisher {
  #waiting: Report[] = [];
  #isReporting = false;
  readonly #complete: (work: readonly RunWork[]) => Promise<unknown>;
  readonly #log: Log;

  constructor(complete: (work: readonly RunWork[]) => Promise<unknown>, log: Log) {
    this.#complete = complete;
    this.#log = log;
  }

  /** Resolves when the end of the attempt is recorded, or was refused because the worker no longer holds the attempt. */
  report(attempt: HeldAttempt, event: RunEvent): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ attempt, event, resolve });
      if (!this.#isReporting) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isReporting = true;
    // Ends of the same turn of the event loop are reported together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) await this.#reportBatch(this.#waiting.splice(0, batchSize));
    this.#isReporting = false;
  }

  async #reportBatch(batch: readonly Report[]): Promise<void> {
    try {
      await this.#complete(
        groupByRun(
          batch.map(({ attempt, event }) => ({ ...attempt, event })),
          ({ event }) => event,
        ),
      );
      for (const report of batch) report.resolve();
    } catch (error) {
      // The pool was closed: the process ends, and the lease with it.
      if (isPoolClosed(error)) return;
      this.#log.warn({ err: error, attempts: batch.length }, "the results of attempts could not be recorded; trying again");
      this.#waiting.unshift(...batch);
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }
}
