/** Called with the letter of a message and where its contents stand, until the next call. */
export type OnMessage = (type: number, bytes: Buffer, start: number, end: number) => void;

const headBytes = 5;

/** Cuts what comes from the server into messages; one may come in many pieces, and many in one piece. */
export class MessageReader {
  readonly #onMessage: OnMessage;
  /** Pieces of a message that is not complete. */
  #pieces: Buffer[] = [];
  #heldBytes = 0;
  /** How many must be there until it is worth looking. */
  #wantedBytes = headBytes;

  constructor(onMessage: OnMessage) {
    this.#onMessage = onMessage;
  }

  read(piece: Buffer): void {
    if (this.#heldBytes === 0) return this.#cut(piece);
    this.#pieces.push(piece);
    this.#heldBytes += piece.length;
    if (this.#heldBytes < this.#wantedBytes) return;
    const all = Buffer.concat(this.#pieces, this.#heldBytes);
    this.#pieces = [];
    this.#heldBytes = 0;
    this.#cut(all);
  }

  #cut(bytes: Buffer): void {
    let at = 0;
    let wanted = headBytes;
    while (bytes.length - at >= headBytes) {
      const end = at + 1 + bytes.readUInt32BE(at + 1);
      if (end > bytes.length) {
        wanted = end - at;
        break;
      }
      this.#onMessage(bytes[at] as number, bytes, at + headBytes, end);
      at = end;
    }
    if (at < bytes.length) this.#hold(bytes.subarray(at), wanted);
  }

  #hold(rest: Buffer, wanted: number): void {
    this.#pieces = [rest];
    this.#heldBytes = rest.length;
    this.#wantedBytes = wanted;
  }
}
