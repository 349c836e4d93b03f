import { describe, expect, test } from "vitest";
import { moveTime } from "../../../../test/kit/database.ts";
import { params, runKit } from "../../../../test/kit/run-kit.ts";
import { node, workflow } from "../../../../test/kit/run-simulator.ts";
import { updateTimeTallies } from "../../../store/run/tallies/time-tallies.ts";

const { app, kit, team, outsider } = await runKit();
const admin = app.as();
const flow = workflow(
  node("build", "script", ["start"], params({ script: "echo" })),
  node("ask", "approval", [{ from: "build", on: "success" }]),
);

/** A run in which build waited 20 s for a worker and took 50 s, and ask waited 600 s. */
async function ranOnce(made: Awaited<ReturnType<typeof team>>) {
  const run = (await made.submit("flow"))!;
  await moveTime(app.sql, 20_000);
  const claimed = await made.claim(await kit.worker());
  await moveTime(app.sql, 50_000);
  await kit.end(claimed, { status: "succeeded", waits: { imagePullMs: 10_000 } });
  await moveTime(app.sql, 600_000);
  return run;
}

async function teamWithFlow() {
  const made = await team();
  await made.workflow("flow", flow);
  const times = async (query = "") => (await admin.get(`${made.path}/insights/times?${query}`)).body;
  return { ...made, times };
}

/** Within five seconds, because time passes meanwhile. */
const near = (ms: number) => expect.closeTo(ms / 1000, -1);
const inSeconds = (times: Record<string, number>) =>
  Object.fromEntries(
    Object.entries(times)
      .filter(([, value]) => typeof value === "number" && value > 2000)
      .map(([key, ms]) => [key, ms / 1000]),
  );

describe("the times of a run", () => {
  test("are by task and kind, and of what still waits until now", async () => {
    const made = await teamWithFlow();
    const { id } = await ranOnce(made);
    const { body } = await admin.get(`${made.path}/workflowrun/${id}/times`);
    expect(inSeconds(body.total)).toEqual({ worker: near(40_000), queue: near(20_000), start: near(10_000), person: near(600_000) });
    expect(body.tasks.map(({ task }: { task: string }) => task)).toEqual(["ask", "build"]);
    expect(body.elapsed).toBeGreaterThan(660_000);
    const at = `${made.path}/workflowrun/${id}/times`;
    expect((await (await outsider()).get(at)).status).toBe(404);
    expect((await app.as(null).get(at)).status).toBe(401);
  });
});

describe("the times of a team", () => {
  test("are summed by workflow and task minutes after the end, once, and stay when the run is removed", async () => {
    const made = await teamWithFlow();
    expect(await made.times()).toMatchObject({ workflows: [], tasks: [], total: { worker: 0 } });
    const runs = [await ranOnce(made), await ranOnce(made)];
    for (const { id } of runs) await admin.delete(`${made.path}/workflowrun/${id}/cancel`);
    await updateTimeTallies(app.sql);
    expect((await made.times()).workflows).toEqual([]);
    await moveTime(app.sql, 360_000);
    for (let times = 0; times < 2; times++) await updateTimeTallies(app.sql);
    const { total, workflows, tasks, countedUntil } = await made.times();
    expect(inSeconds(total)).toMatchObject({ worker: near(80_000), queue: near(40_000), start: near(20_000) });
    expect(workflows).toMatchObject([{ workflowName: "flow", taskRuns: 4, isDeleted: false, worker: total.worker }]);
    expect(tasks).toMatchObject([{ workflowName: "flow", task: "build", taskRuns: 2 }]);
    expect(Date.parse(countedUntil)).toBeGreaterThan(0);
    await app.sql`delete from run where team_id = ${made.id}`;
    expect(await made.times()).toMatchObject({ total });
    expect(await made.times("workflows=other")).toMatchObject({ total: { worker: 0 } });
    expect(await made.times(`fromDate=${Date.now() - 40 * 86_400_000}&toDate=${Date.now() + 2 * 86_400_000}`)).toMatchObject({ total });
    expect(await made.times(`fromDate=1000&toDate=2000`)).toMatchObject({ total: { worker: 0 } });
  });

  test("need the permission to read insights, and a valid range", async () => {
    const { path } = await team();
    const at = `${path}/insights/times`;
    expect((await (await outsider()).get(at)).status).toBe(404);
    expect((await admin.get(`${at}?fromDate=2&toDate=1`)).status).toBe(400);
  });
});
