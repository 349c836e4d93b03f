import { promisify } from "node:util";
import { deflateRaw } from "node:zlib";
import { logBytes } from "../base/metrics/metrics.ts";
import type { EventBus } from "../base/process/event-bus.ts";
import type { Log } from "../base/process/log.ts";
import { encodeBlocks, type LineBlock } from "../core/log/log-lines.ts";
import { channels } from "../domain/run/report-changes.ts";
import type { Database } from "../store/database/database.ts";
import { isPoolClosed, sqlState } from "../store/database/database-error.ts";
import { insertLogChunks, type LogChunk } from "../store/log/log-chunks.ts";
import type { HeldAttempt } from "../store/worker/workers.ts";

/**
 * Collects the lines of all attempts of this process and writes them as compressed chunks, those of many attempts in one round trip. The
 * amount of waiting lines is limited: beyond that, callers that add lines learn when to continue. Lines are written after a moment or when
 * there are many; `flush` writes the rest of an attempt before its end is reported, so that the log is complete when its task run ends.
 */

const deflate = promisify(deflateRaw);
const pauseMs = 150;
/** A chunk is read as a whole, so its lines and bytes are limited. */
const chunkLines = 8_000;
const chunkBytes = 1024 * 1024;
/** With more than this waiting, a write begins at once. */
const eagerBytes = 1024 * 1024;
/** Bytes of text that may wait, including the overhead of blocks; beyond that executors are asked to pause. More would not be faster. */
const heldBytes = 4 * 1024 * 1024;
const bytesABlock = 500;
/** They never pause longer than that at a time, so that the end of a step is noticed even if the database is unreachable. */
const longestWaitMs = 5_000;

interface Pending {
  attempt: HeldAttempt;
  blocks: LineBlock[];
  nextSeq: number;
  nextLine: number;
}

interface Unstored {
  attempts: HeldAttempt[];
  chunks: LogChunk[];
  bytes: number;
}

export class LogWriter {
  readonly #pending = new Map<string, Pending>();
  #latest: Pending | undefined;
  /** Bytes of everything that is not stored, and of what no write has taken yet. */
  #held = 0;
  #waiting = 0;
  #room: { promise: Promise<void>; open: () => void } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  /**
   * Chunks that could not be stored, or may have been stored although the response was lost: they are sent again unchanged, before anything
   * else.
   */
  #unstored: Unstored | undefined;
  readonly #parts: { sql: Database; bus: EventBus; log: Log };

  constructor(parts: { sql: Database; bus: EventBus; log: Log }) {
    this.#parts = parts;
  }

  /** @returns when to continue, unless that is at once */
  add(attempt: HeldAttempt, block: LineBlock): Promise<void> | undefined {
    this.#pendingOf(attempt).blocks.push(block);
    const bytes = bytesOf(block);
    this.#held += bytes;
    this.#waiting += bytes;
    if (this.#waiting >= eagerBytes && this.#waiting - bytes < eagerBytes) void this.write();
    else this.#timer ??= setTimeout(() => void this.write(), pauseMs);
    return this.#held > heldBytes ? this.#waitForRoom() : undefined;
  }

  #waitForRoom(): Promise<void> {
    if (this.#room !== undefined) return this.#room.promise;
    let open = () => {};
    const promise = new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, longestWaitMs);
      open = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#room = { promise, open };
    void promise.then(() => {
      this.#room = undefined;
    });
    return promise;
  }

  #release(bytes: number): void {
    this.#held -= bytes;
    if (this.#held <= heldBytes / 2) this.#room?.open();
  }

  /** Consecutive blocks mostly belong to one attempt, so it is looked up once for all of them. */
  #pendingOf(attempt: HeldAttempt): Pending {
    if (this.#latest?.attempt === attempt) return this.#latest;
    const key = `${attempt.id} ${attempt.attempt}`;
    const pending = this.#pending.get(key) ?? { attempt, blocks: [], nextSeq: 0, nextLine: 0 };
    this.#pending.set(key, pending);
    this.#latest = pending;
    return pending;
  }

  /** Resolves when all lines of the attempt so far are stored, then forgets the attempt. */
  async flush(attempt: HeldAttempt): Promise<void> {
    const key = `${attempt.id} ${attempt.attempt}`;
    await this.#writing;
    while (this.#pending.get(key)?.blocks.length || this.#unstored?.attempts.includes(attempt)) {
      await this.write();
      if (this.#unstored) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    this.#pending.delete(key);
    this.#latest = undefined;
  }

  /** Writes everything that waits. Writes follow each other, so chunks arrive in order. */
  write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const write = this.#writing.then(() => this.#writeNow());
    // Lines that could not even be packed are lost, but the writes after this one must not be.
    this.#writing = write.catch((error) => this.#parts.log.error({ err: error }, "log lines could not be compressed and are lost"));
    return this.#writing;
  }

  async #writeNow(): Promise<void> {
    this.#unstored ??= await this.#takeAll();
    if (!this.#unstored) return;
    const { attempts, chunks } = this.#unstored;
    try {
      const late = chunks.length - (await insertLogChunks(this.#parts.sql, chunks));
      if (late > 0)
        this.#parts.log.warn({ chunks: late }, "output of attempts arrived after their tasks had ended elsewhere; it was dropped");
      logBytes.inc(chunks.reduce((sum, { rawBytes }) => sum + rawBytes, 0));
      for (const { id } of attempts) this.#parts.bus.wake(channels.logs, id);
    } catch (error) {
      if (!isRefusal(error)) return this.#tryAgain(error, chunks.length);
      this.#parts.log.error({ err: error, chunks: chunks.length }, "the database rejected log lines, which are lost");
    }
    this.#release(this.#unstored.bytes);
    this.#unstored = undefined;
  }

  async #takeAll(): Promise<Unstored | undefined> {
    const batch = [...this.#pending.values()].filter(({ blocks }) => blocks.length > 0).map((pending) => this.#take(pending));
    if (batch.length === 0) return undefined;
    const bytes = this.#waiting;
    this.#waiting = 0;
    try {
      const chunks = (await Promise.all(batch.map(({ pending, blocks }) => makeChunks(pending, blocks)))).flat();
      return { attempts: batch.map(({ pending }) => pending.attempt), chunks, bytes };
    } catch (error) {
      this.#release(bytes);
      throw error;
    }
  }

  #take(pending: Pending): { pending: Pending; blocks: LineBlock[] } {
    const { blocks } = pending;
    pending.blocks = [];
    return { pending, blocks };
  }

  #tryAgain(error: unknown, chunks: number): void {
    this.#parts.log.error({ err: error, chunks }, "log lines could not be written; retrying");
    this.#timer ??= setTimeout(() => void this.write(), pauseMs * 10);
  }
}

function bytesOf({ text }: LineBlock): number {
  return text.length + bytesABlock;
}

/** Chunks that the database will never accept, or that come after the pool was closed: retrying them would never end. */
function isRefusal(error: unknown): boolean {
  return /^(22|23|42|54)/.test(sqlState(error) ?? "") || isPoolClosed(error);
}

async function makeChunks(pending: Pending, blocks: readonly LineBlock[]): Promise<LogChunk[]> {
  const chunks: Promise<LogChunk>[] = [];
  for (let start = 0; start < blocks.length; ) {
    const part = blocks.slice(start, endOfChunk(blocks, start));
    const lineCount = part.reduce((sum, { lines }) => sum + lines, 0);
    chunks.push(makeChunk(pending, part, { seq: pending.nextSeq, firstLine: pending.nextLine, lineCount }));
    pending.nextSeq += 1;
    pending.nextLine += lineCount;
    start += part.length;
  }
  return Promise.all(chunks);
}

/** At least one block, however large. */
function endOfChunk(blocks: readonly LineBlock[], start: number): number {
  let end = start;
  for (let lines = 0, bytes = 0; end < blocks.length; end++) {
    const block = blocks[end] as LineBlock;
    lines += block.lines;
    bytes += block.text.length;
    if (end > start && (lines > chunkLines || bytes > chunkBytes)) break;
  }
  return end;
}

async function makeChunk(
  { attempt }: Pending,
  blocks: readonly LineBlock[],
  place: Pick<LogChunk, "seq" | "firstLine" | "lineCount">,
): Promise<LogChunk> {
  const raw = encodeBlocks(blocks);
  return {
    teamId: attempt.teamId,
    taskRunId: attempt.id,
    attempt: attempt.attempt,
    ...place,
    rawBytes: raw.length,
    data: await deflate(raw, { level: 1 }),
  };
}
