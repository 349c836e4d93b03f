import type { Connection } from "./connection.ts";
import { driverError } from "./database-error.ts";
import type { SentQuery } from "./query.ts";

/**
 * A connection that is reserved for one user for a while: its statements stay in order, and none of them ever uses another connection. If
 * the connection is lost, every later statement fails as well.
 */
export class Session {
  /** Called once when the connection is lost. */
  onLost: ((error: Error) => void) | undefined;
  readonly #connection: Connection;
  readonly #waiting: SentQuery[] = [];
  #begin: string | undefined;
  /** Why nothing can be sent any more. */
  #end: Error | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** `I`: no transaction, `T`: in a transaction, `E`: in a failed one. */
  get transactionStatus(): string {
    return this.#connection.transactionStatus;
  }

  /** Whether BEGIN will be sent with the first statement. */
  get hasNotBegun(): boolean {
    return this.#begin !== undefined;
  }

  beginWith(text: string): void {
    this.#begin = text;
  }

  send(query: SentQuery): void {
    if (this.#end !== undefined) return query.reject(this.#end);
    if (this.#waiting.length > 0 || !this.#connection.takesMore) this.#waiting.push(query);
    else this.#sendNow(query);
  }

  /** Called by the owner of the connection: it has answered everything. */
  onFree(): void {
    while (this.#waiting.length > 0 && this.#connection.takesMore) this.#sendNow(this.#waiting.shift()!);
  }

  /** Called by the owner of the connection: it was lost. */
  onClosed(error: Error): void {
    this.#stop(error);
    this.onLost?.(error);
  }

  /** Called by the owner of the connection, which takes it again. */
  end(): Connection {
    this.#stop(driverError("TRANSACTION_ENDED", "The transaction, or the session, of this statement is over"));
    return this.#connection;
  }

  #sendNow(query: SentQuery): void {
    if (this.#connection.send(query, this.#begin)) this.#begin = undefined;
  }

  #stop(error: Error): void {
    this.#end ??= error;
    for (const query of this.#waiting.splice(0)) query.reject(this.#end);
  }
}
