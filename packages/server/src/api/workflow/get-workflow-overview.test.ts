import { describe, expect, test } from "vitest";
import { params, runKit } from "../../../test/kit/run-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";
import { scheduleTeam } from "../../../test/kit/schedule-kit.ts";

const { app, kit, team, outsider } = await runKit();
const admin = app.as();
const flow = workflow(
  node("work", "script", ["start"], params({ script: "echo" })),
  node("check", "approval", [{ from: "work", on: "success" }]),
);

async function teamWithRuns() {
  const made = await team();
  const workflowId = await made.workflow("flow", flow);
  const at = `${made.path}/workflow/flow/overview`;
  const read = async (query = "") => (await admin.get(`${at}?${query}`)).body;
  return { ...made, workflowId, at, read };
}

describe("GET workflow overview", () => {
  test("has the newest runs by task, failures with the task that failed, and open actions", async () => {
    const { read, submit, claim } = await teamWithRuns();
    const worker = await kit.worker();
    const first = await submit("flow");
    await kit.end(await claim(worker), { status: "failed", reason: "ExitCode", message: "Exit code 1", exitCode: 1 });
    const second = await submit("flow");
    await kit.end(await claim(worker), { status: "succeeded" });
    const { runs, tasks, totalTasks, failures, actions, usual, versions } = await read();
    expect(tasks).toEqual([
      { name: "work", type: "script" },
      { name: "check", type: "approval" },
    ]);
    expect(totalTasks).toBe(2);
    expect(runs.map(({ id, status, workflowVersion }: Record<string, unknown>) => [id, status, workflowVersion])).toEqual([
      [second.id, "running", 1],
      [first.id, "failed", 1],
    ]);
    expect(runs[0].waitKinds).toEqual(["action"]);
    expect(runs[0].tasks).toMatchObject([
      { task: "work", status: "succeeded" },
      { task: "check", status: "waiting", waitKind: "action" },
    ]);
    expect(runs[1].tasks).toMatchObject([
      { task: "work", status: "failed", reason: expect.stringContaining("Exit code 1") },
      { task: "check", status: "skipped" },
    ]);
    expect(failures).toMatchObject([{ id: first.id, status: "failed", task: { name: "work", hasLog: true } }]);
    expect(actions).toMatchObject([{ workflowRunRef: second.id, taskName: "check" }]);
    expect(usual).toMatchObject({ runs: 1, succeeded: 0, failed: 1, duration: { p50: null } });
    expect(versions).toMatchObject([{ version: 1 }]);
  });

  test("pages through the tasks, and can return the usual durations alone", async () => {
    const { read, submit } = await teamWithRuns();
    await submit("flow");
    expect(await read("tasks=1&firstTask=1")).toMatchObject({
      tasks: [{ name: "check" }],
      totalTasks: 2,
      runs: [{ tasks: [{ task: "check" }] }],
    });
    expect(await read("runs=0")).toMatchObject({ runs: [], tasks: [], usual: { runs: 0 } });
    for (const text of ["runs=51", "tasks=0", "firstTask=-1"]) expect((await read(text)).code).toBe(400);
  });

  test("has the deadline of the workflow, and the next times of its schedules", async () => {
    const { base, schedule } = await scheduleTeam(app, { annotations: { "millrace.dev/deadline": "10m" } });
    await schedule({ workflowRef: "nightly" });
    const { body } = await admin.get(`${base}/workflow/nightly/overview`);
    expect(body).toMatchObject({ usual: { deadline: 600_000 }, nextTimes: [{ date: expect.stringMatching(/:00:00.000Z$/) }] });
  });

  test("leaves out what the caller may not read", async () => {
    const { id, at, submit, workflowId } = await teamWithRuns();
    await submit("flow");
    expect((await app.as(null).get(at)).status).toBe(401);
    expect((await (await outsider()).get(at)).status).toBe(404);
    expect((await admin.get(at.replace("flow/", "none/"))).status).toBe(404);
    expect((await app.as(await app.make.teamToken(id, ["workflow/read"])).get(at)).body).toMatchObject({
      runs: [],
      tasks: [],
      actions: [],
    });
    expect((await app.as(await app.make.workflowToken(id, workflowId)).get(at)).status).toBe(200);
  });
});
