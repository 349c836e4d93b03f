import { describe, expect, test } from "vitest";
import { backfillTimes, type TimingFields } from "./timing.ts";

const daily: TimingFields = { type: "cron", cron: "30 2 * * *", dateAt: null, timezone: "Europe/Berlin", exclusions: [] };
const now = new Date("2031-04-10T12:00:00Z");
const times = (from: string, to: string, timing: Partial<TimingFields> = {}) =>
  backfillTimes({ ...daily, ...timing }, { from, to }, now).map((time) => time.toISOString().replace(":00.000Z", "Z"));

describe("the times of a backfill", () => {
  test("are those of the range with both ends, across both changes of the clocks", () => {
    // On the 30th of March, 02:30 does not exist.
    expect(times("2031-03-29T01:30:00Z", "2031-03-31T00:30:00Z")).toEqual(["2031-03-29T01:30Z", "2031-03-30T01:00Z", "2031-03-31T00:30Z"]);
    // On the 27th of October 2030 it occurs twice, and counts once.
    expect(times("2030-10-27T00:00:00+02:00", "2030-10-27T23:59:59+01:00")).toEqual(["2030-10-27T00:30Z"]);
  });

  test("leave out excluded days and what lies ahead", () => {
    expect(times("2031-04-08T00:00:00Z", "2031-04-20T00:00:00Z", { exclusions: ["2031-04-09"] })).toEqual([
      "2031-04-08T00:30Z",
      "2031-04-10T00:30Z",
    ]);
  });

  test("are the one of a single run", () => {
    const once = { type: "runOnce" as const, cron: null, dateAt: new Date("2031-04-01T08:00:00Z") };
    expect(times("2031-04-01T00:00:00Z", "2031-04-02T00:00:00Z", once)).toEqual(["2031-04-01T08:00Z"]);
  });

  test("may be a hundred", () => {
    const hourly = { cron: "0 * * * *", timezone: "UTC" };
    expect(times("2031-04-01T00:00:00Z", "2031-04-05T03:59:00Z", hourly)).toHaveLength(100);
    expect(() => times("2031-04-01T00:00:00Z", "2031-04-05T04:00:00Z", hourly)).toThrow(
      "more than 100 times, as many as one backfill starts; the last of these is 2031-04-05T03:00:00.000Z",
    );
  });

  test.each([
    ["2031-04-02T00:00:00Z", "2031-04-01T00:00:00Z", "is after to"],
    ["2031-04-11T00:00:00Z", "2031-04-12T00:00:00Z", "is in the future"],
    ["2031-04-01T00:00:00", "2031-04-02T00:00:00Z", "is not a time"],
    ["2031-04-01T00:00:00Z", "tomorrow", "is not a time"],
    ["2031-13-01T00:00:00Z", "2031-04-02T00:00:00Z", "is not a time"],
  ])("are refused from %s to %s", (from, to, why) => {
    expect(() => times(from, to)).toThrow(why);
  });
});
