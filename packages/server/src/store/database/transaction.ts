import type { Database, Queryable, Transaction } from "./database.ts";
import { sqlState } from "./database-error.ts";

export interface TransactionOptions {
  /** A read-only transaction refuses writes, and sees one snapshot for all of its statements. */
  access?: "read" | "write";
}

/**
 * Runs `work` in a transaction: commits when it resolves, rolls back when it throws. It is run again, at most four times, if the database
 * itself asks for that (serialization failure, deadlock, a statement that a migration made stale) and COMMIT was not sent yet. So `work`
 * must have no effects but rows. An error after COMMIT was sent is rethrown: the outcome is then unknown, and only the caller can find out
 * (by an idempotency row, or a fence).
 */
export async function transaction<T>(db: Database, work: (tx: Transaction) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
  const mode = options.access === "read" ? "isolation level repeatable read read only" : "";
  for (let tries = 1; ; tries++) {
    let isCommitting = false;
    try {
      const result = await db.begin(mode, async (tx) => {
        const value = await work(tx as Transaction);
        isCommitting = true;
        return { value };
      });
      return (result as { value: T }).value;
    } catch (error) {
      if (isCommitting || tries > 4 || !isRetryable(error)) throw error;
      await pauseBeforeRetry(tries);
    }
  }
}

/** Runs `work` in a transaction that is rolled back when it resolves: to find out what a save would report. */
export async function transactionWithoutCommit<T>(db: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  let done: { value: T } | undefined;
  const end = new Error("rolled back as intended");
  try {
    await transaction(db, async (tx) => {
      done = { value: await work(tx) };
      throw end;
    });
  } catch (error) {
    if (error !== end) throw error;
  }
  return (done as { value: T }).value;
}

/**
 * Runs the work of one use case: joins the transaction that `db` is the handle of, or opens one if `db` is the pool. For functions that
 * often need only one statement, and otherwise a transaction.
 */
export async function inTransaction<T>(db: Queryable, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return isTransaction(db) ? work(db) : transaction(db, work);
}

export function isTransaction(db: Queryable): db is Transaction {
  return "savepoint" in db;
}

/** For the rest of the transaction a statement may take ten minutes: for background work that nobody waits for. */
export async function allowLongStatements(tx: Transaction): Promise<void> {
  await tx`set local statement_timeout = '10min'`;
}

/** serialization_failure, deadlock_detected, and feature_not_supported: "cached plan must not change result type". */
const retryableStates = new Set(["40001", "40P01", "0A000"]);

function isRetryable(error: unknown): boolean {
  return retryableStates.has(sqlState(error) ?? "");
}

/** Two transactions that deadlocked would deadlock again if they were retried at the same moment. */
async function pauseBeforeRetry(tries: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * 2 ** tries));
}
