/**
 * How a log is stored. Lines come in blocks: many lines of one step and one stream at one time, as they were read. A chunk has several
 * blocks in a row, each with a head, and is deflated as a whole:
 *
 *     [epoch ms, "step", "stream", number of lines]
 *     the lines, unchanged
 *
 * A line has no line end in it, so nothing in it is escaped, and nobody has to check each line while it is written. Chunks of
 * earlier versions have a head for each line, with its text in place of the number.
 */

/**
 * Where a line was written. `output` is what a step wrote to standard output and standard error, in the order of writing. `stdout` and
 * `stderr` are used if the streams were read separately: by earlier versions, and for containers that can't merge them. `system` is for
 * messages of the service.
 */
export type LineStream = "output" | "stdout" | "stderr" | "system";

/** A line as readers get it. */
export interface StoredLine {
  at: number;
  step: string;
  stream: LineStream;
  text: string;
}

/** Lines that were read together. */
export interface LineBlock {
  /** Epoch ms. */
  at: number;
  step: string;
  stream: LineStream;
  /** UTF-8, with a line feed between lines and none after the last one. */
  text: Buffer;
  /** At least 1. */
  lines: number;
}

/** @param text without a line end */
export function blockOfLine({ text, ...from }: StoredLine): LineBlock {
  return { ...from, text: Buffer.from(text), lines: 1 };
}

/** Lines from `from` to before `to`, counted from 0. */
export function cutBlock(block: LineBlock, from: number, to: number): LineBlock {
  if (from === 0 && to >= block.lines) return block;
  const start = lineStart(block.text, from);
  const end = to >= block.lines ? block.text.length : lineStart(block.text, to) - 1;
  return { ...block, text: block.text.subarray(start, end), lines: Math.min(to, block.lines) - from };
}

function lineStart(text: Buffer, line: number): number {
  let start = 0;
  for (let count = 0; count < line; count++) start = text.indexOf(lineFeed, start) + 1;
  return start;
}

const lineFeed = 10;
const lineEnd = Buffer.from("\n");

export function encodeBlocks(blocks: readonly LineBlock[]): Buffer {
  const parts = blocks.flatMap(({ at, step, stream, text, lines }) => [
    Buffer.from(`[${at},${JSON.stringify(step)},"${stream}",${lines}]\n`),
    text,
    lineEnd,
  ]);
  return Buffer.concat(parts.slice(0, -1));
}

export function linesOfBlock({ text, lines: _, ...from }: LineBlock): StoredLine[] {
  return text
    .toString()
    .split("\n")
    .map((line) => ({ ...from, text: line }));
}

export function decodeLines(chunk: string): StoredLine[] {
  const found: StoredLine[] = [];
  if (chunk === "") return found;
  const all = chunk.split("\n");
  for (let next = 0; next < all.length; ) {
    const [at, step, stream, content] = JSON.parse(all[next++] ?? "") as [number, string, LineStream, number | string];
    if (typeof content === "string") found.push({ at, step, stream, text: content });
    else for (const end = next + content; next < end; next++) found.push({ at, step, stream, text: all[next] ?? "" });
  }
  return found;
}

/**
 * A place in the log of a task run: everything before that line of that chunk of that attempt was read. Chunks are numbered from 0
 * within an attempt. As text it is what readers hand back to continue from there.
 */
export interface LogCursor {
  attempt: number;
  seq: number;
  line: number;
}

export const logStart: LogCursor = { attempt: 0, seq: 0, line: 0 };

export function writeLogCursor({ attempt, seq, line }: LogCursor): string {
  return `${attempt}.${seq}.${line}`;
}

/** Undefined if it is not a valid cursor. */
export function readLogCursor(text: string): LogCursor | undefined {
  const match = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/.exec(text);
  if (!match) return undefined;
  return { attempt: Number(match[1]), seq: Number(match[2]), line: Number(match[3]) };
}
