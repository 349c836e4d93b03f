import { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { EngineAway } from "../engine/engine-error.ts";
import { LogPosition } from "./log-position.ts";

type StreamName = "stdout" | "stderr";

const headerBytes = 8;
const bufferBytes = 262_144;

/**
 * The output of one step: two streams that outlive the connections that carry them. An engine sends frames: a byte for the stream (1 is
 * stdout, 2 is stderr), three zero bytes, four for the length, then the bytes. Frames arrive in pieces. Where a step is started by the
 * starter, all its output is in the first stream, and the second has the error messages of the engine's own programs.
 *
 * After a connection broke, the engine's log is read from its beginning, and what was read before is left out.
 * Nothing is buffered here: if a reader is slow, the connection is not read, and the engine blocks the step.
 */
export class OutputStreams {
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly #read: Readonly<Record<StreamName, LogPosition>> = { stdout: new LogPosition(), stderr: new LogPosition() };
  /** When data last arrived, on the monotonic clock in ms. */
  lastAt = performance.now();
  #source: Readable | undefined;
  readonly #full = new Set<StreamName>();

  constructor() {
    this.stdout = new Readable({ highWaterMark: bufferBytes, read: () => this.#goOn("stdout") });
    this.stderr = new Readable({ highWaterMark: bufferBytes, read: () => this.#goOn("stderr") });
  }

  /** Whether the connection waits for us, rather than we for the connection. */
  get isFull(): boolean {
    return this.#full.size > 0;
  }

  /**
   * Reads a connection from a step's start on to its end.
   * @throws EngineAway if it breaks
   */
  follow(source: Readable): Promise<void> {
    return this.#feed(source, (stream, bytes) => {
      this.#read[stream].advance(bytes);
      this.#push(stream, bytes);
    });
  }

  /**
   * Reads what is new in the engine's log, which comes from its beginning.
   * @throws EngineAway if the connection breaks
   */
  readLog(source: Readable): Promise<void> {
    const { stdout, stderr } = this.#read;
    const newIn = { stdout: stdout.readAgain(), stderr: stderr.readAgain() };
    return this.#feed(source, (stream, bytes) => this.#push(stream, newIn[stream](bytes)));
  }

  async #feed(source: Readable, onBytes: (stream: StreamName, bytes: Buffer) => void): Promise<void> {
    const parser = new FrameParser(onBytes);
    this.#source = source;
    try {
      await new Promise<void>((resolve, reject) => {
        const fail = (error: Error): void => reject(new EngineAway(`its output broke off: ${error.message}`));
        source
          .on("data", (chunk: Buffer) => {
            this.lastAt = performance.now();
            parser.push(chunk);
          })
          .on("end", resolve)
          .on("close", resolve)
          .on("aborted", () => fail(new Error("aborted")))
          .on("error", fail);
      });
    } finally {
      this.#source = undefined;
      source.destroy();
    }
  }

  /** Gives up a connection that does not end by itself. */
  drop(): void {
    this.#source?.destroy();
  }

  /** Resolves when everything that arrived was read. */
  async drain(): Promise<void> {
    while (this.stdout.readableLength + this.stderr.readableLength > 0) await nextTurn();
  }

  /**
   * Nothing more will arrive. Resolves when everything was read.
   * @param lastWords what a shell would have printed
   */
  async end(lastWords?: string): Promise<void> {
    if (lastWords !== undefined) this.stdout.push(Buffer.from(`${lastWords}\n`));
    const read = [this.stdout, this.stderr].map((stream) => new Promise((resolve) => stream.on("close", resolve)));
    this.stdout.push(null);
    this.stderr.push(null);
    await Promise.all(read);
  }

  #push(stream: StreamName, bytes: Buffer): void {
    if (bytes.length === 0 || this[stream].push(bytes)) return;
    this.#full.add(stream);
    this.#source?.pause();
  }

  #goOn(stream: StreamName): void {
    if (!this.#full.delete(stream) || this.#full.size > 0) return;
    this.lastAt = performance.now();
    this.#source?.resume();
  }
}

/** Cuts frames out of the incoming data, without waiting for a whole frame. */
export class FrameParser {
  readonly #onBytes: (stream: StreamName, bytes: Buffer) => void;
  #header: Buffer = Buffer.alloc(0);
  #stream: StreamName = "stdout";
  #left = 0;

  constructor(onBytes: (stream: StreamName, bytes: Buffer) => void) {
    this.#onBytes = onBytes;
  }

  push(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) rest = this.#left > 0 ? this.#readBody(rest) : this.#readHeader(rest);
  }

  #readHeader(data: Buffer): Buffer {
    const missing = headerBytes - this.#header.length;
    this.#header = Buffer.concat([this.#header, data.subarray(0, missing)]);
    if (this.#header.length === headerBytes) {
      this.#stream = this.#header[0] === 2 ? "stderr" : "stdout";
      this.#left = this.#header.readUInt32BE(4);
      this.#header = Buffer.alloc(0);
    }
    return data.subarray(missing);
  }

  #readBody(data: Buffer): Buffer {
    const body = data.subarray(0, this.#left);
    this.#left -= body.length;
    this.#onBytes(this.#stream, body);
    return data.subarray(body.length);
  }
}
