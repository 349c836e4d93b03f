import { expect, test } from "vitest";
import { testApp } from "../../../../test/kit/app.ts";
import { scheduleTeam } from "../../../../test/kit/schedule-kit.ts";

const app = await testApp();

test("the forecast counts what active schedules start, and marks the hours beyond a quota", async () => {
  const { base, id, schedule, workflowId } = await scheduleTeam(app);
  const busy = await schedule({ name: "busy", cronSchedule: "0,30 * * * *" });
  await schedule({ name: "also", cronSchedule: "30 * * * *" });
  await schedule({ name: "paused", cronSchedule: "* * * * *", status: "inactive" });
  await app.sql`update team set max_concurrent_runs = 2, max_workflow_run_monthly = 20 where id = ${id}`;
  await app.sql`
    insert into run (team_id, workflow_id, workflow_version_id, workflow_version, task_version_ids, status, phase, trigger, layers, task_count,
      created_at, started_at, ended_at)
    select ${id}, ${workflowId}, new_id(), 1, '{}', 'succeeded', 'completed', 'manual', '{}', 2, db_now() - interval '40 min',
      db_now() - interval '40 min', db_now() from generate_series(1, 5)`;
  const { status, body } = await app.as().get(`${base}/insights/forecast?hours=25`);
  expect(status).toBe(200);
  expect(body).toMatchObject({ maxConcurrentRuns: 2, maxWorkflowRunMonthly: 20, runsOfUnknownDuration: 0, isPartial: false });
  expect(body.hours).toHaveLength(25);
  // At :30 one from :00 is running, and two start.
  expect(body.hours[5]).toMatchObject({ runs: 3, concurrent: 3, isOverConcurrent: true });
  expect(body.hours[3].isOverMonthly).toBe(false);
  expect(body.hours.some(({ isOverMonthly }: { isOverMonthly: boolean }) => isOverMonthly)).toBe(true);
  expect(body.schedules[0]).toMatchObject({ scheduleRef: busy.id, workflowName: "nightly", usualDuration: 2_400_000 });
  expect(body.schedules.map(({ name }: { name: string }) => name)).toEqual(["busy", "also"]);
  const narrow = await app.as(await app.make.teamToken(id, ["insights/read"])).get(`${base}/insights/forecast`);
  expect(narrow.body).toMatchObject({ schedules: [], maxConcurrentRuns: 2 });
});

test("the forecast of a schedule that fires every second is partial, and quick", async () => {
  const { base, schedule } = await scheduleTeam(app);
  await schedule({ cronSchedule: "* * * * * *" });
  const { body } = await app.as().get(`${base}/insights/forecast?hours=168`);
  expect(body).toMatchObject({ isPartial: true, totalRuns: 10_080, runsOfUnknownDuration: 10_080 });
});

test("the forecast is refused for too many hours, and to those who may not read insights", async () => {
  const { base, id } = await scheduleTeam(app);
  for (const hours of ["0", "169", "x"]) expect((await app.as().get(`${base}/insights/forecast?hours=${hours}`)).status).toBe(400);
  expect((await app.as(await app.make.teamToken(id, ["parameter/read"])).get(`${base}/insights/forecast`)).status).toBe(403);
});
