import { afterEach, describe, expect, test } from "vitest";
import { createLog, type Log } from "../../../src/base/process/log.ts";
import { loadRunSecrets } from "../../../src/domain/run/run-secrets.ts";
import { originLabel } from "../../../src/domain/schedule/schedule-later.ts";
import { ScheduleDriver } from "../../../src/engine/schedule-driver.ts";
import { deleteOldFirings, deleteOldPlannedRuns, recordFired } from "../../../src/store/schedule/due-schedules.ts";
import { testApp } from "../../kit/app.ts";
import { engineKit } from "../../kit/engine-kit.ts";
import { outcomesOf, scheduleEngine, scheduleTeam, timesOf } from "../../kit/schedule-kit.ts";
import { until } from "../../kit/until.ts";

/** What schedules do when they are due: which run they start, when they start none, and what ends them. */
const app = await testApp();
const kit = engineKit(app.sql, app);
const { driver, service, clock, at } = scheduleEngine(app);

afterEach(async () => {
  await app.sql`delete from schedule`;
});

test("a clock that went back is reported on the schedule and once in the log, until it is past what has fired", async () => {
  const { schedule, read } = await scheduleTeam(app);
  const told: string[] = [];
  const log = {
    ...createLog("silent"),
    warn: (_: object, text: string) => told.push(text),
    info: (_: object, text: string) => text.includes("clock") && told.push(text),
  };
  const own = new ScheduleDriver({ sql: app.sql, context: app.context, bus: app.bus, log: log as unknown as Log });
  await clock("2030-01-01T00:59:50Z");
  const { id } = await schedule();
  await clock("2030-01-01T01:00:00Z");
  await own.tick();
  expect(await read(id)).not.toHaveProperty("waitingFor");
  await clock("2030-01-01T00:10:00Z");
  await own.tick();
  await own.tick();
  const { status, waitingFor } = await read(id);
  expect(status).toBe("active");
  expect(waitingFor).toMatch(
    /^The clock of the database went back: it shows 2030-01-01T00:10.* the schedule continues at 2030-01-01T02:00/,
  );
  expect(told).toEqual([expect.stringContaining("the clock of the database went back")]);
  await clock("2030-01-01T01:10:00Z");
  await own.tick();
  expect(await read(id)).not.toHaveProperty("waitingFor");
  expect(told).toHaveLength(2);
});

describe("a time that has come", () => {
  test("submits one run, with the parameters and labels of the schedule, and moves on to the next", async () => {
    const { schedule, read, firings, runs } = await scheduleTeam(app, { labels: { team: "a" } });
    await clock("2030-01-01T00:59:50Z");
    const made = await schedule({ params: [{ name: "city", value: "Lyon" }], labels: { kind: "report" } });
    expect(made.nextScheduleDate).toBe("2030-01-01T01:00:00.000Z");
    await service.tick();
    expect(await runs()).toEqual([]);
    await at("2030-01-01T01:00:00Z");
    await service.tick();
    const [run, ...others] = await runs();
    expect(others).toEqual([]);
    expect(run).toMatchObject({
      trigger: "schedule",
      ...{ initiatedByRef: made.id, initiatedByType: "schedule" },
      params: [{ name: "city", value: "Lyon" }],
      labels: { team: "a", kind: "report" },
      phase: "pending",
    });
    expect(await read(made.id)).toMatchObject({
      status: "active",
      nextScheduleDate: "2030-01-01T02:00:00.000Z",
      lastScheduleDate: "2030-01-01T01:00:00.000Z",
      lastRunRef: run.id,
    });
    expect(await firings(made.id)).toEqual([
      {
        scheduledDate: "2030-01-01T01:00:00.000Z",
        date: expect.stringMatching(/^2030-01-01T01:00/),
        outcome: "submitted",
        count: 1,
        workflowRunRef: run.id,
      },
    ]);
    await kit.settle();
    expect((await runs())[0].status).toBe("succeeded");
  });

  test("is waited for to the millisecond, and for at most 15 seconds at once", async () => {
    const { schedule } = await scheduleTeam(app);
    await clock("2030-01-01T00:59:58Z");
    await schedule();
    const pauseMs = await driver.tick();
    expect(pauseMs).toBeGreaterThan(0);
    expect(pauseMs).toBeLessThanOrEqual(2000);
    await clock("2030-01-01T00:10:00Z");
    expect(await driver.tick()).toBe(15_000);
  });

  test("gives a secret to the run sealed, and shows it nowhere", async () => {
    const { id: teamId, schedule, runs } = await scheduleTeam(app, { params: [{ name: "password", type: "password" }] });
    await clock("2030-01-01T00:30:00Z");
    await schedule({ params: [{ name: "password", value: "correct horse" }] });
    await at("2030-01-01T01:00:00Z");
    const [run] = await runs();
    expect(JSON.stringify(run)).not.toContain("correct horse");
    expect(await loadRunSecrets(app.sql, app.keyring, teamId, run.id)).toMatchObject({ workflow: { password: "correct horse" } });
  });

  test("does not fire again when the clock is set back", async () => {
    const { path, schedule, firings } = await scheduleTeam(app);
    await clock("2030-01-01T00:30:00Z");
    const { id } = await schedule();
    await at("2030-01-01T01:00:00Z");
    await clock("2030-01-01T00:40:00Z");
    const changed = await app.as().put(path, { id, cronSchedule: "0 */1 * * *" });
    expect(changed.body.nextScheduleDate).toBe("2030-01-01T01:00:00.000Z");
    await at("2030-01-01T01:00:10Z");
    expect(timesOf(await firings(id))).toEqual(["2030-01-01T01:00:00Z"]);
    await at("2030-01-01T02:00:00Z");
    expect(timesOf(await firings(id))).toEqual(["2030-01-01T01:00:00Z", "2030-01-01T02:00:00Z"]);
  });

  test("is recorded once: the key refuses a second record, and with it the transaction", async () => {
    const { id: teamId, schedule } = await scheduleTeam(app);
    const { id } = await schedule();
    const firing = { scheduledFor: new Date(), outcome: "refused", count: 1, runId: null, message: "no" } as const;
    const progress = { status: "completed", statusMessage: null, nextAt: null, fireAt: null, lastAt: null, lastRunId: null } as const;
    const fired = [{ teamId, id, firings: [firing], progress }];
    await recordFired(app.sql, fired);
    await expect(recordFired(app.sql, fired)).rejects.toMatchObject({ code: "23505" });
  });

  test("leaves a record for 30 days", async () => {
    const { schedule, firings } = await scheduleTeam(app);
    await clock("2030-01-01T00:30:00Z");
    const { id } = await schedule();
    await at("2030-01-01T01:00:00Z");
    await clock("2030-01-30T01:00:00Z");
    expect(await deleteOldFirings(app.sql, 30)).toBe(false);
    expect(await firings(id)).toHaveLength(1);
    await clock("2030-02-01T01:00:00Z");
    await deleteOldFirings(app.sql, 30);
    expect(await firings(id)).toEqual([]);
  });
});

test("a schedule that is over is active again when it is given other times, and only then", async () => {
  const { schedule, path, runs } = await scheduleTeam(app);
  await clock("2030-01-01T00:30:00Z");
  const { id } = await schedule({ type: "runOnce", cronSchedule: null, dateSchedule: "2030-01-01T01:00:00Z" });
  await at("2030-01-01T01:00:00Z");
  const over = (await app.as().get(`${path}/${id}`)).body;
  const change = async (body: Record<string, unknown>) => (await app.as().put(path, { ...over, ...body })).body;
  expect(await change({ name: "Once" })).toMatchObject({ status: "completed", name: "Once" });
  expect(await change({ dateSchedule: "2029-12-31T01:00:00Z" })).toMatchObject({ reason: "SCHEDULE_INVALID_RUNONCE" });
  expect(await change({ dateSchedule: "2030-01-01T02:00:00Z", status: "archived" })).toMatchObject({ status: "archived" });
  const next = { status: "active", nextScheduleDate: "2030-01-01T03:00:00.000Z" };
  expect(await change({ dateSchedule: "2030-01-01T03:00:00Z", status: "active" })).toMatchObject(next);
  await at("2030-01-01T03:00:00Z");
  expect(await change({ dateSchedule: "2030-01-01T04:00:00Z" })).toMatchObject({ status: "active" });
  await at("2030-01-01T04:00:00Z");
  expect(await change({ type: "cron", cronSchedule: "0 * * * *" })).toMatchObject({ status: "active" });
  await at("2030-01-01T05:00:00Z");
  expect(await runs()).toHaveLength(4);
});

test("a single run planned by a task is removed after 30 days, one created by a person is not", async () => {
  const { schedule, path } = await scheduleTeam(app);
  await clock("2030-01-01T00:30:00Z");
  const once = { type: "runOnce", cronSchedule: null, dateSchedule: "2030-01-01T01:00:00Z" };
  const planned = { ...once, labels: { [originLabel]: "01890000-0000-7000-8000-000000000000" } };
  const made = [await schedule(once), await schedule(planned), await schedule({ ...planned, dateSchedule: "2030-03-01T01:00:00Z" })];
  const left = async () => {
    await deleteOldPlannedRuns(app.sql, originLabel, 30);
    return Promise.all(made.map(async ({ id }) => (await app.as().get(`${path}/${id}`)).status));
  };
  await at("2030-01-01T01:00:00Z");
  await clock("2030-01-30T01:00:00Z");
  expect(await left()).toEqual([200, 200, 200]);
  await clock("2030-02-01T01:00:00Z");
  expect(await left()).toEqual([200, 404, 200]);
});

describe("a run that is still open", () => {
  async function overlap(overlapPolicy: string) {
    const { schedule, firings, runs } = await scheduleTeam(app);
    await clock("2030-01-01T00:30:00Z");
    const { id } = await schedule({ overlapPolicy });
    await at("2030-01-01T01:00:00Z");
    await at("2030-01-01T02:00:00Z");
    return { id, firings: await firings(id), statuses: async () => (await runs()).map(({ status }: { status: string }) => status) };
  }

  test("with queue does not keep the next one from being submitted", async () => {
    const { firings, statuses } = await overlap("queue");
    expect(outcomesOf(firings)).toEqual([
      ["submitted", 1],
      ["submitted", 1],
    ]);
    await kit.settle();
    expect(await statuses()).toEqual(["succeeded", "succeeded"]);
  });

  test("with skip prevents it; after its end, the next time submits one again", async () => {
    const { id, firings, statuses } = await overlap("skip");
    expect(outcomesOf(firings)).toEqual([
      ["submitted", 1],
      ["skipped", 1],
    ]);
    expect(firings[1].message).toContain("still open");
    await kit.settle();
    await at("2030-01-01T03:00:00Z");
    expect(await statuses()).toEqual(["succeeded", "ready"]);
    const [row] = await app.sql`select count(*)::int as count from schedule_firing where schedule_id = ${id}`;
    expect(row?.["count"]).toBe(3);
  });

  test("with cancel is cancelled, and says by which", async () => {
    const { firings, statuses } = await overlap("cancel");
    expect(outcomesOf(firings)).toEqual([
      ["submitted", 1],
      ["submitted", 1],
    ]);
    await kit.settle();
    expect(await statuses()).toEqual(["cancelled", "succeeded"]);
    const [run] = await app.sql`select status_message as message from run where id = ${firings[0].workflowRunRef}`;
    expect(run?.["message"]).toContain(firings[1].workflowRunRef);
  });

  test("of another schedule of the same workflow does not matter", async () => {
    const { schedule, firings } = await scheduleTeam(app);
    await clock("2030-01-01T00:30:00Z");
    const [one, other] = [await schedule({ overlapPolicy: "skip" }), await schedule({ overlapPolicy: "cancel" })];
    await at("2030-01-01T01:00:00Z");
    await kit.settle();
    const submitted = [["submitted", 1]];
    expect([outcomesOf(await firings(one.id)), outcomesOf(await firings(other.id))]).toEqual([submitted, submitted]);
  });
});

describe("a single run", () => {
  const once = { type: "runOnce", cronSchedule: null, dateSchedule: "2030-01-01T01:00:00Z" };

  test("comes once, and completes its schedule; a new date makes it active again", async () => {
    const { path, schedule, read, firings } = await scheduleTeam(app);
    await clock("2030-01-01T00:30:00Z");
    const { id } = await schedule(once);
    await at("2030-01-01T01:00:00Z");
    const { status, nextScheduleDate, lastScheduleDate } = await read(id);
    expect({ status, nextScheduleDate, lastScheduleDate }).toEqual({ status: "completed", lastScheduleDate: "2030-01-01T01:00:00.000Z" });
    await at("2030-01-02T01:00:00Z");
    await app.as().put(path, { id, dateSchedule: "2030-01-03T01:00:00Z", status: "active" });
    await at("2030-01-03T01:00:00Z");
    expect(outcomesOf(await firings(id))).toEqual([
      ["submitted", 1],
      ["submitted", 1],
    ]);
  });

  test("that was missed runs late, unless this is turned off", async () => {
    const { schedule, read } = await scheduleTeam(app);
    await clock("2030-01-01T00:30:00Z");
    const [late, never] = [await schedule(once), await schedule({ ...once, catchUpPolicy: "none" })];
    await at("2030-01-05T00:00:00Z");
    expect((await read(late.id)).status).toBe("completed");
    expect(await read(never.id)).toMatchObject({
      status: "error",
      statusMessage: expect.stringContaining("passed while the service was down"),
    });
  });

  test("that is refused ends with the reason", async () => {
    const { schedule, read, apply } = await scheduleTeam(app);
    await clock("2030-01-01T00:30:00Z");
    const { id } = await schedule(once);
    await apply({ status: "inactive" });
    await at("2030-01-01T01:00:00Z");
    expect(await read(id)).toMatchObject({ status: "error", statusMessage: "Workflow nightly is not active" });
  });
});

test("an expression whose years are over completes its schedule", async () => {
  const { schedule, read, runs } = await scheduleTeam(app);
  await clock("2030-12-30T00:00:00Z");
  const { id } = await schedule({ cronSchedule: "0 0 12 31 12 ? 2030" });
  await at("2030-12-31T12:00:00Z");
  expect((await read(id)).status).toBe("completed");
  expect(await runs()).toHaveLength(1);
});

describe("a run that is refused", () => {
  async function refused(disturb: (team: Awaited<ReturnType<typeof scheduleTeam>>) => Promise<unknown>) {
    const team = await scheduleTeam(app);
    await clock("2030-01-01T00:30:00Z");
    const { id } = await team.schedule();
    await disturb(team);
    await at("2030-01-01T01:00:00Z");
    expect(await team.runs()).toEqual([]);
    return { ...team, id, message: (await team.firings(id))[0].message, state: await team.read(id) };
  }

  test("by an inactive workflow is recorded, and the schedule continues when it is active again", async () => {
    const { id, state, message, apply, firings, read } = await refused(({ apply }) => apply({ status: "inactive" }));
    expect({ message, status: state.status, said: state.statusMessage }).toEqual({
      message: "Workflow nightly is not active",
      status: "active",
      said: "Workflow nightly is not active",
    });
    await apply({ status: "active" });
    await at("2030-01-01T02:00:00Z");
    expect(outcomesOf(await firings(id))).toEqual([
      ["refused", 1],
      ["submitted", 1],
    ]);
    expect((await read(id)).statusMessage).toBeUndefined();
  });

  test.each([
    [
      "the monthly quota",
      "maxWorkflowRunMonthly",
      async ({ base }: { base: string }) => app.as().patch(base, { quotas: { maxWorkflowRunMonthly: 0 } }),
    ],
    ["the team being inactive", "not active", async ({ base }: { base: string }) => app.as().patch(base, { status: "inactive" })],
    [
      "parameters that the workflow wants by now",
      '"target" is required',
      async ({ apply }: Awaited<ReturnType<typeof scheduleTeam>>) => apply({ params: [{ name: "target", required: true }] }),
    ],
  ])("by %s leaves the schedule active", async (_, named, disturb) => {
    const { state, message } = await refused(disturb);
    expect(message).toContain(named);
    expect(state).toMatchObject({ status: "active", nextScheduleDate: "2030-01-01T02:00:00.000Z" });
  });

  test("by the trigger being off stops the schedule until the trigger is on", async () => {
    const { state } = await refused(({ id }) => app.sql`update workflow set triggers = '{}' where team_id = ${id}`);
    expect(state.status).toBe("trigger_disabled");
    expect(state.nextScheduleDate, "if the trigger were on").toMatch(/Z$/);
  });
});

describe("what ends a schedule", () => {
  test("a trigger that is turned off: it does not fire, and does not catch up afterwards", async () => {
    const { schedule, firings, apply } = await scheduleTeam(app);
    await clock("2030-01-01T00:30:00Z");
    const { id } = await schedule({ catchUpPolicy: "all" });
    await apply({ triggers: { schedule: { enabled: false } } });
    await at("2030-01-01T05:30:00Z");
    expect(await firings(id)).toEqual([]);
    await apply({ triggers: { schedule: { enabled: true } } });
    await at("2030-01-01T06:00:00Z");
    expect(timesOf(await firings(id))).toEqual(["2030-01-01T06:00:00Z"]);
  });

  test.each([
    ["its workflow", (base: string) => `${base}/workflow/nightly`],
    ["its team", (base: string) => base],
  ])("the deletion of %s", async (_, thing) => {
    const { id, base, schedule } = await scheduleTeam(app);
    await clock("2030-01-01T00:30:00Z");
    await schedule();
    expect((await app.as().delete(thing(base))).status).toBe(204);
    await at("2030-01-01T01:00:00Z");
    expect(await app.sql`select 1 from schedule where team_id = ${id} union all select 1 from run where team_id = ${id}`).toHaveLength(0);
  });

  test("an expression that can't be read any more: it stops with an error, and the others of its batch fire", async () => {
    const { schedule, read, runs } = await scheduleTeam(app);
    await clock("2030-01-01T00:30:00Z");
    const made: string[] = [];
    for (let count = 0; count < 7; count++) made.push((await schedule()).id);
    const broken = [made[2], made[4]] as string[];
    await app.sql`update schedule set cron = 'nonsense' where id = any(${broken})`;
    await at("2030-01-01T01:00:00Z");
    for (const id of made) {
      const wanted = broken.includes(id)
        ? { status: "error", statusMessage: expect.stringContaining("engine failed") }
        : { status: "active", lastScheduleDate: "2030-01-01T01:00:00.000Z" };
      expect(await read(id)).toMatchObject(wanted);
    }
    expect(await runs()).toHaveLength(5);
  });
});

test("a database that fails in the middle of it leaves nothing half done: the time stays due, and comes once", async () => {
  const { schedule, firings, runs } = await scheduleTeam(app);
  await clock("2030-01-01T00:30:00Z");
  const { id } = await schedule();
  await app.sql.unsafe(`
    create function fail() returns trigger language plpgsql as $$ begin raise 'gone' using errcode = '57P01'; end $$;
    create trigger fail after update on schedule for each row execute function fail()`);
  await clock("2030-01-01T01:00:00Z");
  await expect(service.tick()).rejects.toMatchObject({ code: "57P01" });
  expect([await runs(), await firings(id)]).toEqual([[], []]);
  await app.sql.unsafe("drop trigger fail on schedule; drop function fail");
  await service.tick();
  await service.tick();
  expect(await runs()).toHaveLength(1);
  expect(outcomesOf(await firings(id))).toEqual([["submitted", 1]]);
});

test("a schedule that is created while the engine waits is fired", async () => {
  const { schedule, runs } = await scheduleTeam(app);
  await service.start();
  await schedule({ cronSchedule: "* * * * * *" });
  await until(async () => (await runs()).length > 1, "the schedule fires twice");
  await service.stop();
});
