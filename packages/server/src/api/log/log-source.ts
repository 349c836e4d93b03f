import { crc32 } from "node:zlib";
import { AppError } from "../../base/error/app-error.ts";
import { BoundedCache } from "../../base/process/bounded-cache.ts";
import { type ChunkOfIndex, readLogIndex } from "../../core/log/log-index.ts";
import type { LogStore } from "../../domain/log/log-store.ts";
import type { Queryable } from "../../store/database/database.ts";
import { findLogPlace, type LogChunk, type LogPlaceRow, listChunkLines, listLogChunks } from "../../store/log/log-chunks.ts";
import { findLogIndex, type LogObjectRow, listLogObjects } from "../../store/log/log-objects.ts";

/**
 * The log of one task run, wherever its chunks are: in the database, or in objects of the log store some time after their attempt has
 * ended. The bytes are the same in both, so readers see no difference.
 *
 * The database is queried for chunks first, and for objects afterwards: a log that is moved in between is found twice, and never missed.
 */
export interface LogSource {
  db: Queryable;
  /** Undefined: none is configured here. */
  store: LogStore | undefined;
  teamId: string;
  taskRunId: string;
}

export type ReadChunk = Pick<LogChunk, "attempt" | "seq" | "lineCount" | "rawBytes" | "data">;

interface Place {
  attempt: number;
  seq: number;
}

/** A chunk of the object of an attempt. */
interface ObjectChunk extends ChunkOfIndex {
  attempt: number;
  key: string;
}

const readTimeoutMs = 15_000;
const indexes = new BoundedCache<readonly ChunkOfIndex[]>("log-indexes", {
  maxBytes: 8 * 1024 * 1024,
  bytesOf: (chunks) => chunks.length * 100,
});

/**
 * Chunks after a position, like `listLogChunks`.
 * @throws LOG_STORE_UNAVAILABLE
 */
export async function readChunks(source: LogSource, after: Place, limit: { chunks: number; bytes: number }): Promise<ReadChunk[]> {
  const { db, teamId, taskRunId } = source;
  const rows = await listLogChunks(db, teamId, taskRunId, after, limit);
  const objects = (await listLogObjects(db, teamId, taskRunId)).filter(({ attempt }) => attempt >= after.attempt);
  if (objects.length === 0) return rows;
  const moved = (await Promise.all(objects.map((object) => chunksOf(source, object)))).flat().filter((chunk) => isBehind(chunk, after));
  const merged = [...moved, ...rows].sort(byPlace);
  const chosen: (ObjectChunk | ReadChunk)[] = [];
  let bytes = 0;
  for (const chunk of merged) {
    const last = chosen.at(-1);
    if (last !== undefined && byPlace(last, chunk) === 0) continue;
    if (chosen.length >= limit.chunks || bytes >= limit.bytes) break;
    chosen.push(chunk);
    bytes += chunk.rawBytes;
  }
  return withData(source, chosen);
}

const byPlace = (one: Place, other: Place) => one.attempt - other.attempt || one.seq - other.seq;
const isBehind = (chunk: Place, after: Place) => byPlace(chunk, after) > 0;

/** Empty for a log that was removed in the meantime. */
async function chunksOf({ db, teamId, taskRunId }: LogSource, object: LogObjectRow): Promise<ObjectChunk[]> {
  let chunks = indexes.get(object.key);
  if (chunks === undefined) {
    const index = await findLogIndex(db, teamId, taskRunId, object);
    chunks = index === undefined ? [] : readLogIndex(index);
    if (index !== undefined) indexes.set(object.key, chunks);
  }
  return chunks.map((chunk) => ({ ...chunk, ...object }));
}

/** Neighbours in an object are read together. */
async function withData(source: LogSource, chunks: readonly (ObjectChunk | ReadChunk)[]): Promise<ReadChunk[]> {
  const read: ReadChunk[] = [];
  for (let at = 0; at < chunks.length; ) {
    const first = chunks[at]!;
    if (!("key" in first)) {
      read.push(first);
      at++;
      continue;
    }
    const together = [first];
    for (
      let next = chunks[at + 1];
      next !== undefined && "key" in next && isNext(together.at(-1)!, next);
      next = chunks[at + together.length]
    )
      together.push(next);
    read.push(...(await readTogether(source, together)));
    at += together.length;
  }
  return read;
}

const isNext = (one: ObjectChunk, other: ObjectChunk) => one.key === other.key && one.offset + one.bytes === other.offset;

async function readTogether({ store }: LogSource, chunks: readonly ObjectChunk[]): Promise<ReadChunk[]> {
  if (store === undefined) throw unavailable("this server has no log store configured (MILLRACE_LOG_STORE)");
  const { key, offset } = chunks[0]!;
  const length = chunks.reduce((sum, { bytes }) => sum + bytes, 0);
  const bytes = await store.getPart(key, offset, length, AbortSignal.timeout(readTimeoutMs)).catch((error: unknown) => {
    throw unavailable("it doesn't respond, refuses access, or lacks the log; try again later", error);
  });
  return chunks.map((chunk) => {
    const data = bytes.subarray(chunk.offset - offset, chunk.offset - offset + chunk.bytes);
    if (data.byteLength !== chunk.bytes || crc32(data) !== chunk.crc32)
      throw unavailable("it returned something else than was stored", new Error(`${key} was changed in ${store.name}`));
    const { attempt, seq, lineCount, rawBytes } = chunk;
    return { attempt, seq, lineCount, rawBytes, data };
  });
}

function unavailable(why: string, cause?: unknown): AppError {
  return new AppError("LOG_STORE_UNAVAILABLE", [why], { retryAfterSeconds: 10, cause });
}

/**
 * Called before a response begins that can't end with an error: checks that the log store works, if the log is there. @throws
 * LOG_STORE_UNAVAILABLE
 */
export async function refuseUnreadable(source: LogSource, from: Place): Promise<void> {
  const objects = await listLogObjects(source.db, source.teamId, source.taskRunId);
  if (objects.length > 0) await readChunks(source, { attempt: from.attempt, seq: from.seq - 1 }, { chunks: 1, bytes: 1 });
}

/** As `findLogPlace` does it. */
export async function findPlace(source: LogSource, wanted: { line: number } | { fromEnd: number }): Promise<LogPlaceRow | undefined> {
  const { db, teamId, taskRunId } = source;
  const place = await findLogPlace(db, teamId, taskRunId, wanted);
  if ((await listLogObjects(db, teamId, taskRunId)).length === 0) return place;
  const rows = await listChunkLines(db, teamId, taskRunId);
  const objects = await listLogObjects(db, teamId, taskRunId);
  const moved = (await Promise.all(objects.map((object) => chunksOf(source, object)))).flat();
  const merged = [...moved, ...rows].sort(byPlace).filter((chunk, at, all) => at === 0 || byPlace(all[at - 1]!, chunk) !== 0);
  return placeIn(merged, wanted);
}

/** The line that is inserted before each attempt except the first counts, too. */
function placeIn(
  chunks: readonly (Place & { lineCount: number })[],
  wanted: { line: number } | { fromEnd: number },
): LogPlaceRow | undefined {
  const linesOf = ({ attempt, seq, lineCount }: (typeof chunks)[number]) => lineCount + (attempt > 1 && seq === 0 ? 1 : 0);
  const total = chunks.reduce((sum, chunk) => sum + linesOf(chunk), 0);
  const line = "line" in wanted ? wanted.line : Math.max(0, total - wanted.fromEnd);
  let before = 0;
  for (const chunk of chunks) {
    const upTo = before + linesOf(chunk);
    if (upTo > line || upTo === total) return { attempt: chunk.attempt, seq: chunk.seq, before, upTo, total };
    before = upTo;
  }
  return undefined;
}
