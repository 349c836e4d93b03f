import fc from "fast-check";
import { expect, test } from "vitest";
import { type DayRules, matchingDays } from "./month-days.ts";

const nothing: DayRules = {
  monthDays: [],
  nearWeekdays: [],
  beforeLast: [],
  nearWeekdaysBeforeLast: [],
  weekdays: [],
  lastWeekdays: [],
  countedWeekdays: [],
  must: "either",
};

function days(rules: Partial<DayRules>, year: number, month: number): number[] {
  const bits = matchingDays({ ...nothing, ...rules }, year, month);
  return Array.from({ length: 31 }, (_, index) => index + 1).filter((day) => bits & (1 << (day - 1)));
}

test("the nearest weekday stays in the month, and a day that the month lacks has none", () => {
  // August 2026 begins on a Saturday, November 2026 on a Sunday; May 2026 ends on a Sunday, October 2026 on a Saturday.
  expect(days({ nearWeekdays: [1] }, 2026, 8)).toEqual([3]);
  expect(days({ nearWeekdays: [1] }, 2026, 11)).toEqual([2]);
  expect(days({ nearWeekdays: [31] }, 2026, 5)).toEqual([29]);
  expect(days({ nearWeekdays: [31] }, 2026, 10)).toEqual([30]);
  expect(days({ nearWeekdays: [15] }, 2026, 8)).toEqual([14]);
  expect(days({ nearWeekdays: [31] }, 2026, 4)).toEqual([]);
  expect(days({ nearWeekdaysBeforeLast: [0] }, 2026, 5)).toEqual([29]);
  expect(days({ nearWeekdaysBeforeLast: [30] }, 2026, 8)).toEqual([3]);
  expect(days({ nearWeekdaysBeforeLast: [30] }, 2026, 9)).toEqual([]);
});

test("the last day follows leap years", () => {
  expect([2000, 2026, 2028, 2100].map((year) => days({ beforeLast: [0] }, year, 2)[0])).toEqual([29, 28, 29, 28]);
});

/** The same calendar, computed day by day. */
function* calendar(year: number, month: number): Generator<{ day: number; weekday: number; fromEnd: number }> {
  const length = new Date(Date.UTC(year, month, 0)).getUTCDate();
  for (let day = 1; day <= length; day += 1) {
    yield { day, weekday: new Date(Date.UTC(year, month - 1, day)).getUTCDay(), fromEnd: length - day };
  }
}

function nearest(year: number, month: number, wanted: number): number | undefined {
  const all = [...calendar(year, month)];
  if (!all.some(({ day }) => day === wanted)) return undefined;
  const workdays = all.filter(({ weekday }) => weekday >= 1 && weekday <= 5).map(({ day }) => day);
  return workdays.reduce((best, day) => (Math.abs(day - wanted) < Math.abs(best - wanted) ? day : best));
}

test("every rule means what it says in every month of any year", () => {
  const anything = fc.record({
    year: fc.integer({ min: 1970, max: 2199 }),
    month: fc.integer({ min: 1, max: 12 }),
    day: fc.integer({ min: 1, max: 31 }),
    weekday: fc.integer({ min: 0, max: 6 }),
    count: fc.integer({ min: 1, max: 5 }),
  });
  fc.assert(
    fc.property(anything, ({ year, month, day, weekday, count }) => {
      const all = [...calendar(year, month)];
      const where = (holds: (date: (typeof all)[number]) => boolean) => all.filter(holds).map((date) => date.day);
      expect(days({ monthDays: [day] }, year, month)).toEqual(where((date) => date.day === day));
      expect(days({ beforeLast: [day - 1] }, year, month)).toEqual(where((date) => date.fromEnd === day - 1));
      expect(days({ weekdays: [weekday] }, year, month)).toEqual(where((date) => date.weekday === weekday));
      expect(days({ lastWeekdays: [weekday] }, year, month)).toEqual(where((date) => date.weekday === weekday && date.fromEnd < 7));
      expect(days({ countedWeekdays: [{ weekday, count }] }, year, month)).toEqual(
        where((date) => date.weekday === weekday && Math.ceil(date.day / 7) === count),
      );
      expect(days({ nearWeekdays: [day] }, year, month)).toEqual(where((date) => date.day === nearest(year, month, day)));
      const either = where((date) => date.day === day || date.weekday === weekday);
      expect(days({ monthDays: [day], weekdays: [weekday] }, year, month)).toEqual(either);
      const both = where((date) => date.day === day && date.weekday === weekday);
      expect(days({ monthDays: [day], weekdays: [weekday], must: "both" }, year, month)).toEqual(both);
    }),
    { numRuns: 1000 },
  );
});
