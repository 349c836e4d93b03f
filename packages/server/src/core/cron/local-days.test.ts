import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isTimeZone, localDays } from "./local-days.ts";

const days = (from: string, to: string, zone: string) =>
  localDays(new Date(from), new Date(to), zone).map(({ date, startsAt }) => `${date} ${startsAt.toISOString().slice(0, 16)}`);

test("a range has the days of both its ends", () => {
  expect(days("2026-03-01T12:00:00Z", "2026-03-03T00:00:00Z", "UTC")).toEqual([
    "2026-03-01 2026-03-01T00:00",
    "2026-03-02 2026-03-02T00:00",
    "2026-03-03 2026-03-03T00:00",
  ]);
  expect(days("2026-03-01T16:00:00Z", "2026-03-01T16:00:00Z", "Asia/Tokyo")).toEqual(["2026-03-02 2026-03-01T15:00"]);
  expect(days("2026-03-01T16:00:00Z", "2026-03-01T17:00:00Z", "Asia/Kathmandu")).toEqual(["2026-03-01 2026-02-28T18:15"]);
});

test("a day is 23 or 25 hours long where the clock changes", () => {
  expect(days("2026-03-28T12:00:00Z", "2026-03-30T12:00:00Z", "Europe/Oslo")).toEqual([
    "2026-03-28 2026-03-27T23:00",
    "2026-03-29 2026-03-28T23:00",
    "2026-03-30 2026-03-29T22:00",
  ]);
});

test("a day without midnight begins at one", () => {
  expect(days("2018-11-04T12:00:00Z", "2018-11-04T12:00:00Z", "America/Sao_Paulo")).toEqual(["2018-11-04 2018-11-04T03:00"]);
});

test("a day whose midnight comes twice begins at the first, and one that the clock leaves again at the second", () => {
  expect(days("2025-11-02T12:00:00Z", "2025-11-02T12:00:00Z", "America/Havana")).toEqual(["2025-11-02 2025-11-02T04:00"]);
  expect(days("2018-02-18T12:00:00Z", "2018-02-18T12:00:00Z", "America/Sao_Paulo")).toEqual(["2018-02-18 2018-02-18T03:00"]);
});

test("a date that a zone left out is not a day", () => {
  expect(days("2011-12-29T12:00:00Z", "2011-12-30T12:00:00Z", "Pacific/Apia")).toEqual([
    "2011-12-29 2011-12-29T10:00",
    "2011-12-31 2011-12-30T10:00",
  ]);
  expect(days("2011-12-29T12:00:00Z", "2011-12-31T12:00:00Z", "Pacific/Fakaofo").map((day) => day.slice(0, 10))).toEqual([
    "2011-12-29",
    "2011-12-31",
    "2012-01-01",
  ]);
});

describe("in every time zone", () => {
  const zones = fc.constantFrom(
    "UTC",
    "Europe/Oslo",
    "America/Sao_Paulo",
    "America/Havana",
    "Asia/Kathmandu",
    "Pacific/Apia",
    "Africa/Cairo",
  );
  const moments = fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2040, 0) });

  test("days follow one another, and each moment is in the day of its date", () => {
    fc.assert(
      fc.property(zones, moments, fc.integer({ min: 0, max: 20 * 86_400_000 }), (zone, from, length) => {
        const found = localDays(new Date(from), new Date(from + length), zone);
        const starts = found.map(({ startsAt }) => startsAt.getTime());
        expect(starts).toEqual([...new Set(starts)].sort((a, b) => a - b));
        expect(starts[0]).toBeLessThanOrEqual(from);
        const dateOf = (moment: number) => new Intl.DateTimeFormat("sv-SE", { timeZone: zone }).format(moment);
        expect(found.at(-1)?.date).toBe(dateOf(from + length));
        expect(found[0]?.date).toBe(dateOf(from));
      }),
    );
  });
});

test.each([
  ["Europe/Oslo", true],
  ["UTC", true],
  ["Mars/Olympus", false],
  ["", false],
  ["../etc/passwd", false],
])("%j is a time zone: %s", (name, expected) => expect(isTimeZone(name)).toBe(expected));
