import { compilePattern, maxSubjectLength, type Pattern, PatternError } from "../base/pattern.ts";

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
      if (error instanceof PatternError) return `line ${index + 1} is no valid pattern: ${error.message}`;
      throw error;
    }
  }
  return undefined;
}

/** Steps of all patterns of one decision together; about a third of a second. */
const maxWork = 50_000_000;
/** What compiling a pattern costs, in steps for each of its instructions. */
const compileWork = 1000;

/**
 * Which edges of a decision are taken: all whose condition has a line that matches the value; when none has, the default edges.
 * Never throws: a line that is no pattern (it was not saved through the checks) matches nothing.
 * @param conditions of all edges that leave the decision, in any order; the answer has the same order
 * @param warn is told what kept lines from being looked at
 */
export function chooseEdges(value: string, conditions: readonly (string | null | undefined)[], warn?: (text: string) => void): boolean[] {
  const matcher = lineMatcher(value, warn ?? (() => undefined));
  const matched = conditions.map((condition) => conditionLines(condition).some(matcher));
  if (matched.includes(true)) return matched;
  return conditions.map((condition) => conditionLines(condition).length === 0);
}

function lineMatcher(value: string, warn: (text: string) => void): (line: string) => boolean {
  let work = 0;
  return (line) => {
    if (isPlain.test(line)) return line === value;
    if (work > maxWork) return false;
    const pattern = compileOrWarn(line, warn);
    if (!pattern) return false;
    work += pattern.size * (value.length + compileWork);
    if (work > maxWork) warn("The patterns of this decision are too costly for a value this long; the rest of them was not tried");
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
