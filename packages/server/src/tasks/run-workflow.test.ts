import { afterEach, describe, expect, test } from "vitest";
import { testApp } from "../../test/kit/app.ts";
import { engineKit } from "../../test/kit/engine-kit.ts";
import { taskOf } from "../../test/kit/run-kit.ts";
import { scheduleEngine, scheduleTeam } from "../../test/kit/schedule-kit.ts";
import { loadRunSecrets } from "../domain/run/run-secrets.ts";
import { seedCatalog } from "../services/seed-catalog.ts";

const app = await testApp();
await seedCatalog(app.sql);
const kit = engineKit(app.sql, app);
const { driver, clock } = scheduleEngine(app);

afterEach(async () => {
  await app.sql`delete from schedule`;
});

/** Runs a workflow that schedules a run of `nightly`; returns its task run, and the schedule that it created. */
async function plan(values: Record<string, unknown>, { target = {}, params = [] }: { target?: object; params?: object[] } = {}) {
  const team = await scheduleTeam(app, target);
  const given = Object.entries({ workflowRef: "nightly", ...values }).map(([name, value]) => ({ name, value }));
  const node = { name: "later", type: "runscheduledworkflow", taskRef: "run-scheduled-workflow", dependencies: [{ taskRef: "start" }] };
  const saved = await app.as().post(`${team.base}/workflow`, { name: "planner", params, tasks: [{ ...node, params: given }] });
  expect(saved.text).toContain("planner");
  const run = (await app.as().post(`${team.base}/workflow/planner/submit?start=true`, {})).body;
  const task = taskOf((await app.as().get(`${team.base}/workflowrun/${run.id}`)).body, "later");
  const schedules = (await app.as().get(`${team.path}/query`)).body.content;
  return { ...team, run, task, schedules, schedule: schedules[0] };
}

describe("a run that is planned", () => {
  test("comes once, at its time, with the parameters of the task", async () => {
    await clock("2030-01-01T12:00:00Z");
    const { run, task, schedule, schedules, path, runs } = await plan({ futureIn: "2", futurePeriod: "hours", city: "Lyon" });
    expect(task).toMatchObject({ status: "succeeded", results: [{ name: "scheduleRef", value: schedule.id }, { name: "scheduledDate" }] });
    expect(schedules).toHaveLength(1);
    expect(schedule).toMatchObject({ type: "runOnce", status: "active", workflowRef: "nightly", timezone: "UTC" });
    expect(schedule.params).toEqual([{ name: "city", value: "Lyon" }]);
    expect(schedule.labels).toEqual({ "millrace.dev/scheduled-by": run.id });
    await clock("2030-01-01T13:59:00Z");
    await driver.tick();
    expect(await runs()).toHaveLength(1);
    await clock("2030-01-01T14:00:05Z");
    await driver.tick();
    await driver.tick();
    const [, planned, ...others] = await runs();
    expect(others).toEqual([]);
    expect(planned).toMatchObject({ workflowName: "nightly", trigger: "schedule", params: [{ name: "city", value: "Lyon" }] });
    await kit.settle();
    expect((await app.as().get(`${path}/${schedule.id}`)).body).toMatchObject({ status: "completed", lastRunRef: planned.id });
  });

  test.each([
    ["2030-01-01T12:00:00Z", { futureIn: 5, futurePeriod: "minutes" }, "2030-01-01T12:05:00.000Z"],
    ["2030-01-01T12:00:00Z", { futureIn: 1 }, "2030-01-02T12:00:00.000Z"],
    ["2030-01-01T12:00:00Z", { futureIn: 1, time: "08:30", timezone: "Europe/Berlin" }, "2030-01-02T07:30:00.000Z"],
    ["2030-01-01T23:30:00Z", { futureIn: 1, time: "00:15", timezone: "Europe/Berlin" }, "2030-01-02T23:15:00.000Z"],
    ["2030-03-30T09:00:00Z", { futureIn: 1, timezone: "Europe/Berlin" }, "2030-03-31T08:00:00.000Z"],
    ["2030-03-30T09:00:00Z", { futureIn: 1, time: "02:30", timezone: "Europe/Berlin" }, "2030-03-31T01:00:00.000Z"],
    ["2030-03-30T09:00:00Z", { futureIn: 24, futurePeriod: "hours", timezone: "Europe/Berlin" }, "2030-03-31T09:00:00.000Z"],
    ["2030-10-26T09:00:00Z", { futureIn: 1, time: "02:30", timezone: "Europe/Berlin" }, "2030-10-27T00:30:00.000Z"],
    ["2030-01-01T12:00:00Z", { futureIn: 2, futurePeriod: "weeks", time: "8:05" }, "2030-01-15T08:05:00.000Z"],
    ["2030-01-31T12:00:00Z", { futureIn: 1, futurePeriod: "Months" }, "2030-02-28T12:00:00.000Z"],
    ["2031-11-30T12:00:00Z", { futureIn: 3, futurePeriod: "months" }, "2032-02-29T12:00:00.000Z"],
  ])("at %s by %o comes at %s", async (now, values, at) => {
    await clock(now);
    const { schedule } = await plan(values);
    // Time passes while the workflow is saved and run.
    expect(Date.parse(schedule.dateSchedule) - Date.parse(at)).toBeGreaterThanOrEqual(0);
    expect(Date.parse(schedule.dateSchedule) - Date.parse(at)).toBeLessThan(20_000);
  });

  test("has secrets of the run as secrets", async () => {
    await clock("2030-01-01T12:00:00Z");
    const params = [{ name: "token", type: "password", default: "correct horse" }];
    const { id: teamId, schedule, runs } = await plan({ futureIn: 1, header: "Bearer $(params.token)" }, { params });
    expect(schedule.params).toEqual([{ name: "header", value: "", hiddenValue: true }]);
    await clock("2030-01-02T12:00:30Z");
    await driver.tick();
    const planned = (await runs()).at(-1);
    expect(JSON.stringify(planned)).not.toContain("correct horse");
    expect(await loadRunSecrets(app.sql, app.keyring, teamId, planned.id)).toMatchObject({ workflow: { header: "Bearer correct horse" } });
  });
});

describe("the task fails, and makes no schedule,", () => {
  test.each([
    ["with none", { futureIn: 0 }, "InvalidParameter", "whole number of days from 1"],
    ["with a part", { futureIn: "1.5" }, "InvalidParameter", '"1.5"'],
    ["with another period", { futureIn: 1, futurePeriod: "years" }, "InvalidParameter", "minutes, hours, days, weeks, months"],
    ["with a time that is none", { futureIn: 1, time: "24:00" }, "InvalidParameter", "HH:mm"],
    ["with an unknown zone", { futureIn: 1, timezone: "Europe/Atlantis" }, "InvalidParameter", "Europe/Atlantis"],
    ["beyond ten years", { futureIn: 5000 }, "InvalidParameter", "1 to 3650"],
    ["far beyond", { futureIn: 9_999_999, futurePeriod: "months" }, "InvalidParameter", "1 to 120"],
  ])("%s", async (_, values, reason, named) => {
    const { task, schedules } = await plan(values);
    expect(task).toMatchObject({ status: "failed", reason, statusMessage: expect.stringContaining(named) });
    expect(schedules).toEqual([]);
  });

  test("for a workflow of another team", async () => {
    const foreign = await scheduleTeam(app);
    const { task, schedules } = await plan(
      { workflowRef: `$(params.target)`, futureIn: 1 },
      { params: [{ name: "target", default: foreign.workflowId }] },
    );
    expect(task).toMatchObject({ status: "failed", reason: "WORKFLOW_INVALID_REFERENCE" });
    expect(schedules).toEqual([]);
  });

  test("for a workflow that no schedule may trigger", async () => {
    const { task, schedules } = await plan({ futureIn: 1 }, { target: { triggers: {} } });
    expect(task).toMatchObject({
      status: "failed",
      reason: "TriggerDisabled",
      statusMessage: expect.stringContaining('trigger "schedule"'),
    });
    expect(schedules).toEqual([]);
  });

  test("for parameters that do not fit the workflow", async () => {
    const { task, schedules } = await plan({ futureIn: 1, amount: "much" }, { target: { params: [{ name: "amount", type: "number" }] } });
    expect(task).toMatchObject({ status: "failed", reason: "SCHEDULE_INVALID_REQ", statusMessage: expect.stringContaining("amount") });
    expect(schedules).toEqual([]);
  });
});
