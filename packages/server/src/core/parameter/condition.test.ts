import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { startWork } from "../../../test/kit/processor-ms.ts";
import { chooseEdges, conditionLines, conditionProblem } from "./condition.ts";

describe("chooseEdges", () => {
  it.each<[string, string, (string | undefined | null)[], boolean[]]>([
    ["takes the edge whose line matches", "yes", ["yes", "no", undefined], [true, false, false]],
    ["takes every edge that matches", "v1", ["v\\d", "v1", "v2"], [true, true, false]],
    ["takes the default edges when none matches", "other", ["yes", "", null, undefined], [false, true, true, true]],
    ["takes nothing when none matches and there is no default", "other", ["yes", "no"], [false, false]],
    ["tries each line", "b", ["a\nb\nc", "d"], [true, false]],
    ["knows all line ends", "b", ["a\r\nb\rc"], [true]],
    ["wants the whole value", "yes please", ["yes"], [false]],
    ["wants the whole value of alternatives", "yes please", ["no|yes"], [false]],
    ["minds case", "YES", ["yes", ""], [false, true]],
    ["does not trim", "yes ", ["yes", "yes "], [false, true]],
    ["matches the empty value with an empty line inside", "", ["a\n\nb", undefined], [true, false]],
    ["ignores line ends at the end", "", ["a\n", undefined], [false, true]],
    ["takes a condition of line ends alone for the default", "x", ["\n\n"], [true]],
    ["takes an invalid line for no match", "a(", ["a(", undefined], [false, true]],
    ["has no edges", "x", [], []],
  ])("%s", (_, value, conditions, expected) => {
    expect(chooseEdges(value, conditions)).toEqual(expected);
  });

  it("says that a value is too long for patterns, but still knows plain words", () => {
    const warnings: string[] = [];
    const value = "a".repeat(20_000);
    expect(chooseEdges(value, ["a+", value, undefined], { warn: (text) => warnings.push(text) })).toEqual([false, true, false]);
    expect(warnings).toEqual([expect.stringContaining("20000 characters")]);
  });

  it("stops after a bounded amount of work, and says so", () => {
    const warnings: string[] = [];
    const costly = Array.from({ length: 400 }, (_, index) => `(a|b)*a(a|b){90}${index}`);
    const expectWithin = startWork();
    const chosen = chooseEdges("ab".repeat(8000), [costly.join("\n"), undefined], { warn: (text) => warnings.push(text) });
    expect(chosen).toEqual([false, true]);
    expectWithin(5000);
    expect(warnings.filter((text) => text.includes("too costly"))).toHaveLength(1);
  });

  it("never throws, answers every edge, and mixes no default edges with matched ones", () => {
    const condition = fc.option(fc.oneof(fc.string(), fc.stringMatching(/^[ab\n*+()]{0,8}$/)), { nil: undefined });
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom("a", "ab", "")), fc.array(condition, { maxLength: 6 }), (value, conditions) => {
        const chosen = chooseEdges(value, conditions);
        expect(chosen).toHaveLength(conditions.length);
        const kinds = new Set(conditions.filter((_, index) => chosen[index]).map((taken) => conditionLines(taken).length === 0));
        expect(kinds.size).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe("conditionProblem", () => {
  it("names the line and the remedy", () => {
    expect(conditionProblem("ok\nC++")).toMatch(/line 2 is not a valid pattern.*C\\\+\\\+/);
    expect(conditionProblem("ok\n.*")).toBeUndefined();
    expect(conditionProblem(undefined)).toBeUndefined();
  });
});
