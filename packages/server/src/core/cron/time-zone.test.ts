import { describe, expect, test } from "vitest";
import { firstWallTimeAfter, timeZoneFault, toInstant } from "./time-zone.ts";

describe("the name of a zone", () => {
  test.each([
    "UTC",
    "Etc/UTC",
    "GMT",
    "Europe/Berlin",
    "europe/berlin",
    "Europe/Kiev",
    "Europe/Kyiv",
    "US/Pacific",
    "Asia/Calcutta",
    "Etc/GMT+12",
    "EST5EDT",
    "CET",
  ])("can be %s", (zone) => {
    expect(timeZoneFault(zone)).toBeUndefined();
  });

  test.each<[zone: string, fault: RegExp]>([
    ["", /^The time zone is empty; give the name of a place, such as Europe\/Berlin, or UTC$/],
    [" ", /is empty/],
    ["+02:00", /^The time zone "\+02:00" is an offset, which knows no daylight saving time; give/],
    ["-0800", /is an offset/],
    ["UTC+2", /is an offset/],
    ["gmt-5", /is an offset/],
    ["IST", /^The time zone "IST" has several meanings/],
    ["pst", /has several meanings/],
    ["Europe/Atlantis", /^There is no time zone "Europe\/Atlantis"/],
    ["Europe", /There is no time zone/],
    ["Z", /There is no time zone/],
    ["local", /There is no time zone/],
    [" Europe/Berlin", /There is no time zone/],
    ["../etc/passwd", /There is no time zone/],
    ["SystemV/EST5", /There is no time zone/],
    ["\ud800", /^There is no time zone "\\ud800"/],
    ["A".repeat(100_000), /^There is no time zone "A{64}…"/],
  ])("can't be %j", (zone, fault) => {
    expect(timeZoneFault(zone)).toMatch(fault);
  });

  test("is accepted for each zone that the platform lists", () => {
    expect(Intl.supportedValuesOf("timeZone").map(timeZoneFault).filter(Boolean)).toEqual([]);
  });
});

/** As on a clock that is never changed. */
const wall = (text: string) => Date.parse(`${text}Z`) / 1000;
const instant = (text: string) => Date.parse(text) / 1000;

describe("a wall time", () => {
  test.each([
    ["UTC", "2026-01-01T00:00:00", "2026-01-01T00:00:00Z"],
    ["Europe/Berlin", "2026-03-29T01:59:59", "2026-03-29T01:59:59+01:00"],
    ["Europe/Berlin", "2026-03-29T02:00:00", "2026-03-29T03:00:00+02:00"],
    ["Europe/Berlin", "2026-03-29T02:59:59", "2026-03-29T03:00:00+02:00"],
    ["Europe/Berlin", "2026-03-29T03:00:01", "2026-03-29T03:00:01+02:00"],
    ["Europe/Berlin", "2026-10-25T02:00:00", "2026-10-25T02:00:00+02:00"],
    ["Europe/Berlin", "2026-10-25T02:59:59", "2026-10-25T02:59:59+02:00"],
    ["Europe/Berlin", "2026-10-25T03:00:00", "2026-10-25T03:00:00+01:00"],
    ["Pacific/Apia", "2011-12-30T23:59:59", "2011-12-31T00:00:00+14:00"],
    // Liberia was 44 minutes and 30 seconds behind UTC.
    ["Africa/Monrovia", "1971-01-01T00:00:00", "1971-01-01T00:44:30Z"],
  ])("of %s, %s, counts at %s", (zone, wallTime, wanted) => {
    expect(toInstant(zone, wall(wallTime))).toBe(instant(wanted));
  });
});

describe("the first wall time that comes after an instant", () => {
  test.each([
    ["Europe/Berlin", "2026-03-29T01:59:58+01:00", "2026-03-29T01:59:59"],
    ["Europe/Berlin", "2026-03-29T01:59:59+01:00", "2026-03-29T02:00:00"],
    ["Europe/Berlin", "2026-03-29T03:00:00+02:00", "2026-03-29T03:00:01"],
    ["Europe/Berlin", "2026-10-25T02:59:59+02:00", "2026-10-25T03:00:00"],
    ["Europe/Berlin", "2026-10-25T02:00:00+01:00", "2026-10-25T03:00:00"],
    ["Europe/Berlin", "2026-10-25T02:59:59+01:00", "2026-10-25T03:00:00"],
    ["Europe/Berlin", "2026-10-25T03:00:00+01:00", "2026-10-25T03:00:01"],
  ])("of %s, %s, is %s", (zone, after, wanted) => {
    expect(firstWallTimeAfter(zone, instant(after))).toBe(wall(wanted));
  });
});

test("a zone stays right when a search through two centuries has pushed out what was known of it", () => {
  const berlin = () => toInstant("Europe/Berlin", wall("2026-07-01T12:00:00"));
  const before = berlin();
  // More four-day blocks than the cache can hold.
  for (let day = 0; day < 84_000; day += 4) toInstant("Europe/Berlin", day * 86_400);
  expect(berlin()).toBe(before);
});

test("shifts that are only a week apart are both seen", () => {
  // The only case since 1970 in which clock changes were that close and cancelled each other out.
  for (const [zone, wallTime, wanted] of [
    ["America/Boa_Vista", "2000-10-10T12:00:00", "2000-10-10T12:00:00-03:00"],
    ["America/Noronha", "2000-10-10T12:00:00", "2000-10-10T12:00:00-01:00"],
    ["America/Recife", "2000-10-10T12:00:00", "2000-10-10T12:00:00-02:00"],
    ["America/Recife", "2000-10-16T12:00:00", "2000-10-16T12:00:00-03:00"],
  ] as const) {
    expect([zone, toInstant(zone, wall(wallTime))]).toEqual([zone, instant(wanted)]);
  }
});
