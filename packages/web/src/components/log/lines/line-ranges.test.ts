import { expect, test } from "vitest";
import { LineRanges } from "./line-ranges.ts";

function ranges(...pairs: [number, number][]): LineRanges {
  const made = new LineRanges();
  for (const [first, end] of pairs) made.add(first, end);
  return made;
}

const some = ranges([2, 5], [5, 6], [10, 11], [20, 22]);

test("adjacent ranges are merged, and lines are counted across all ranges", () => {
  expect(some.count).toBe(7);
  expect(Array.from({ length: 9 }, (_, index) => some.at(index - 1))).toEqual([undefined, 2, 3, 4, 5, 10, 20, 21, undefined]);
});

test.each([
  [0, 0, false],
  [2, 0, true],
  [5, 3, true],
  [6, 4, false],
  [10, 4, true],
  [21, 6, true],
  [22, 7, false],
])("line %i stands at place %i", (line, place, isThere) => {
  expect([some.placeOf(line), some.has(line)]).toEqual([place, isThere]);
});

test("an empty set of ranges contains no lines", () => {
  expect([ranges().count, ranges().at(0), ranges().placeOf(3), ranges().has(0)]).toEqual([0, undefined, 0, false]);
});
