import fc from "fast-check";
import { expect, test } from "vitest";
import { translatedBy, valuesIn } from "./german-families.ts";

test.each([
  ["no place", "no place", []],
  ["no place", "no place here", undefined],
  ["Run {0} ended as {1}: {2}", "Run 3 ended as failed: step: x", ["3", "failed", "step: x"]],
  ["by the team{0}", "by the team", [""]],
  ["{0} rounds", "rounds", undefined],
  ["a {0} a", "a a", undefined],
])("%j has in %j the values %j", (text, message, values) => {
  expect(valuesIn(text, message)).toEqual(values);
});

test("the values are those that a regular expression with lazy groups finds", () => {
  const piece = fc.string({ unit: fc.constantFrom("a", "b", " "), maxLength: 3 });
  fc.assert(
    fc.property(
      fc.array(piece, { minLength: 2, maxLength: 5 }),
      fc.string({ unit: fc.constantFrom("a", "b", " "), maxLength: 12 }),
      (parts, message) => {
        const text = parts.map((part, index) => (index === 0 ? part : `{${index - 1}}${part}`)).join("");
        expect(valuesIn(text, message)).toEqual(new RegExp(`^${parts.join("([^]*?)")}$`).exec(message)?.slice(1));
      },
    ),
    { numRuns: 2_000 },
  );
});

test("a message that nearly matches again and again takes little time", () => {
  const message = `Attempt 1${" ended as x; retry 1 of 2 in 3".repeat(30_000)}`;
  const startedAt = process.cpuUsage();
  expect(valuesIn("Attempt {0} ended as {1}; retry {2} of {3} in {4} s, at {5}", message)).toBeUndefined();
  expect(process.cpuUsage(startedAt).user).toBeLessThan(200_000);
});

test("sentences in sentences are translated, up to 2,000 characters", () => {
  const families = [["Run ended: {0}", "Lauf beendet: {0!}"]] as const;
  const translate = (message: string): string => translatedBy(families, message, translate);
  expect(translate("Run ended: Run ended: x")).toBe("Lauf beendet: Lauf beendet: x");
  const long = "Run ended: ".repeat(200);
  expect(translate(long)).toBe(long);
});
