/** The result of a statement: its rows, and how many it has read or changed. */
export class Rows<T extends object = object> extends Array<T> {
  #count = 0;

  /** Number of rows that were read, inserted, changed or deleted, even if none are returned. */
  get count(): number {
    return this.#count;
  }

  set count(count: number) {
    this.#count = count;
  }

  /** Lists derived from it (map, filter …) are ordinary arrays. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }
}

const zero = 48;
const nine = 57;

/** The number at the end of the server's command tag (`INSERT 0 12`, `SELECT 3`); 0 if there is none. */
export function readCount(bytes: Buffer, start: number, end: number): number {
  let count = 0;
  let scale = 1;
  for (let at = end - 2; at >= start; at--) {
    const byte = bytes[at] as number;
    if (byte < zero || byte > nine) break;
    count += (byte - zero) * scale;
    scale *= 10;
  }
  return count;
}
