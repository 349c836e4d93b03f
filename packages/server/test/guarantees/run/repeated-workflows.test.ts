import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { seedCatalog } from "../../../src/services/seed-catalog.ts";
import { params, runKit, taskOf } from "../../kit/run-kit.ts";

/** Workflows that a task runs for each item of a list, or in a loop, as users write them: with the tasks of the catalogue. */

let sent: { text: string; values: readonly unknown[] }[] = [];
const { app, kit, team } = await runKit({ database: { onStatement: (text, values) => void sent.push({ text, values }) } });
const admin = app.as();
beforeAll(() => seedCatalog(app.sql));
beforeEach(() => {
  sent = [];
});

const set = (name: string, value: unknown) => ({
  ...{ name: `set-${name}`, taskRef: "set-result-parameter", ...params({ output: name, value }) },
});
/** Ends as its parameter says: it returns its input as the result, or it fails. */
const child = {
  name: "step",
  params: [
    { name: "n", type: "json" },
    { name: "ends", type: "text", default: "succeeded" },
  ],
  tasks: [
    set("n", "$(params.n)"),
    {
      name: "end-as",
      taskRef: "set-workflow-result-status",
      dependencies: [{ taskRef: "set-n" }],
      ...params({ status: "$(params.ends)" }),
    },
  ],
};
const call = (values: object, more: object) => ({
  ...{ name: "call", taskRef: "run-workflow", ...params({ workflowRef: "step", wait: true, ...values }) },
  ...more,
});

/** Runs a workflow with that task to its end. */
async function play(values: object, more: object) {
  const one = await team();
  expect((await admin.post(`${one.path}/workflow`, child)).status).toBe(200);
  const tasks = [call(values, more), { ...set("out", "$(tasks.call.results.n)"), dependencies: [{ taskRef: "call" }] }];
  const saved = await admin.post(`${one.path}/workflow`, { name: "parent", tasks });
  expect([saved.status, saved.body.errors ?? []]).toEqual([200, []]);
  const { id } = await one.submit("parent");
  await kit.settle();
  const run = await one.run(id);
  const items = (await admin.get(`${one.path}/taskrun/query?itemsOf=call&runs=${id}&limit=200`)).body;
  const children = (await admin.get(`${one.path}/workflowrun/query?workflows=step&order=ASC&limit=200`)).body.content;
  return { ...one, id, run, task: taskOf(run, "call"), items, children };
}
const resultOf = (run: { results: { name: string; value: unknown }[] }, name: string) =>
  run.results.find((result) => result.name === name)?.value;

describe("a workflow for each item of a list", () => {
  test("gets the item, and its results become lists in their order", async () => {
    const { run, task, children } = await play({ n: "$(params.item)" }, { forEach: { items: [7, 8, 9], parallel: 2 } });
    expect([run.status, task.status]).toEqual(["succeeded", "succeeded"]);
    expect(resultOf(task, "n")).toEqual(["7", "8", "9"]);
    expect(resultOf(task, "workflowRunRef")).toEqual(children.map(({ id }: { id: string }) => id));
    expect(JSON.parse(resultOf(run, "out") as string)).toEqual(["7", "8", "9"]);
  });

  test("gets several items at once in batches", async () => {
    const { task, children } = await play({ n: "$(params.item)" }, { forEach: { items: [1, 2, 3, 4, 5], batchSize: 2, parallel: 1 } });
    expect(resultOf(task, "n")).toEqual(["[1,2]", "[3,4]", "[5]"]);
    expect(children).toHaveLength(3);
  });

  test("begins no other item once one has failed, if it is to stop, and otherwise all", async () => {
    const forEach = { items: ["succeeded", "failed", "succeeded", "succeeded"], parallel: 1 };
    const stopped = await play({ n: 1, ends: "$(params.item)" }, { forEach: { ...forEach, stopAtFailure: true } });
    expect(stopped.task).toMatchObject({ status: "failed", reason: "ItemFailed" });
    expect(stopped.children.map(({ status }: { status: string }) => status)).toEqual(["succeeded", "failed"]);
    expect(resultOf(stopped.task, "n")).toEqual(["1", "1", null, null]);
    const all = await play({ n: 1, ends: "$(params.item)" }, { forEach });
    expect(all.task.status).toBe("failed");
    expect(all.children.map(({ status }: { status: string }) => status)).toEqual(["succeeded", "failed", "succeeded", "succeeded"]);
  });
});

describe("a workflow in a loop", () => {
  const until = { value: "$(loop.previous.results.n)", matches: "3" };

  test("runs until its condition holds, each round with what the one before left", async () => {
    const { run, task, children } = await play({ n: "$(loop.index)" }, { loop: { until } });
    expect([run.status, task.statusMessage]).toEqual(["succeeded", "4 rounds"]);
    expect(children).toHaveLength(4);
    expect(resultOf(task, "workflowRunRef")).toBe(children.at(-1).id);
    expect(String(resultOf(run, "out"))).toBe("3");
  });

  test("runs while its condition holds, possibly never", async () => {
    const some = await play({ n: "$(loop.index)" }, { loop: { while: { value: "$(loop.index)", matches: "[01]" } } });
    expect([some.task.status, some.task.statusMessage, some.children.length]).toEqual(["succeeded", "2 rounds", 2]);
    const none = await play({ n: 1 }, { loop: { while: { value: "$(loop.index)", matches: "never" } } });
    expect([none.task.status, none.task.statusMessage, none.children.length]).toEqual(["succeeded", "0 rounds", 0]);
  });

  test("stops at the first failure, or continues", async () => {
    const ends = "fail$(loop.index)ed";
    const loop = { until: { value: "$(loop.index)", matches: "3" } };
    const failing = { n: 1, ends: "failed" };
    const stopped = await play(failing, { loop });
    expect(stopped.task).toMatchObject({ status: "failed", reason: "RoundFailed" });
    expect(stopped.task.statusMessage).toMatch(/^Round 1 ended as failed: Run .+ ended as failed/);
    expect(stopped.children).toHaveLength(1);
    const going = await play(failing, { loop: { ...loop, stopAtFailure: false } });
    expect([going.task.status, going.task.statusMessage, going.children.length]).toEqual(["succeeded", "3 rounds", 3]);
    // A round fails, too, if its run can't end with the intended status.
    expect((await play({ n: 1, ends }, { loop })).task).toMatchObject({ status: "failed", reason: "RoundFailed" });
  });

  test("is cancelled with the run that waits for it", async () => {
    const one = await team();
    const slow = { name: "step", tasks: [{ name: "nap", taskRef: "sleep", ...params({ duration: 3_600_000 }) }] };
    expect((await admin.post(`${one.path}/workflow`, slow)).status).toBe(200);
    const tasks = [call({}, { loop: { until: { value: "$(loop.index)", matches: "9" } } })];
    expect((await admin.post(`${one.path}/workflow`, { name: "parent", tasks })).status).toBe(200);
    const { id } = await one.submit("parent");
    await kit.settle();
    expect((await admin.delete(`${one.path}/workflowrun/${id}/cancel`)).status).toBe(200);
    await kit.settle();
    const { content } = (await admin.get(`${one.path}/workflowrun/query`)).body;
    expect(content.map(({ status }: { status: string }) => status)).toEqual(["cancelled", "cancelled"]);
  });
});

describe("what the end of a round or an item reads", () => {
  /** Statements that read all task runs of the run. */
  const readsOf = (runId: string) =>
    sent.filter(({ text, values }) => /\bfrom task_run where team_id = any/.test(text) && values.flat().includes(runId)).length;

  test("is only the part that it needs", async () => {
    const loop = { until: { value: "$(loop.index)", matches: "never" }, maxRounds: 60, onLimit: "succeed" };
    const looped = await play({ n: "$(loop.index)" }, { loop });
    expect([looped.task.status, looped.children.length]).toEqual(["succeeded", 60]);
    expect(readsOf(looped.id)).toBeLessThan(6);
    const listed = await play({ n: "$(params.item)" }, { forEach: { items: Array.from({ length: 60 }, (_, n) => n), parallel: 4 } });
    expect([listed.task.status, listed.children.length]).toEqual(["succeeded", 60]);
    expect(readsOf(listed.id)).toBeLessThan(6);
  }, 60_000);
});
