import { promisify } from "node:util";
import { inflateRaw } from "node:zlib";
import { decodeLines, type LogCursor, type StoredLine } from "../../core/log/log-lines.ts";
import { type AttemptRow, listAttempts } from "../../store/run/task-runs.ts";
import { type LogSource, readChunks } from "./log-source.ts";

const inflate = promisify(inflateRaw);
/** A chunk has up to 1 MiB of text, and a quiet log hundreds of chunks with some lines each. */
const chunksAtOnce = { chunks: 32, bytes: 1024 * 1024 };
/** The most memory for reading a page: two chunks compressed and as text, at two bytes per character, and their lines. */
export const bytesToReadPage = 6 * 1024 * 1024;

export interface PageLimit {
  lines: number;
  characters: number;
}

export interface LogPage {
  lines: StoredLine[];
  /** Where the next lines begin. */
  next: LogCursor;
  /** True when the page ended before the log did. */
  hasMore: boolean;
}

/**
 * The lines after the cursor, at most `limit`, and not more than one line beyond so many characters: lines are up to 16 KiB long. All
 * attempts come in order; a line of the stream `system` precedes each except the first.
 */
export async function readLines(source: LogSource, from: LogCursor, limit: PageLimit): Promise<LogPage> {
  const lines: StoredLine[] = [];
  let next = from;
  let characters = 0;
  for (;;) {
    const chunks = await readChunks(source, { attempt: next.attempt, seq: next.seq - 1 }, chunksAtOnce);
    const before = next;
    for (const chunk of chunks) {
      if (lines.length >= limit.lines || characters >= limit.characters) return { lines, next, hasMore: true };
      const all = await linesOf(source, chunk);
      const start = chunk.attempt === next.attempt && chunk.seq === next.seq ? next.line : 0;
      let end = start;
      for (; end < all.length && lines.length < limit.lines && characters < limit.characters; end++) {
        const line = all[end] as StoredLine;
        lines.push(line);
        // With its line end, so that empty lines count, too.
        characters += line.text.length + 1;
      }
      const { attempt, seq } = chunk;
      next = end < all.length ? { attempt, seq, line: end } : { attempt, seq: seq + 1, line: 0 };
    }
    if (next === before) return { lines, next, hasMore: false };
  }
}

/** In the stored form, which core/log/log-line.ts describes. */
export async function inflateChunk({ data }: { data: Uint8Array }): Promise<string> {
  return (await inflate(data)).toString("utf8");
}

/** The first line of that chunk is preceded by one of the service. */
export function beginsAttempt(chunk: { attempt: number; seq: number }): boolean {
  return chunk.attempt > 1 && chunk.seq === 0;
}

/** @param text of the chunk, if it was inflated already */
export async function linesOf(
  { db, teamId, taskRunId }: LogSource,
  chunk: { attempt: number; seq: number; data: Uint8Array },
  text?: string,
): Promise<StoredLine[]> {
  const lines = decodeLines(text ?? (await inflateChunk(chunk)));
  if (!beginsAttempt(chunk)) return lines;
  const attempts = await listAttempts(db, teamId, [taskRunId]);
  const previous = attempts.find(({ attempt }) => attempt === chunk.attempt - 1);
  return [{ at: lines[0]?.at ?? 0, step: "", stream: "system", text: betweenAttempts(chunk.attempt, previous) }, ...lines];
}

function betweenAttempts(attempt: number, previous: AttemptRow | undefined): string {
  if (!previous) return `--- attempt ${attempt} ---`;
  const reason = previous.reason && previous.status !== "succeeded" ? ` (${previous.reason})` : "";
  return `--- attempt ${attempt}; attempt ${previous.attempt} ended as ${previous.status}${reason} ---`;
}
