import type { Readable } from "node:stream";
import type { Masker } from "../../base/secret/mask.ts";
import { blockOfLine, cutBlock, escapeControls, type LineBlock, LineSplitter, type LineStream } from "../../core/log/log-lines.ts";
import type { TakeLines } from "../../engine/executor.ts";
import { LastLineFilter } from "./last-line-filter.ts";

/** Output beyond the limit is read in pieces with pauses, so that a program that never stops writing does not keep a whole core busy. */
const droppedPauseMs = 2;

/** A line costs much more than its bytes: 64 MiB of empty lines would keep the service busy for minutes. */
const bytesALine = 64;
const fewLines = 10_000;
/** After a piece of this size the event loop gets a turn: thirty of them may be waiting at once. */
const largeBytes = 16_384;
/** How much of a step's last output is remembered. */
const lastBytes = 2_048;
const lineEnd = Buffer.from("\n");

/** `output`: both streams of a step, merged at the source. */
export type StepStream = Exclude<LineStream, "system">;

export interface OutputSink {
  /** @returns whether more is wanted: beyond the limit everything is dropped */
  push(chunk: Buffer): boolean;
  /** Passes on what was held back. Safe to call twice. */
  end(): void;
}

/**
 * From bytes of the steps to lines of the log: masked first (a secret may span lines), then cut into lines. Input is processed immediately,
 * so nothing is buffered here: while we are busy, or our lines can't be stored fast enough, the pipe is full and the step blocks.
 */
export class AttemptOutput {
  readonly #masker: Masker;
  readonly #limitBytes: number;
  readonly #limitLines: number;
  readonly #onLines: TakeLines;
  #leftBytes: number;
  #leftLines: number;
  #last: Buffer = Buffer.alloc(0);
  #room: Promise<void> | undefined;
  #hasLastWords = false;

  /** @param limitBytes of all steps together; output beyond it is dropped, and the log says so */
  constructor(masker: Masker, limitBytes: number, onLines: TakeLines) {
    this.#masker = masker;
    this.#onLines = onLines;
    this.#limitBytes = this.#leftBytes = limitBytes;
    this.#limitLines = this.#leftLines = Math.max(fewLines, Math.floor(limitBytes / bytesALine));
  }

  /** Writes a line of the service. */
  say(step: string, text: string): void {
    const { maskText } = this.#masker;
    void this.#onLines(blockOfLine({ at: Date.now(), step: maskText(step), stream: "system", text: escapeControls(maskText(text)) }));
  }

  /** After a piece: what to wait for before the next one is read. */
  takeRoom(): Promise<void> | undefined {
    const room = this.#room;
    this.#room = undefined;
    return room;
  }

  /** The last words of a launcher were removed: a step was killed. */
  get hasLastWords(): boolean {
    return this.#hasLastWords;
  }

  /** The last lines of the step that was opened last, masked, without empty lines at the end: they explain many failures. */
  lastLines(): string[] {
    return this.#last.toString().trimEnd().split("\n");
  }

  /**
   * Receives what a step writes, in pieces of any size.
   * @param lastWords a line that is removed if it is the last one
   */
  open(step: string, stream: StepStream, lastWords?: string): OutputSink {
    this.#last = Buffer.alloc(0);
    const mask = this.#masker.openStream();
    const shownStep = this.#masker.maskText(step);
    const add = (text: Buffer, count: number) => this.#add({ at: Date.now(), step: shownStep, stream, text, lines: count });
    const filter = lastWords === undefined ? undefined : new LastLineFilter(lastWords, add);
    const lines = new LineSplitter(filter ? (text, count) => filter.push(text, count) : add);
    let isOver = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      lines.push(mask.end());
      lines.end();
      this.#hasLastWords ||= filter?.isLast === true;
    };
    const push = (chunk: Buffer): boolean => {
      if (isOver) return false;
      const kept = chunk.subarray(0, this.#leftBytes);
      this.#leftBytes -= kept.length;
      lines.push(mask.push(kept));
      if (kept.length === chunk.length && this.#leftLines >= 0) return true;
      end();
      this.#sayThatRestIsDropped(step);
      return false;
    };
    return { push, end };
  }

  /** Reads a step's output to its end. */
  read(step: string, stream: StepStream, reader: Readable, lastWords?: string): void {
    const { push, end } = this.open(step, stream, lastWords);
    let isFull = false;
    reader.on("data", (chunk: Buffer) => {
      if (isFull) return rest(reader);
      isFull = !push(chunk);
      if (!isFull) giveWay(reader, chunk, this.takeRoom());
    });
    reader
      .on("end", end)
      .on("close", end)
      .on("error", () => undefined);
    reader.resume();
  }

  #add(block: LineBlock): void {
    const left = this.#leftLines;
    this.#leftLines -= block.lines;
    if (left <= 0) return;
    const kept = cutBlock(block, 0, left);
    this.#remember(kept.text);
    this.#room = this.#onLines(kept) ?? this.#room;
  }

  #remember(text: Buffer): void {
    const end = text.subarray(-lastBytes);
    this.#last = end.length === lastBytes ? end : Buffer.concat([this.#last.subarray(end.length - lastBytes), lineEnd, end]);
  }

  #sayThatRestIsDropped(step: string): void {
    const limit = this.#leftLines < 0 ? `${this.#limitLines} lines` : `${this.#limitBytes} bytes`;
    this.say(step, `OutputLimit: the task run reached its limit of ${limit} of output; the rest is dropped`);
  }
}

function giveWay(reader: Readable, chunk: Buffer, room: Promise<void> | undefined): void {
  if (room !== undefined) {
    reader.pause();
    void room.then(() => reader.resume());
    return;
  }
  if (chunk.length < largeBytes) return;
  reader.pause();
  setImmediate(() => reader.resume());
}

function rest(reader: Readable): void {
  reader.pause();
  setTimeout(() => reader.resume(), droppedPauseMs);
}
