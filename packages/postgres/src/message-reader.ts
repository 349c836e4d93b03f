/** Called with the letter of a message and the range of its contents, which is valid until the next call. */
export type OnMessage = (type: number, bytes: Buffer, start: number, end: number) => void;

const headBytes = 5;

/** Splits the data from the server into messages; a message may arrive in many pieces, and a piece may contain many messages. */
export class MessageReader {
  readonly #onMessage: OnMessage;
  /** Pieces of an incomplete message. */
  #pieces: Buffer[] = [];
  #heldBytes = 0;
  /** How many bytes must have arrived before parsing can continue. */
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
