import type { Readable } from "node:stream";
import type { Masker } from "../../base/mask.ts";
import { blockOfLine, cutBlock, type LineBlock } from "../../core/log-line.ts";
import { escapeControls, LineSplitter } from "../../core/log-lines.ts";
import type { TakeLines } from "../../engine/executor.ts";

/** What is beyond the limit is read in pieces with pauses, so that a program that never stops writing does not keep a whole core busy. */
const droppedPauseMs = 2;

/** A line costs much more than its bytes: 64 MiB of empty lines would keep the service busy for minutes. */
const bytesALine = 64;
const fewLines = 10_000;
/** After a piece this large others come first: thirty of them may be there at once. */
const largeBytes = 16_384;
const lineFeed = 10;

export interface OutputSink {
  /** @returns whether more is wanted: beyond the limit everything is dropped */
  push(chunk: Buffer): boolean;
  /** Hands over what was held back. Safe to call twice. */
  end(): void;
}

/**
 * From bytes of the steps to lines of the log: masked first (a secret may span lines), then cut into lines. What comes is handled at once, so
 * nothing piles up here: while we are busy, or what we hand over can't be kept so fast, the pipe is full and the step waits.
 */
export class AttemptOutput {
  readonly #masker: Masker;
  readonly #limitBytes: number;
  readonly #limitLines: number;
  readonly #onLines: TakeLines;
  #leftBytes: number;
  #leftLines: number;
  #lastErrors: Buffer = Buffer.alloc(0);
  #room: Promise<void> | undefined;

  /** @param limitBytes of all steps together; what comes after it is dropped, and the log says so */
  constructor(masker: Masker, limitBytes: number, onLines: TakeLines) {
    this.#masker = masker;
    this.#onLines = onLines;
    this.#limitBytes = this.#leftBytes = limitBytes;
    this.#limitLines = this.#leftLines = Math.max(fewLines, Math.floor(limitBytes / bytesALine));
  }

  /** A line of ours. */
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

  /** What a step wrote last to standard error, masked: the reason of many a failure. */
  lastErrorLine(): string {
    return lastFilledLine(this.#lastErrors);
  }

  /** Takes what one stream of a step writes, in pieces of any size. */
  open(step: string, stream: "stdout" | "stderr"): OutputSink {
    const mask = this.#masker.openStream();
    const shownStep = this.#masker.maskText(step);
    const lines = new LineSplitter((text, count) => this.#add({ at: Date.now(), step: shownStep, stream, text, lines: count }));
    let isOver = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      lines.push(mask.end());
      lines.end();
    };
    const push = (chunk: Buffer): boolean => {
      if (isOver) return false;
      const kept = chunk.subarray(0, this.#leftBytes);
      this.#leftBytes -= kept.length;
      lines.push(mask.push(kept));
      if (kept.length === chunk.length && this.#leftLines >= 0) return true;
      end();
      this.#sayThatRestIsDropped(step, stream);
      return false;
    };
    return { push, end };
  }

  /** Reads a stream of one step to its end. */
  read(step: string, stream: "stdout" | "stderr", reader: Readable): void {
    const { push, end } = this.open(step, stream);
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
    if (kept.stream === "stderr" && kept.text.some((byte) => byte !== lineFeed)) this.#lastErrors = kept.text;
    this.#room = this.#onLines(kept) ?? this.#room;
  }

  #sayThatRestIsDropped(step: string, stream: string): void {
    const limit = this.#leftLines < 0 ? `${this.#limitLines} lines` : `${this.#limitBytes} bytes`;
    this.say(step, `OutputLimit: the ${limit} of output that a task run may write are used up; the rest of ${stream} is dropped`);
  }
}

function lastFilledLine(text: Buffer): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === lineFeed) end--;
  return text.subarray(text.lastIndexOf(lineFeed, end - 1) + 1, end).toString();
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
