import { createHash, randomBytes, randomUUID } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Log } from "../base/process/log.ts";
import { type ChunkOfIndex, writeLogIndex } from "../core/log/log-index.ts";
import type { LogStore } from "../domain/log/log-store.ts";
import type { Database } from "../store/database/database.ts";
import { transaction } from "../store/database/transaction.ts";
import { listLogChunks } from "../store/log/log-chunks.ts";
import { endMoving, keepMoving, type LogToMove, listLogsToMove, listTeamsWithLogs, noteMoving } from "../store/log/log-moves.ts";
import { claimUnusedObjects, forgetLogObject, LogNotMoved, noteLogObject, replaceChunks } from "../store/log/log-objects.ts";

/**
 * Moves logs from the database to the log store some time after their attempt has ended. For each attempt:
 *
 * 1. note the key of the object as unused, and commit;
 * 2. store the chunks, one after the other, as one object, reading some of them at a time;
 * 3. read the object back, and compare its size and digest;
 * 4. in one transaction, remove the note, remove the chunks, and insert the row about the object.
 *
 * A process may be killed at any point: before the last commit the chunks still exist, and the object is removed when its note is due;
 * after it the object is in use. One process moves at a time. If a second one begins because the first was believed dead, one of the two
 * fails in step 4, and its object is removed.
 */
export interface LogMoverParts {
  sql: Database;
  store: LogStore;
  /** How long ago an attempt must have ended. */
  hours: number;
  log: Log;
}

/** A chunk has up to 1 MiB of text. */
const chunksAtOnce = { chunks: 64, bytes: 1024 * 1024 };
const logsAtOnce = 200;
const objectsAtOnce = 100;
/** For storing or reading one object; an attempt may have gigabytes of lines. */
const objectTimeoutMs = 30 * 60_000;
const removeTimeoutMs = 30_000;

export class LogMover {
  readonly #parts: LogMoverParts;
  readonly #id = randomUUID();

  constructor(parts: LogMoverParts) {
    this.#parts = parts;
  }

  /** Moves what can be moved, and removes unused objects. Does nothing while another process does it. */
  async round(signal: AbortSignal): Promise<void> {
    const { sql, store, log } = this.#parts;
    if (!(await keepMoving(sql, this.#id))) return;
    try {
      const moved = await this.#moveAll(signal);
      const removed = await this.#removeUnused(signal);
      await noteMoving(sql, this.#id, undefined);
      if (moved + removed > 0) log.info({ moved, removed, store: store.name }, "logs moved to the log store");
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ err: error, store: store.name }, "logs can't be moved to the log store; they stay in the database until it works again");
      await noteMoving(sql, this.#id, error instanceof Error ? error.message : String(error));
    }
  }

  /** Lets another process continue at once. */
  async stop(): Promise<void> {
    await endMoving(this.#parts.sql, this.#id);
  }

  async #moveAll(signal: AbortSignal): Promise<number> {
    const { sql, hours } = this.#parts;
    let moved = 0;
    const failures = new Failures();
    for (const teamId of await listTeamsWithLogs(sql)) {
      for (let after: LogToMove | undefined; ; ) {
        const { logs, next } = await listLogsToMove(sql, teamId, hours, after, logsAtOnce);
        for (const one of logs) {
          if (signal.aborted || !(await keepMoving(sql, this.#id))) return moved;
          const isMoved = await this.#move(one, signal).catch((error: unknown) => failures.add(error));
          if (isMoved) moved++;
        }
        if (next === undefined) break;
        after = next;
      }
    }
    failures.end();
    return moved;
  }

  /** @returns false if the log was removed in the meantime */
  async #move(one: LogToMove, signal: AbortSignal): Promise<boolean> {
    const { sql, store, log } = this.#parts;
    const key = `logs/${one.teamId}/${one.taskRunId}/${one.attempt}-${randomBytes(6).toString("hex")}`;
    const within = AbortSignal.any([signal, AbortSignal.timeout(objectTimeoutMs)]);
    await noteLogObject(sql, key);
    const written = new WrittenLog();
    await store.put(key, written.pass(this.#chunksOf(one)), within);
    const found = await digestOf(await store.get(key, within));
    const { bytes, sha256 } = written.result();
    if (found.bytes !== bytes || found.sha256 !== sha256)
      throw new Error(`${store.name} returned ${found.bytes} bytes of ${key} that differ from the ${bytes} that were stored`);
    try {
      await transaction(sql, (tx) => replaceChunks(tx, { ...one, key, bytes, sha256, ...written.index() }));
      return true;
    } catch (error) {
      if (!(error instanceof LogNotMoved)) throw error;
      log.debug({ key, why: error.message }, "a log was not moved");
      return false;
    }
  }

  async *#chunksOf({ teamId, taskRunId, attempt }: LogToMove) {
    for (let seq = -1; ; ) {
      const chunks = await listLogChunks(this.#parts.sql, teamId, taskRunId, { attempt, seq }, chunksAtOnce);
      const own = chunks.filter((chunk) => chunk.attempt === attempt);
      yield* own;
      if (own.length === 0 || own.length < chunks.length) return;
      seq = own.at(-1)!.seq;
    }
  }

  async #removeUnused(signal: AbortSignal): Promise<number> {
    const { sql, store } = this.#parts;
    let removed = 0;
    for (;;) {
      const keys = await claimUnusedObjects(sql, objectsAtOnce);
      for (const key of keys) {
        if (signal.aborted) return removed;
        await store.remove(key, AbortSignal.any([signal, AbortSignal.timeout(removeTimeoutMs)]));
        await forgetLogObject(sql, key);
        removed++;
      }
      if (keys.length < objectsAtOnce || !(await keepMoving(sql, this.#id))) return removed;
    }
  }
}

/** A log that can't be moved does not hold up others. But if several fail, the store does not work. */
class Failures {
  readonly #most = 3;
  #count = 0;
  #first: unknown;

  add(error: unknown): false {
    this.#first ??= error;
    if (++this.#count >= this.#most) throw this.#first;
    return false;
  }

  end(): void {
    if (this.#count > 0) throw this.#first;
  }
}

interface WrittenChunk {
  seq: number;
  lineCount: number;
  rawBytes: number;
  data: Uint8Array;
}

/** What is known about a log after all of it was read. */
class WrittenLog {
  readonly #hash = createHash("sha256");
  readonly #chunks: Omit<ChunkOfIndex, "offset">[] = [];
  #bytes = 0;

  async *pass(chunks: AsyncIterable<WrittenChunk>): AsyncIterable<Uint8Array> {
    for await (const { seq, lineCount, rawBytes, data } of chunks) {
      this.#chunks.push({ seq, lineCount, rawBytes, bytes: data.byteLength, crc32: crc32(data) });
      this.#hash.update(data);
      this.#bytes += data.byteLength;
      yield data;
    }
  }

  /** Call once, at the end. */
  result(): { bytes: number; sha256: string } {
    return { bytes: this.#bytes, sha256: this.#hash.digest("hex") };
  }

  index() {
    return {
      seqs: this.#chunks.map(({ seq }) => seq),
      lines: this.#chunks.reduce((sum, { lineCount }) => sum + lineCount, 0),
      chunks: writeLogIndex(this.#chunks),
    };
  }
}

async function digestOf(content: AsyncIterable<Uint8Array>): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const piece of content) {
    hash.update(piece);
    bytes += piece.byteLength;
  }
  return { bytes, sha256: hash.digest("hex") };
}
