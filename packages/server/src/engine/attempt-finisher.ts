// The end of an attempt: reported in batches, recorded, and the next attempts claimed with it.

import type { EventBus } from "../base/process/event-bus.ts";
import type { Log } from "../base/process/log.ts";
import type { RunEvent } from "../core/run/advance.ts";
import type { RunWork } from "../domain/run/advance-runs.ts";
import { groupByRun } from "../domain/run/advance-runs.ts";
import { EndRecorder } from "../domain/run/end-recorder.ts";
import type { RunContext } from "../domain/run/run-context.ts";
import type { Database } from "../store/database/database.ts";
import { isPoolClosed } from "../store/database/database-error.ts";
import { completeAndClaim, type NextClaims } from "../store/run/run-changes.ts";
import type { Claim, HeldAttempt } from "../store/worker/workers.ts";
import type { RunDriver } from "./run-driver.ts";

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

interface AttemptCompleterParts {
  sql: Database;
  context: RunContext;
  bus: EventBus;
  driver: RunDriver;
}

/** Records the ends of attempts of a worker of the service, and claims its next ones. */
export class AttemptCompleter {
  readonly #sql: Database;
  readonly #ends: EndRecorder;

  constructor({ driver, ...parts }: AttemptCompleterParts) {
    this.#sql = parts.sql;
    this.#ends = new EndRecorder({ ...parts, advance: (work) => driver.advance(work) });
  }

  /** @returns what was claimed in the same round trip, which the caller has to run; undefined if nothing was looked for */
  async complete(work: readonly RunWork[], next: NextClaims): Promise<Claim[] | undefined> {
    const { claims, isClaimed } = await this.#ends.record(work, {
      workerId: next.workerId,
      write: (changes) => completeAndClaim(this.#sql, changes, next),
    });
    return isClaimed ? claims : undefined;
  }
}
