/**
 * Integers whose percentiles are needed, in sorted parts. Sorting one part takes at most some milliseconds, and the process can do other
 * work between parts. The percentiles over several lists do not need a merged one.
 */
export class NumberParts {
  static readonly partSize = 32_768;
  readonly #parts: Float64Array[] = [];
  #last = new Float64Array(64);
  #used = 0;
  #sorted: Float64Array[] | undefined;

  add(value: number): void {
    if (this.#used === this.#last.length) this.#grow();
    this.#last[this.#used++] = value;
  }

  #grow(): void {
    const isFull = this.#last.length >= NumberParts.partSize;
    if (isFull) this.#parts.push(this.#last);
    const next = new Float64Array(isFull ? 64 : this.#last.length * 2);
    if (isFull) this.#used = 0;
    else next.set(this.#last);
    this.#last = next;
  }

  /** Sorts one part after the other. Nothing may be added afterwards. */
  *sorting(): Generator<void> {
    if (this.#sorted !== undefined) return;
    const parts = [...this.#parts, this.#last.subarray(0, this.#used)];
    for (const part of parts) {
      part.sort();
      yield;
    }
    this.#sorted = parts.filter(({ length }) => length > 0);
  }

  get sorted(): readonly Float64Array[] {
    if (this.#sorted === undefined) throw new Error("these numbers are not sorted yet");
    return this.#sorted;
  }
}

/**
 * The same as `percentile_cont` of PostgreSQL over all of these sorted integers, interpolated between two of them. Null if there are none.
 */
export function percentileOf(parts: readonly Float64Array[], fraction: number): number | null {
  const count = parts.reduce((sum, { length }) => sum + length, 0);
  if (count === 0) return null;
  const place = fraction * (count - 1);
  const low = numberAt(parts, Math.floor(place));
  const high = Math.ceil(place) === Math.floor(place) ? low : numberAt(parts, Math.ceil(place));
  return low + (place - Math.floor(place)) * (high - low);
}

/**
 * The number at that index (from 0) of all numbers in order: the smallest value such that more than `place` numbers are not greater. Found
 * by bisection.
 */
function numberAt(parts: readonly Float64Array[], place: number): number {
  if (parts.length === 1) return parts[0]![place]!;
  let least = Math.min(...parts.map((part) => part[0]!));
  let most = Math.max(...parts.map((part) => part.at(-1)!));
  while (least < most) {
    const half = Math.floor((least + most) / 2);
    if (countUpTo(parts, half) > place) most = half;
    else least = half + 1;
  }
  return least;
}

const countUpTo = (parts: readonly Float64Array[], value: number) => parts.reduce((sum, part) => sum + placeAfter(part, value), 0);

/** How many numbers of a sorted list are not greater than the value. */
export function placeAfter(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const half = (low + high) >>> 1;
    if (sorted[half]! <= value) low = half + 1;
    else high = half;
  }
  return low;
}
