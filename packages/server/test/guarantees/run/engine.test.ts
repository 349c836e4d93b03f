import { describe, expect, test } from "vitest";
import { testDatabase } from "../../kit/database.ts";
import { engineKit } from "../../kit/engine-kit.ts";
import { node, workflow } from "../../kit/run-simulator.ts";

const kit = engineKit((await testDatabase()).sql);
const result = (output: string, value: unknown) => ({
  params: [
    { name: "output", value: output },
    { name: "value", value },
  ],
});

describe("a run of the engine's own tasks", () => {
  const chain = workflow(
    node("a", "setwfproperty", ["start"], result("x", "1")),
    node("b", "decision", ["a"], { params: [{ name: "value", value: "$(params.city)" }] }),
    node("c", "setwfproperty", [{ from: "b", when: "Oslo" }], result("y", "$(workflow.params.city)")),
  );
  const more = { params: [{ name: "city", type: "text", default: "Oslo" }] };

  test("submitted with start ends in the same transaction", async () => {
    const team = await kit.team();
    await kit.workflow(team, "chain", chain, more);
    const run = await kit.submit(team, "chain", { start: true });
    expect(run.status).toBe("succeeded");
    const row = await kit.run(team, run.id);
    expect(row).toMatchObject({
      status: "succeeded",
      phase: "completed",
      results: [
        { name: "x", value: "1" },
        { name: "y", value: "Oslo" },
      ],
    });
    expect((await kit.tasks(team, run.id)).map((task) => task.status)).toEqual(Array(5).fill("succeeded"));
  });

  test("submitted without start waits in the queue for an engine", async () => {
    const team = await kit.team();
    await kit.workflow(team, "chain", chain, more);
    const run = await kit.submit(team, "chain", { request: { params: [{ name: "city", value: "Bergen" }] } });
    expect(await kit.run(team, run.id)).toMatchObject({ status: "ready", phase: "pending" });
    await kit.settle();
    expect(await kit.run(team, run.id)).toMatchObject({ status: "succeeded", results: [{ name: "x", value: "1" }] });
    expect((await kit.tasks(team, run.id)).map((task) => task.status)).toEqual([
      "succeeded",
      "succeeded",
      "succeeded",
      "skipped",
      "skipped",
    ]);
  });
});

describe("the quota of concurrent runs", () => {
  const active = workflow(node("z", "script", ["start"], { params: [{ name: "script", value: "true" }] }));

  test("keeps queued runs waiting, in order", async () => {
    const team = await kit.team({ maxConcurrentRuns: 2 });
    await kit.workflow(team, "holds", active);
    const runs = [];
    for (let index = 0; index < 4; index++) runs.push(await kit.submit(team, "holds"));
    await kit.settle();
    const statuses = await Promise.all(runs.map(async (run) => (await kit.run(team, run.id)).status));
    expect(statuses).toEqual(["running", "running", "ready", "ready"]);
  });

  test("refuses a start when it is used up", async () => {
    const team = await kit.team({ maxConcurrentRuns: 1 });
    await kit.workflow(team, "holds", active);
    await kit.submit(team, "holds", { start: true });
    await expect(kit.submit(team, "holds", { start: true })).rejects.toMatchObject({ reason: "QUOTA_EXCEEDED" });
  });

  test("is never exceeded by concurrent starts", async () => {
    const team = await kit.team({ maxConcurrentRuns: 5 });
    await kit.workflow(team, "holds", active);
    const starts = await Promise.allSettled(Array.from({ length: 24 }, () => kit.submit(team, "holds", { start: true })));
    expect(starts.filter((start) => start.status === "fulfilled")).toHaveLength(5);
  });

  test("is never exceeded by concurrent engines", async () => {
    const team = await kit.team({ maxConcurrentRuns: 5 });
    await kit.workflow(team, "holds", active);
    await Promise.all(Array.from({ length: 24 }, () => kit.submit(team, "holds")));
    await Promise.all(Array.from({ length: 8 }, () => kit.driver.givePlaces()));
    const [row] = await kit.sql<{ count: number }[]>`select count(*)::int as count from run where team_id = ${team} and phase = 'running'`;
    expect(row?.count).toBe(5);
  });
});

test("a child run that is waited for ends its parent's task, with its results", async () => {
  const team = await kit.team({ maxConcurrentRuns: 1 });
  await kit.workflow(team, "child", workflow(node("r", "setwfproperty", ["start"], result("answer", "$(params.question)"))), {
    params: [],
  });
  const params = [
    { name: "workflowRef", value: "child" },
    { name: "wait", value: "true" },
    { name: "question", value: "42" },
  ];
  await kit.workflow(
    team,
    "parent",
    workflow(
      node("call", "runworkflow", ["start"], { params }),
      node("done", "setwfproperty", ["call"], result("got", "$(tasks.call.results.answer)")),
    ),
  );
  const run = await kit.submit(team, "parent");
  await kit.settle();
  expect(await kit.run(team, run.id)).toMatchObject({ status: "succeeded", results: [{ name: "got", value: "42" }] });
});

test("workflows that run each other end at the depth limit", async () => {
  const team = await kit.team();
  const params = [
    { name: "workflowRef", value: "loop" },
    { name: "wait", value: true },
  ];
  await kit.workflow(team, "loop", workflow(node("again", "runworkflow", ["start"], { params })));
  const run = await kit.submit(team, "loop");
  await kit.settle();
  expect((await kit.run(team, run.id)).status).toBe("failed");
  const [row] = await kit.sql<{ count: number }[]>`select count(*)::int as count from run where team_id = ${team}`;
  expect(row?.count).toBe(6);
});

// These are 364 runs, which take half a minute on a busy machine.
test("many nested child runs are started one by one, without a slot of the quota", { timeout: 120_000 }, async () => {
  const team = await kit.team({ maxConcurrentRuns: 1 });
  const params = [
    { name: "workflowRef", value: "tree" },
    { name: "wait", value: true },
  ];
  await kit.workflow(team, "tree", workflow(node("again", "runworkflow", ["start"], { params, forEach: { items: [1, 2, 3] } })));
  const run = await kit.submit(team, "tree", { start: true });
  const count = async () => (await kit.sql<{ count: number }[]>`select count(*)::int as count from run where team_id = ${team}`)[0]?.count;
  expect(await count()).toBe(1 + 3);
  await kit.settle();
  expect((await kit.run(team, run.id)).status).toBe("failed");
  expect(await count()).toBe(1 + 3 + 9 + 27 + 81 + 243);
});

test("a lock is held by one run at a time, and passes to the next when the run ends", async () => {
  const team = await kit.team();
  const key = { params: [{ name: "key", value: "deploy" }] };
  await kit.workflow(
    team,
    "locks",
    workflow(
      node("lock", "acquirelock", ["start"], key),
      node("hold", "eventwait", ["lock"], { params: [{ name: "topic", value: "go" }] }),
    ),
  );
  const first = await kit.submit(team, "locks", { start: true });
  const second = await kit.submit(team, "locks", { start: true });
  const lockOf = async (id: string) => (await kit.tasks(team, id)).find((task) => task.name === "lock");
  expect((await lockOf(first.id))?.status).toBe("succeeded");
  expect(await lockOf(second.id)).toMatchObject({
    status: "waiting",
    waitDetail: `Lock "deploy" is held by run ${first.id} of workflow "locks"`,
  });
  await kit.driver.advance([{ teamId: team, id: first.id, events: [{ kind: "cancel", message: "x" }] }]);
  await kit.settle();
  expect((await lockOf(second.id))?.status).toBe("succeeded");
});

test("a run that times out is tried again as a new run, as often as it may be", async () => {
  const team = await kit.team();
  await kit.workflow(team, "fails", workflow(node("s", "setwfstatus", ["start"], { params: [{ name: "status", value: "failure" }] })), {
    retries: 2,
  });
  const run = await kit.submit(team, "fails");
  await kit.settle();
  const rows = await kit.sql<{ retryOf: string | null; retryCount: number; status: string }[]>`
    select retry_of as "retryOf", retry_count as "retryCount", status from run where team_id = ${team} order by id`;
  expect(rows).toEqual([
    { retryOf: null, retryCount: 0, status: "failed" },
    { retryOf: run.id, retryCount: 1, status: "failed" },
    { retryOf: run.id, retryCount: 2, status: "failed" },
  ]);
});

test("messages that repeat what was given are cut, and never in the middle of a character", async () => {
  const team = await kit.team();
  const crabs = "🦀".repeat(5000);
  const more = {
    params: [
      { name: "value", type: "text", default: `${"x".repeat(79)}${crabs}` },
      { name: "odd", type: "text", default: crabs },
    ],
  };
  const nodes = workflow(
    node("switch", "decision", ["start"], { params: [{ name: "value", value: "$(params.value)" }] }),
    node("skipped", "setwfproperty", [{ from: "switch", when: "no" }], result("a", 1)),
    node("each", "setwfproperty", ["start"], { ...result("b", 1), forEach: { items: "$(params.value)" } }),
    node("sleep", "sleep", ["start"], { params: [{ name: "duration", value: "$(params.odd)" }] }),
    node("refers", "setwfproperty", ["start"], result("c", `$(params.${"y".repeat(189)}${crabs})`)),
  );
  await kit.workflow(team, "odd", nodes, more);
  const run = await kit.submit(team, "odd", { start: true });
  const tasks = await kit.tasks(team, run.id);
  const messages = tasks.flatMap(({ statusMessage, warnings }) => [statusMessage ?? "", ...warnings.map(({ reference }) => reference)]);
  expect(await kit.run(team, run.id)).toMatchObject({ status: "failed", reason: "TaskFailed" });
  expect(messages.filter((text) => text.includes("🦀") || text.includes("�")).length).toBeGreaterThan(0);
  for (const text of messages) expect(text.length).toBeLessThan(2100);
});
