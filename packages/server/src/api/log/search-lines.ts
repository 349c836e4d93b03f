import { setImmediate } from "node:timers/promises";
import type { LogCursor } from "../../core/log/log-cursor.ts";
import type { StoredLine } from "../../core/log/log-line.ts";
import type { Queryable } from "../../store/database/database.ts";
import { listLogChunks } from "../../store/log/log-chunks.ts";
import type { LineFilter } from "./line-filter.ts";
import { beginsAttempt, inflateChunk, type LogPlace, linesOf } from "./read-lines.ts";

/** A request works so long at most; who wants the rest asks again. */
const budgetMs = 500;
/** Others get their turn after so long, within a chunk too: a pattern may take a millisecond a line. */
const turnMs = 8;
const chunksAtOnce = { chunks: 4, bytes: 1024 * 1024 };

export interface FoundLines {
  /** Ascending, from 1. */
  ranges: { first: number; last: number }[];
  lines: number;
  steps: string[];
  searchedTo: number;
  /** True when the search ended before the log did. */
  hasMore: boolean;
}

type Chunk = Awaited<ReturnType<typeof listLogChunks>>[number];

/** Looks for the lines that fit, chunk by chunk, until the end, the limit of ranges, or its time is over. */
export class LineSearch {
  private readonly ranges: FoundLines["ranges"] = [];
  private readonly steps = new Set<string>();
  private found = 0;
  private searchedTo: number;
  /** The clock runs from the first chunk on, so that each request comes further. */
  private endsAt = Number.POSITIVE_INFINITY;
  private turnEndsAt = Number.POSITIVE_INFINITY;
  private readonly parts: { db: Queryable; place: LogPlace; filter: LineFilter; limit: number };

  /** @param firstLine number of the line at which it begins */
  constructor(parts: LineSearch["parts"], firstLine: number) {
    this.parts = parts;
    this.searchedTo = firstLine - 1;
  }

  /** @param from where the first line is */
  async run(from: LogCursor): Promise<FoundLines> {
    let { attempt, seq, line } = from;
    for (;;) {
      const { db, place } = this.parts;
      const chunks = await listLogChunks(db, place.teamId, place.taskRunId, { attempt, seq: seq - 1 }, chunksAtOnce);
      if (chunks.length === 0) return this.answer(false);
      this.startClock();
      for (const chunk of chunks) {
        const isFirst = chunk.attempt === attempt && chunk.seq === seq;
        if (!(await this.searchChunk(chunk, isFirst ? line : 0))) return this.answer(true);
        if (isFirst) line = 0;
      }
      const last = chunks.at(-1) as Chunk;
      [attempt, seq, line] = [last.attempt, last.seq + 1, 0];
    }
  }

  private startClock(): void {
    if (Number.isFinite(this.endsAt)) return;
    this.endsAt = performance.now() + budgetMs;
    this.turnEndsAt = performance.now() + turnMs;
  }

  private answer(hasMore: boolean): FoundLines {
    return { ranges: this.ranges, lines: this.found, steps: [...this.steps], searchedTo: this.searchedTo, hasMore };
  }

  /** @returns false when it must stop */
  private async searchChunk(chunk: Chunk, start: number): Promise<boolean> {
    const { db, place, filter } = this.parts;
    if (performance.now() > this.endsAt) return false;
    const text = await inflateChunk(chunk);
    if (!beginsAttempt(chunk) && !filter.mayFit(text)) {
      this.searchedTo += chunk.lineCount - start;
      return true;
    }
    const lines = await linesOf(db, place, chunk, text);
    for (const line of start === 0 ? lines : lines.slice(start)) {
      if (this.isFull()) return false;
      if (performance.now() >= this.turnEndsAt && !(await this.nextTurn())) return false;
      this.look(line);
    }
    return true;
  }

  /** The line after the last range may still belong to it. */
  private isFull(): boolean {
    return this.ranges.length >= this.parts.limit && this.ranges.at(-1)?.last !== this.searchedTo;
  }

  /** @returns false when the time is over */
  private async nextTurn(): Promise<boolean> {
    await setImmediate();
    const now = performance.now();
    this.turnEndsAt = now + turnMs;
    return now <= this.endsAt;
  }

  private look(line: StoredLine): void {
    const number = ++this.searchedTo;
    if (!this.parts.filter.fits(line)) return;
    const last = this.ranges.at(-1);
    if (last?.last === number - 1) last.last = number;
    else this.ranges.push({ first: number, last: number });
    this.found += 1;
    if (line.step !== "") this.steps.add(line.step);
  }
}
