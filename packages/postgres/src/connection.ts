import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { type DatabaseError, driverError, readDatabaseError } from "./database-error.ts";
import { Exchange, type ExchangeParts } from "./exchange.ts";
import { MessageReader } from "./message-reader.ts";
import { MessageWriter } from "./message-writer.ts";
import type { OpenedSession } from "./open-session.ts";
import { closedError, type Place } from "./open-socket.ts";
import type { ConnectionOptions } from "./options.ts";
import type { SentQuery } from "./query.ts";
import { type Statement, StatementTable } from "./statement-table.ts";
import { toText } from "./value-text.ts";

/** Events that a connection reports to its owner. */
export interface ConnectionEvents {
  /** Everything that was sent has been answered. */
  onFree(connection: Connection): void;
  /** The connection was lost, and everything on it has failed. */
  onClosed(connection: Connection, error: Error): void;
}

/** Shared by the connections of a pool: the types of the parameters of each statement. */
export type KnownTypes = StatementTable<Pick<Statement, "text" | "sentTypes" | "types">>;

/**
 * The routines that report a prepared statement as outdated: its table was changed, or a pooler has assigned another server process, which
 * does not know it.
 */
const staleRoutines = new Set(["FetchPreparedStatement", "RevalidateCachedQuery", "transformAssignedExpr"]);

/**
 * With this many bytes, sending does not wait for more: other statements may follow in this turn of the event loop, but these already fill
 * several packets.
 */
const fullBytes = 16 * 1024;

/**
 * One session of the server, from when it is ready until its end; it is never reused for another session. Statements are answered in the
 * order in which they are sent, and several may be in progress. Everything that is sent in one turn of the event loop goes out in one
 * write.
 */
export class Connection implements ExchangeParts {
  /** Id of the server process, as announced; a pooler makes one up. */
  readonly processId: number;
  /** `I`: no transaction, `T`: in a transaction, `E`: in a failed one. */
  transactionStatus = "I";
  readonly #socket: Socket;
  readonly #place: Place;
  readonly #options: ConnectionOptions;
  readonly #events: ConnectionEvents;
  readonly #knownTypes: KnownTypes;
  readonly #writer = new MessageWriter();
  readonly #statements = new StatementTable<Statement>();
  readonly #inProgress: Exchange[] = [];
  /**
   * Behind a pooler, another connection may reach the same server process, so the names of prepared statements must be unique across
   * connections.
   */
  readonly #prefix = randomBytes(6).toString("base64url");
  #statementCount = 0;
  #heardAt = 0;
  #sending: NodeJS.Immediate | undefined;
  #isBackedUp = false;
  /** Why there will be no further responses. */
  #end: Error | undefined;
  #failure: Error | undefined;
  #isClosed = false;

  /** @param opened a socket whose server has reported that it is ready */
  constructor(opened: OpenedSession, options: ConnectionOptions, events: ConnectionEvents, knownTypes: KnownTypes) {
    this.#socket = opened.socket;
    this.#place = opened.place;
    this.processId = opened.processId;
    this.#options = options;
    this.#events = events;
    this.#knownTypes = knownTypes;
    const reader = new MessageReader((type, bytes, start, end) => this.#onMessage(type, bytes, start, end));
    this.#socket.on("data", (piece: Buffer) => this.#read(reader, piece));
    this.#socket.on("error", (error) => {
      this.#failure = error;
    });
    this.#socket.on("close", () => this.#onClose());
    if (this.#socket.destroyed) queueMicrotask(() => this.#onClose());
  }

  /** Whether everything that was sent has been answered. */
  get isFree(): boolean {
    return this.#inProgress.length === 0;
  }

  /** For how many milliseconds the server has sent nothing although it has something to answer. 0 if it has not. */
  get silentMs(): number {
    const [next] = this.#inProgress;
    return next === undefined ? 0 : performance.now() - Math.max(this.#heardAt, next.writtenAt);
  }

  /** Whether another statement may be sent after those in progress. */
  get takesMore(): boolean {
    const last = this.#inProgress.at(-1);
    if (last === undefined) return true;
    return (
      this.#inProgress.length < this.#options.mostInProgress && !this.#isBackedUp && !last.isDescribing && !last.query.options.isSimple
    );
  }

  /**
   * Sends a statement, preceded by BEGIN if it is the first of a transaction. Both are one unit, so that the statement is not executed if
   * BEGIN fails. A statement that can't be sent is rejected.
   * @returns whether it was sent
   */
  send(query: SentQuery, begin?: string): boolean {
    if (this.#end !== undefined) {
      query.reject(this.#end);
      return false;
    }
    const mark = this.#writer.mark;
    try {
      this.#inProgress.push(this.#write(query, begin));
    } catch (error) {
      this.#writer.rollBack(mark);
      query.reject(error);
      return false;
    }
    this.#sendSoon();
    return true;
  }

  /** Closes the connection in an orderly way; only for a free connection. */
  close(): void {
    if (this.#end !== undefined) return;
    this.#end = driverError("CONNECTION_ENDED", "The connection to the database has been closed by ourselves");
    this.#writer.terminate();
    this.#sendNow();
    this.#socket.end();
  }

  /** Closes the connection at once: everything in progress fails with the error. */
  destroy(error: Error): void {
    this.#failure ??= error;
    this.#socket.destroy();
  }

  onDescribed(exchange: Exchange): void {
    const { statement } = exchange;
    if (statement.name !== "") this.#statements.add(statement);
    this.#knownTypes.add({ text: statement.text, sentTypes: statement.sentTypes, types: statement.types });
    if (!exchange.isDescribing) return;
    exchange.isDescribing = false;
    const mark = this.#writer.mark;
    try {
      this.#writeValues(exchange.query, statement);
    } catch (error) {
      this.#writer.rollBack(mark);
      this.#writer.sync();
      exchange.failure = error;
    }
    this.#sendSoon();
  }

  onRefused(): void {
    this.#writer.sync();
    this.#sendSoon();
  }

  sendCopyData(bytes: Uint8Array, onSent: (error?: Error | null) => void): void {
    if (this.#end !== undefined) return onSent(this.#end);
    this.#writer.copyData(bytes);
    this.#socket.write(this.#writer.take(), onSent);
  }

  sendCopyDone(): void {
    this.#writer.copyDone();
    this.#sendNow();
  }

  sendCopyFail(why: string): void {
    this.#writer.copyFail(why);
    this.#sendNow();
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  #write(query: SentQuery, begin: string | undefined): Exchange {
    const { text, values, types } = query.compiled;
    const { isSimple, isUnprepared } = query.options;
    this.#options.onStatement?.(text, values);
    if (isSimple) {
      this.#writer.query(begin === undefined ? text : `${begin};${text}`);
      return new Exchange(query, this.#newStatement("", text, types), this, begin !== undefined);
    }
    if (begin !== undefined) this.#writeBegin(begin);
    const prepares = this.#options.prepares && !isUnprepared;
    const prepared = prepares ? this.#statements.find(text, types) : undefined;
    const statement = prepared ?? this.#parse(prepares, text, types);
    const exchange = new Exchange(query, statement, this, begin !== undefined);
    exchange.isByPrepared = prepared !== undefined;
    if (types.length > 0 && statement.types.length === 0) {
      exchange.isDescribing = true;
      this.#writer.flush();
    } else {
      this.#writeValues(query, statement);
    }
    return exchange;
  }

  #writeBegin(begin: string): void {
    this.#writer.parse("", begin, []);
    this.#writer.bind("", []);
    this.#writer.execute();
  }

  #parse(prepares: boolean, text: string, types: readonly number[]): Statement {
    const statement = this.#newStatement(prepares ? `${this.#prefix}${++this.#statementCount}` : "", text, types);
    this.#writer.parse(statement.name, text, types);
    this.#writer.describe(statement.name);
    if (prepares && (types.length === 0 || this.#borrowTypes(statement))) this.#statements.add(statement);
    return statement;
  }

  #newStatement(name: string, text: string, sentTypes: readonly number[]): Statement {
    return { name, text, sentTypes, types: [], isDescribed: false, columns: [] };
  }

  /** Uses types that the server has already described to another connection, so that this one need not ask. */
  #borrowTypes(statement: Statement): boolean {
    statement.types = this.#knownTypes.find(statement.text, statement.sentTypes)?.types ?? [];
    return statement.types.length > 0;
  }

  #writeValues(query: SentQuery, { name, types }: Statement): void {
    this.#writer.bind(
      name,
      query.compiled.values.map((value, at) => (value === null ? null : toText(value, types[at] ?? 0))),
    );
    this.#writer.executeAndSync();
  }

  #sendSoon(): void {
    if (this.#writer.waitingBytes >= fullBytes) this.#sendNow();
    else this.#sending ??= setImmediate(() => this.#sendNow());
  }

  #sendNow(): void {
    clearImmediate(this.#sending);
    this.#sending = undefined;
    const isGone = this.#socket.destroyed || this.#socket.writableEnded;
    const bytes = this.#writer.take();
    if (bytes.length > 0 && !isGone) this.#isBackedUp = !this.#socket.write(bytes);
  }

  #read(reader: MessageReader, piece: Buffer): void {
    this.#heardAt = performance.now();
    try {
      reader.read(piece);
    } catch (error) {
      this.destroy(error as Error);
    }
  }

  #onMessage(type: number, bytes: Buffer, start: number, end: number): void {
    const exchange = this.#inProgress[0];
    if (type === messages.notification) return this.#onNotification(bytes, start, end);
    if (exchange === undefined) return this.#onUnsolicited(type, bytes, start, end);
    if (type === messages.row) exchange.onRow(bytes, start);
    else if (type === messages.ready) this.#onReady(exchange, String.fromCharCode(bytes[start] as number));
    else if (type === messages.end || type === messages.empty) exchange.onEnd(bytes, start, end);
    else if (type === messages.columns) exchange.onColumns(bytes, start);
    else if (type === messages.parameters) exchange.onParameters(bytes, start);
    else if (type === messages.noColumns) exchange.onNoColumns();
    else if (type === messages.error) exchange.onError(bytes, start, end);
    else if (type === messages.copyData) exchange.onCopyData(bytes, start, end);
    else if (type === messages.copyDone) exchange.onCopyDone();
    else if (type === messages.copyIn) exchange.onCopyIn();
    else if (type === messages.copyOut) exchange.onCopyOut();
  }

  #onReady(exchange: Exchange, status: string): void {
    this.transactionStatus = status;
    this.#inProgress.shift();
    exchange.query.processId = this.processId;
    this.#options.onAnswer?.(performance.now() - exchange.writtenAt);
    if (!this.#sendsAgain(exchange)) exchange.settle();
    if (this.#inProgress.length === 0) this.#events.onFree(this);
  }

  /**
   * A statement that the server does not know any more is prepared once more. Within a transaction that is not possible: the whole
   * transaction has to be repeated.
   */
  #sendsAgain({ query, statement, failure, isByPrepared }: Exchange): boolean {
    if (failure === undefined || statement.name === "") return false;
    const isStale = isByPrepared && staleRoutines.has((failure as DatabaseError).routine ?? "");
    if (isStale || !statement.isDescribed) this.#forget(statement);
    if (!isStale || query.wasPreparedAgain || this.transactionStatus !== "I") return false;
    query.wasPreparedAgain = true;
    this.send(query);
    return true;
  }

  #forget(statement: Statement): void {
    this.#statements.forget(statement);
    this.#knownTypes.forget(statement);
  }

  #onNotification(bytes: Buffer, start: number, end: number): void {
    const stop = bytes.indexOf(0, start + 4);
    this.#options.onNotification?.(bytes.toString("utf8", start + 4, stop), bytes.toString("utf8", stop + 1, end - 1));
  }

  /** An error that the server sends on its own is the reason why it then closes the connection. */
  #onUnsolicited(type: number, bytes: Buffer, start: number, end: number): void {
    if (type === messages.error) this.#failure ??= readDatabaseError(bytes, start, end);
  }

  #onClose(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearImmediate(this.#sending);
    const error = this.#failure ?? closedError(this.#place);
    this.#end ??= error;
    for (const exchange of this.#inProgress.splice(0)) exchange.lose(error);
    this.#events.onClosed(this, error);
  }
}

/** Types of messages from the server, by their letters (PostgreSQL, "Message Formats"). */
const messages = {
  notification: 65,
  end: 67,
  row: 68,
  error: 69,
  copyIn: 71,
  copyOut: 72,
  empty: 73,
  columns: 84,
  ready: 90,
  copyDone: 99,
  copyData: 100,
  noColumns: 110,
  parameters: 116,
} as const;
