import { describe, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { everyHour, farAway, scheduleTeam } from "../../../test/kit/schedule-kit.ts";

const app = await testApp();
const admin = app.as();

describe("a schedule that is made", () => {
  test("is active, has the defaults, and says when it fires next", async () => {
    const { path, workflowId } = await scheduleTeam(app);
    const answer = await admin.post(path, { ...everyHour, workflowRef: workflowId, description: "Every hour", labels: { stage: "test" } });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      workflowRef: "nightly",
      workflowDisplayName: "nightly",
      name: "nightly",
      description: "Every hour",
      creationDate: expect.stringMatching(/Z$/),
      type: "cron",
      status: "active",
      labels: { stage: "test" },
      cronSchedule: "0 * * * *",
      timezone: "UTC",
      params: [],
      overlapPolicy: "queue",
      catchUpPolicy: "one",
      jitter: 0,
      exclusions: [],
      nextScheduleDate: expect.stringMatching(/T\d\d:00:00.000Z$/),
    });
    expect((await admin.get(`${path}/${answer.body.id}`)).body).toEqual(answer.body);
  });

  test("takes Quartz expressions, and words in any case", async () => {
    const { schedule } = await scheduleTeam(app);
    const made = await schedule({
      type: "ADVANCEDCRON",
      cronSchedule: "0 30 8 ? * MON,TUE",
      overlapPolicy: "SKIP",
      catchUpPolicy: "All",
      catchUpWindow: 60,
    });
    expect(made).toMatchObject({ type: "advancedCron", overlapPolicy: "skip", catchUpPolicy: "all", catchUpWindow: 60 });
  });

  test("once, takes a date with an offset, in milliseconds, or on the clocks of its zone", async () => {
    const { schedule } = await scheduleTeam(app);
    const once = (dateSchedule: unknown) => schedule({ type: "runOnce", cronSchedule: null, dateSchedule, timezone: "Europe/Berlin" });
    for (const date of [
      "2090-01-31T08:00:00Z",
      "2090-01-31T09:00:00+01:00",
      "2090-01-31T09:00:00+0100",
      Date.parse(farAway),
      "2090-01-31T09:00",
    ]) {
      expect(await once(date)).toMatchObject({ type: "runOnce", dateSchedule: farAway, nextScheduleDate: farAway });
    }
  });

  test("waits while the schedule trigger of its workflow is off", async () => {
    const { schedule } = await scheduleTeam(app, { triggers: {} });
    const made = await schedule();
    expect(made.status).toBe("trigger_disabled");
    expect(made.nextScheduleDate, "its next time if the trigger were on").toMatch(/T\d\d:00:00.000Z$/);
    expect(await schedule({ type: "runOnce", dateSchedule: farAway })).toMatchObject({
      status: "trigger_disabled",
      nextScheduleDate: farAway,
    });
  });

  test("as inactive or archived is only kept, whatever its date", async () => {
    const { schedule } = await scheduleTeam(app);
    for (const status of ["inactive", "archived"]) {
      const made = await schedule({ status, type: "runOnce", dateSchedule: "2001-01-01T00:00:00Z" });
      expect(made.status).toBe(status);
      expect(made.nextScheduleDate).toBeUndefined();
    }
  });

  test("leaves an audit record", async () => {
    const { id: teamId, schedule } = await scheduleTeam(app);
    const made = await schedule();
    const records = await app.sql`select action, object_id, after from audit where team_id = ${teamId} and object_kind = 'schedule'`;
    expect(records).toMatchObject([{ action: "schedule/write", object_id: made.id, after: { cronSchedule: "0 * * * *" } }]);
  });

  test("wakes the engine, which may have to fire sooner than it knew", async () => {
    const { schedule } = await scheduleTeam(app);
    const woken = new Promise<void>((resolve) => app.bus.onWake("schedules", () => resolve()));
    await schedule();
    await woken;
  });
});

test("a date that is not a whole number of milliseconds is refused", async () => {
  const { path } = await scheduleTeam(app);
  const once = { ...everyHour, type: "runOnce", cronSchedule: null, dateSchedule: Date.parse(farAway) + 0.5 };
  expect(await admin.post(path, once)).toMatchObject({ status: 400, body: { errors: [{ path: "/dateSchedule" }] } });
});

describe("what a schedule keeps has a limit", () => {
  test("on its labels, like those of other objects", async () => {
    const { path } = await scheduleTeam(app);
    const labels = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`key-${index}`, "v"]));
    expect((await admin.post(path, { ...everyHour, labels: labels(64) })).status).toBe(200);
    expect((await admin.post(path, { ...everyHour, labels: labels(65) })).status).toBe(400);
    expect((await admin.post(path, { ...everyHour, labels: { key: "x".repeat(1001) } })).status).toBe(400);
  });

  test("on its parameters, since a page has up to a thousand schedules", async () => {
    const { path, schedule } = await scheduleTeam(app);
    const params = (length: number) => [{ name: "text", value: "x".repeat(length) }];
    const { id } = await schedule({ params: params(65_000) });
    for (const answer of [
      await admin.post(path, { ...everyHour, params: params(65_536) }),
      await admin.put(path, { id, params: params(65_536) }),
    ]) {
      expect(answer).toMatchObject({ status: 400, body: { reason: "SCHEDULE_INVALID_REQ", errors: [{ path: "/params" }] } });
      expect(answer.body.message).toContain("can store 65536");
    }
  });
});

describe("a schedule is refused", () => {
  test.each([
    ["without a workflow", { workflowRef: undefined }, 400, "SCHEDULE_INVALID_REQ", "workflowRef"],
    ["for a workflow that the team does not have", { workflowRef: "other" }, 404, "SCHEDULE_INVALID_REF", "other"],
    ["without a time zone", { timezone: " " }, 400, "SCHEDULE_INVALID_REQ", "timezone"],
    ["for an unknown time zone", { timezone: "Europe/Atlantis" }, 400, "SCHEDULE_INVALID_REQ", "Europe/Atlantis"],
    ["without an expression", { cronSchedule: null }, 400, "SCHEDULE_INVALID_REQ", "cronSchedule"],
    ["for an expression that can't be read", { cronSchedule: "0 25 * * *" }, 400, "SCHEDULE_INVALID_CRON", "at character 3"],
    ["for an expression that never fires again", { cronSchedule: "0 0 0 1 1 ? 2001" }, 400, "SCHEDULE_INVALID_CRON", "never fires"],
    ["without a date", { type: "runOnce" }, 400, "SCHEDULE_INVALID_REQ", "dateSchedule"],
    ["for a date that is none", { type: "runOnce", dateSchedule: "2090-02-31T08:00:00Z" }, 400, "SCHEDULE_INVALID_REQ", "2090-02-31"],
    ["for a date that is past", { type: "runOnce", dateSchedule: "2001-01-31T08:00:00Z" }, 400, "SCHEDULE_INVALID_RUNONCE", "2001-01-31"],
    [
      "for a date on an excluded day",
      { type: "runOnce", dateSchedule: farAway, exclusions: ["2090-01-31"] },
      400,
      "SCHEDULE_INVALID_REQ",
      "excluded",
    ],
    [
      "when no day is left",
      { cronSchedule: "0 0 25 12 *", exclusions: ["2000-01-01/2300-01-01"] },
      400,
      "SCHEDULE_INVALID_CRON",
      "excluded",
    ],
    ["with an exclusion that is not a day", { exclusions: ["2090-02-30"] }, 400, "SCHEDULE_INVALID_REQ", "2090-02-30"],
    ["with an exclusion that ends before it begins", { exclusions: ["2090-02-02/2090-02-01"] }, 400, "SCHEDULE_INVALID_REQ", "2090-02-02"],
    ["of another type", { type: "sometimes" }, 400, "SCHEDULE_INVALID_REQ", "runOnce"],
    ["with another policy", { overlapPolicy: "wait" }, 400, "SCHEDULE_INVALID_REQ", "skip, queue, cancel"],
    ["with a status that only the service gives", { status: "completed" }, 400, "SCHEDULE_INVALID_REQ", "active, inactive, archived"],
    ["with an unknown status", { status: "asleep" }, 400, "SCHEDULE_INVALID_REQ", "asleep"],
    ["with too much jitter", { jitter: 3601 }, 400, "VALIDATION_FAILED", "jitter"],
    [
      "with more labels than a thing may have",
      { labels: Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`l${n}`, "x"])) },
      400,
      "VALIDATION_FAILED",
      "64",
    ],
    ["with a label that is too long", { labels: { l: "x".repeat(1001) } }, 400, "VALIDATION_FAILED", "/labels/l"],
    ["with a name that is too long", { name: "x".repeat(201) }, 400, "VALIDATION_FAILED", "name"],
    ["with a description that is too long", { description: "x".repeat(501) }, 400, "VALIDATION_FAILED", "description"],
  ])("%s", async (_, change, status, reason, named) => {
    const { path } = await scheduleTeam(app);
    const answer = await admin.post(path, { ...everyHour, ...change });
    expect({ status: answer.status, reason: answer.body.reason }).toEqual({ status, reason });
    expect(answer.text).toContain(named);
    expect((await admin.get(`${path}/query`)).body.totalElements).toBe(0);
  });

  test("for a workflow of another team", async () => {
    const [own, foreign] = [await scheduleTeam(app), await scheduleTeam(app)];
    const answer = await admin.post(own.path, { ...everyHour, workflowRef: foreign.workflowId });
    expect(answer).toMatchObject({ status: 404, body: { reason: "SCHEDULE_INVALID_REF", code: 1701 } });
  });

  test("when its parameters do not fit the workflow, naming each", async () => {
    const params = [
      { name: "amount", type: "number" },
      { name: "target", type: "text", required: true },
    ];
    const { path } = await scheduleTeam(app, { params });
    const answer = await admin.post(path, { ...everyHour, params: [{ name: "amount", value: "much" }] });
    expect(answer).toMatchObject({ status: 400, body: { reason: "SCHEDULE_INVALID_REQ" } });
    expect(answer.body.errors.map(({ path }: { path: string }) => path)).toEqual(["/params/0/value", "/params"]);
  });

  test("without the permission", async () => {
    const own = await scheduleTeam(app);
    const tokens = {
      nobody: null,
      reader: (await app.make.member(own.id, "reader")).token,
      outsider: (await app.make.member((await app.make.team()).id, "owner")).token,
    };
    const asked = async (token: string | null) => (await app.as(token).post(own.path, everyHour)).status;
    expect([await asked(tokens.nobody), await asked(tokens.reader), await asked(tokens.outsider)]).toEqual([401, 403, 404]);
  });
});

describe("a workflow token", () => {
  test("makes schedules for its own workflow only", async () => {
    const { id, base, path, workflowId } = await scheduleTeam(app);
    await admin.post(`${base}/workflow`, { name: "other", tasks: [] });
    const token = app.as(await app.make.workflowToken(id, workflowId));
    expect((await token.post(path, everyHour)).status).toBe(200);
    expect((await token.post(path, { ...everyHour, workflowRef: "other" })).body.reason).toBe("SCHEDULE_INVALID_REF");
  });
});

describe("a secret parameter", () => {
  const params = [{ name: "password", type: "password" }];
  const secret = "correct horse battery";

  test("is stored sealed, and read empty", async () => {
    const { id, path, schedule } = await scheduleTeam(app, { params });
    const made = await schedule({ params: [{ name: "password", value: secret }] });
    expect(made.params).toEqual([{ name: "password", value: "", hiddenValue: true }]);
    expect((await admin.get(`${path}/query`)).body.content[0].params).toEqual(made.params);
    const rows = await app.sql`
      select params::text as text from schedule where team_id = ${id}
      union all select concat(before::text, after::text) from audit where team_id = ${id}`;
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.filter(({ text }) => text.includes(secret))).toEqual([]);
  });

  test("that is too short to be masked is refused, without being repeated", async () => {
    const { path } = await scheduleTeam(app, { params });
    const answer = await admin.post(path, { ...everyHour, params: [{ name: "password", value: "q7!" }] });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: "/params/0/value" }] } });
    expect(answer.text).not.toContain("q7!");
  });

  test("that is declared later is hidden and sealed when the workflow changes", async () => {
    const { id, schedule, read, apply } = await scheduleTeam(app);
    const made = await schedule({ params: [{ name: "password", value: secret }] });
    expect(made.params[0].value).toBe(secret);
    expect((await apply({ params })).status).toBe(200);
    expect((await read(made.id)).params).toEqual([{ name: "password", value: "", hiddenValue: true }]);
    const [row] = await app.sql`select params::text as text from schedule where team_id = ${id}`;
    expect(row?.["text"]).not.toContain(secret);
  });
});
