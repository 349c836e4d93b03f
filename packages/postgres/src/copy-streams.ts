import { Readable, Writable } from "node:stream";

/** The connection as a COPY uses it. */
export interface CopyWire {
  sendCopyData(bytes: Uint8Array, onSent: (error?: Error | null) => void): void;
  sendCopyDone(): void;
  sendCopyFail(why: string): void;
  pause(): void;
  resume(): void;
}

/**
 * Rows for the server, in the format of COPY. The stream finishes when the server has accepted everything; if it is destroyed, nothing is
 * kept.
 */
export class CopyTarget extends Writable {
  readonly #wire: CopyWire;
  #isOver = false;
  #onEnd: (() => void) | undefined;

  constructor(wire: CopyWire) {
    super();
    this.#wire = wire;
  }

  override _write(bytes: Buffer, _encoding: string, onDone: (error?: Error | null) => void): void {
    this.#wire.sendCopyData(bytes, onDone);
  }

  override _final(onDone: () => void): void {
    this.#onEnd = onDone;
    this.#wire.sendCopyDone();
  }

  override _destroy(error: Error | null, onDone: (error: Error | null) => void): void {
    if (!this.#isOver && this.#onEnd === undefined) this.#wire.sendCopyFail(String(error ?? "the rest will not come"));
    this.#isOver = true;
    onDone(error);
  }

  onServerEnd(): void {
    this.#isOver = true;
    this.#onEnd?.();
  }

  onFailure(error: Error): void {
    this.#isOver = true;
    this.destroy(error);
  }
}

/** Rows from the server, in the format of COPY. While no one reads, no more data is taken from the socket. */
export class CopySource extends Readable {
  readonly #wire: CopyWire;

  constructor(wire: CopyWire) {
    super();
    this.#wire = wire;
  }

  override _read(): void {
    this.#wire.resume();
  }

  override _destroy(error: Error | null, onDone: (error: Error | null) => void): void {
    this.#wire.resume();
    onDone(error);
  }

  onData(bytes: Buffer): void {
    if (!this.destroyed && !this.push(bytes)) this.#wire.pause();
  }

  /** Even if the last rows have filled the reader's buffer, the connection continues. */
  onEnd(): void {
    if (!this.destroyed) this.push(null);
    this.#wire.resume();
  }
}
