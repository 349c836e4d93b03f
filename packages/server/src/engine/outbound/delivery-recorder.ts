import type { Log } from "../../base/process/log.ts";
import type { Database } from "../../store/database/database.ts";
import { transaction } from "../../store/database/transaction.ts";
import { pauseSubscription } from "../../store/outbound/change-events.ts";
import { type DeliveryResult, finishDeliveries } from "../../store/outbound/deliveries.ts";

interface Entry {
  result: DeliveryResult;
  /** To be paused, because its receiver wants no more events. */
  goneSubscriptionId: string | null;
  resolve: (isGivenUp: boolean) => void;
  reject: (error: unknown) => void;
}

const batchSize = 200;
/** Attempts that end within this time are recorded together. */
const gatherMs = 5;

/** Records the outcomes of attempts: those that end at about the same time, or while a record is written, share a statement. */
export class DeliveryRecorder {
  readonly #sql: Database;
  readonly #log: Log;
  #entries: Entry[] = [];
  #isWriting = false;

  constructor(sql: Database, log: Log) {
    this.#sql = sql;
    this.#log = log;
  }

  /**
   * Resolves after the commit, to true if the delivery was given up. If recording fails, the lease expires and the delivery is sent again.
   */
  record(result: DeliveryResult, goneSubscriptionId: string | null): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#entries.push({ result, goneSubscriptionId, resolve, reject });
      if (!this.#isWriting) void this.#write();
    });
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    await new Promise((resolve) => setTimeout(resolve, gatherMs));
    while (this.#entries.length > 0) {
      const batch = this.#entries.splice(0, batchSize);
      await this.#writeBatch(batch).then(
        (dead) => {
          for (const { resolve, result } of batch) resolve(dead.has(result.id));
        },
        (error: unknown) => {
          for (const { reject } of batch) reject(error);
        },
      );
    }
    this.#isWriting = false;
  }

  async #writeBatch(batch: readonly Entry[]): Promise<Set<string>> {
    const gone = [...new Set(batch.flatMap(({ goneSubscriptionId }) => (goneSubscriptionId === null ? [] : [goneSubscriptionId])))].sort();
    const dead = await transaction(this.#sql, async (tx) => {
      for (const id of gone) await pauseSubscription(tx, id, "Paused: the receiver answered that it is gone (410)");
      return finishDeliveries(
        tx,
        batch.map(({ result }) => result),
      );
    });
    if (gone.length > 0) this.#log.warn({ subscriptionIds: gone }, "subscriptions were paused, because their receivers are gone");
    return dead;
  }
}
