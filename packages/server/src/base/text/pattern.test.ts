import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { startWork } from "../../../test/kit/processor-ms.ts";
import { compilePattern, maxPatternLength, maxSubjectLength, PatternError } from "./pattern.ts";

/** Long for a pattern, short for a busy machine: exponential matching would take minutes. */
const longestMs = 2000;

describe("compilePattern", () => {
  it.each([
    ["abc", "abc", true, true],
    ["abc", "xabcx", false, true],
    ["a|b", "b", true, true],
    ["a|b", "bc", false, true],
    ["", "", true, true],
    ["", "x", false, true],
    ["(?i)yes", "YES", true, true],
    ["v\\d+\\.\\d+", "v12.0", true, true],
    [".*", "two\nlines", false, true],
    ["(?s).*", "two\nlines", true, true],
    ["^a$", "a", true, true],
    ["\\Qa{500}\\E", "a{500}", true, true],
    ["[{999}]+", "9{", true, true],
    ["\\x{1F600}", "😀", true, true],
    ["\\{200\\}", "{200}", true, true],
    ["a{,200}", "a{,200}", true, true],
    ["a{100}", "a".repeat(100), true, true],
  ])("%s on %j: full %s, search %s", (text, subject, full, search) => {
    const pattern = compilePattern(text);
    expect(pattern.fullMatch(subject)).toEqual({ matches: full, tooLong: false });
    expect(pattern.search(subject)).toEqual({ matches: search, tooLong: false });
  });

  it.each([
    ["(", /closing \).*write \\\(/, 0],
    ["a[", /closing \].*write \\\[/, 1],
    ["a)", /write \\\)/, undefined],
    ["*a", /missing argument.*backslash/, 0],
    ["C++", /nested repetition.*C\\\+\\\+/, 1],
    ["(?=x)", /look-around/, 0],
    ["(?<=a)b", /look-around/, 0],
    ["(a)\\1", /back references/, 3],
    ["a\\", /trailing backslash/, undefined],
    ["[z-a]", /low to high/, 1],
    ["a{2,1}", /n <= m/, 1],
    ["ab{101}", /\{101\} is too large; at most 100/, 2],
    ["b{3,500}", /at most 100/, 1],
    ["(a{99}){99}", /repeat count|too complex/, undefined],
    ["((a{1,10}){1,10}){1,10}", /too complex.*smaller repeats/, undefined],
    ["x".repeat(maxPatternLength + 1), /513 characters; at most 512/, 512],
  ])("refuses %s, saying where and what would be right", (text, message, position) => {
    let problem: unknown;
    try {
      compilePattern(text);
    } catch (error) {
      problem = error;
    }
    expect(problem).toBeInstanceOf(PatternError);
    expect((problem as PatternError).message).toMatch(message);
    if (position !== undefined) expect((problem as PatternError).position).toBe(position);
  });

  it("does not match a subject beyond the limit, and says so", () => {
    const pattern = compilePattern("a*");
    expect(pattern.fullMatch("a".repeat(maxSubjectLength))).toEqual({ matches: true, tooLong: false });
    expect(pattern.fullMatch("a".repeat(maxSubjectLength + 1))).toEqual({ matches: false, tooLong: true });
    expect(pattern.search("a".repeat(maxSubjectLength + 1))).toEqual({ matches: false, tooLong: true });
  });

  const noise = Array.from({ length: maxSubjectLength }, (_, index) => (((index * 2654435761) >>> 7) & 1 ? "a" : "b")).join("");
  const hostile = [
    ".*.{1,100}[0-9]$",
    "(a*)*b",
    "(a|aa)+$",
    "(a|b)*a(a|b){99}c",
    "\\b(.{0,99}){4}x",
    "(?:\\b.?){100}[ab]$",
    "(?:.*[ab].{1,30}){9}c",
    "(?i)\\pL{0,90}\\pL{0,90}\\pN",
    "(((a?){9}){9}){2}c",
    "(?:(?:.*a)?){90}c",
    ".{0,99}".repeat(5),
    "(".repeat(250) + ")".repeat(250),
    "|".repeat(512),
    "[^\\pL]*\\b(?:\\pL|\\pN?){95}[ab]",
  ];
  it.each(hostile)("%s ends soon on the longest subjects", (text) => {
    const pattern = compilePattern(text);
    for (const subject of ["a".repeat(maxSubjectLength), noise, "é1".repeat(maxSubjectLength / 2), `${noise.slice(1)}c`]) {
      const expectWithin = startWork();
      pattern.fullMatch(subject);
      pattern.search(subject);
      expectWithin(longestMs);
    }
  });

  it("refuses or compiles any text, and then always answers soon", () => {
    const piece = fc.constantFrom(
      "a",
      "b",
      ".",
      "\\b",
      "\\w",
      "(",
      ")",
      "[",
      "]",
      "^",
      "$",
      "|",
      "*",
      "+",
      "?",
      "{1,9}",
      "{99}",
      "*?",
      "\\pL",
      "\\Q",
      "\\E",
      "{",
      "\\",
    );
    const text = fc.oneof(
      fc.string({ maxLength: 600 }),
      fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join("")),
    );
    const expectWithin = startWork();
    fc.assert(
      fc.property(text, fc.string({ maxLength: 50 }), (candidate, subject) => {
        let pattern: ReturnType<typeof compilePattern>;
        try {
          pattern = compilePattern(candidate);
        } catch (error) {
          expect(error).toBeInstanceOf(PatternError);
          return;
        }
        expect(typeof pattern.fullMatch(subject).matches).toBe("boolean");
        if (pattern.fullMatch(subject).matches) expect(pattern.search(subject).matches).toBe(true);
      }),
      { numRuns: 500 },
    );
    expectWithin(10_000);
  });
});
