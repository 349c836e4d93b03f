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
