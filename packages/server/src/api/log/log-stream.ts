import { Readable, type Writable } from "node:stream";
import { isFinal } from "@millrace/contract/status.ts";
import type { ByteBudget, Reservation } from "../../base/process/byte-budget.ts";
import type { EventBus } from "../../base/process/event-bus.ts";
import type { LogCursor, StoredLine } from "../../core/log/log-lines.ts";
import { channels } from "../../domain/run/report-changes.ts";
import type { Database } from "../../store/database/database.ts";
import { findTaskRunStatus } from "../../store/run/task-runs.ts";
import type { LogSource } from "./log-source.ts";
import { bytesToReadPage, readLines } from "./read-lines.ts";

/**
 * The log of a task run, line by line, until the task run is over; without `isFollowing` only what is there. It reads when
 * the reader wants more, holds no connection of the database meanwhile, and ends when the reader goes away or the server stops.
 *
 * It is woken by the writer of the log, by the end of the attempt and by changes of the run, and polls every few seconds, because wakes may be
 * lost. Other tasks of the run may change it all the time, so for such a change it takes its time. The state is read before the lines: a task
 * run that had ended by then has written all its lines.
 *
 * A slow client costs one piece. Lines are read by the page, from memory that all clients share (`readers`), and sent in pieces, the next
 * one when the connection has taken the previous one. A client that takes a piece slowly loses its page, and reads it again from there, so
 * only active clients hold one. A client that holds up others, or takes nothing for long, is disconnected (http/answer/connection-drain.ts
 * for the latter).
 */
export interface LogStreamOptions {
  source: LogSource & { db: Database };
  bus: EventBus;
  runId: string;
  /**
   * Called after each read, before its lines are sent: a client that loses access during a long task gets no line that is written later.
   */
  mayRead(): Promise<boolean>;
  isFollowing: boolean;
  from: LogCursor;
  /** It ends after so many lines, even if there are more. */
  limit: number;
  /** A line as it is sent, with its line end. */
  write(line: StoredLine): string;
  stopping: AbortSignal | undefined;
  /** Memory for lines that were read and not yet taken, of all clients of this process. */
  readers: ByteBudget;
}

const pageLimit = { lines: 5000, characters: 1024 * 1024 };
const pieceCharacters = 32 * 1024;
/** The memory of a piece until the connection has taken it: its text with one long line, encoded. */
const bytesOfPiece = 128 * 1024;
/** How long a page is kept for a client that has not taken the last piece. */
const patienceMs = 250;
/** How long a client may take for one piece while others wait for the memory that it uses. */
const crowdedMs = 5_000;
const pollMs = 3000;
/** The shortest time between two polls, because a busy task writes all the time. */
const restMs = 20;
/** The same after a change of the run, which is hardly ever one of this task run that has not woken it otherwise. */
const restOfRunMs = 500;

export class LogStream extends Readable {
  readonly #options: LogStreamOptions;
  readonly #unsubscribe: (() => void)[];
  readonly #closing = new AbortController();
  #sink: Writable | undefined;
  /** Where the page begins, and how many of its lines were sent. */
  #cursor: LogCursor;
  #given = 0;
  #page: { lines: StoredLine[]; next: LogCursor } | undefined;
  #reservation: Reservation | undefined;
  #left: number;
  #isReading = false;
  /** How soon to look again; undefined: nothing has happened. */
  #wokenInMs: number | undefined;
  #pause: { timer: NodeJS.Timeout; end: () => void } | undefined;

  constructor(options: LogStreamOptions) {
    // One piece at a time: nothing is read ahead of what the connection takes.
    super({ encoding: undefined, highWaterMark: 1 });
    this.#options = options;
    this.#cursor = options.from;
    this.#left = options.limit;
    const { bus, runId, stopping } = options;
    const { taskRunId } = options.source;
    // Not a proper end: the client should know that there may be more.
    const stop = () => void this.destroy();
    stopping?.addEventListener("abort", stop, { once: true });
    this.#unsubscribe = [
      bus.onWake(channels.logs, (ids) => (!ids || ids.has(taskRunId)) && this.#wake(restMs)),
      bus.onWake(channels.attempts, (ids) => ids?.has(taskRunId) && this.#wake(restMs)),
      bus.onWake(channels.ended, (ids) => ids?.has(runId) && this.#wake(restMs)),
      bus.onWake(channels.runs, (ids) => (!ids || ids.has(runId)) && this.#wake(restOfRunMs)),
      () => stopping?.removeEventListener("abort", stop),
    ];
    if (stopping?.aborted) stop();
  }

  paceBy(sink: Writable): void {
    this.#sink = sink;
  }

  override _read(): void {
    if (this.#isReading) return;
    this.#isReading = true;
    this.#nextPiece().then(
      (text) => this.#give(text),
      (error: Error) => this.destroy(error),
    );
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    for (const end of this.#unsubscribe) end();
    this.#closing.abort();
    this.#pause?.end();
    this.#page = undefined;
    this.#release();
    callback(error);
  }

  #give(text: string | null): void {
    this.#isReading = false;
    if (!this.destroyed) this.push(text);
  }

  /** The next lines, or null at the end. */
  async #nextPiece(): Promise<string | null> {
    await this.#untilTaken();
    while (!this.destroyed && this.#left > 0) {
      if (this.#page === undefined && !(await this.#readPage())) return null;
      if (this.#page !== undefined) return this.#cutPiece(this.#page);
      this.#release();
      await this.#rest();
    }
    return null;
  }

  /** @returns false at the end of the log */
  async #readPage(): Promise<boolean> {
    const { source, isFollowing, mayRead, readers } = this.#options;
    this.#reservation ??= await readers.reserve(bytesToReadPage, this.#closing.signal, source.teamId);
    if (this.destroyed) {
      this.#release();
      return false;
    }
    this.#wokenInMs = undefined;
    const status = await findTaskRunStatus(source.db, source.teamId, source.taskRunId);
    const limit = { ...pageLimit, lines: Math.min(pageLimit.lines, this.#given + this.#left) };
    const { lines, next } = await readLines(source, this.#cursor, limit);
    if (!(await mayRead())) {
      // As when the server stops: there may be more, and the client should see that it was cut off.
      this.destroy();
      return false;
    }
    if (this.destroyed) return false;
    if (lines.length > this.#given) {
      this.#page = { lines, next };
      return true;
    }
    return isFollowing && status !== undefined && !isFinal(status);
  }

  #cutPiece({ lines, next }: { lines: StoredLine[]; next: LogCursor }): string {
    const texts: string[] = [];
    let characters = 0;
    for (; this.#given < lines.length && characters < pieceCharacters; this.#given++) {
      const text = this.#options.write(lines[this.#given] as StoredLine);
      texts.push(text);
      characters += text.length;
    }
    this.#left -= texts.length;
    if (this.#given === lines.length) {
      this.#cursor = next;
      this.#given = 0;
      this.#page = undefined;
    }
    return texts.join("");
  }

  /** Waits until the connection has taken the last piece. The reserved memory is reduced meanwhile, finally to the piece alone. */
  async #untilTaken(): Promise<void> {
    if (this.#page === undefined) this.#reservation?.shrinkTo(bytesOfPiece);
    if (!(await this.#isTakenWithin(patienceMs))) {
      this.#page = undefined;
      this.#reservation?.shrinkTo(bytesOfPiece);
      while (!(await this.#isTakenWithin(crowdedMs))) if (this.#options.readers.isShort) this.destroy();
    }
    if (this.#page === undefined) this.#release();
  }

  /** True at the end, too. */
  #isTakenWithin(ms: number): Promise<boolean> {
    const sink = this.#sink;
    if (sink === undefined || !sink.writableNeedDrain || this.destroyed) return Promise.resolve(true);
    return new Promise((resolve) => {
      const end = (isTaken: boolean) => {
        clearTimeout(timer);
        sink.off("drain", taken);
        this.#closing.signal.removeEventListener("abort", taken);
        resolve(isTaken);
      };
      const taken = () => end(true);
      const timer = setTimeout(() => end(false), ms);
      sink.once("drain", taken);
      this.#closing.signal.addEventListener("abort", taken, { once: true });
    });
  }

  #release(): void {
    this.#reservation?.release();
    this.#reservation = undefined;
  }

  /** Until a wake, the next poll, or the end. */
  #rest(): Promise<void> {
    if (this.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(this.#pause?.timer);
        this.#pause = undefined;
        resolve();
      };
      this.#pause = { timer: setTimeout(end, this.#wokenInMs ?? pollMs), end };
    });
  }

  #wake(inMs: number): void {
    if (inMs >= (this.#wokenInMs ?? pollMs)) return;
    this.#wokenInMs = inMs;
    if (this.#pause === undefined) return;
    clearTimeout(this.#pause.timer);
    this.#pause.timer = setTimeout(this.#pause.end, inMs);
  }
}
