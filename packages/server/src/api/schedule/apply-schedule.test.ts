import { describe, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { everyHour, farAway, scheduleTeam } from "../../../test/kit/schedule-kit.ts";

const app = await testApp();
const admin = app.as();

test("without an id it creates a schedule", async () => {
  const { path, read } = await scheduleTeam(app);
  const answer = await admin.put(path, everyHour);
  expect(answer.status).toBe(200);
  expect(await read(answer.body.id)).toEqual(answer.body);
});

describe("with an id", () => {
  test("it changes what is given, clears what is null, and keeps the rest", async () => {
    const { path, schedule } = await scheduleTeam(app);
    const made = await schedule({ name: "hourly", description: "Every hour", labels: { a: "b" }, jitter: 60 });
    const answer = await admin.put(path, { id: made.id, cronSchedule: "30 4 * * *", description: null, timezone: "Europe/Berlin" });
    const { description: _, ...rest } = made;
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ...rest,
      cronSchedule: "30 4 * * *",
      timezone: "Europe/Berlin",
      nextScheduleDate: expect.stringMatching(/T0[23]:30:00.000Z$/),
    });
  });

  test("accepts what was read, and changes nothing", async () => {
    const { path, schedule } = await scheduleTeam(app, { params: [{ name: "password", type: "password" }] });
    const made = await schedule({ params: [{ name: "password", value: "correct horse" }], exclusions: ["2090-12-25"] });
    const answer = await admin.put(path, made, { prefer: "handling=strict" });
    expect(answer.body).toEqual(made);
    const [row] = await app.sql`select params from schedule where id = ${made.id}`;
    expect(row?.["params"][0].value).toMatch(/^mrsealed:/);
  });

  test("a schedule is paused, retired, and made active again", async () => {
    const { path, schedule } = await scheduleTeam(app);
    const { id } = await schedule();
    for (const status of ["inactive", "archived"]) {
      const paused = (await admin.put(path, { id, status })).body;
      expect({ status: paused.status, next: paused.nextScheduleDate }).toEqual({ status, next: undefined });
    }
    const active = (await admin.put(path, { id, status: "Active" })).body;
    expect(active).toMatchObject({ status: "active", nextScheduleDate: expect.any(String) });
  });

  test("a date that has passed meanwhile can't be made active again", async () => {
    const { path, schedule, read } = await scheduleTeam(app);
    const { id } = await schedule({ type: "runOnce", dateSchedule: "2001-01-01T00:00:00Z", status: "inactive" });
    const answer = await admin.put(path, { id, status: "active" });
    expect(answer).toMatchObject({ status: 400, body: { reason: "SCHEDULE_INVALID_RUNONCE", code: 1703 } });
    expect((await read(id)).status).toBe("inactive");
    expect((await admin.put(path, { id, status: "active", dateSchedule: farAway })).body.status).toBe("active");
  });

  test("a due time is not lost by a change that keeps the times", async () => {
    const { path, schedule } = await scheduleTeam(app);
    const { id } = await schedule();
    await app.sql`update schedule set next_at = db_now() - interval '10 seconds', fire_at = db_now() - interval '10 seconds' where id = ${id}`;
    const { nextScheduleDate } = (await admin.put(path, { id, name: "renamed", jitter: 5, status: "active" })).body;
    expect(Date.parse(nextScheduleDate)).toBeLessThan(Date.now());
    const moved = (await admin.put(path, { id, timezone: "Asia/Kolkata" })).body;
    expect(Date.parse(moved.nextScheduleDate)).toBeGreaterThan(Date.now());
  });

  test("type and date change together", async () => {
    const { path, schedule } = await scheduleTeam(app);
    const { id } = await schedule();
    expect((await admin.put(path, { id, type: "runOnce" })).body.reason).toBe("SCHEDULE_INVALID_REQ");
    const once = (await admin.put(path, { id, type: "runOnce", dateSchedule: farAway })).body;
    expect(once).toMatchObject({ type: "runOnce", nextScheduleDate: farAway });
    expect(once.cronSchedule).toBeUndefined();
  });

  test("another workflow is refused", async () => {
    const { base, path, schedule } = await scheduleTeam(app);
    await admin.post(`${base}/workflow`, { name: "other", tasks: [] });
    const { id } = await schedule();
    const answer = await admin.put(path, { id, workflowRef: "other" });
    expect(answer).toMatchObject({ status: 400, body: { reason: "SCHEDULE_INVALID_REQ" } });
    expect(answer.body.message).toContain("nightly");
  });

  test.each(["unknown", "01980f3e-7d2b-7c3a-9f35-0c9b8f6c1f5e"])("%s is a 404", async (id) => {
    const { path } = await scheduleTeam(app);
    expect(await admin.put(path, { ...everyHour, id })).toMatchObject({ status: 404, body: { reason: "SCHEDULE_INVALID_REF" } });
  });

  test("of another team is a 404, and stays unchanged", async () => {
    const [own, foreign] = [await scheduleTeam(app), await scheduleTeam(app)];
    const theirs = await foreign.schedule();
    const owner = app.as((await app.make.member(own.id, "owner")).token);
    expect((await owner.put(own.path, { id: theirs.id, name: "mine" })).status).toBe(404);
    expect((await owner.put(foreign.path, { id: theirs.id, name: "mine" })).status).toBe(404);
    expect(await foreign.read(theirs.id)).toEqual(theirs);
  });

  test("a reader gets 403, and an anonymous caller 401", async () => {
    const { id: teamId, path, schedule } = await scheduleTeam(app);
    const { id } = await schedule();
    const { token } = await app.make.member(teamId, "reader");
    expect([(await app.as(token).put(path, { id })).status, (await app.as(null).put(path, { id })).status]).toEqual([403, 401]);
  });

  test("the audit has both states", async () => {
    const { id: teamId, path, schedule } = await scheduleTeam(app);
    const { id } = await schedule({ name: "first" });
    await admin.put(path, { id, name: "second" });
    const records =
      await app.sql`select before->>'name' as before, after->>'name' as after from audit where team_id = ${teamId} and object_id = ${id} order by id`;
    expect(records).toMatchObject([
      { before: null, after: "first" },
      { before: "first", after: "second" },
    ]);
  });
});

test("two concurrent changes are applied one after the other", async () => {
  const { path, schedule, read } = await scheduleTeam(app);
  const { id } = await schedule();
  const answers = await Promise.all([admin.put(path, { id, name: "renamed" }), admin.put(path, { id, labels: { a: "b" } })]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(await read(id)).toMatchObject({ name: "renamed", labels: { a: "b" } });
});

describe("the schedule trigger of the workflow", () => {
  test("turned off stops its schedules in the same transaction, and turned on resumes them", async () => {
    const { schedule, read, apply } = await scheduleTeam(app);
    const [active, paused] = [await schedule(), await schedule({ status: "inactive" })];
    await apply({ triggers: { schedule: { enabled: false } } });
    expect([(await read(active.id)).status, (await read(paused.id)).status]).toEqual(["trigger_disabled", "inactive"]);
    const woken = new Promise<void>((resolve) => app.bus.onWake("schedules", () => resolve()));
    await apply({ triggers: { schedule: { enabled: true } } });
    await woken;
    expect(await read(active.id)).toMatchObject({ status: "active", nextScheduleDate: active.nextScheduleDate });
    expect((await read(paused.id)).status).toBe("inactive");
  });

  test("turned on too late for a single run leaves it with an error, and the workflow is saved", async () => {
    const { schedule, read, apply } = await scheduleTeam(app, { triggers: {} });
    const { id } = await schedule({ type: "runOnce", dateSchedule: farAway });
    await app.sql`update schedule set date_at = '2001-01-01' where id = ${id}`;
    expect((await apply({ triggers: { schedule: { enabled: true } } })).status).toBe(200);
    expect(await read(id)).toMatchObject({ status: "error", statusMessage: expect.stringContaining("2001-01-01") });
  });

  test("is asked again when a schedule is made active", async () => {
    const { path, schedule } = await scheduleTeam(app, { triggers: {} });
    const { id } = await schedule({ status: "inactive" });
    expect((await admin.put(path, { id, status: "active" })).body.status).toBe("trigger_disabled");
  });
});
