import { describe, expect, test } from "vitest";
import { addMonths, dayByKey, monthWeeks, viewerWeekStart } from "./month-grid.ts";

describe("the weeks of a month", () => {
  test.each([
    ["2031-03", 1, "2031-02-24", "2031-04-06", 6],
    ["2031-03", 0, "2031-02-23", "2031-04-05", 6],
    ["2031-03", 6, "2031-03-01", "2031-04-04", 5],
    ["2031-10", 1, "2031-09-29", "2031-11-02", 5],
    ["2027-02", 1, "2027-02-01", "2027-02-28", 4],
    ["2032-02", 1, "2032-01-26", "2032-02-29", 5],
    ["2030-12", 1, "2030-11-25", "2031-01-05", 6],
  ])("of %s, beginning on day %d, are %s to %s", (month, weekStart, first, last, count) => {
    const weeks = monthWeeks(month, weekStart);
    expect([weeks[0]?.[0], weeks.at(-1)?.[6], weeks.length]).toEqual([first, last, count]);
    expect(new Set(weeks.flat()).size).toBe(count * 7);
  });

  test("begin on the first day of the week in the viewer's region", () => {
    expect([viewerWeekStart("en-GB"), viewerWeekStart("en-US"), viewerWeekStart("de")]).toEqual([1, 0, 1]);
  });
});

test.each([
  ["2031-01", -1, "2030-12"],
  ["2030-12", 1, "2031-01"],
  ["2031-03", 14, "2032-05"],
])("%s and %d months are %s", (month, count, expected) => {
  expect(addMonths(month, count)).toBe(expected);
});

test.each([
  ["ArrowLeft", "2031-03-01", "2031-02-28"],
  ["ArrowRight", "2031-03-30", "2031-03-31"],
  ["ArrowUp", "2031-03-30", "2031-03-23"],
  ["ArrowDown", "2031-03-30", "2031-04-06"],
  ["Home", "2031-03-30", "2031-03-24"],
  ["End", "2031-03-26", "2031-03-30"],
  ["PageDown", "2031-01-31", "2031-02-28"],
  ["PageUp", "2031-03-15", "2031-02-15"],
  ["x", "2031-03-15", undefined],
])("%s leads from %s to %s", (key, from, to) => {
  expect(dayByKey(key, from, 1)).toBe(to);
});
