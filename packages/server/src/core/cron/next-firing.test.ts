import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { startWork } from "../../../test/kit/processor-ms.ts";
import { firingsBetween, nextFiring } from "./next-firing.ts";
import { type Cron, parseCron } from "./parse-cron.ts";

function parsed(text: string): Cron {
  const result = parseCron(text);
  if ("fault" in result) throw new Error(`${text}: ${result.fault.message}`);
  return result.cron;
}

/** The next firings in the local time of the zone. */
function firings(text: string, zone: string, after: string, count: number): string[] {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" });
  const found = [];
  let next = nextFiring(parsed(text), zone, new Date(after));
  for (; next !== undefined && found.length < count; next = nextFiring(parsed(text), zone, next)) {
    found.push(format.format(next).replace(/:00$/, ""));
  }
  return found;
}

describe("expressions from the field", () => {
  test.each<[text: string, after: string, wanted: string[]]>([
    // Unix
    ["* * * * *", "2026-12-31T23:58:30Z", ["2026-12-31 23:59", "2027-01-01 00:00"]],
    ["0 0 1 1 *", "2026-01-01T00:00:00Z", ["2027-01-01 00:00", "2028-01-01 00:00"]],
    ["0 0 1 */3 *", "2026-01-01T00:00:00Z", ["2026-04-01 00:00", "2026-07-01 00:00", "2026-10-01 00:00", "2027-01-01 00:00"]],
    ["5 0 * 8 *", "2026-08-31T00:05:00Z", ["2027-08-01 00:05"]],
    ["15 14 1 * *", "2026-01-01T14:14:59.999Z", ["2026-01-01 14:15", "2026-02-01 14:15"]],
    ["0 22 * * 1-5", "2026-01-02T22:00:00Z", ["2026-01-05 22:00", "2026-01-06 22:00"]],
    ["23 0-20/2 * * *", "2026-01-01T18:30:00Z", ["2026-01-01 20:23", "2026-01-02 00:23"]],
    ["5 4 * * sun", "2026-01-01T00:00:00Z", ["2026-01-04 04:05", "2026-01-11 04:05"]],
    ["0 0,12 1 */2 *", "2026-01-01T00:00:00Z", ["2026-01-01 12:00", "2026-03-01 00:00", "2026-03-01 12:00"]],
    ["0 4 8-14 * *", "2026-01-14T04:00:00Z", ["2026-02-08 04:00"]],
    ["0 0 1,15 * 3", "2026-01-01T00:00:00Z", ["2026-01-07 00:00", "2026-01-14 00:00", "2026-01-15 00:00", "2026-01-21 00:00"]],
    [
      "0 9 * * FRI-MON",
      "2026-01-01T00:00:00Z",
      ["2026-01-02 09:00", "2026-01-03 09:00", "2026-01-04 09:00", "2026-01-05 09:00", "2026-01-09 09:00"],
    ],
    ["30 9 31 * *", "2026-01-31T09:30:00Z", ["2026-03-31 09:30", "2026-05-31 09:30", "2026-07-31 09:30", "2026-08-31 09:30"]],
    ["0 0 28-3 2 *", "2028-02-27T12:00:00Z", ["2028-02-28 00:00", "2028-02-29 00:00", "2029-02-01 00:00"]],
    ["@weekly", "2026-01-01T00:00:00Z", ["2026-01-04 00:00"]],
    // Quartz
    ["0 0 12 * * ?", "2026-01-01T12:00:00Z", ["2026-01-02 12:00"]],
    ["0 15 10 ? * *", "2026-01-01T12:00:00Z", ["2026-01-02 10:15"]],
    ["0 15 10 * * ? 2027", "2026-01-01T12:00:00Z", ["2027-01-01 10:15", "2027-01-02 10:15"]],
    ["0 0/5 14,18 * * ?", "2026-01-01T14:53:00Z", ["2026-01-01 14:55", "2026-01-01 18:00", "2026-01-01 18:05"]],
    ["0 0-5 14 * * ?", "2026-01-01T14:04:00Z", ["2026-01-01 14:05", "2026-01-02 14:00"]],
    ["0 10,44 14 ? 3 WED", "2026-01-01T00:00:00Z", ["2026-03-04 14:10", "2026-03-04 14:44", "2026-03-11 14:10"]],
    ["0 15 10 ? * MON-FRI", "2026-01-02T10:15:00Z", ["2026-01-05 10:15"]],
    ["0 15 10 15 * ?", "2026-01-15T10:15:00Z", ["2026-02-15 10:15"]],
    ["0 15 10 L * ?", "2026-01-31T10:15:00Z", ["2026-02-28 10:15", "2026-03-31 10:15", "2026-04-30 10:15"]],
    ["0 15 10 ? * 6L", "2026-01-30T10:15:00Z", ["2026-02-27 10:15", "2026-03-27 10:15"]],
    ["0 15 10 ? * 6L 2027-2028", "2026-01-30T10:15:00Z", ["2027-01-29 10:15"]],
    ["0 15 10 ? * 6#3", "2026-01-01T00:00:00Z", ["2026-01-16 10:15", "2026-02-20 10:15"]],
    ["0 0 12 1/5 * ?", "2026-01-30T00:00:00Z", ["2026-01-31 12:00", "2026-02-01 12:00", "2026-02-06 12:00"]],
    ["0 11 11 11 11 ?", "2026-11-11T11:11:00Z", ["2027-11-11 11:11"]],
    ["0 30 9 ? * MON,TUE", "2026-01-01T00:00:00Z", ["2026-01-05 09:30", "2026-01-06 09:30", "2026-01-12 09:30"]],
    ["*/20 59 23 31 12 ?", "2026-12-31T23:59:00Z", ["2026-12-31 23:59:20", "2026-12-31 23:59:40", "2027-12-31 23:59"]],
    ["0 0 0 L-3,LW * ?", "2026-01-28T00:00:00Z", ["2026-01-30 00:00", "2026-02-25 00:00", "2026-02-27 00:00"]],
    ["0 0 0 ? * MON#1,FRI#5", "2026-01-01T00:00:00Z", ["2026-01-05 00:00", "2026-01-30 00:00", "2026-02-02 00:00", "2026-03-02 00:00"]],
  ])("%s", (text, after, wanted) => {
    expect(firings(text, "UTC", after, wanted.length)).toEqual(wanted);
  });
});

describe("where clocks are changed", () => {
  test.each<[text: string, zone: string, after: string, wanted: string[]]>([
    ["30 2 * * *", "America/New_York", "2026-03-07T12:00:00Z", ["2026-03-08 03:00", "2026-03-09 02:30"]],
    ["0 3 * * *", "America/New_York", "2026-03-08T05:00:00Z", ["2026-03-08 03:00", "2026-03-09 03:00"]],
    ["30 1 * * *", "America/New_York", "2026-10-31T12:00:00Z", ["2026-11-01 01:30", "2026-11-02 01:30"]],
    [
      "*/30 * * * *",
      "America/New_York",
      "2026-11-01T05:00:00Z",
      ["2026-11-01 01:30", "2026-11-01 01:00", "2026-11-01 01:30", "2026-11-01 02:00"],
    ],
    ["*/10 2 * * *", "Europe/Berlin", "2026-10-24T23:55:00Z", ["2026-10-25 02:00", "2026-10-25 02:10", "2026-10-25 02:20"]],
    ["*/20 1-3 * * *", "Europe/Berlin", "2026-03-29T00:30:00Z", ["2026-03-29 01:40", "2026-03-29 03:00", "2026-03-29 03:20"]],
    ["* 1-3 * * *", "Europe/Berlin", "2026-03-29T00:58:00Z", ["2026-03-29 01:59", "2026-03-29 03:00", "2026-03-29 03:01"]],
    ["30 59 2 * * ?", "Europe/Berlin", "2026-03-28T12:00:00Z", ["2026-03-29 03:00", "2026-03-30 02:59:30"]],
    ["0 0 29 3 *", "Europe/Berlin", "2026-01-01T00:00:00Z", ["2026-03-29 00:00", "2027-03-29 00:00"]],
    ["0 30 2 29 3 ? 2026", "Europe/Berlin", "2026-01-01T00:00:00Z", ["2026-03-29 03:00"]],
    ["15 2 * * *", "Australia/Lord_Howe", "2026-10-03T12:00:00Z", ["2026-10-04 02:30", "2026-10-05 02:15"]],
    ["45 1 * * *", "Australia/Lord_Howe", "2026-04-04T12:00:00Z", ["2026-04-05 01:45", "2026-04-06 01:45"]],
    ["*/15 * * * *", "Australia/Lord_Howe", "2026-04-04T14:30:00Z", ["2026-04-05 01:45", "2026-04-05 01:30", "2026-04-05 01:45"]],
    ["0 9 30 12 *", "Pacific/Apia", "2011-06-01T00:00:00Z", ["2011-12-31 00:00", "2012-12-30 09:00"]],
    ["0 */8 * * *", "Pacific/Apia", "2011-12-30T01:00:00Z", ["2011-12-29 16:00", "2011-12-31 00:00", "2011-12-31 08:00"]],
    ["0 0 * * *", "America/Sao_Paulo", "2018-11-03T12:00:00Z", ["2018-11-04 01:00", "2018-11-05 00:00"]],
    ["30 23 * * *", "America/Sao_Paulo", "2018-02-17T12:00:00Z", ["2018-02-17 23:30", "2018-02-18 23:30"]],
    ["0 0 * * *", "Asia/Beirut", "2026-03-28T12:00:00Z", ["2026-03-29 01:00", "2026-03-30 00:00"]],
    ["0 0 * * FRI", "Africa/Cairo", "2026-04-20T12:00:00Z", ["2026-04-24 01:00", "2026-05-01 00:00"]],
    ["30 23 * * *", "Africa/Cairo", "2026-10-29T12:00:00Z", ["2026-10-29 23:30", "2026-10-30 23:30"]],
    // Morocco changes its time for Ramadan: back in February 2026, forward in March.
    ["30 2 * * *", "Africa/Casablanca", "2026-02-14T12:00:00Z", ["2026-02-15 02:30", "2026-02-16 02:30"]],
    ["30 2 * * *", "Africa/Casablanca", "2026-03-21T12:00:00Z", ["2026-03-22 03:00", "2026-03-23 02:30"]],
    // Seven days between two shifts, the shortest interval that ever occurred.
    ["0 12 * * *", "America/Recife", "2000-10-07T12:00:00Z", ["2000-10-07 12:00", "2000-10-08 12:00", "2000-10-09 12:00"]],
    ["30 0 * * *", "America/Recife", "2000-10-07T12:00:00Z", ["2000-10-08 01:00", "2000-10-09 00:30"]],
    ["0 9 * * *", "Asia/Kathmandu", "2026-01-01T03:15:00Z", ["2026-01-02 09:00"]],
    ["30 2 * * *", "Europe/Berlin", "2199-03-30T12:00:00Z", ["2199-03-31 03:00", "2199-04-01 02:30"]],
  ])("%s in %s after %s", (text, zone, after, wanted) => {
    expect(firings(text, zone, after, wanted.length)).toEqual(wanted);
  });

  test("fixed times come once and wildcards go by elapsed time, as an independent implementation of Vixie cron has it", () => {
    // Generated with cronsim 2.8 (Python) around the clock changes of 2025, which a newer time zone table does not change: expression,
    // zone, seconds since the epoch, minutes from there to the first firing and on to the next. Zones whose shift is not a whole hour are
    // left out, since cronsim misses firings there; brute-force.test.ts has one.
    const cases = JSON.parse(readFileSync(new URL("vixie-firings.json", import.meta.url), "utf8")) as [string, string, number, number[]][];
    expect(new Set(cases.map(([, zone]) => zone)).size).toBe(10);
    for (const [text, zone, from, minutes] of cases) {
      let at = from;
      const wanted = minutes.map((wait) => {
        at += wait * 60;
        return new Date(at * 1000).toISOString();
      });
      const end = new Date(at * 1000);
      const found = firingsBetween(parsed(text), zone, new Date(from * 1000 + 1), end, wanted.length + 1).map((date) => date.toISOString());
      expect({ text, zone, found }).toEqual({ text, zone, found: wanted });
    }
  });

  test("a fixed time that comes twice fires the first time, in summer time", () => {
    const wanted = [new Date("2026-10-25T02:30:00+02:00"), new Date("2026-10-26T02:30:00+01:00")];
    const cron = parsed("30 2 * * *");
    expect(firingsBetween(cron, "Europe/Berlin", new Date("2026-10-25T00:00Z"), new Date("2026-10-26T23:00Z"), 10)).toEqual(wanted);
    for (const after of ["2026-10-25T00:30Z", "2026-10-25T01:00Z", "2026-10-25T01:29:59.999Z", "2026-10-25T01:30Z", "2026-10-25T02:00Z"]) {
      expect(nextFiring(cron, "Europe/Berlin", new Date(after))).toEqual(wanted[1]);
    }
  });
});

describe("the ends of time", () => {
  const everySecond = parsed("* * * * * ?");

  test("nothing fires before 1970 or after 2199, by the clocks of the zone", () => {
    for (const [zone, first, last] of [
      ["UTC", "1970-01-01T00:00:00Z", "2199-12-31T23:59:59Z"],
      ["Pacific/Kiritimati", "1970-01-01T00:00:00-10:40", "2199-12-31T23:59:59+14:00"],
      ["Pacific/Pago_Pago", "1970-01-01T00:00:00-11:00", "2199-12-31T23:59:59-11:00"],
    ] as const) {
      expect(nextFiring(everySecond, zone, new Date(-8.64e15))).toEqual(new Date(first));
      expect(nextFiring(everySecond, zone, new Date(Date.parse(last) - 1))).toEqual(new Date(last));
      expect(nextFiring(everySecond, zone, new Date(last))).toBeUndefined();
    }
    expect(nextFiring(everySecond, "UTC", new Date(8.64e15))).toBeUndefined();
  });

  test("an expression whose years are over does not fire", () => {
    expect(nextFiring(parsed("0 0 0 1 1 ? 2023-2025"), "UTC", new Date("2025-01-01T00:00Z"))).toBeUndefined();
    expect(nextFiring(parsed("0 0 0 1 1 ? 2023-2025"), "UTC", new Date("2024-12-31T23:59:59.999Z"))).toEqual(new Date("2025-01-01T00:00Z"));
    expect(nextFiring(parsed("0 0 29 2 *"), "UTC", new Date("2197-01-01T00:00Z"))).toBeUndefined();
  });

  test("an invalid date or zone is a mistake of the caller", () => {
    expect(() => nextFiring(everySecond, "UTC", new Date(Number.NaN))).toThrow(RangeError);
    expect(() => nextFiring(everySecond, "Europe/Atlantis", new Date())).toThrow(RangeError);
  });
});

describe("firings between two instants", () => {
  const cron = parsed("*/10 * * * *");
  const between = (from: string, to: string, limit: number) =>
    firingsBetween(cron, "UTC", new Date(from), new Date(to), limit).map((firing) => firing.toISOString().slice(11, -5));

  test("include both ends, to the millisecond", () => {
    expect(between("2026-01-01T00:00:00Z", "2026-01-01T00:20:00Z", 9)).toEqual(["00:00:00", "00:10:00", "00:20:00"]);
    expect(between("2026-01-01T00:00:00.001Z", "2026-01-01T00:19:59.999Z", 9)).toEqual(["00:10:00"]);
    expect(between("2026-01-01T00:10:00Z", "2026-01-01T00:10:00Z", 9)).toEqual(["00:10:00"]);
  });

  test("are the first ones when there are more than the limit, and none when the range is empty", () => {
    expect(between("2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z", 2)).toEqual(["00:00:00", "00:10:00"]);
    expect(between("2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z", 0)).toEqual([]);
    expect(between("2026-01-02T00:00:00Z", "2026-01-01T00:00:00Z", 9)).toEqual([]);
  });
});

test("the next firing is later, and the same from every moment before it since the last one", () => {
  const expressions = ["*/7 * * * *", "30 2 * * *", "0 0 L,15W * *", "0 0 29 2 *", "*/13 */3 * * * ?", "0 0 1 ? * SUN#1,FRIL 2000-2190/3"];
  const zones = [
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",
    "Pacific/Apia",
    "America/Sao_Paulo",
    "Africa/Casablanca",
  ];
  const moment = fc.date({ min: new Date("1971-01-01"), max: new Date("2180-01-01"), noInvalidDate: true });
  fc.assert(
    fc.property(
      fc.constantFrom(...expressions),
      fc.constantFrom(...zones),
      moment,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (...given) => {
        const [text, zone, after, part] = given;
        const next = nextFiring(parsed(text), zone, after) as Date;
        expect(next.getTime()).toBeGreaterThan(after.getTime());
        expect(next.getTime() % 1000).toBe(0);
        const between = new Date(after.getTime() + Math.floor(part * (next.getTime() - 1 - after.getTime())));
        expect(nextFiring(parsed(text), zone, between)).toEqual(next);
        expect(nextFiring(parsed(text), zone, new Date(next.getTime() - 1))).toEqual(next);
      },
    ),
    { numRuns: 1000 },
  );
});

test("fifty thousand firings are computed quickly", () => {
  const cron = parsed("*/15 * * * *");
  const expectWithin = startWork();
  let firing = nextFiring(cron, "Europe/Berlin", new Date("2026-01-01T00:00Z"));
  for (let count = 0; count < 50_000 && firing !== undefined; count += 1) firing = nextFiring(cron, "Europe/Berlin", firing);
  // Takes about 60 ms on an idle machine.
  expectWithin(3000);
  expect(firing?.getUTCFullYear()).toBe(2027);
});
