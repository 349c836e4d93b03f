import { compilePattern, maxSubjectLength, type Pattern, PatternError } from "../../base/text/pattern.ts";
import { compileSteps, WorkBudget } from "../document/work-budget.ts";

/**
 * Conditions on the edges of a decision. A condition is a list of patterns, one per line; a pattern must match the whole value (case and
 * spaces matter, an empty line matches the empty value). An edge without a condition is the default edge.
 */

/** Most conditions are plain words, which match only themselves. */
const isPlain = /^[\w -]*$/;

/** The patterns of a condition; an empty list means the default edge. Line ends at its end are ignored. */
export function conditionLines(condition: string | null | undefined): string[] {
  const lines = (condition ?? "").split(/\r\n|\n|\r/);
  while (lines.at(-1) === "") lines.pop();
  return lines;
}

/** What is wrong with a condition, by line; undefined if nothing is. */
export function conditionProblem(condition: string | null | undefined): string | undefined {
  for (const [index, line] of conditionLines(condition).entries()) {
    if (isPlain.test(line)) continue;
    try {
      compilePattern(line);
    } catch (error) {
      if (error instanceof PatternError) return `line ${index + 1} is not a valid pattern: ${error.message}`;
      throw error;
    }
  }
  return undefined;
}

/** For all patterns of one decision together; about a sixth of a second. */
const maxWork = 50_000_000;
/** For all decisions in one change of a run; about half a second. */
export const maxChangeWork = 200_000_000;

/** The patterns of several decisions are too costly together. */
export class CostlyPatterns extends Error {
  readonly reason = "PatternsTooCostly";

  constructor() {
    super(
      "The patterns of the switches that are reached at this moment are too costly for their values together; use simpler patterns or shorter values",
    );
  }
}

interface ChoiceOptions {
  /** The budget of all decisions in a change. */
  work?: WorkBudget | undefined;
  /** Gets what kept lines from being examined. */
  warn?: ((text: string) => void) | undefined;
}

/**
 * Which edges of a decision are chosen: all whose condition has a line that matches the value; if none has, the default edges. A line that
 * is not a valid pattern (saved without the checks) matches nothing.
 * @param conditions of all edges of the decision, in any order; the result has the same order
 * @throws CostlyPatterns if the work for all decisions is used up, since a wrong edge might be chosen otherwise
 */
export function chooseEdges(value: string, conditions: readonly (string | null | undefined)[], options: ChoiceOptions = {}): boolean[] {
  const matcher = lineMatcher(value, options);
  const matched = conditions.map((condition) => conditionLines(condition).some(matcher));
  if (matched.includes(true)) return matched;
  return conditions.map((condition) => conditionLines(condition).length === 0);
}

/** A line end can prevent a match: a result written with `echo` ends with one, and a plain line of a condition does not. */
export const lineEndWarning =
  "The value ends with a line end, as echo writes one, and without it a condition would match; write the result with printf or echo -n";

/** Whether a plain line would match if the value did not end with a line end. Patterns are not tried again, since that could be costly. */
export function isHiddenByLineEnd(value: string, conditions: readonly (string | null | undefined)[]): boolean {
  const shorter = value.replace(/\r?\n$/, "");
  if (shorter === value) return false;
  return conditions.some((condition) => conditionLines(condition).some((line) => line === shorter && isPlain.test(line)));
}

/**
 * Whether one of these patterns matches the whole value.
 * @throws CostlyPatterns if the work is used up
 */
export function matchesAnyLine(value: string, condition: string, options: ChoiceOptions = {}): boolean {
  return conditionLines(condition).some(lineMatcher(value, options));
}

function lineMatcher(value: string, { work: shared, warn = () => undefined }: ChoiceOptions): (line: string) => boolean {
  const own = new WorkBudget(maxWork);
  return (line) => {
    if (isPlain.test(line)) return line === value;
    if (own.isSpent) return false;
    if (shared?.isSpent) throw new CostlyPatterns();
    const pattern = compileOrWarn(line, warn);
    if (!pattern) return false;
    const steps = pattern.size * (value.length + compileSteps);
    if (shared?.spend(steps) === false) throw new CostlyPatterns();
    if (!own.spend(steps)) warn("The patterns of this decision are too costly for a value this long; the rest of them was not tried");
    const match = pattern.fullMatch(value);
    if (match.tooLong)
      warn(`The value has ${value.length} characters, patterns are tried on at most ${maxSubjectLength}: ${line.slice(0, 60)}`);
    return match.matches;
  };
}

function compileOrWarn(line: string, warn: (text: string) => void): Pattern | undefined {
  try {
    return compilePattern(line);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    warn(`The pattern "${line.slice(0, 60)}" is invalid: ${error.message}`);
    return undefined;
  }
}
