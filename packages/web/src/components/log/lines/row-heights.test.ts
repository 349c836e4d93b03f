import { expect, test } from "vitest";
import { RowHeights } from "./row-heights.ts";

test("rows of one height", () => {
  const heights = new RowHeights();
  expect([heights.top(0), heights.top(7), heights.top(900_000)]).toEqual([0, 140, 18_000_000]);
  expect([0, 19, 20, 139, 140, 18_000_000].map((offset) => heights.rowAt(offset))).toEqual([0, 0, 1, 6, 7, 900_000]);
});

test("a row that wraps moves all rows below it", () => {
  const heights = new RowHeights();
  expect([heights.set(3, 60), heights.set(3, 60), heights.set(500_000, 100), heights.set(1023, 40)]).toEqual([true, false, true, true]);
  expect([heights.top(3), heights.top(4), heights.top(1024), heights.top(500_001)]).toEqual([60, 120, 1024 * 20 + 60, 500_001 * 20 + 140]);
  for (const row of [0, 3, 4, 1022, 1023, 1024, 1025, 499_999, 500_000, 500_001, 2_000_000]) {
    expect(heights.rowAt(heights.top(row)), `row ${row}`).toBe(row);
    expect(heights.rowAt(heights.top(row + 1) - 1), `end of row ${row}`).toBe(row);
  }
  heights.set(3, 20);
  expect(heights.top(4)).toBe(80);
  heights.reset();
  expect(heights.top(500_001)).toBe(500_001 * 20);
});
