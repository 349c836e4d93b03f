import { expect, test } from "vitest";
import { usualRange } from "./usual-range.ts";

test.each([
  [[], { p10: null, p50: null, p90: null }],
  [[7], { p10: 7, p50: 7, p90: 7 }],
  [[30, 10, 20], { p10: 12, p50: 20, p90: 28 }],
  [Array.from({ length: 101 }, (_, n) => n), { p10: 10, p50: 50, p90: 90 }],
])("the usual range of %j", (values, range) => {
  expect(usualRange(values)).toEqual(range);
});
