/** Some lines of a log, ascending, as ranges: a million that follow each other cost as much as one. Lines are counted from 0. */
export class LineRanges {
  count = 0;
  private readonly firsts: number[] = [];
  private readonly ends: number[] = [];
  /** How many lines there are before each range. */
  private readonly before: number[] = [];

  /** Ranges come in order; what follows the last one is joined with it. @param end the first line that is not in it any more */
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

  /** The line at that place. */
  at(place: number): number | undefined {
    if (place < 0 || place >= this.count) return undefined;
    const range = lowerBound(this.before, place + 1) - 1;
    return (this.firsts[range] ?? 0) + place - (this.before[range] ?? 0);
  }

  /** The place of a line, or of the next one that is there; behind all others when none is. */
  placeOf(line: number): number {
    const range = lowerBound(this.ends, line + 1);
    if (range === this.ends.length) return this.count;
    return (this.before[range] ?? 0) + Math.max(0, line - (this.firsts[range] ?? 0));
  }

  has(line: number): boolean {
    return this.at(this.placeOf(line)) === line;
  }
}

/** Index of the first that is not below the value, in ascending numbers. */
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

/** What of a log is shown: its lines in order, or some of them. */
export interface VisibleLines {
  count: number;
  /** Index in the log of the line at that place. */
  lineAt(place: number): number;
  /** The place of a line, or of the next one that is shown. */
  placeOf(line: number): number;
  shows(line: number): boolean;
}

/** @param count lines of the log @param only undefined: all of them are shown */
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
