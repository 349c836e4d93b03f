import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type DueTimes, maxCaughtUp, planFirings } from "./plan-firings.ts";
import { compileTiming, nextTime, type TimingFields, timesBetween } from "./timing.ts";

const fields: TimingFields = { type: "cron", cron: "*/10 * * * *", dateAt: null, timezone: "UTC", exclusions: [] };
const at = (text: string) => new Date(`2030-01-01T${text}Z`);
const due: DueTimes = { nextAt: at("01:00:00"), catchUpPolicy: "one", catchUpWindowMinutes: null, jitterSeconds: 0 };
const clock = (dates: readonly (Date | undefined)[]) => dates.map((date) => date?.toISOString().slice(11, 16));

describe("on time", () => {
  test.each(["01:00:00", "01:01:00"])("at %s it fires, whatever the policy", (now) => {
    for (const catchUpPolicy of ["none", "one", "all"] as const) {
      const plan = planFirings(compileTiming(fields), { ...due, catchUpPolicy }, at(now));
      expect(plan).toEqual({ fire: [at("01:00:00")], missed: undefined, next: at("01:10:00") });
    }
  });

  test("a single run has no next time", () => {
    const once = compileTiming({ ...fields, type: "runOnce", cron: null, dateAt: at("01:00:00") });
    expect(planFirings(once, due, at("01:00:00"))).toEqual({ fire: [at("01:00:00")], missed: undefined, next: undefined });
  });
});

describe("after downtime", () => {
  test("of years, a schedule of every second is caught up in the newest thousand at most, without being walked through", () => {
    const second = compileTiming({ ...fields, cron: "* * * * * *" });
    const now = new Date("2033-01-01T00:00:00Z");
    const all = planFirings(second, { ...due, catchUpPolicy: "all", catchUpWindowMinutes: 525_600 }, now);
    expect(all.fire).toHaveLength(50);
    expect(now.getTime() - all.fire[0]!.getTime()).toBeLessThanOrEqual(maxCaughtUp * 1000);
    expect(all.missed).toMatchObject({ count: 10_000, isMore: true, from: at("01:00:00") });
    expect(planFirings(second, due, now).fire).toEqual([now]);
  });

  test("a rare time far back in a long range is found", () => {
    const rare = compileTiming({ ...fields, cron: "* * * 1 1 ? 2030" });
    const now = new Date("2035-06-01T00:00:00Z");
    const plan = planFirings(rare, due, now);
    expect(plan.fire).toEqual([new Date("2030-01-01T23:59:59Z")]);
    expect(plan.next).toBeUndefined();
  });

  test("times whose jitter is not over are left for later", () => {
    const plan = planFirings(compileTiming(fields), { ...due, jitterSeconds: 1200 }, at("03:05:00"));
    expect(clock(plan.fire)).toEqual(["02:40"]);
    expect(clock([plan.next])).toEqual(["02:50"]);
  });
});

test("whatever was missed, each time is fired, counted as missed, or still to come, and none twice", () => {
  const policy = fc.constantFrom("none" as const, "one" as const, "all" as const);
  const window = fc.option(fc.integer({ min: 1, max: 3000 }));
  const cron = fc.constantFrom("*/10 * * * *", "*/7 * * * *", "15 2 * * *", "0 * * * SUN");
  fc.assert(
    fc.property(
      policy,
      window,
      cron,
      fc.nat(3600),
      fc.nat(40 * 3600),
      (catchUpPolicy, catchUpWindowMinutes, expression, jitterSeconds, downSeconds) => {
        const timing = compileTiming({ ...fields, cron: expression, timezone: "Europe/Berlin", exclusions: ["2030-01-02"] });
        const nextAt = nextTime(timing, at("00:00:00")) as Date;
        const now = new Date(nextAt.getTime() + downSeconds * 1000);
        const { fire, missed, next } = planFirings(timing, { nextAt, catchUpPolicy, catchUpWindowMinutes, jitterSeconds }, now);
        const passed = timesBetween(timing, nextAt, new Date((next as Date).getTime() - 1), 10_000);
        expect(fire.length + (missed?.count ?? 0)).toBe(passed.length);
        expect(passed.slice(missed?.count ?? 0)).toEqual(fire);
        expect(fire.every((time) => time <= now)).toBe(true);
        if (catchUpPolicy !== "all") expect(fire.length).toBeLessThanOrEqual(1);
      },
    ),
  );
});
