import { looksLikeError, mayHoldErrors } from "@millrace/contract/log-errors.ts";
import { AppError } from "../../base/error/app-error.ts";
import { compilePattern, PatternError } from "../../base/text/pattern.ts";
import type { LineStream, StoredLine } from "../../core/log/log-line.ts";

/** What lines are searched for; a line fits when it fits all that is given. */
export interface LineCriteria {
  text?: string;
  /** RE2. */
  pattern?: string;
  matchCase: boolean;
  step?: string;
  stream?: Exclude<LineStream, "output">;
  errors: boolean;
}

export interface LineFilter {
  fits(line: StoredLine): boolean;
  /** False when no line of a stored chunk can fit, which is told without decoding it. */
  mayFit(chunk: string): boolean;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const colours = /\u001b\[[0-?]*[ -/]*[@-~]/g;
/** What is around a colour may be one word to a reader. Chunks of earlier versions are JSON. */
const holdsColours = (chunk: string): boolean => chunk.includes("\u001b") || chunk.includes("\\u001b");

/** @throws AppError for a pattern that can't be used */
export function createLineFilter(criteria: LineCriteria): LineFilter {
  const { text, pattern, matchCase, step, stream, errors } = criteria;
  if (text !== undefined && pattern !== undefined)
    throw new AppError("BAD_REQUEST", [
      `text (${JSON.stringify(text)}) and pattern (${JSON.stringify(pattern)}) were both given; give only one`,
    ]);
  const matches = pattern === undefined ? contains(text, matchCase) : search(pattern, matchCase);
  const isInChunk = chunkTest(text, matchCase);
  return {
    fits: (line) =>
      (step === undefined || line.step === step) &&
      (stream === undefined || line.stream === stream) &&
      (!errors || looksLikeError(line)) &&
      matches(line.text),
    mayFit: (chunk) =>
      (!errors || mayHoldErrors(chunk)) &&
      [step, stream].every((word) => word === undefined || chunk.includes(JSON.stringify(word))) &&
      isInChunk(chunk),
  };
}

function plain(text: string): string {
  return text.includes("\u001b[") ? text.replace(colours, "") : text;
}

function contains(text: string | undefined, matchCase: boolean): (line: string) => boolean {
  if (text === undefined) return () => true;
  if (matchCase) return (line) => plain(line).includes(text);
  const wanted = text.toLowerCase();
  return (line) => plain(line).toLowerCase().includes(wanted);
}

function search(pattern: string, matchCase: boolean): (line: string) => boolean {
  try {
    const strict = compilePattern(pattern);
    const used = matchCase ? strict : compilePattern(`(?i)${pattern}`);
    return (line) => used.search(plain(line)).matches;
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw new AppError("BAD_REQUEST", [`pattern is ${JSON.stringify(pattern)}: ${error.message}`]);
  }
}

/** Text that JSON writes as it is can be looked for in the chunk as a whole, also in one of an earlier version. */
function chunkTest(text: string | undefined, matchCase: boolean): (chunk: string) => boolean {
  if (text === undefined || JSON.stringify(text) !== `"${text}"`) return () => true;
  if (matchCase) return (chunk) => chunk.includes(text) || holdsColours(chunk);
  const wanted = text.toLowerCase();
  return (chunk) => chunk.toLowerCase().includes(wanted) || holdsColours(chunk);
}
