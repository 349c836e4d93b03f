import { expect, test } from "vitest";
import { printedRows } from "./printed-rows.ts";

test.each([
  ["a short log is printed as a whole", { first: 0, end: 40 }, 300, () => true, { first: 0, end: 300 }],
  ["of a long one what is around the place", { first: 5_000, end: 5_040 }, 10_000, () => true, { first: 4_500, end: 5_540 }],
  ["and nothing whose text has not come", { first: 90, end: 130 }, 1_000, (row: number) => row >= 80 && row < 140, { first: 80, end: 140 }],
])("%s", (_title, drawn, count, hasText, printed) => {
  expect(printedRows(drawn, count, hasText)).toEqual(printed);
});
