import type { LogBook } from "./log-book.ts";
import { stepMask } from "./log-marks.ts";

/** What of a log is shown: its lines in order, or those of one step. */
export interface VisibleLines {
  count: number;
  /** Index in the log of the line at that place. */
  lineAt(place: number): number;
  /** The place of a line, or of the next one that is shown. */
  placeOf(line: number): number;
  shows(line: number): boolean;
}

/** @param step undefined: all steps */
export function visibleLines(book: Pick<LogBook, "count" | "steps" | "marksOf">, step: string | undefined): VisibleLines {
  const number = step === undefined ? -1 : book.steps.indexOf(step);
  if (number < 0)
    return { count: book.count, lineAt: (place) => place, placeOf: (line) => Math.min(line, book.count - 1), shows: () => true };
  const lines: number[] = [];
  for (let line = 0; line < book.count; line++) if ((book.marksOf(line) & stepMask) === number) lines.push(line);
  return {
    count: lines.length,
    lineAt: (place) => lines[place] ?? 0,
    placeOf: (line) => Math.min(lowerBound(lines, line), lines.length - 1),
    shows: (line) => lines[lowerBound(lines, line)] === line,
  };
}

/** Index of the first that is not below the value, in ascending numbers. */
export function lowerBound(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
