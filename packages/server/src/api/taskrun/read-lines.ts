import { promisify } from "node:util";
import { inflateRaw } from "node:zlib";
import type { LogCursor } from "../../core/log-cursor.ts";
import { decodeLines, type StoredLine } from "../../core/log-line.ts";
import type { Queryable } from "../../store/database.ts";
import { listLogChunks } from "../../store/log-chunks.ts";
import { type AttemptRow, listAttempts } from "../../store/task-runs.ts";

/** Of the log of one task run. */
export interface LogPlace {
  teamId: string;
  taskRunId: string;
}

const inflate = promisify(inflateRaw);
/** Some thousand lines each: few enough to hold, many enough for a round trip. */
const chunksAtOnce = 4;
/** Lines are up to 16 KiB long: a page ends when it has so many characters, however few lines these are. */
const pageCharacters = 4 * 1024 * 1024;

export interface LogPage {
  lines: StoredLine[];
  /** Where the next lines begin. */
  next: LogCursor;
  /** True when the page ended before the log did. */
  hasMore: boolean;
}

/**
 * The lines that are there behind the cursor, at most `limit`. All attempts come in order; a line of the stream `system` stands before
 * each but the first.
 */
export async function readLines(db: Queryable, place: LogPlace, from: LogCursor, limit: number): Promise<LogPage> {
  const lines: StoredLine[] = [];
  let next = from;
  let characters = 0;
  for (;;) {
    const chunks = await listLogChunks(db, place.teamId, place.taskRunId, { attempt: next.attempt, seq: next.seq - 1 }, chunksAtOnce);
    const before = next;
    for (const chunk of chunks) {
      if (lines.length >= limit || characters >= pageCharacters) return { lines, next, hasMore: true };
      const all = await linesOf(db, place, chunk);
      const start = chunk.attempt === next.attempt && chunk.seq === next.seq ? next.line : 0;
      const end = Math.min(all.length, start + limit - lines.length);
      for (const line of all.slice(start, end)) {
        lines.push(line);
        characters += line.text.length;
      }
      const { attempt, seq } = chunk;
      next = end < all.length ? { attempt, seq, line: end } : { attempt, seq: seq + 1, line: 0 };
    }
    if (next === before) return { lines, next, hasMore: false };
  }
}

/** As it is stored: core/log-line.ts says how. */
export async function inflateChunk({ data }: { data: Uint8Array }): Promise<string> {
  return (await inflate(data)).toString("utf8");
}

/** Before the first line of that chunk stands one of the service. */
export function beginsAttempt(chunk: { attempt: number; seq: number }): boolean {
  return chunk.attempt > 1 && chunk.seq === 0;
}

/** @param text of the chunk, where it was inflated already */
export async function linesOf(
  db: Queryable,
  place: LogPlace,
  chunk: { attempt: number; seq: number; data: Uint8Array },
  text?: string,
): Promise<StoredLine[]> {
  const lines = decodeLines(text ?? (await inflateChunk(chunk)));
  if (!beginsAttempt(chunk)) return lines;
  const attempts = await listAttempts(db, place.teamId, [place.taskRunId]);
  const previous = attempts.find(({ attempt }) => attempt === chunk.attempt - 1);
  return [{ at: lines[0]?.at ?? 0, step: "", stream: "system", text: betweenAttempts(chunk.attempt, previous) }, ...lines];
}

function betweenAttempts(attempt: number, previous: AttemptRow | undefined): string {
  if (!previous) return `--- attempt ${attempt} ---`;
  const reason = previous.reason && previous.status !== "succeeded" ? ` (${previous.reason})` : "";
  return `--- attempt ${attempt}; attempt ${previous.attempt} ended as ${previous.status}${reason} ---`;
}
