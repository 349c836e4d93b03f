import { afterEach, expect, test } from "vitest";
import { createLog } from "../../../src/base/process/log.ts";
import { createAlertService } from "../../../src/services/alert-service.ts";
import { testApp } from "../../kit/app.ts";
import { scheduleEngine, scheduleTeam } from "../../kit/schedule-kit.ts";

/** A scheduled time that gets no run, or gets it too late, is a change that is recorded once. */
const app = await testApp();
const { at, clock } = scheduleEngine(app);
const service = createAlertService(app.sql, app.context.settings, createLog("silent"));

afterEach(async () => {
  await app.sql`delete from schedule`;
  await app.sql`delete from subscription`;
});

async function subscribed(isWanted = true) {
  const team = await scheduleTeam(app);
  if (isWanted)
    await app
      .as()
      .post(`${team.base}/subscription`, { name: "alerts", notify: ["schedule-missed"], target: { url: "http://127.0.0.1:9/" } });
  await clock("2030-01-01T00:58:00Z");
  await service.tick();
  await clock("2030-01-01T00:59:00Z");
  const alerts = () => app.sql<{ status: string; objectId: string; data: Record<string, unknown> }[]>`
    select status, object_id as "objectId", data from change_event where team_id = ${team.id} and kind = 'alert' order by seq`;
  return { ...team, alerts, statuses: async () => (await alerts()).map(({ status }) => status) };
}

test("a run that starts on time is no alert", async () => {
  const { schedule, statuses } = await subscribed();
  await schedule();
  await at("2030-01-01T01:00:01Z");
  await service.tick();
  expect(await statuses()).toEqual([]);
});

test("times that passed while nothing ran are one alert", async () => {
  const { schedule, alerts, statuses } = await subscribed();
  const { id } = await schedule({ cronSchedule: "*/10 * * * *", name: "every ten", catchUpPolicy: "one" });
  await at("2030-01-01T03:06:00Z");
  await at("2030-01-01T03:10:00Z");
  expect(await statuses()).toEqual(["schedule_missed"]);
  expect((await alerts())[0]).toMatchObject({
    objectId: id,
    data: { id, name: "every ten", count: 13, scheduledDate: "2030-01-01T01:00:00.000Z", nextScheduleDate: "2030-01-01T03:10:00.000Z" },
  });
});

test("a single time whose run came too late is an alert", async () => {
  const { schedule, alerts } = await subscribed();
  await schedule({ catchUpPolicy: "one" });
  await at("2030-01-01T01:20:00Z");
  expect(await alerts()).toMatchObject([{ status: "schedule_missed", data: { count: 1, message: "The service started its run late" } }]);
});

test("a refused run is an alert with the reason, an open one another kind", async () => {
  const { id, schedule, alerts } = await subscribed();
  await app.sql`update team set max_workflow_run_monthly = 0 where id = ${id}`;
  await schedule({ overlapPolicy: "skip" });
  await at("2030-01-01T01:00:00Z");
  expect(await alerts()).toMatchObject([{ status: "schedule_missed", data: { message: expect.stringContaining("month") } }]);
  await app.sql`update team set max_workflow_run_monthly = 1000, max_concurrent_runs = 0 where id = ${id}`;
  await at("2030-01-01T02:00:00Z");
  await at("2030-01-01T03:00:00Z");
  expect((await alerts()).slice(1)).toMatchObject([{ status: "schedule_skipped", data: { scheduledDate: "2030-01-01T03:00:00.000Z" } }]);
});

test("a time that nothing fires is an alert once, and none more when it is fired at last", async () => {
  const { schedule, alerts, statuses } = await subscribed();
  await schedule({ catchUpPolicy: "one" });
  await clock("2030-01-01T01:04:00Z");
  await service.tick();
  expect(await statuses()).toEqual([]);
  for (const minute of ["06", "07", "08"]) {
    await clock(`2030-01-01T01:${minute}:00Z`);
    await service.tick();
  }
  expect(await alerts()).toMatchObject([{ status: "schedule_missed", data: { scheduledDate: "2030-01-01T01:00:00.000Z", count: 1 } }]);
  await at("2030-01-01T01:09:00Z");
  expect(await statuses()).toEqual(["schedule_missed"]);
  await at("2030-01-01T02:30:00Z");
  expect(await statuses()).toEqual(["schedule_missed", "schedule_missed"]);
});

test("nothing is written for a team that wants no alerts", async () => {
  const { schedule, statuses } = await subscribed(false);
  await schedule({ catchUpPolicy: "none" });
  await at("2030-01-01T05:30:00Z");
  expect(await statuses()).toEqual([]);
});
