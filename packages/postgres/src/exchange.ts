import { CopySource, CopyTarget, type CopyWire } from "./copy-streams.ts";
import { type DatabaseError, readDatabaseError } from "./database-error.ts";
import { parserOf } from "./parse-value.ts";
import type { SentQuery } from "./query.ts";
import { Rows, readCount } from "./rows.ts";
import type { Statement } from "./statement-table.ts";

/** What an exchange asks of its connection. */
export interface ExchangeParts extends CopyWire {
  /** The server has said of which types the parameters are. */
  onDescribed(exchange: Exchange): void;
  /** The server refused before everything was sent. */
  onRefused(): void;
}

/** One statement on its way: collects what the server answers, until the server is ready for the next one. */
export class Exchange {
  readonly query: SentQuery;
  readonly statement: Statement;
  /** Whether the values still have to be sent, once it is known of which types they are. */
  isDescribing = false;
  /** Whether the statement was prepared before. */
  isByPrepared = false;
  readonly writtenAt = performance.now();
  /** What the statement fails with, when all of its answer is there. */
  failure: unknown;
  readonly #parts: ExchangeParts;
  #rows = new Rows();
  /** Of a text with several statements. */
  #results: Rows[] | undefined;
  /** Statements in front of it whose ends are none of its own: BEGIN. */
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

  /** The server is ready for the next one. */
  settle(): void {
    if (this.failure !== undefined) this.query.reject(this.failure);
    else this.query.resolve(this.#results ?? this.#rows);
  }

  /** There will be no more of an answer. */
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
