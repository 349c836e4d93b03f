import { expect, test } from "vitest";
import { successText } from "./success-rate.ts";

test.each([
  [0, 0, "–"],
  [0, 2, "0 of 2"],
  [2, 2, "2 of 2"],
  [9, 9, "9 of 9"],
  [10, 10, "100%"],
  [0, 10, "0%"],
  [2, 3000, "0.0%"],
  [1999, 2000, "99.9%"],
  [66, 100, "66.0%"],
])("%d of %d: %s", (succeeded, count, text) => {
  expect(successText(succeeded, count)).toBe(text);
});
