import fc from "fast-check";
import { expect, test } from "vitest";
import { hourRange } from "./task-times.ts";

const at = (text: string) => new Date(text);

test("a range is extended to whole hours, with the whole days in it", () => {
  expect(hourRange(at("2026-03-01T22:30:00Z"), at("2026-03-04T22:15:00Z"))).toEqual({
    from: at("2026-03-01T22:00:00Z"),
    to: at("2026-03-04T23:00:00Z"),
    firstDay: at("2026-03-02T00:00:00Z"),
    lastDay: at("2026-03-04T00:00:00Z"),
  });
});

test("each hour of a range is in a day or at one of its ends, never in both", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e6 }), fc.integer({ min: 0, max: 2e5 }), (begin, minutes) => {
      const { from, to, firstDay, lastDay } = hourRange(new Date(begin * 1000), new Date((begin + minutes * 60) * 1000));
      const hours = (one: Date, other: Date) => Math.max(0, (other.getTime() - one.getTime()) / 3_600_000);
      const earlier = new Date(Math.min(firstDay.getTime(), to.getTime()));
      const later = new Date(Math.max(lastDay.getTime(), from.getTime()));
      expect(hours(from, earlier) + hours(firstDay, lastDay) + hours(later, to)).toBe(hours(from, to));
    }),
  );
});
