import fc from "fast-check";
import { expect, test } from "vitest";
import { NumberParts, percentileOf } from "./sorted-parts.ts";

function partsOf(values: readonly number[]): readonly Float64Array[] {
  const parts = new NumberParts();
  for (const value of values) parts.add(value);
  for (const _ of parts.sorting());
  return parts.sorted;
}

function expected(values: readonly number[], fraction: number): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const place = fraction * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return low === undefined || high === undefined ? null : low + (place - Math.floor(place)) * (high - low);
}

const value = fc.oneof(fc.nat(5), fc.integer({ min: -1000, max: 40_000_000_000 }));

test("a percentile of numbers in several lists is that of all of them", () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(value, { maxLength: 30 }), { maxLength: 6 }),
      fc.constantFrom(0, 0.5, 0.9, 0.95, 0.99, 1),
      (lists, fraction) => {
        expect(percentileOf(lists.flatMap(partsOf), fraction)).toBe(expected(lists.flat(), fraction));
      },
    ),
  );
});

test("many numbers are sorted in parts, so that others have their turn in between", () => {
  const values = Array.from({ length: 100_000 }, (_, n) => (n * 7919) % 100_003);
  const parts = partsOf(values);
  expect(Math.max(...parts.map(({ length }) => length))).toBe(NumberParts.partSize);
  expect(parts.reduce((sum, { length }) => sum + length, 0)).toBe(100_000);
  for (const fraction of [0.5, 0.99, 1]) expect(percentileOf(parts, fraction)).toBe(expected(values, fraction));
});
