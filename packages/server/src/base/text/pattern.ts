import { RE2JS, RE2JSException } from "re2js";
import { shorten } from "./shorten.ts";

/**
 * Patterns that users write, on RE2: its time is linear in the subject, so no pattern can run away as backtracking ones do.
 * Linear is not free, though: the cost is about (size of the compiled program) x (length of the subject), hence the limits.
 * Syntax: https://github.com/google/re2/wiki/Syntax; there are no back references and no look-around.
 */

export const maxPatternLength = 512;
const maxPatternRepeat = 100;
/** Instructions after repeats are expanded: `(a{99}){99}` is short to write and long to run. */
const maxProgramSize = 1000;
/** UTF-16 units. A longer subject doesn't match, and the result says so. */
export const maxSubjectLength = 16_384;

/** What is wrong with a pattern, and the remedy. */
export class PatternError extends Error {
  /** Index of the error in the pattern, if known. */
  readonly position: number | undefined;

  constructor(message: string, position?: number) {
    super(position === undefined ? message : `${message} (at position ${position})`);
    this.name = "PatternError";
    this.position = position;
  }
}

export interface PatternMatch {
  matches: boolean;
  /** The subject was longer than `maxSubjectLength`, so it was not examined: worth a warning. */
  tooLong: boolean;
}

export interface Pattern {
  readonly text: string;
  /** Instructions of the compiled program: matching costs about `size x subject.length` steps of some nanoseconds. */
  readonly size: number;
  /** Does the pattern match the whole subject? */
  fullMatch(subject: string): PatternMatch;
  /** Does the pattern match somewhere in the subject? */
  search(subject: string): PatternMatch;
}

/** @throws PatternError if the text is no pattern, or exceeds the limits */
export function compilePattern(text: string): Pattern {
  checkLength(text);
  checkRepeats(text);
  const compiled = compile(text);
  const size = compiled.programSize();
  if (size > maxProgramSize)
    throw new PatternError(`the pattern is too complex: ${size} steps, at most ${maxProgramSize}; use smaller repeats`);
  return {
    text,
    size,
    fullMatch: (subject) => limited(subject, () => compiled.testExact(subject)),
    search: (subject) => limited(subject, () => compiled.test(subject)),
  };
}

function limited(subject: string, match: () => boolean): PatternMatch {
  const tooLong = subject.length > maxSubjectLength;
  return { matches: !tooLong && match(), tooLong };
}

function checkLength(text: string): void {
  if (text.length > maxPatternLength) {
    throw new PatternError(`the pattern has ${text.length} characters; at most ${maxPatternLength} are allowed`, maxPatternLength);
  }
}

/**
 * A quoted run, a backslash and the character it escapes, a character class, or a counted repeat. The first three may contain the text of
 * repeats.
 */
const tokens = /\\Q[\s\S]*?(?:\\E|$)|\\[xpP]\{[^}]*\}|\\[\s\S]|\[\^?\]?(?:\\[\s\S]|\[:\^?\w+:\]|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}/g;

function checkRepeats(text: string): void {
  for (const token of text.matchAll(tokens)) {
    const largest = Math.max(Number(token[1] ?? 0), Number(token[2] ?? 0));
    if (largest > maxPatternRepeat) {
      throw new PatternError(`the repeat ${token[0]} is too large; at most ${maxPatternRepeat} is allowed`, token.index);
    }
  }
}

function compile(text: string): RE2JS {
  try {
    return RE2JS.compile(text);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw new PatternError(`the pattern cannot be used: ${String(error)}`);
    throw explain(text, error);
  }
}

function explain(text: string, error: RE2JSException): PatternError {
  const { error: what, input } = error as { error?: string | null; input?: string | null };
  const position = input ? text.indexOf(input) : -1;
  const near = input && input !== text ? ` near ${quote(input)}` : "";
  return new PatternError(`${what ?? error.message}${near}; ${remedy(text, what ?? "")}`, position < 0 ? undefined : position);
}

const remedies: readonly (readonly [RegExp, string])[] = [
  [/unsupported Perl syntax|named capture/, "RE2 has no look-around; describe the text itself"],
  [/closing \)/, "close the group with ) or write \\( for the character"],
  [/closing \]/, "close the class with ] or write \\[ for the character"],
  [/unexpected \)/, "write \\) for the character"],
  [/missing argument|nested repetition/, "write a backslash before + * ? to mean the character itself, as in C\\+\\+"],
  [/repeat count/, `repeats are {n}, {n,} or {n,m} with n <= m <= ${maxPatternRepeat}`],
  [/escape sequence/, "write \\\\ for a backslash; RE2 has no back references such as \\1"],
  [/trailing backslash/, "write \\\\ for a backslash"],
  [/class range/, "a range goes from low to high, as in a-z, and \\p{…} needs a known name"],
];

function remedy(text: string, what: string): string {
  const known = remedies.find(([pattern]) => pattern.test(what));
  return known?.[1] ?? `for exactly this text write ${quote(RE2JS.quote(text))}`;
}

function quote(text: string): string {
  return `"${shorten(text, 60)}"`;
}
