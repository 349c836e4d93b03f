import { Readable } from "node:stream";
import { isFinal } from "@millrace/contract/status.ts";
import type { WakeWire } from "../../base/wake-wire.ts";
import type { LogCursor } from "../../core/log-cursor.ts";
import type { StoredLine } from "../../core/log-line.ts";
import { channels } from "../../domain/run/announce-changes.ts";
import type { Database } from "../../store/database.ts";
import { findTaskRunStatus } from "../../store/task-runs.ts";
import { type LogPlace, readLines } from "./read-lines.ts";

/**
 * The log of a task run as text, line by line, until the task run is over; without `isFollowing` only what is there. It reads when
 * the reader wants more, holds no connection of the database meanwhile, and ends when the reader goes away or the server stops.
 *
 * It is woken by the writer of the log and by changes of the run, and looks by itself every few seconds, because wakes may be lost.
 * The state is read before the lines: a task run that was over then has written all its lines.
 */
export interface LogStreamOptions extends LogPlace {
  sql: Database;
  wire: WakeWire;
  runId: string;
  /** Asked after each look, before its lines are given: whoever is put out while a long task runs reads no line that is written later. */
  mayRead(): Promise<boolean>;
  isFollowing: boolean;
  from: LogCursor;
  /** It ends after so many lines, though there may be more. */
  limit: number;
  withTimes: boolean;
  stopping: AbortSignal | undefined;
}

const linesAtOnce = 5000;
const pollMs = 3000;
/** Shortest time between two looks: a busy run wakes its readers with each of its tasks. */
const restMs = 20;

export class LogStream extends Readable {
  readonly #options: LogStreamOptions;
  readonly #unsubscribe: (() => void)[];
  #cursor: LogCursor;
  #left: number;
  #isReading = false;
  #isWoken = false;
  #pause: { timer: NodeJS.Timeout; end: () => void } | undefined;

  constructor(options: LogStreamOptions) {
    super({ encoding: undefined, highWaterMark: 256 * 1024 });
    this.#options = options;
    this.#cursor = options.from;
    this.#left = options.limit;
    const { wire, taskRunId, runId, stopping } = options;
    // Not a proper end: the reader should know that there may be more.
    const stop = () => void this.destroy();
    stopping?.addEventListener("abort", stop, { once: true });
    this.#unsubscribe = [
      wire.onWake(channels.logs, (ids) => (!ids || ids.has(taskRunId)) && this.#wake()),
      wire.onWake(channels.runs, (ids) => (!ids || ids.has(runId)) && this.#wake()),
      () => stopping?.removeEventListener("abort", stop),
    ];
    if (stopping?.aborted) stop();
  }

  override _read(): void {
    if (this.#isReading) return;
    this.#isReading = true;
    this.#readNext().then(
      (text) => this.#give(text),
      (error: Error) => this.destroy(error),
    );
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    for (const end of this.#unsubscribe) end();
    this.#pause?.end();
    callback(error);
  }

  #give(text: string | null): void {
    this.#isReading = false;
    if (!this.destroyed) this.push(text);
  }

  /** The next lines, or null at the end. */
  async #readNext(): Promise<string | null> {
    const { sql, isFollowing, withTimes, teamId, taskRunId, mayRead } = this.#options;
    while (!this.destroyed && this.#left > 0) {
      this.#isWoken = false;
      const status = await findTaskRunStatus(sql, teamId, taskRunId);
      const { lines, next } = await readLines(sql, { teamId, taskRunId }, this.#cursor, Math.min(this.#left, linesAtOnce));
      if (!(await mayRead())) {
        // As when the server stops: there may be more, and the reader should see that it was cut off.
        this.destroy();
        return null;
      }
      this.#cursor = next;
      this.#left -= lines.length;
      if (lines.length > 0) return lines.map((line) => lineText(line, withTimes)).join("");
      if (!isFollowing || status === undefined || isFinal(status)) return null;
      await this.#rest();
    }
    return null;
  }

  /** Until a wake, the next look, or the end. */
  #rest(): Promise<void> {
    if (this.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(this.#pause?.timer);
        this.#pause = undefined;
        resolve();
      };
      this.#pause = { timer: setTimeout(end, this.#isWoken ? restMs : pollMs), end };
    });
  }

  #wake(): void {
    if (this.#pause && !this.#isWoken) {
      clearTimeout(this.#pause.timer);
      this.#pause.timer = setTimeout(this.#pause.end, restMs);
    }
    this.#isWoken = true;
  }
}

function lineText({ at, text }: StoredLine, withTimes: boolean): string {
  return withTimes ? `${new Date(at).toISOString()} ${text}\n` : `${text}\n`;
}
