// Lines of a log: how output is split into them, and how they are stored in blocks and found by a cursor.
import { hasShortLines, isSafe } from "../document/safe-bytes.ts";

/** The longest line that is passed on in one piece. */
export const maxLineBytes = 16_384;

/** The most lines that are passed on together. */
export const maxBlockLines = 1_000;

/** Pieces from this size on are examined as a whole first. */
const largeBytes = 1024;

const lineFeed = 10;
const carriageReturn = 13;

/**
 * Turns a stream of bytes into lines of text that are safe to store and to show: UTF-8 is decoded (invalid bytes become U+FFFD, so no lone
 * surrogates come out), and NUL and other control characters become their symbols (U+2400 and up). Tabs and colour sequences stay. A line
 * ends at LF, CR LF or CR (progress bars redraw with CR). A line longer than `maxLineBytes` is split between characters.
 *
 * Most output is text in lines of a usual length, maybe with colours. Pieces of it are handed over as they are: no line of theirs
 * is examined.
 */
export class LineSplitter {
  readonly #onLines: (text: Buffer, lines: number) => void;
  #partial = Buffer.alloc(0);
  /** Lines of this piece that were examined one by one. */
  #finished: string[] = [];
  /** Whether the last line ended with CR: then a following LF belongs to it. */
  #skipsLineFeed = false;
  /** True if the beginning of this line was already passed on, because it was too long. */
  #isContinued = false;

  /** @param onLines receives lines as UTF-8 with a line feed between them, and their number, at most `maxBlockLines` */
  constructor(onLines: (text: Buffer, lines: number) => void) {
    this.#onLines = onLines;
  }

  push(chunk: Buffer): void {
    const first = chunk.indexOf(lineFeed) + 1;
    const last = chunk.lastIndexOf(lineFeed) + 1;
    const lines = chunk.subarray(first, last);
    if (lines.length < largeBytes || !hasShortLines(lines, maxLineBytes) || !isSafe(lines)) {
      this.#pushAny(chunk);
      this.#handOver();
      return;
    }
    // Together with the incomplete line of the piece before it.
    this.#pushAny(chunk.subarray(0, first));
    this.#handOver();
    this.#cut(lines.subarray(0, -1));
    this.#pushAny(chunk.subarray(last));
    this.#handOver();
  }

  /** Passes on whole lines unchanged. */
  #cut(text: Buffer): void {
    let start = 0;
    let lines = 1;
    for (let end = text.indexOf(lineFeed); end >= 0; end = text.indexOf(lineFeed, end + 1)) {
      if (lines === maxBlockLines) {
        this.#onLines(text.subarray(start, end), lines);
        start = end + 1;
        lines = 0;
      }
      lines += 1;
    }
    this.#onLines(text.subarray(start), lines);
  }

  #finish(line: string): void {
    this.#finished.push(line);
    if (this.#finished.length === maxBlockLines) this.#handOver();
  }

  #handOver(): void {
    const lines = this.#finished.length;
    if (lines === 0) return;
    const text = Buffer.from(this.#finished.join("\n"));
    this.#finished = [];
    this.#onLines(text, lines);
  }

  #pushAny(chunk: Buffer): void {
    const searched = this.#partial.length;
    const data = searched === 0 ? chunk : Buffer.concat([this.#partial, chunk]);
    let start = this.#skipsLineFeed && data[0] === lineFeed ? 1 : 0;
    if (data.length > 0) this.#skipsLineFeed = false;
    for (let end = findLineEnd(data, Math.max(start, searched)); end >= 0; end = findLineEnd(data, start)) {
      this.#finishLine(this.#splitLong(data.subarray(start, end)));
      start = end + 1;
      if (data[end] !== carriageReturn) continue;
      if (start === data.length) this.#skipsLineFeed = true;
      else if (data[start] === lineFeed) start++;
    }
    this.#partial = Buffer.from(this.#splitLong(data.subarray(start)));
  }

  /** Passes on the last line if it has no line end. */
  end(): void {
    if (this.#partial.length > 0) this.#finishLine(this.#partial);
    this.#partial = Buffer.alloc(0);
    this.#handOver();
  }

  #finishLine(bytes: Buffer): void {
    if (bytes.length > 0 || !this.#isContinued) this.#finish(decodeLine(bytes));
    this.#isContinued = false;
  }

  /** @returns the rest of a long line after the pieces that were passed on */
  #splitLong(bytes: Buffer): Buffer {
    let rest = bytes;
    while (rest.length > maxLineBytes) {
      const cut = characterBorder(rest, maxLineBytes);
      this.#finish(decodeLine(rest.subarray(0, cut)));
      this.#isContinued = true;
      rest = rest.subarray(cut);
    }
    return rest;
  }
}

function findLineEnd(data: Buffer, from: number): number {
  const feed = data.indexOf(lineFeed, from);
  const back = data.subarray(from, feed < 0 ? data.length : feed).indexOf(carriageReturn);
  return back < 0 ? feed : from + back;
}

/** The last position at or before `limit` that is not inside a UTF-8 character. */
function characterBorder(bytes: Buffer, limit: number): number {
  for (let cut = limit; cut > limit - 4; cut--) {
    if (((bytes[cut] ?? 0) & 0xc0) !== 0x80) return cut;
  }
  return limit;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const unsafe = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const colourOrUnsafe = /\u001b\[[0-9;:]{0,40}m|[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/g;

function decodeLine(bytes: Buffer): string {
  return escapeControls(bytes.toString("utf8"));
}

/** @returns the text with control characters replaced by visible symbols, except for tabs and colour sequences */
export function escapeControls(text: string): string {
  if (!unsafe.test(text)) return text;
  return text.replace(colourOrUnsafe, (found) => (found.length > 1 ? found : picture(found.charCodeAt(0))));
}

function picture(code: number): string {
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "\u2421" : "\ufffd";
}

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
