import { describe, expect, test } from "vitest";
import { addDays, clockText, dayOf, endOfDay, localText, offsetAt, startOfDay, zoneShort } from "./zone-time.ts";

const hour = 3_600_000;

describe("days of a zone", () => {
  test.each([
    ["Europe/Berlin", "2031-03-30", "2031-03-29T23:00:00.000Z", 23],
    ["Europe/Berlin", "2031-10-26", "2031-10-25T22:00:00.000Z", 25],
    ["Europe/Berlin", "2031-07-01", "2031-06-30T22:00:00.000Z", 24],
    ["America/New_York", "2031-03-09", "2031-03-09T05:00:00.000Z", 23],
    ["Australia/Lord_Howe", "2031-10-05", "2031-10-04T13:30:00.000Z", 23.5],
    ["Asia/Kathmandu", "2031-01-01", "2030-12-31T18:15:00.000Z", 24],
    ["UTC", "2032-02-29", "2032-02-29T00:00:00.000Z", 24],
    // The clocks skip midnight, so the day begins at one o'clock.
    ["Africa/Cairo", "2024-04-26", "2024-04-25T22:00:00.000Z", 23],
  ])("%s %s begins at %s and has %d hours", (zone, day, start, hours) => {
    expect(new Date(startOfDay(zone, day)).toISOString()).toBe(start);
    expect(endOfDay(zone, day) + 1 - startOfDay(zone, day)).toBe(hours * hour);
    expect([dayOf(zone, start), dayOf(zone, startOfDay(zone, day) - 1)]).toEqual([day, addDays(day, -1)]);
  });

  test("are counted across months and years", () => {
    expect([addDays("2031-12-31", 1), addDays("2032-03-01", -1), addDays("2031-03-30", 7)]).toEqual([
      "2032-01-01",
      "2032-02-29",
      "2031-04-06",
    ]);
  });
});

describe("times in a time zone", () => {
  test("follow summer and winter time", () => {
    expect([clockText("Europe/Berlin", "2031-03-30T00:59:00Z"), clockText("Europe/Berlin", "2031-03-30T01:00:00Z")]).toEqual([
      "01:59",
      "03:00",
    ]);
    expect([zoneShort("Europe/Berlin", "2031-01-01T00:00:00Z"), zoneShort("Europe/Berlin", "2031-07-01T00:00:00Z")]).toEqual([
      "CET",
      "CEST",
    ]);
  });

  test.each([
    ["America/New_York", "EST"],
    ["Australia/Sydney", "AEDT"],
    ["Asia/Tokyo", "GMT+9"],
    ["UTC", "UTC"],
  ])("of %s are named %s in January", (zone, name) => {
    expect(zoneShort(zone, "2031-01-01T00:00:00Z")).toBe(name);
  });

  test("have seconds only if they are not 0", () => {
    expect([clockText("UTC", "2031-01-01T08:00:05Z"), clockText("UTC", "2031-01-01T08:00:00Z")]).toEqual(["08:00:05", "08:00"]);
  });

  test("fill a field for dates", () => {
    expect(localText("America/New_York", "2031-07-01T02:30:00Z")).toBe("2031-06-30T22:30");
    expect(offsetAt("America/New_York", Date.parse("2031-07-01T02:30:00Z"))).toBe(-4 * hour);
  });
});
