import { looksLikeError } from "@millrace/contract/log/log-errors.ts";
import type { LogLine } from "../../components/log/log-source.ts";

/** The number of lines shown of a failure, and how many of them come before the important one. */
const mostLines = 8;
const linesBefore = 2;
const mostCharacters = 400;

/**
 * The lines of a log that explain the failure: around the last line that looks like an error, otherwise the last lines. If a program
 * continues after its error, the end of the log explains nothing.
 */
export function linesThatMatter(lines: readonly LogLine[]): { text: string; isError: boolean }[] {
  const written = lines.filter(({ text }) => text.trim() !== "");
  const last = written.findLastIndex(looksLikeError);
  const first = last === -1 ? written.length - mostLines : Math.min(last - linesBefore, written.length - mostLines);
  return written.slice(Math.max(0, first), Math.max(0, first) + mostLines).map((line) => ({
    text: line.text.length > mostCharacters ? `${line.text.slice(0, mostCharacters)} …` : line.text,
    isError: looksLikeError(line),
  }));
}
