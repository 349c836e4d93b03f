import { looksLikeError } from "@millrace/contract/log/log-errors.ts";
import type { LogLine } from "../../components/log/log-source.ts";

/** Lines that are shown of a failure, with so many before the one that matters. */
const mostLines = 8;
const linesBefore = 2;
const mostCharacters = 400;

/**
 * The lines of a log that say what went wrong: around the last one that looks like an error, and where none does, the last ones. Of a
 * program that goes on after its error, the end of the log says nothing.
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
