const mostKept = 65_536;
/** Docker writes a longer line to its log in pieces of this size. */
const pieceBytes = 16_384;

/**
 * How far one output of a step has been read, as a position in the engine's log of it. After a connection broke, that log is read from its
 * beginning, and what was read before is left out.
 *
 * A count of bytes does not say what that is: Docker sends a line to those that are connected before it writes it to the log. If it is
 * killed in between, the log goes on without that line, and the count would leave out the next one in its place. So the last 64 KiB that
 * were read are kept and compared. Where the log differs from them, the lines from there on are new. A log is written by lines, so the line
 * in which it differs is new as a whole, or its last piece if it is longer than 16 KiB. (A lost line looks the same as an equal one that follows it.)
 */
export class LogPosition {
  #end = 0;
  #kept = Buffer.alloc(0);
  #length = 0;

  /** Counts what was read. */
  advance(bytes: Buffer): void {
    this.#end += bytes.length;
    const last = bytes.subarray(-mostKept);
    if (this.#length + last.length > this.#kept.length) this.#makeRoom(last.length);
    last.copy(this.#kept, this.#length);
    this.#length += last.length;
  }

  /** @returns a function that takes the log from its beginning, in pieces, and returns what is new in each; advances over that */
  readAgain(): (piece: Buffer) => Buffer {
    let at = 0;
    let isNew = false;
    return (piece) => {
      const start = at;
      at += piece.length;
      if (isNew) return this.#takeNew(piece);
      const from = Math.max(0, this.#keptFrom - start);
      const compared = piece.subarray(from, Math.max(from, this.#end - start));
      const offset = start + from - this.#keptFrom;
      const equal = countEqual(compared, this.#kept.subarray(offset, this.#length));
      if (equal === compared.length) return this.#takeNew(piece.subarray(from + equal));
      isNew = true;
      const line = this.#backToLine(offset + equal);
      return this.#takeNew(Buffer.concat([line, piece.subarray(from + equal)]));
    };
  }

  /** Where in the log the kept bytes begin. */
  get #keptFrom(): number {
    return this.#end - this.#length;
  }

  #takeNew(bytes: Buffer): Buffer {
    if (bytes.length > 0) this.advance(bytes);
    return bytes;
  }

  /** Goes back to where the line, or the piece of one, begins that has the kept byte at `index`, and returns it up to that byte. */
  #backToLine(index: number): Buffer {
    const start = this.#pieceStart(index);
    const line = Buffer.from(this.#kept.subarray(start, index));
    this.#end -= this.#length - start;
    this.#length = start;
    return line;
  }

  /** If the line begins before what is kept, its pieces are not known: then nothing of it is taken to be new twice. */
  #pieceStart(index: number): number {
    const newline = this.#kept.subarray(0, index).lastIndexOf("\n");
    if (newline === -1 && this.#keptFrom > 0) return index;
    return index - ((index - newline - 1) % pieceBytes);
  }

  #makeRoom(more: number): void {
    const old = this.#kept.subarray(0, this.#length).subarray(-mostKept);
    const size = Math.min(2 * mostKept, Math.max(4_096, 2 * (old.length + more)));
    const target = this.#kept.length === size ? this.#kept : Buffer.alloc(size);
    old.copy(target);
    this.#kept = target;
    this.#length = old.length;
  }
}

function countEqual(a: Buffer, b: Buffer): number {
  const length = Math.min(a.length, b.length);
  if (a.compare(b, 0, length, 0, length) === 0) return length;
  let index = 0;
  while (a[index] === b[index]) index++;
  return index;
}
