// The end of an attempt: reported in batches, recorded, and the next attempts claimed with it.

import { availableParallelism } from "node:os";
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
 * burst of ends costs a few transactions; ends that nothing waits for are held back a moment for that. A failed report is retried until it
 * is known to have succeeded. Its outcome may be unknown (the response to a commit was lost), but a second report finds the attempt ended
 * and changes nothing.
 */

type Report = { attempt: HeldAttempt; event: RunEvent; isPatient: boolean; resolve: () => void };

const batchSize = 200;
const retryMs = 250;
/** How long a patient end waits for others. */
const defaultPatienceMs = 15;

/**
 * Of many items side by side nobody waits for a single one, as long as others keep the processors busy. So its end may wait for theirs. The
 * last ones are reported at once.
 *
 * @param running attempts of this process
 */
export function canEndLater(
  { runId, item }: Pick<Claim, "runId" | "item">,
  running: Iterable<{ claim: Pick<Claim, "runId" | "item">; isOver?: boolean }>,
  processors = availableParallelism(),
): boolean {
  if (item === null) return false;
  const others = [...running].filter(({ claim, isOver }) => claim.runId === runId && claim.item !== null && isOver !== true);
  return others.length >= processors;
}

export class AttemptFinisher {
  #waiting: Report[] = [];
  #isReporting = false;
  /** Ends the wait of patient reports. */
  #hurry = () => {};
  readonly #complete: (work: readonly RunWork[]) => Promise<unknown>;
  readonly #log: Log;
  readonly #patienceMs: number;

  constructor(complete: (work: readonly RunWork[]) => Promise<unknown>, log: Log, patienceMs = defaultPatienceMs) {
    this.#complete = complete;
    this.#log = log;
    this.#patienceMs = patienceMs;
  }

  /**
   * Resolves when the end of the attempt is recorded, or was refused because the worker no longer holds the attempt.
   * @param isPatient nothing waits for it: it can wait a moment for others, and all of them cost one transaction
   */
  report(attempt: HeldAttempt, event: RunEvent, isPatient = false): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ attempt, event, isPatient, resolve });
      if (!isPatient) this.#hurry();
      if (!this.#isReporting) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isReporting = true;
    // Ends of the same turn of the event loop are reported together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      if (this.#waiting.every(({ isPatient }) => isPatient)) await this.#waitForOthers();
      await this.#reportBatch(this.#waiting.splice(0, batchSize));
    }
    this.#isReporting = false;
  }

  async #waitForOthers(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#patienceMs);
      this.#hurry = resolve;
    });
    clearTimeout(timer);
    this.#hurry = () => {};
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
