/** What a statement answers: its rows, and how many it has read or changed. */
export class Rows<T extends object = object> extends Array<T> {
  #count = 0;

  /** Rows that were read, inserted, changed or deleted; also where none of them is answered. */
  get count(): number {
    return this.#count;
  }

  set count(count: number) {
    this.#count = count;
  }

  /** What is made of it is an ordinary list. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }
}

const zero = 48;
const nine = 57;

/** The number at the end of what the server says it has done (`INSERT 0 12`, `SELECT 3`); 0 where there is none. */
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
