import { afterEach, describe, expect, test } from "vitest";
import { testApp } from "../../kit/app.ts";
import { outcomesOf, scheduleEngine, scheduleTeam, timesOf } from "../../kit/schedule-kit.ts";

/** When schedules fire: across DST changes, after downtime, with jitter, around excluded days. */
const app = await testApp();
const { clock, at } = scheduleEngine(app);

afterEach(async () => {
  await app.sql`delete from schedule`;
});

describe("a change of the clocks", () => {
  async function firedAt(cronSchedule: string, from: string, hours: number): Promise<string[]> {
    const { schedule, firings } = await scheduleTeam(app);
    await clock(from);
    const { id } = await schedule({ cronSchedule, timezone: "Europe/Berlin" });
    for (let minutes = 30; minutes <= hours * 60; minutes += 30) await at(new Date(Date.parse(from) + minutes * 60_000).toISOString());
    return timesOf(await firings(id));
  }

  test("in spring: a skipped time fires once, right after the gap", async () => {
    const fired = await firedAt("30 2 * * *", "2030-03-30T00:00:00Z", 49);
    expect(fired).toEqual(["2030-03-30T01:30:00Z", "2030-03-31T01:00:00Z", "2030-04-01T00:30:00Z"]);
  });

  test("in autumn: a repeated time fires once, the first time", async () => {
    const fired = await firedAt("30 2 * * *", "2030-10-26T00:00:00Z", 50);
    expect(fired).toEqual(["2030-10-26T00:30:00Z", "2030-10-27T00:30:00Z", "2030-10-28T01:30:00Z"]);
  });
});

describe("times that were missed while nothing ran", () => {
  /** Every ten minutes, with downtime from 01:00 until 03:05. */
  async function down(body: Record<string, unknown>) {
    const { schedule, read, firings } = await scheduleTeam(app);
    await clock("2030-01-01T00:59:00Z");
    const { id } = await schedule({ cronSchedule: "*/10 * * * *", ...body });
    await at("2030-01-01T03:05:00Z");
    return { schedule: await read(id), firings: await firings(id), id, all: () => firings(id) };
  }

  test("with none are left out, and the next one comes on time", async () => {
    const { schedule, firings, all } = await down({ catchUpPolicy: "none" });
    expect(outcomesOf(firings)).toEqual([["missed", 13]]);
    expect(firings[0]).toMatchObject({
      scheduledDate: "2030-01-01T01:00:00.000Z",
      message: expect.stringContaining("2030-01-01T03:00:00.000Z"),
    });
    expect(schedule).toMatchObject({ status: "active", nextScheduleDate: "2030-01-01T03:10:00.000Z", statusMessage: firings[0].message });
    await at("2030-01-01T03:10:00Z");
    expect(outcomesOf(await all())).toEqual([
      ["missed", 13],
      ["submitted", 1],
    ]);
  });

  test("with one are caught up by one run, for the latest time", async () => {
    const { schedule, firings } = await down({ catchUpPolicy: "one" });
    expect(outcomesOf(firings)).toEqual([
      ["missed", 12],
      ["submitted", 1],
    ]);
    expect(timesOf(firings)).toEqual(["2030-01-01T01:00:00Z", "2030-01-01T03:00:00Z"]);
    expect(schedule.nextScheduleDate).toBe("2030-01-01T03:10:00.000Z");
    expect(schedule.statusMessage).toBeUndefined();
  });

  test("with one and a window are caught up only if the latest time lies in it", async () => {
    expect(outcomesOf((await down({ catchUpPolicy: "one", catchUpWindow: 4 })).firings)).toEqual([["missed", 13]]);
    expect(outcomesOf((await down({ catchUpPolicy: "one", catchUpWindow: 6 })).firings)).toEqual([
      ["missed", 12],
      ["submitted", 1],
    ]);
  });

  test("with all each get a run, oldest first", async () => {
    const { firings, schedule } = await down({ catchUpPolicy: "all" });
    expect(outcomesOf(firings)).toEqual(Array.from({ length: 13 }, () => ["submitted", 1]));
    expect(timesOf(firings).slice(0, 2)).toEqual(["2030-01-01T01:00:00Z", "2030-01-01T01:10:00Z"]);
    expect(schedule.nextScheduleDate).toBe("2030-01-01T03:10:00.000Z");
  });

  test("with all and a window only get one if they lie in it", async () => {
    const { firings } = await down({ catchUpPolicy: "all", catchUpWindow: 30 });
    expect(outcomesOf(firings)).toEqual([
      ["missed", 10],
      ["submitted", 1],
      ["submitted", 1],
      ["submitted", 1],
    ]);
  });

  test("with all and skip submit one run, since it is still open for the others", async () => {
    const { firings } = await down({ catchUpPolicy: "all", overlapPolicy: "skip" });
    expect(outcomesOf(firings)).toEqual([["submitted", 1], ...Array.from({ length: 12 }, () => ["skipped", 1])]);
  });

  test("by less than a minute only fire late", async () => {
    const { schedule, firings } = await scheduleTeam(app);
    await clock("2030-01-01T00:59:00Z");
    const { id } = await schedule({ catchUpPolicy: "none" });
    await at("2030-01-01T01:00:50Z");
    expect(outcomesOf(await firings(id))).toEqual([["submitted", 1]]);
  });
});

describe("jitter", () => {
  test("delays each time by a part of a second of its own, always the same, within its bound", async () => {
    const { path, schedule, read } = await scheduleTeam(app);
    await clock("2030-01-01T00:30:00Z");
    const made = await Promise.all(Array.from({ length: 20 }, () => schedule({ jitter: 600 })));
    const delays = async () => {
      const rows = await app.sql<
        { ms: number }[]
      >`select extract(epoch from fire_at - next_at)::float8 * 1000 as ms from schedule order by id`;
      return rows.map(({ ms }) => ms);
    };
    const before = await delays();
    expect(before.every((ms) => ms >= 0 && ms <= 600_000)).toBe(true);
    expect(new Set(before).size).toBeGreaterThan(15);
    expect((await read(made[0].id)).nextScheduleDate).toBe("2030-01-01T01:00:00.000Z");
    for (const { id } of made) await app.as().put(path, { id, status: "inactive" });
    for (const { id } of made) await app.as().put(path, { id, status: "active" });
    expect(await delays()).toEqual(before);
  });

  test("is waited for, and does not count as downtime", async () => {
    const { schedule, firings } = await scheduleTeam(app);
    await clock("2030-01-01T00:30:00Z");
    const { id } = await schedule({ jitter: 3600, catchUpPolicy: "none", cronSchedule: "*/10 * * * *" });
    const [row] = await app.sql<{ fireAt: Date }[]>`select fire_at as "fireAt" from schedule where id = ${id}`;
    await at(new Date(row!.fireAt.getTime() - 1000).toISOString());
    expect(await firings(id)).toEqual([]);
    for (let minutes = 0; minutes <= 180; minutes += 1) await at(new Date(row!.fireAt.getTime() + minutes * 60_000).toISOString());
    const all = await firings(id);
    expect(all.length).toBeGreaterThan(9);
    expect(all.every(({ outcome }: { outcome: string }) => outcome === "submitted")).toBe(true);
  });
});

test("an excluded day, by the clocks of the schedule's zone, has no firing", async () => {
  const { schedule, firings } = await scheduleTeam(app);
  await clock("2030-12-23T00:00:00Z");
  const { id } = await schedule({ cronSchedule: "0 23 * * *", timezone: "America/New_York", exclusions: ["2030-12-24/2030-12-25"] });
  for (let hours = 1; hours <= 24 * 5; hours++) await at(new Date(Date.parse("2030-12-23T00:00:00Z") + hours * 3_600_000).toISOString());
  expect(timesOf(await firings(id))).toEqual(["2030-12-23T04:00:00Z", "2030-12-24T04:00:00Z", "2030-12-27T04:00:00Z"]);
});
