import type { LogLine } from "./log-page.ts";

/** A range of a log. Its text may have been dropped; what is known of each of its lines stays. */
export interface LogPage {
  /** Where it begins, for asking again. */
  after: string | undefined;
  /** Index of its first line. */
  first: number;
  count: number;
  characters: number;
  /** A byte a line: see `mark`. */
  marks: Uint8Array;
  lines: LogLine[] | undefined;
  loading?: Promise<LogLine[]> | undefined;
  usedAt: number;
}

/** The number of the step is in the lower bits. */
export const stepMask = 0x3f;
const stderrBit = 0x40;
const errorBit = 0x80;

/** What has to be known of a line to filter and to jump without its text. */
export function mark(step: number, stream: LogLine["stream"], isError: boolean): number {
  return (step & stepMask) | (stream === "stderr" ? stderrBit : 0) | (isError ? errorBit : 0);
}

/** The page with that line; that behind the last when there is none. */
export function indexOfPage(pages: readonly LogPage[], line: number): number {
  let low = 0;
  let high = pages.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const page = pages[middle] as LogPage;
    if (page.first + page.count <= line) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Words by which programs say that something went wrong. `0 errors` and `no error` say that nothing did. */
const errorWords =
  /(?<!\b(?:no|0|without)\s)(?:\b(?:error|errors|fatal|exception|traceback|panic|failed|failure)\b|\b[a-z]+(?:error|exception)\b)/i;

/** For jumping to the first thing that went wrong. */
export function looksLikeError({ text, stream }: LogLine): boolean {
  return stream !== "system" && errorWords.test(text.length > 2_000 ? text.slice(0, 2_000) : text);
}
