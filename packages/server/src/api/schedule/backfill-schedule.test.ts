import { describe, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { scheduleEngine, scheduleTeam } from "../../../test/kit/schedule-kit.ts";

const app = await testApp();
const { at, clock } = scheduleEngine(app);
const daily = { cronSchedule: "0 6 * * *", timezone: "UTC", catchUpPolicy: "none" };
const threeDays = { from: "2031-05-01T00:00:00Z", to: "2031-05-03T23:59:59Z" };
const times = ["2031-05-01T06:00:00.000Z", "2031-05-02T06:00:00.000Z", "2031-05-03T06:00:00.000Z"];

async function backfillTeam() {
  await clock("2031-05-04T00:00:00Z");
  const team = await scheduleTeam(app, { params: [{ name: "day", type: "text" }] as never });
  const backfill = (id: string, body: object = threeDays, token?: string) =>
    (token === undefined ? app.as() : app.as(token)).post(`${team.path}/${id}/backfill`, body);
  return { ...team, backfill };
}

describe("a backfill", () => {
  test("starts a run for each past time, with the parameters of the schedule and the time", async () => {
    const { schedule, backfill, runs, firings, read } = await backfillTeam();
    const made = await schedule({ ...daily, labels: { kind: "report" } });
    const answer = await backfill(made.id, { ...threeDays, timeParam: "day" });
    expect(answer).toMatchObject({ status: 200, body: { preview: false, count: 3 } });
    expect(answer.body.times.map(({ scheduledDate }: { scheduledDate: string }) => scheduledDate)).toEqual(times);
    const started = await runs();
    expect(started.map(({ id }: { id: string }) => id)).toEqual(
      answer.body.times.map(({ workflowRunRef }: { workflowRunRef: string }) => workflowRunRef),
    );
    expect(started[0]).toMatchObject({
      trigger: "schedule",
      labels: { kind: "report" },
      params: [{ name: "day", value: times[0] }],
      annotations: { "millrace.dev/schedule": made.id, "millrace.dev/scheduled-for": times[0] },
    });
    expect((await firings(made.id)).map(({ outcome, scheduledDate }: Record<string, string>) => [outcome, scheduledDate])).toEqual(
      times.map((time) => ["submitted", time]),
    );
    expect(await read(made.id)).toMatchObject({ status: "active", nextScheduleDate: made.nextScheduleDate });
  });

  test("as a preview only lists the times", async () => {
    const { schedule, backfill, runs, firings } = await backfillTeam();
    const { id } = await schedule(daily);
    expect((await backfill(id, { ...threeDays, preview: true })).body).toEqual({
      preview: true,
      count: 3,
      times: times.map((scheduledDate) => ({ scheduledDate, isNew: true })),
    });
    expect([await runs(), await firings(id)]).toEqual([[], []]);
  });

  test("asked for again, or for a range that overlaps, starts no time twice", async () => {
    const { schedule, backfill, runs } = await backfillTeam();
    const { id } = await schedule(daily);
    const both = await Promise.all([backfill(id), backfill(id)]);
    expect(both.map(({ body }) => body.count).sort()).toEqual([0, 3]);
    const wider = (await backfill(id, { ...threeDays, from: "2031-04-30T00:00:00Z" })).body;
    expect(wider.times.map(({ isNew, outcome }: Record<string, unknown>) => [isNew, outcome])).toEqual([
      [true, undefined],
      [false, "submitted"],
      [false, "submitted"],
      [false, "submitted"],
    ]);
    expect(await runs()).toHaveLength(4);
  });

  test("replaces missed and paused times", async () => {
    const { schedule, backfill, firings, runs } = await backfillTeam();
    await clock("2031-05-01T00:00:00Z");
    const { id } = await schedule(daily);
    await at("2031-05-04T00:00:00Z");
    expect(await firings(id)).toMatchObject([{ outcome: "missed", count: 3 }]);
    expect((await backfill(id)).body.count).toBe(3);
    expect(await firings(id)).toMatchObject([
      { outcome: "submitted", count: 1, message: "Backfilled; it was the first of 3 that were missed" },
      { outcome: "submitted", message: "Backfilled" },
      { outcome: "submitted" },
    ]);
    const paused = await schedule({ ...daily, status: "inactive" });
    expect((await backfill(paused.id)).body.count).toBe(3);
    expect(await runs()).toHaveLength(6);
  });

  test("is not repeated by the engine, and its runs don't count for the overlap policy", async () => {
    const { schedule, backfill, firings } = await backfillTeam();
    await clock("2031-05-03T05:59:00Z");
    const { id } = await schedule({ ...daily, overlapPolicy: "skip" });
    await clock("2031-05-03T06:00:30Z");
    expect((await backfill(id)).body.count).toBe(3);
    await at("2031-05-03T06:00:40Z");
    await at("2031-05-04T06:00:00Z");
    expect((await firings(id)).map(({ outcome }: { outcome: string }) => outcome)).toEqual(Array(4).fill("submitted"));
  });
});

describe("a backfill is refused", () => {
  test("as a whole when one submission is refused", async () => {
    const { id: teamId, schedule, backfill, runs, firings, apply } = await backfillTeam();
    // Runs are counted by their ids, which contain the real month.
    await clock(new Date().toISOString());
    const { id } = await schedule(daily);
    await app.as().patch(`/api/v2/team/${teamId}`, { quotas: { maxWorkflowRunMonthly: 2 } });
    const past = { from: new Date(Date.now() - 4 * 86_400_000).toISOString(), to: new Date().toISOString() };
    expect(await backfill(id, past)).toMatchObject({ status: 429, body: { reason: "QUOTA_EXCEEDED" } });
    expect([await runs(), await firings(id)]).toEqual([[], []]);
    await apply({ triggers: { schedule: { enabled: false } } as never });
    expect((await backfill(id, past)).body.reason).toBe("WORKFLOWRUN_TRIGGER_DISABLED");
  });

  test("for more than a hundred times, invalid ranges, and archived schedules", async () => {
    const { schedule, backfill } = await backfillTeam();
    const { id } = await schedule({ ...daily, cronSchedule: "*/10 * * * *" });
    for (const body of [threeDays, { from: threeDays.to, to: threeDays.from }, { ...threeDays, from: "yesterday" }]) {
      expect(await backfill(id, body)).toMatchObject({ status: 400, body: { reason: "SCHEDULE_INVALID_REQ" } });
    }
    const archived = await schedule({ ...daily, status: "archived" });
    expect((await backfill(archived.id)).body.message).toContain("archived");
    expect((await backfill("0198c1de-7d71-7e12-8a68-7c5b4d3e2f54")).status).toBe(404);
  });

  test("to readers, and to tokens of another workflow", async () => {
    const { id: teamId, schedule, backfill } = await backfillTeam();
    const { id } = await schedule(daily);
    expect((await backfill(id, threeDays, (await app.make.member(teamId, "reader")).token)).status).toBe(403);
    expect((await backfill(id, threeDays, (await app.make.member(teamId, "editor")).token)).status).toBe(200);
  });
});
