import { setImmediate } from "node:timers/promises";
import { looksLikeError, mayHoldErrors } from "@millrace/contract/log/log-errors.ts";
import { AppError } from "../../base/error/app-error.ts";
import { compilePattern, PatternError } from "../../base/text/pattern.ts";
import type { LineStream, LogCursor, StoredLine } from "../../core/log/log-lines.ts";
import { type LogSource, type ReadChunk, readChunks } from "./log-source.ts";
import { beginsAttempt, inflateChunk, linesOf } from "./read-lines.ts";

/** A request searches for at most this long; for the rest, the client sends another request. */
const budgetMs = 500;
/** Other requests are served after this time, within a chunk too: a pattern may take a millisecond per line. */
const turnMs = 8;
const chunksAtOnce = { chunks: 4, bytes: 1024 * 1024 };

interface FoundLines {
  /** Ascending, from 1. */
  ranges: { first: number; last: number }[];
  lines: number;
  steps: string[];
  searchedTo: number;
  /** True when the search ended before the log did. */
  hasMore: boolean;
}

interface LineSearchParts {
  source: LogSource;
  filter: LineFilter;
  limit: number;
}

/** Searches for matching lines, chunk by chunk, until the end, the limit of ranges, or its time is over. */
export class LineSearch {
  readonly #ranges: FoundLines["ranges"] = [];
  readonly #steps = new Set<string>();
  #found = 0;
  readonly #firstLine: number;
  #searchedTo: number;
  /** The clock starts at the first line that is at hand: on a busy machine, reading it may take longer than the time there is. */
  #endsAt = Number.POSITIVE_INFINITY;
  #turnEndsAt = Number.POSITIVE_INFINITY;
  readonly #parts: LineSearchParts;

  /** @param firstLine number of the line at which it begins */
  constructor(parts: LineSearchParts, firstLine: number) {
    this.#parts = parts;
    this.#firstLine = firstLine;
    this.#searchedTo = firstLine - 1;
  }

  /** @param from where the first line is */
  async run(from: LogCursor): Promise<FoundLines> {
    let { attempt, seq, line } = from;
    for (;;) {
      const chunks = await readChunks(this.#parts.source, { attempt, seq: seq - 1 }, chunksAtOnce);
      if (chunks.length === 0) return this.#answer(false);
      for (const chunk of chunks) {
        const isFirst = chunk.attempt === attempt && chunk.seq === seq;
        if (!(await this.#searchChunk(chunk, isFirst ? line : 0))) return this.#answer(true);
        if (isFirst) line = 0;
      }
      const last = chunks.at(-1) as ReadChunk;
      [attempt, seq, line] = [last.attempt, last.seq + 1, 0];
    }
  }

  #startClock(): void {
    if (Number.isFinite(this.#endsAt)) return;
    this.#endsAt = performance.now() + budgetMs;
    this.#turnEndsAt = performance.now() + turnMs;
  }

  #answer(hasMore: boolean): FoundLines {
    return { ranges: this.#ranges, lines: this.#found, steps: [...this.#steps], searchedTo: this.#searchedTo, hasMore };
  }

  /** @returns false when it must stop */
  async #searchChunk(chunk: ReadChunk, start: number): Promise<boolean> {
    const { source, filter } = this.#parts;
    if (this.#isOver()) return false;
    const text = await inflateChunk(chunk);
    if (!beginsAttempt(chunk) && !filter.mayFit(text)) {
      this.#searchedTo += chunk.lineCount - start;
      this.#startClock();
      return true;
    }
    const lines = await linesOf(source, chunk, text);
    this.#startClock();
    for (const line of start === 0 ? lines : lines.slice(start)) {
      if (this.#isFull()) return false;
      if (performance.now() >= this.#turnEndsAt && !(await this.#nextTurn())) return false;
      this.#look(line);
    }
    return true;
  }

  /** The line after the last range may still belong to it. */
  #isFull(): boolean {
    return this.#ranges.length >= this.#parts.limit && this.#ranges.at(-1)?.last !== this.#searchedTo;
  }

  /** @returns false when the time is over */
  async #nextTurn(): Promise<boolean> {
    await setImmediate();
    this.#turnEndsAt = performance.now() + turnMs;
    return !this.#isOver();
  }

  /** Never before the first line: a client that continues where it is would send the same request forever. */
  #isOver(): boolean {
    return performance.now() > this.#endsAt && this.#searchedTo >= this.#firstLine;
  }

  #look(line: StoredLine): void {
    const number = ++this.#searchedTo;
    if (!this.#parts.filter.fits(line)) return;
    const last = this.#ranges.at(-1);
    if (last?.last === number - 1) last.last = number;
    else this.#ranges.push({ first: number, last: number });
    this.#found += 1;
    if (line.step !== "") this.#steps.add(line.step);
  }
}

/** The criteria of a search; a line must match all that are given. */
interface LineCriteria {
  text?: string;
  /** RE2. */
  pattern?: string;
  matchCase: boolean;
  step?: string;
  stream?: Exclude<LineStream, "output">;
  errors: boolean;
}

interface LineFilter {
  fits(line: StoredLine): boolean;
  /** False if no line of a stored chunk can match, which is known without decoding it. */
  mayFit(chunk: string): boolean;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const colours = /\u001b\[[0-?]*[ -/]*[@-~]/g;
/** Text with colour codes in between may be one word to a reader. Chunks of earlier versions are JSON. */
const holdsColours = (chunk: string): boolean => chunk.includes("\u001b") || chunk.includes("\\u001b");

/** @throws AppError for an invalid pattern */
export function createLineFilter(criteria: LineCriteria): LineFilter {
  const { text, pattern, matchCase, step, stream, errors } = criteria;
  if (text !== undefined && pattern !== undefined)
    throw new AppError("BAD_REQUEST", [
      `text (${JSON.stringify(text)}) and pattern (${JSON.stringify(pattern)}) were both given; give only one`,
    ]);
  const matches = pattern === undefined ? contains(text, matchCase) : search(pattern, matchCase);
  const isInChunk = chunkTest(text, matchCase);
  return {
    fits: (line) =>
      (step === undefined || line.step === step) &&
      (stream === undefined || line.stream === stream) &&
      (!errors || looksLikeError(line)) &&
      matches(line.text),
    mayFit: (chunk) =>
      (!errors || mayHoldErrors(chunk)) &&
      [step, stream].every((word) => word === undefined || chunk.includes(JSON.stringify(word))) &&
      isInChunk(chunk),
  };
}

function plain(text: string): string {
  return text.includes("\u001b[") ? text.replace(colours, "") : text;
}

function contains(text: string | undefined, matchCase: boolean): (line: string) => boolean {
  if (text === undefined) return () => true;
  if (matchCase) return (line) => plain(line).includes(text);
  const wanted = text.toLowerCase();
  return (line) => plain(line).toLowerCase().includes(wanted);
}

function search(pattern: string, matchCase: boolean): (line: string) => boolean {
  try {
    const strict = compilePattern(pattern);
    const used = matchCase ? strict : compilePattern(`(?i)${pattern}`);
    return (line) => used.search(plain(line)).matches;
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw new AppError("BAD_REQUEST", [`pattern is ${JSON.stringify(pattern)}: ${error.message}`]);
  }
}

/** Text that JSON doesn't escape can be searched in the chunk as a whole, also in one of an earlier version. */
function chunkTest(text: string | undefined, matchCase: boolean): (chunk: string) => boolean {
  if (text === undefined || JSON.stringify(text) !== `"${text}"`) return () => true;
  if (matchCase) return (chunk) => chunk.includes(text) || holdsColours(chunk);
  const wanted = text.toLowerCase();
  return (chunk) => chunk.toLowerCase().includes(wanted) || holdsColours(chunk);
}
