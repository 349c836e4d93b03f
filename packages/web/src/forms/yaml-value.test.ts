import { expect, test } from "vitest";
import { readYamlValue } from "./yaml-value.ts";

test("merge keys are resolved, and explicit members win", () => {
  const text = "base: &base { timeout: 5, retry: { count: 1 } }\ntasks:\n  - <<: *base\n    name: a\n    timeout: 6\n";
  expect(readYamlValue(text).value).toMatchObject({ tasks: [{ name: "a", timeout: 6, retry: { count: 1 } }] });
});

test.each([
  ["a: 1\na: 2\n", /unique/],
  ['{"a": 1, "a": 2}', /unique/],
  ["a: 1\n---\nb: 2\n", /^The text contains several documents/],
  ["a: 12345678901234567890\n", /12345678901234567890 has more digits/],
  ["a:\n\tb: 1\n", /Tabs/],
  ["a: &a [x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a]\nc: [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b, *b, *b]\n", /alias/],
  ["a: &a\n  b: *a\n", /inside its own anchor/],
])("%j is a fault", (text, why) => {
  const { value, faults } = readYamlValue(text);
  expect([value, faults[0]?.message]).toEqual([undefined, expect.stringMatching(why)]);
});

test.each(["a: 9007199254740991", "a: -3", "a: 1e30", "a: 0.12345678901234567890", 'a: "12345678901234567890"'])("%j is none", (text) => {
  expect(readYamlValue(text).faults).toEqual([]);
});
