import { CopySource, CopyTarget, type CopyWire } from "./copy-streams.ts";
import { type DatabaseError, readDatabaseError } from "./database-error.ts";
import { parserOf } from "./parse-value.ts";
import type { SentQuery } from "./query.ts";
import { Rows, readCount } from "./rows.ts";
import type { Statement } from "./statement-table.ts";

/** The parts of its connection that an exchange needs. */
export interface ExchangeParts extends CopyWire {
  /** The server has described the types of the parameters. */
  onDescribed(exchange: Exchange): void;
  /** The server refused the statement before everything was sent. */
  onRefused(): void;
}

/** One statement in progress: collects the server's messages until the server is ready for the next statement. */
export class Exchange {
  readonly query: SentQuery;
  readonly statement: Statement;
  /** Whether the values must still be sent, because their types are not known yet. */
  isDescribing = false;
  /** Whether the statement was already prepared. */
  isByPrepared = false;
  readonly writtenAt = performance.now();
  /** The error with which the statement is rejected once its response is complete. */
  failure: unknown;
  readonly #parts: ExchangeParts;
  #rows = new Rows();
  /** The results of a text with several statements. */
  #results: Rows[] | undefined;
  /** Number of preceding statements (BEGIN) whose completion messages must be ignored. */
  #endsToSkip: number;
  #hasEnded = false;
  #source: CopySource | undefined;
  #target: CopyTarget | undefined;

  constructor(query: SentQuery, statement: Statement, parts: ExchangeParts, hasBegin: boolean) {
    this.query = query;
    this.statement = statement;
    this.#parts = parts;
    this.#endsToSkip = hasBegin ? 1 : 0;
  }

  onParameters(bytes: Buffer, start: number): void {
    const types: number[] = [];
    for (let count = bytes.readUInt16BE(start), at = start + 2; types.length < count; at += 4) types.push(bytes.readUInt32BE(at));
    this.statement.types = types;
    this.statement.isDescribed = true;
    this.#parts.onDescribed(this);
  }

  onColumns(bytes: Buffer, start: number): void {
    if (this.#hasEnded) this.#beginResult();
    const columns = [];
    const count = bytes.readUInt16BE(start);
    for (let at = start + 2; columns.length < count; ) {
      const stop = bytes.indexOf(0, at);
      columns.push({ name: bytes.toString("utf8", at, stop), parse: parserOf(bytes.readUInt32BE(stop + 7)) });
      at = stop + 19;
    }
    this.statement.columns = columns;
  }

  onNoColumns(): void {
    this.statement.columns = [];
  }

  onRow(bytes: Buffer, start: number): void {
    if (this.failure !== undefined) return;
    const row: Record<string, unknown> = {};
    let at = start + 2;
    try {
      for (const { name, parse } of this.statement.columns) {
        const length = bytes.readInt32BE(at);
        at += 4;
        row[name] = length < 0 ? null : parse(bytes, at, at + length);
        if (length > 0) at += length;
      }
      this.#rows.push(row);
    } catch (error) {
      this.failure = error;
    }
  }

  onEnd(bytes: Buffer, start: number, end: number): void {
    if (this.#endsToSkip > 0) {
      this.#endsToSkip--;
      return;
    }
    this.#hasEnded = true;
    this.#rows.count = readCount(bytes, start, end);
    if (this.query.options.isSimple) this.query.command = bytes.toString("latin1", start, end - 1);
    this.#target?.onServerEnd();
  }

  onError(bytes: Buffer, start: number, end: number): void {
    this.failure ??= readDatabaseError(bytes, start, end);
    this.#endCopy(this.failure as DatabaseError);
    if (this.isDescribing) {
      this.isDescribing = false;
      this.#parts.onRefused();
    }
  }

  onCopyIn(): void {
    this.#target = new CopyTarget(this.#parts);
    this.query.resolve(this.#target);
  }

  onCopyOut(): void {
    this.#source = new CopySource(this.#parts);
    this.query.resolve(this.#source);
  }

  onCopyData(bytes: Buffer, start: number, end: number): void {
    this.#source?.onData(bytes.subarray(start, end));
  }

  onCopyDone(): void {
    this.#source?.onEnd();
  }

  /** The server is ready for the next statement. */
  settle(): void {
    if (this.failure !== undefined) this.query.reject(this.failure);
    else this.query.resolve(this.#results ?? this.#rows);
  }

  /** The rest of the response will never come. */
  lose(error: unknown): void {
    this.failure ??= error;
    this.#endCopy(this.failure as Error);
    this.query.reject(this.failure);
  }

  #beginResult(): void {
    this.#results ??= [this.#rows];
    this.#rows = new Rows();
    this.#results.push(this.#rows);
  }

  #endCopy(error: Error): void {
    this.#target?.onFailure(error);
    this.#source?.destroy(error);
  }
}
