import type { EventBus } from "../base/process/event-bus.ts";
import type { RunWork } from "../domain/run/advance-runs.ts";
import { EndRecorder } from "../domain/run/end-recorder.ts";
import type { RunContext } from "../domain/run/run-context.ts";
import type { Database } from "../store/database/database.ts";
import { completeAndClaim, type NextClaims } from "../store/run/run-changes.ts";
import type { Claim } from "../store/worker/workers.ts";
import type { RunDriver } from "./run-driver.ts";

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
