import type { LineRanges } from "./line-ranges.ts";

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
