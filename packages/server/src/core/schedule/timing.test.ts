import { describe, expect, test } from "vitest";
import { fireAt } from "./arm-schedule.ts";
import { endOfExclusion, parseDayRange } from "./excluded-days.ts";
import { compileTiming, nextTime, timesBetween } from "./timing.ts";

const daily = { type: "cron", cron: "0 12 * * *", dateAt: null, timezone: "UTC", exclusions: [] as string[] } as const;

describe("excluded days", () => {
  test.each([
    ["2030-12-25", { first: "2030-12-25", last: "2030-12-25" }],
    [" 2030-12-24/2031-01-02 ", { first: "2030-12-24", last: "2031-01-02" }],
    ["2032-02-29", { first: "2032-02-29", last: "2032-02-29" }],
    ["2030-02-29", undefined],
    ["2030-13-01", undefined],
    ["2030-1-1", undefined],
    ["2030-12-25/2030-12-24", undefined],
    ["2030-12-24/2030-12-25/2030-12-26", undefined],
    ["", undefined],
    ["/", undefined],
    ["Christmas", undefined],
  ])("%j", (text, range) => {
    expect(parseDayRange(text)).toEqual(range);
  });

  test("are those of the zone, and end when its next day begins", () => {
    const ranges = [{ first: "2030-03-31", last: "2030-03-31" }];
    const end = (zone: string, text: string) => endOfExclusion(ranges, zone, new Date(text))?.toISOString();
    expect(end("Europe/Berlin", "2030-03-30T22:59:59Z")).toBeUndefined();
    expect(end("Europe/Berlin", "2030-03-30T23:00:00Z")).toBe("2030-03-31T22:00:00.000Z");
    expect(end("Pacific/Kiritimati", "2030-03-30T10:00:00Z")).toBe("2030-03-31T10:00:00.000Z");
  });

  test("that follow each other are stepped over at once, also by a schedule of every second", () => {
    const timing = compileTiming({
      ...daily,
      cron: "* * * * * *",
      exclusions: ["2030-01-01/2030-06-30", "2030-07-01", "2030-07-02/2199-12-29"],
    });
    expect(nextTime(timing, new Date("2030-01-01T00:00:00Z"))?.toISOString()).toBe("2199-12-30T00:00:00.000Z");
  });
});

test("times of a range include both ends, and stop at the limit", () => {
  const timing = compileTiming(daily);
  const [from, to] = [new Date("2030-01-01T12:00:00Z"), new Date("2030-01-04T12:00:00Z")];
  expect(timesBetween(timing, from, to, 10)).toHaveLength(4);
  expect(timesBetween(timing, from, to, 2)).toEqual([from, new Date("2030-01-02T12:00:00Z")]);
  expect(timesBetween(timing, to, from, 10)).toEqual([]);
});

describe("the jitter of a time", () => {
  const ids = Array.from({ length: 2000 }, (_, index) => `schedule-${index}`);
  const time = new Date("2030-01-01T12:00:00Z");

  test("is none when none is wanted", () => {
    expect(fireAt("a", time, 0)).toEqual(time);
  });

  test("follows from the schedule and the time alone", () => {
    expect(fireAt("a", time, 600)).toEqual(fireAt("a", time, 600));
    expect(fireAt("a", time, 600)).not.toEqual(fireAt("b", time, 600));
  });

  test("spreads schedules evenly over its bound", () => {
    const delays = ids.map((id) => fireAt(id, time, 600).getTime() - time.getTime());
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...delays)).toBeLessThanOrEqual(600_000);
    for (let tenth = 0; tenth < 10; tenth++) {
      const count = delays.filter((delay) => Math.floor(delay / 60_001) === tenth).length;
      expect(count).toBeGreaterThan(140);
      expect(count).toBeLessThan(260);
    }
  });
});
