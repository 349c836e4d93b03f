import { describe, expect, test } from "vitest";
import { engineKit } from "../../../test/kit/engine-kit.ts";
import { params, runKit, taskOf } from "../../../test/kit/run-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";
import { makeTask } from "../../../test/kit/workflow-factories.ts";

const { app, kit, team } = await runKit();
const admin = app.as();
const made = await team();
const worker = await kit.worker();
await makeTask(app.sql, { name: "poll", type: "script", script: "true", results: [{ name: "state" }] });

const until = { value: "$(loop.previous.results.state)", matches: "done" };
const state = (value: string) => ({ results: [{ name: "state", value }] });

describe("a workflow with a loop", () => {
  const save = (more: object, name = "checked") =>
    admin.put(`${made.path}/workflow`, { name, tasks: [{ name: "poll", taskRef: "poll", dependencies: [{ taskRef: "start" }], ...more }] });

  test.each<[string, object, string, string]>([
    ["neither condition", { loop: {} }, "/tasks/0/loop", "must have either while or until"],
    ["both conditions", { loop: { until, while: until } }, "/tasks/0/loop", "must have either while or until"],
    ["a forEach beside it", { loop: { until }, forEach: { items: [1] } }, "/tasks/0/loop", "can't be combined with forEach"],
    ["a pattern that is none", { loop: { until: { ...until, matches: "(" } } }, "/tasks/0/loop/until/matches", "not a valid pattern"],
    ["a reference to nothing", { loop: { until: { ...until, value: "$(params.x)" } } }, "/tasks/0/loop/until/value", "$(params.x)"],
    [
      "a result it can't have",
      { loop: { until: { ...until, value: "$(loop.previous.results.x)" } } },
      "/tasks/0/loop/until/value",
      "result",
    ],
  ])("is refused with %s", async (_, more, path, message) => {
    const { status, body } = await save(more);
    expect(status).toBe(400);
    expect(body.errors).toContainEqual({ path, message: expect.stringContaining(message) });
  });

  test.each([
    ["rounds beyond the limit", { maxRounds: 10_001 }],
    ["no round at all", { maxRounds: 0 }],
    ["a pause of more than a week", { pauseSeconds: 604_801 }],
    ["an unknown end at the limit", { onLimit: "skip" }],
    ["a condition that is text", { until: "done" }],
  ])("is refused with %s", async (_, more) => {
    expect((await save({ loop: { until, ...more } })).status).toBe(400);
  });

  test("comes back as it was written, and warns of a round where there is none", async () => {
    const loop = { until, maxRounds: 5, pauseSeconds: 1, stopAtFailure: false, onLimit: "succeed" };
    const { status, body } = await save({ loop, params: [{ name: "n", value: "$(loop.index)" }] }, "kept");
    expect([status, body.warnings ?? []]).toEqual([200, []]);
    const saved = (await admin.get(`${made.path}/workflow/kept`)).body;
    expect(saved.tasks.find(({ name }: { name: string }) => name === "poll").loop).toEqual(loop);
    const without = await save({ params: [{ name: "n", value: "$(loop.index)" }] }, "without");
    expect(without.body.warnings[0].message).toContain("the task has no loop");
  });
});

async function looping(more: object = {}) {
  const run = await team();
  const loop = { until, ...more };
  await run.workflow(
    "poll",
    workflow(
      node("poll", "script", ["start"], {
        loop,
        results: [{ name: "state" }],
        ...params({ script: "see $(loop.previous.results.state)" }),
      }),
      node("after", "setwfproperty", [{ from: "poll", on: "success" }], params({ output: "last", value: "$(tasks.poll.results.state)" })),
    ),
  );
  const { id } = await run.submit("poll");
  return { ...run, id };
}

describe("a run with a loop", () => {
  test("shows its rounds as task runs, says what it waits for, and passes on the last results", async () => {
    const { id, run, path, claim } = await looping({ maxRounds: 3 });
    await kit.end(await claim(worker), state("busy"));
    const summary = (await admin.get(`${path}/workflowrun/${id}?view=summary`)).body;
    expect(taskOf(summary, "poll")).toMatchObject({
      status: "waiting",
      waitingFor: "Round 2 of at most 3",
      items: { total: 2, statuses: { succeeded: 1, ready: 1 } },
    });
    expect(taskOf(await run(id), "poll[1]").params).toContainEqual(expect.objectContaining({ name: "script", value: "see busy" }));
    await kit.end(await claim(worker), state("done"));
    const ended = await run(id);
    expect(taskOf(ended, "poll")).toMatchObject({ status: "succeeded", statusMessage: "2 rounds" });
    expect(ended).toMatchObject({ status: "succeeded", results: [{ name: "last", value: "done" }] });
  });

  test("pauses between rounds by the database's clock, and another process continues it", async () => {
    const { id, run, claim } = await looping({ pauseSeconds: 3600 });
    await kit.end(await claim(worker), state("busy"));
    expect(taskOf(await run(id), "poll").waitingFor).toMatch(/^Round 2 begins after a pause of 3600 s, at 20/);
    const other = engineKit(app.sql, app);
    await other.settle();
    expect(taskOf(await run(id), "poll").waitingFor).toMatch(/^Round 2 begins/);
    await app.sql`update task_run set due_at = now() - interval '1 second' where run_id = ${id} and name = 'poll'`;
    await other.settle();
    await other.settle();
    expect((await run(id)).tasks.filter(({ name }: { name: string }) => name.startsWith("poll[")).length).toBe(2);
    await other.end(await claim(worker), state("done"));
    expect((await run(id)).status).toBe("succeeded");
  });

  test("fails at its limit, runs again from the first round, and can be marked as succeeded", async () => {
    const { id, run, path, claim } = await looping({ maxRounds: 1 });
    await kit.end(await claim(worker), state("busy"));
    expect(taskOf(await run(id), "poll")).toMatchObject({ status: "failed", reason: "RoundLimitReached" });
    const at = `${path}/workflowrun/${id}`;
    const plan = (await admin.post(`${at}/rerun/plan`, {})).body;
    expect(plan.tasks.map(({ task, decision }: { task: string; decision: string }) => [task, decision])).toEqual([
      ["poll", "again"],
      ["after", "again"],
    ]);
    const again = (await admin.post(`${at}/rerun?start=true`, {})).body;
    expect((await run(again.id)).tasks.map(({ name }: { name: string }) => name)).toContain("poll[0]");
    await kit.end(await claim(worker), state("done"));
    expect((await run(again.id)).status).toBe("succeeded");
    const reused = (await admin.post(`${path}/workflowrun/${again.id}/rerun/plan`, { from: ["after"] })).body;
    expect(reused.tasks[0]).toMatchObject({ task: "poll", decision: "reused" });
    const mark = { task: "poll", results: [{ name: "state", value: "seen" }], reason: "Looked it up" };
    const marked = await admin.post(`${at}/mark-succeeded?start=true`, mark);
    expect(marked.status).toBe(200);
    expect(await run(marked.body.id)).toMatchObject({ status: "succeeded", results: [{ name: "last", value: "seen" }] });
  });
});
