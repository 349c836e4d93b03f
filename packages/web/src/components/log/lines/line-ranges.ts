/** A set of ascending line numbers as ranges: a million consecutive lines cost as much as one. Lines are counted from 0. */
export class LineRanges {
  count = 0;
  private readonly firsts: number[] = [];
  private readonly ends: number[] = [];
  /** The number of lines before each range. */
  private readonly before: number[] = [];

  /** Ranges must be added in order; adjacent ones are merged. @param end the first line after the range */
  add(first: number, end: number): void {
    const last = this.ends.length - 1;
    if (this.ends[last] === first) this.ends[last] = end;
    else {
      this.firsts.push(first);
      this.ends.push(end);
      this.before.push(this.count);
    }
    this.count += end - first;
  }

  /** The line at an index of the set. */
  at(place: number): number | undefined {
    if (place < 0 || place >= this.count) return undefined;
    const range = lowerBound(this.before, place + 1) - 1;
    return (this.firsts[range] ?? 0) + place - (this.before[range] ?? 0);
  }

  /** The index of a line, or of the next line in the set; the end if there is none. */
  placeOf(line: number): number {
    const range = lowerBound(this.ends, line + 1);
    if (range === this.ends.length) return this.count;
    return (this.before[range] ?? 0) + Math.max(0, line - (this.firsts[range] ?? 0));
  }

  has(line: number): boolean {
    return this.at(this.placeOf(line)) === line;
  }
}

/** The index of the first of several ascending numbers that is not below the value. */
function lowerBound(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The visible lines of a log: all of them, or a subset, in order. */
export interface VisibleLines {
  count: number;
  /** The line number of the log at a visible index. */
  lineAt(place: number): number;
  /** The visible index of a line, or of the next visible one. */
  placeOf(line: number): number;
  shows(line: number): boolean;
}

/** @param count the number of lines in the log @param only undefined: all lines are visible */
export function visibleLines(count: number, only: LineRanges | undefined): VisibleLines {
  if (only === undefined)
    return { count, lineAt: (place) => place, placeOf: (line) => Math.min(line, count - 1), shows: (line) => line < count };
  const last = only.count - 1;
  return {
    count: only.count,
    lineAt: (place) => only.at(Math.max(0, Math.min(place, last))) ?? 0,
    placeOf: (line) => Math.max(0, Math.min(only.placeOf(line), last)),
    shows: (line) => only.has(line),
  };
}
