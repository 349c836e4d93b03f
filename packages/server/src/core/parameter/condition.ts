import { compilePattern, maxSubjectLength, type Pattern, PatternError } from "../../base/text/pattern.ts";
import { compileSteps, WorkBudget } from "../document/work-budget.ts";

/**
 * Conditions on the edges that leave a decision. A condition is a list of patterns, one a line, each of which must match the
 * whole value (case counts, blanks count, an empty line matches the empty value). No condition: the default edge.
 */

/** Most conditions are plain words, which match themselves and nothing else. */
const isPlain = /^[\w -]*$/;

/** The patterns of a condition; an empty list means the default edge. Line ends at its end do not count. */
export function conditionLines(condition: string | null | undefined): string[] {
  const lines = (condition ?? "").split(/\r\n|\n|\r/);
  while (lines.at(-1) === "") lines.pop();
  return lines;
}

/** What is wrong with a condition, by line; undefined when nothing is. */
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

/** Of all patterns of one decision together; about a sixth of a second. */
const maxWork = 50_000_000;
/** Of all decisions of one change of a run; some half a second. */
export const maxChangeWork = 200_000_000;

/** Patterns of several decisions, which are costly together. */
export class CostlyPatterns extends Error {
  readonly reason = "PatternsTooCostly";

  constructor() {
    super(
      "The patterns of the switches that are reached at this moment are too costly for their values together; use simpler patterns or shorter values",
    );
  }
}

interface ChoiceOptions {
  /** What all decisions of a change have together. */
  work?: WorkBudget | undefined;
  /** Gets what kept lines from being examined. */
  warn?: ((text: string) => void) | undefined;
}

/**
 * Which edges of a decision are taken: all whose condition has a line that matches the value; when none has, the default edges.
 * A line that is not a pattern (it was not saved through the checks) matches nothing.
 * @param conditions of all edges that leave the decision, in any order; the answer has the same order
 * @throws CostlyPatterns when the work of all decisions is spent, since another edge might be taken by mistake
 */
export function chooseEdges(value: string, conditions: readonly (string | null | undefined)[], options: ChoiceOptions = {}): boolean[] {
  const matcher = lineMatcher(value, options);
  const matched = conditions.map((condition) => conditionLines(condition).some(matcher));
  if (matched.includes(true)) return matched;
  return conditions.map((condition) => conditionLines(condition).length === 0);
}

/** That is in the way of a match: a result that `echo` writes ends with one, and no plain line of a condition does. */
export const lineEndWarning =
  "The value ends with a line end, as echo writes one, and without it a condition would match; write the result with printf or echo -n";

/** Whether a plain line would match if the value did not end with a line end. Patterns are not tried again, which could be costly. */
export function isHiddenByLineEnd(value: string, conditions: readonly (string | null | undefined)[]): boolean {
  const shorter = value.replace(/\r?\n$/, "");
  if (shorter === value) return false;
  return conditions.some((condition) => conditionLines(condition).some((line) => line === shorter && isPlain.test(line)));
}

/**
 * Whether one of these patterns matches the whole value.
 * @throws CostlyPatterns when the work is spent
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
