import { DatabaseError, driverError } from "./database-error.ts";
import type { SentQuery } from "./query.ts";
import type { Session } from "./session.ts";
import { makeSql, type Sql } from "./sql.ts";

/** Makes statements of an open transaction. */
export interface TransactionSql extends Sql {
  /** A part that can fail by itself: what it has written is undone when it throws, and the transaction goes on. */
  savepoint<T>(work: (sql: TransactionSql) => Promise<T>): Promise<T>;
}

/**
 * Commits when `work` resolves, and rolls back when it throws. A statement that fails makes all of it fail, whether anything waits for
 * the statement or not. BEGIN goes out with the first statement, so a transaction without one costs nothing.
 * @param mode of BEGIN (`isolation level repeatable read read only`)
 * @throws what the connection was lost with, at once
 */
export async function runTransaction<T>(session: Session, mode: string, work: (sql: TransactionSql) => Promise<T>): Promise<T> {
  session.beginWith(mode === "" ? "begin" : `begin ${mode}`);
  const lost = new Promise<never>((_resolve, reject) => {
    session.onLost = reject;
  });
  return Promise.race([new Scope(session).run(work), lost]);
}

/** The whole transaction, or a part of it behind a savepoint. */
class Scope {
  readonly #session: Session;
  /** Undefined for the whole. */
  readonly #savepoint: string | undefined;
  readonly #counter: { savepoints: number };
  /** What the first statement that failed has failed with. */
  #failure: { error: unknown } | undefined;

  constructor(session: Session, savepoint?: string, counter = { savepoints: 0 }) {
    this.#session = session;
    this.#savepoint = savepoint;
    this.#counter = counter;
  }

  async run<T>(work: (sql: TransactionSql) => Promise<T>): Promise<T> {
    const control = makeSql((query) => this.#session.send(query));
    if (this.#savepoint !== undefined) await control.unsafe(`savepoint ${this.#savepoint}`);
    let value: T;
    try {
      value = await work(this.#makeSql());
      if (this.#failure !== undefined) throw this.#failure.error;
    } catch (error) {
      await this.#undo(control);
      throw this.#explain(error);
    }
    if (this.#savepoint === undefined && !this.#session.hasNotBegun) await this.#commit(control);
    return value;
  }

  #makeSql(): TransactionSql {
    const noteFailure = (query: SentQuery) =>
      void query.catch((error) => {
        this.#failure ??= { error };
      });
    const sql = makeSql((query) => this.#session.send(query), noteFailure);
    const savepoint = <T>(work: (sql: TransactionSql) => Promise<T>) =>
      new Scope(this.#session, `s${this.#counter.savepoints++}`, this.#counter).run(work);
    return Object.assign(sql, { savepoint });
  }

  async #undo(control: Sql): Promise<void> {
    if (this.#savepoint !== undefined) await control.unsafe(`rollback to ${this.#savepoint}`);
    else if (!this.#session.hasNotBegun) await control.unsafe("rollback");
  }

  /** The server answers COMMIT of a transaction that failed with ROLLBACK, and calls that a success. */
  async #commit(control: Sql): Promise<void> {
    const commit = control.unsafe("commit");
    await commit;
    if (commit.command === "COMMIT") return;
    throw (
      this.#failure?.error ?? driverError("TRANSACTION_ROLLED_BACK", "A part of the transaction failed, so the server has undone all of it")
    );
  }

  /** "The transaction is aborted" is never the reason: that is the first failure. */
  #explain(error: unknown): unknown {
    const isAborted = error instanceof DatabaseError && error.code === "25P02";
    return isAborted && this.#failure !== undefined ? this.#failure.error : error;
  }
}
