import { DatabaseError, driverError } from "./database-error.ts";
import type { SentQuery } from "./query.ts";
import type { Session } from "./session.ts";
import { makeSql, type Sql } from "./sql.ts";

/** Creates statements of an open transaction. */
export interface TransactionSql extends Sql {
  /** Runs a part that can fail on its own: if it throws, its writes are undone, and the transaction continues. */
  savepoint<T>(work: (sql: TransactionSql) => Promise<T>): Promise<T>;
}

/**
 * Commits when `work` resolves, and rolls back when it throws. If a statement fails, the whole transaction fails, even if nothing awaits
 * the statement. BEGIN is sent with the first statement, so a transaction without statements costs nothing.
 * @param mode of BEGIN (`isolation level repeatable read read only`)
 * @throws the error with which the connection was lost, at once
 */
export async function runTransaction<T>(session: Session, mode: string, work: (sql: TransactionSql) => Promise<T>): Promise<T> {
  session.beginWith(mode === "" ? "begin" : `begin ${mode}`);
  const lost = new Promise<never>((_resolve, reject) => {
    session.onLost = reject;
  });
  return Promise.race([new Scope(session).run(work), lost]);
}

/** The whole transaction, or the part after a savepoint. */
class Scope {
  readonly #session: Session;
  /** Undefined for the whole transaction. */
  readonly #savepoint: string | undefined;
  readonly #counter: { savepoints: number };
  /** The error of the first statement that failed. */
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

  /** The server's response to COMMIT in a failed transaction is ROLLBACK, without an error. */
  async #commit(control: Sql): Promise<void> {
    const commit = control.unsafe("commit");
    await commit;
    if (commit.command === "COMMIT") return;
    throw (
      this.#failure?.error ?? driverError("TRANSACTION_ROLLED_BACK", "A part of the transaction failed, so the server has undone all of it")
    );
  }

  /** "The transaction is aborted" is never the cause: the first failure is. */
  #explain(error: unknown): unknown {
    const isAborted = error instanceof DatabaseError && error.code === "25P02";
    return isAborted && this.#failure !== undefined ? this.#failure.error : error;
  }
}
