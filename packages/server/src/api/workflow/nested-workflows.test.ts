import { beforeAll, describe, expect, test } from "vitest";
import { engineKit } from "../../../test/kit/engine-kit.ts";
import { params, runKit, taskOf } from "../../../test/kit/run-kit.ts";
import { makeTask } from "../../../test/kit/workflow-factories.ts";
import { seedCatalog } from "../../services/seed-catalog.ts";
import { hideOldTries } from "../../store/workflow/hidden-workflows.ts";

/** Nested workflows: they are part of a task of type runworkflow, which runs them once, for each item or round after round. */
const { app, kit, team } = await runKit();
const admin = app.as();
const worker = await kit.worker();
beforeAll(async () => {
  await seedCatalog(app.sql);
  await makeTask(app.sql, { name: "work", type: "script", script: "true", results: [{ name: "n" }] });
});

// biome-ignore lint/suspicious/noExplicitAny: documents of any shape, good and bad
type Doc = any;

const set = (name: string, value: unknown, more: object = {}): Doc => ({
  ...{ name: `set-${name}`, taskRef: "set-result-parameter", ...params({ output: name, value }) },
  ...more,
});
/** Says the word again. */
const inner = (more: object = {}): Doc => ({
  params: [{ name: "word", required: true }],
  tasks: [set("said", "$(params.word)!")],
  ...more,
});
const group = (workflow: object, values: Record<string, unknown> = {}, more: object = {}): Doc => ({
  name: "group",
  workflow,
  ...params(values),
  ...more,
});
const after = (text: string): Doc => set("out", text, { dependencies: [{ taskRef: "group", executionCondition: "success" }] });
const each = group(inner(), { word: "$(params.item)" }, { forEach: { items: ["a", "b", "c"] } });
/** Lists become text when a task sets a result from them. */
const resultOf = (run: Doc, name: string) => run.results.find((result: Doc) => result.name === name)?.value;

async function made() {
  const one = await team();
  const put = (tasks: object[], more: object = {}, query = "") =>
    admin.put(`${one.path}/workflow${query}`, { name: "outer", tasks, ...more });
  const faultsOf = async (...of: Parameters<typeof put>) => {
    const { status, body } = await put(...of);
    return [status, ...(body.errors ?? []).map(({ path, message }: Doc) => `${path} ${message}`)];
  };
  const start = async (values: object = {}) => (await one.submit("outer", params(values as Record<string, unknown>))).id;
  const runOver = async (values: object = {}) => {
    const id = await start(values);
    await kit.settle();
    return one.run(id);
  };
  const save = async (...of: Parameters<typeof put>) => {
    const { status, body, text } = await put(...of);
    if (status !== 200) throw new Error(text);
    return body;
  };
  return { ...one, put, save, faultsOf, start, runOver };
}

const childrenOf = (run: Doc, item: string): string => taskOf(run, item).results.find(({ name }: Doc) => name === "workflowRunRef").value;

describe("a save of a nested workflow is refused", () => {
  test.each<[string, Doc, string, string]>([
    ["with an unknown parameter", group(inner(), { word: "a", wort: "b" }), "/tasks/0/params/1/name", 'has no parameter "wort"'],
    ["without a required one", group(inner()), "/tasks/0/params", 'parameter "word" of workflow nested in task "group" is required'],
    [
      "with a value that does not fit",
      group(inner({ params: [{ name: "word", type: "number" }] }), { word: "x" }),
      "/tasks/0/params/0/value",
      "must be a number",
    ],
    ["beside a stored one", group(inner(), { word: "a", workflowRef: "x" }), "/tasks/0/params/1", "can't be combined with"],
    ["that is not waited for", group(inner(), { word: "a", wait: false }), "/tasks/0/params/1", "must be true"],
    ["in another task", { ...group(inner(), { word: "a" }), taskRef: "sleep" }, "/tasks/0/workflow", "only a task of type runworkflow"],
    ["without tasks", group({ tasks: [] }), "/tasks/0/workflow/tasks", "must have at least one task"],
    ["with a trigger", group(inner({ triggers: {} }), { word: "a" }), "/tasks/0/workflow/triggers", "has no meaning in a nested workflow"],
    ["with an unknown task", group({ tasks: [{ name: "x", taskRef: "nope" }] }), "/tasks/0/workflow/tasks/0/taskRef", "no such task"],
    [
      "with a cycle",
      group({ tasks: [set("a", "1", { dependencies: [{ taskRef: "set-b" }] }), set("b", "1", { dependencies: [{ taskRef: "set-a" }] })] }),
      "/tasks/0/workflow/tasks",
      "in a cycle",
    ],
    [
      "with a reference to a parameter outside",
      group({ tasks: [set("a", "$(params.p)")] }),
      "/tasks/0/workflow/tasks/0/params/1/value",
      'parameter "p" is outside of the nested workflow; give the value in the params of task "group", and declare a parameter for it here',
    ],
    [
      "with a reference to a task outside",
      group({ tasks: [set("a", "$(tasks.first.results.n)")] }),
      "/tasks/0/workflow/tasks/0/params/1/value",
      'task "first" is outside of the nested workflow',
    ],
    [
      "with a reference to the item",
      group({ tasks: [set("a", "$(params.item)")] }, {}, { forEach: { items: [1] } }),
      "/tasks/0/workflow/tasks/0/params/1/value",
      'parameter "item" is outside',
    ],
    [
      "with a result that no task sets",
      group(inner({ results: [{ name: "other" }] }), { word: "a" }),
      "/tasks/0/workflow/results/0/name",
      "no task set-result-parameter",
    ],
    [
      "with a secret that has a value",
      group({ params: [{ name: "key", type: "password", default: "hunter22" }], tasks: [set("a", "1")] }),
      "/tasks/0/workflow/params/0",
      "a nested workflow keeps no secret",
    ],
    ["with two tasks of a name", group({ tasks: [set("a", "1"), set("a", "2")] }), "/tasks/0/workflow/tasks/1", "set-a"],
    ["that is no object", { name: "group", workflow: "x", taskRef: "run-workflow" }, "/tasks/0/workflow", "it must be"],
    ["that has text for its tasks", group({ tasks: "x" }), "/tasks/0/workflow/tasks", "must be an array"],
  ])("%s", async (_, task, path, message) => {
    const { faultsOf } = await made();
    const first = { name: "first", taskRef: "work" };
    const [status, ...faults] = await faultsOf([task, first], { params: [{ name: "p" }] });
    expect([status, faults.join("\n")]).toEqual([400, expect.stringContaining(message)]);
    expect(faults.join("\n")).toContain(path);
  });

  test("that is nested too deep, or has too many tasks together", async () => {
    const { faultsOf } = await made();
    const deep = (levels: number): Doc => (levels === 0 ? { tasks: [set("a", "1")] } : { tasks: [group(deep(levels - 1))] });
    expect(await faultsOf([group(deep(4))])).toEqual([200]);
    expect((await faultsOf([group(deep(5))]))[1]).toContain("is more than 5 levels deep");
    const many = { tasks: Array.from({ length: 5_100 }, (_, index) => set(`t${index}`, "1")) };
    expect(
      (
        await faultsOf([
          { ...group(many), name: "one" },
          { ...group(many), name: "two" },
        ])
      )[1],
    ).toContain("at most 10002 are allowed");
  });

  test("and a check of a draft names all faults with their places", async () => {
    const { path } = await made();
    const draft = {
      name: "outer",
      tasks: [group({ tasks: [set("a", "$(params.x)"), group({ tasks: [set("b", "$(tasks.y.results.z)")] })] })],
    };
    const { body } = await admin.post(`${path}/workflow/validate`, draft);
    expect(body.map((problem: Doc) => [problem.severity, problem.node, problem.path])).toEqual([
      ["error", "group", "/tasks/0/workflow/tasks/0/params/1/value"],
      ["error", "group", "/tasks/0/workflow/tasks/1/workflow/tasks/0/params/1/value"],
    ]);
    const misspelt = { name: "outer", tasks: [group({ tasks: [set("a", "1", { timeot: 5 })] })] };
    const { body: warned } = await admin.post(`${path}/workflow/validate`, misspelt);
    expect(warned).toMatchObject([{ severity: "warning", path: "/tasks/0/workflow/tasks/0/timeot" }]);
  });
});

describe("a saved nested workflow", () => {
  test("comes back complete, and a save of what was read changes nothing", async () => {
    const { path, save } = await made();
    await save([group({ ...inner(), tasks: [group(inner(), { word: "x" })] }, { word: "a" })]);
    const read = (await admin.get(`${path}/workflow/outer`)).body;
    const found = taskOf(read, "group");
    expect([found.type, found.taskRef]).toEqual(["runworkflow", "run-workflow"]);
    expect(found.workflow.tasks.map(({ name }: Doc) => name).sort()).toEqual(["end", "group", "start"]);
    const again = await admin.post(`${path}/apply`, { documents: [{ apiVersion: "millrace.dev/v2", kind: "Workflow", ...read }] });
    expect(again.status).toBeLessThan(500);
    expect(await save(read.tasks)).toMatchObject({ version: 2 });
    const [stored] = await app.sql`select count(*)::int as versions from workflow_version v join workflow w on w.id = v.workflow_id
      where starts_with(w.name, ${`try~workflow~nested~${read.id}~`})`;
    expect(stored?.["versions"]).toBe(2);
  });

  test("is in no list, and can't be run, read, changed or deleted by its ID", async () => {
    const { id: teamId, path, save, submit, run } = await made();
    await save([each]);
    expect((await admin.get(`${path}/workflow/query?limit=10&page=0`)).body.content.map(({ name }: Doc) => name)).toEqual(["outer"]);
    const [hidden] = await app.sql<{ id: string }[]>`select id from workflow where team_id = ${teamId} and starts_with(name, 'try~')`;
    const id = hidden?.id ?? "";
    const answers = await Promise.all([
      admin.get(`${path}/workflow/${id}`),
      admin.post(`${path}/workflow/${id}/submit`, {}),
      admin.delete(`${path}/workflow/${id}`),
      admin.put(`${path}/workflow`, { name: id, tasks: [] }),
      admin.post(`${path}/workflow/${id}/duplicate`, {}),
      admin.post(`${path}/workflow`, {
        name: "thief",
        tasks: [{ name: "x", taskRef: "run-workflow", ...params({ workflowRef: id, word: "a" }) }],
      }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 422, 404, 400]);
    const reference = { name: "x", taskRef: "run-workflow", ...params({ workflowRef: "$(params.id)" }) };
    await admin.post(`${path}/workflow`, { name: "thief", params: [{ name: "id" }], tasks: [reference] });
    const thief = await submit("thief", params({ id }));
    await kit.settle();
    expect(taskOf(await run(thief.id), "x")).toMatchObject({ status: "failed", reason: "WORKFLOW_INVALID_REFERENCE" });
  });

  test("is deleted with its workflow, and copied with it", async () => {
    const { id: teamId, path, save, run, submit } = await made();
    await save([each, after("$(tasks.group.results.said)")]);
    const copy = (await admin.post(`${path}/workflow/outer/duplicate`, {})).body;
    expect((await admin.delete(`${path}/workflow/outer`)).status).toBe(204);
    const hidden = await app.sql`select name, deleted_at from workflow where team_id = ${teamId} and starts_with(name, 'try~')`;
    expect(hidden.map(({ deleted_at }) => deleted_at !== null).sort()).toEqual([false, true]);
    const { id } = await submit(copy.name);
    await kit.settle();
    expect(resultOf(await run(id), "out")).toEqual('["a!","b!","c!"]');
  });

  test("stays with versions that have it under another name, and is reused when the name comes back", async () => {
    const { id: teamId, path, save, start, run } = await made();
    const hidden = () => app.sql<{ version: number }[]>`
      select latest_version as version from workflow where team_id = ${teamId} and starts_with(name, 'try~') and deleted_at is null`;
    const named = (name: string) => ({ ...group(inner(), { word: "a" }), name });
    await save([named("first")]);
    const id = await start();
    await save([named("second")]);
    await kit.settle();
    expect((await run(id)).status).toBe("succeeded");
    // Version 1 can be run and rerun as long as the workflow exists, and refers to the nested workflow of the old task.
    const old = (await admin.post(`${path}/workflow/outer/submit?start=true`, { workflowVersion: 1 })).body;
    await kit.settle();
    const over = await run(old.id);
    expect([over.status, (await run(childrenOf(over, "first"))).nested.task]).toEqual(["succeeded", "first"]);
    expect((await hidden()).map(({ version }) => version)).toEqual([1, 1]);
    await save([named("first")]);
    expect((await hidden()).map(({ version }) => version)).toEqual([1, 1]);
    await admin.delete(`${path}/workflow/outer`);
    expect(await hidden()).toEqual([]);
  });

  test("keeps a version that it runs from being replaced", async () => {
    const { path, save } = await made();
    await admin.put(`${path}/workflow`, { name: "called", tasks: [set("a", "1")] });
    await save([group({ tasks: [{ name: "x", taskRef: "run-workflow", ...params({ workflowRef: "called", workflowVersion: 1 }) }] })]);
    const { status, body } = await admin.put(`${path}/workflow?replace=true`, { name: "called", tasks: [set("a", "2")] });
    expect([status, body.message]).toEqual([409, expect.stringContaining("workflow outer runs this version")]);
  });
});

describe("a run", () => {
  test("for each item has the results in the order of the items, and child runs with pages of their own", async () => {
    const { path, save, run, runOver } = await made();
    await save([each, after("$(tasks.group.results.said)")]);
    const over = await runOver();
    expect([over.status, resultOf(over, "out")]).toEqual(["succeeded", '["a!","b!","c!"]']);
    const child = await run(childrenOf(over, "group[1]"));
    expect(child).toMatchObject({
      ...{ status: "succeeded", parentRunRef: over.id, params: [{ name: "word", value: "b" }] },
      ...{ workflowDisplayName: "outer / group", nested: { workflow: "outer", workflowRef: over.workflowRef, task: "group" } },
    });
    expect(child).not.toHaveProperty("trial");
    expect((await admin.get(`${path}/workflowrun/query?limit=10&page=0`)).body.content.map(({ id }: Doc) => id)).toEqual([over.id]);
    const rerun = await admin.post(`${path}/workflowrun/${child.id}/rerun`, {});
    expect([rerun.status, rerun.body.message]).toEqual([409, expect.stringContaining(`rerun ${over.id}`)]);
    expect((await admin.get(`${path}/workflowrun/${child.id}/lineage`)).status).toBeLessThan(500);
  });

  test("passes a secret on, masked", async () => {
    const { save, run, runOver } = await made();
    const secret = { params: [{ name: "key", type: "password" }], tasks: [set("said", "$(params.key)")] };
    await save([group(secret, { key: "$(params.key)" })], { params: [{ name: "key", type: "password" }] });
    const over = await runOver({ key: "hunter22" });
    const child = await run(childrenOf(over, "group"));
    expect(over.status).toBe("succeeded");
    expect(JSON.stringify([over, child])).not.toContain("hunter22");
  });

  test("starts no further item once one has failed", async () => {
    const { save, start, run, claim } = await made();
    const workflow = { params: [{ name: "word" }], tasks: [{ name: "work", taskRef: "work" }] };
    await save([group(workflow, { word: "$(params.item)" }, { forEach: { items: ["a", "b", "c"], parallel: 1, stopAtFailure: true } })]);
    const id = await start();
    await kit.settle();
    await kit.end(await claim(worker), { status: "failed" });
    await kit.settle();
    const over = await run(id);
    expect(over.status).toBe("failed");
    expect(["group[0]", "group[1]"].map((name) => taskOf(over, name).status)).toEqual(["failed", "skipped"]);
    expect(taskOf(over, "group[0]").statusMessage).toContain("ended as failed");
  });

  test("loops until a result of the nested workflow says so", async () => {
    const { save, start, run, claim } = await made();
    const workflow = {
      params: [{ name: "last" }],
      tasks: [
        { name: "work", taskRef: "work", ...params({ script: "see $(params.last)" }) },
        set("n", "$(tasks.work.results.n)", { dependencies: [{ taskRef: "work" }] }),
      ],
    };
    const until = { value: "$(loop.previous.results.n)", matches: "3" };
    await save([group(workflow, { last: "$(loop.previous.results.n)" }, { loop: { until } }), after("$(tasks.group.results.n)")]);
    const id = await start();
    await kit.settle();
    const { startedRunRef, status } = taskOf(await run(id), "group[0]");
    expect([status, (await run(startedRunRef)).parentRunRef]).toEqual(["waiting", id]);
    for (const n of ["1", "2", "3"]) {
      await kit.settle();
      await kit.end(await claim(worker), { results: [{ name: "n", value: n }] });
    }
    await kit.settle();
    const over = await run(id);
    expect([over.status, resultOf(over, "out"), taskOf(over, "group").statusMessage]).toEqual(["succeeded", "3", "3 rounds"]);
    expect(taskOf(over, "group[0]").startedRunRef).toBe(startedRunRef);
    expect(taskOf(over, "group").startedRunRef).toBe(childrenOf(over, "group[2]"));
    expect((await run(childrenOf(over, "group[2]"))).params).toMatchObject([{ name: "last", value: "2" }]);
  });

  test("runs several levels of nesting, with the parameters and results of each", async () => {
    const { save, run, runOver } = await made();
    const middle = {
      params: [{ name: "list", type: "json" }],
      tasks: [
        group(inner(), { word: "$(params.item)" }, { name: "deep", forEach: { items: "$(params.list)" } }),
        set("all", "$(tasks.deep.results.said)", { dependencies: [{ taskRef: "deep" }] }),
      ],
    };
    const lists = [["a", "b"], ["c"]];
    await save([group(middle, { list: "$(params.item)" }, { forEach: { items: lists } }), after("$(tasks.group.results.all)")]);
    const over = await runOver();
    expect([over.status, resultOf(over, "out")]).toEqual(["succeeded", JSON.stringify(['["a!","b!"]', '["c!"]'])]);
    const child = await run(childrenOf(over, "group[0]"));
    const deepest = await run(childrenOf(child, "deep[1]"));
    expect(deepest).toMatchObject({ nested: { workflow: "outer", task: "group/deep" }, workflowDisplayName: "outer / group / deep" });
  });

  test("that is cancelled cancels its nested runs", async () => {
    const { path, save, start, run } = await made();
    const deep = { tasks: [{ name: "work", taskRef: "work" }] };
    await save([group({ tasks: [group(deep, {}, { name: "deep" })] }, {}, { forEach: { items: [1, 2] } })]);
    const id = await start();
    await kit.settle();
    const open = await app.sql`select id from run where team_id = (select team_id from run where id = ${id}) and phase = 'running'`;
    expect(open.length).toBe(5);
    await admin.delete(`${path}/workflowrun/${id}/cancel`);
    await kit.settle();
    expect(new Set(await Promise.all(open.map(async ({ id: one }) => (await run(one)).status)))).toEqual(new Set(["cancelled"]));
  });

  test("keeps the items that succeeded in a rerun, and runs all of them again where the nested workflow has changed", async () => {
    const { path, save, start, run, claim } = await made();
    const tasks = [{ name: "work", taskRef: "work" }];
    const task = group({ params: [{ name: "n" }], tasks }, { n: "$(params.item)" }, { forEach: { items: [1, 2], parallel: 1 } });
    await save([task]);
    const id = await start();
    await kit.settle();
    await kit.end(await claim(worker), { results: [] });
    await kit.settle();
    await kit.end(await claim(worker), { status: "failed" });
    await kit.settle();
    const plan = async (body: object) => (await admin.post(`${path}/workflowrun/${id}/rerun/plan`, body)).body.tasks;
    expect(await plan({})).toMatchObject([{ task: "group", decision: "again" }]);
    const again = (await admin.post(`${path}/workflowrun/${id}/rerun?start=true`, {})).body;
    await kit.settle();
    await kit.end(await claim(worker), { results: [] });
    await kit.settle();
    const over = await run(again.id);
    expect(over.status).toBe("succeeded");
    expect(childrenOf(over, "group[0]")).toBe(childrenOf(await run(id), "group[0]"));
    await save([{ ...task, workflow: { ...task.workflow, tasks: [...tasks, set("more", "1")] } }]);
    const changed = await admin.post(`${path}/workflowrun/${again.id}/rerun/plan`, { version: 2 });
    expect(changed.text).toContain("its nested workflow");
  });

  test("continues in another process, and submits no run twice", async () => {
    const { save, start, run, claim } = await made();
    const workflow = { params: [{ name: "n" }], tasks: [{ name: "work", taskRef: "work" }] };
    await save([group(workflow, { n: "$(params.item)" }, { forEach: { items: [1, 2, 3], parallel: 1 } })]);
    const id = await start();
    for (const _ of [1, 2, 3]) {
      const other = engineKit(app.sql, app);
      await other.settle();
      await other.end(await claim(worker), { results: [] });
    }
    await kit.settle();
    expect((await run(id)).status).toBe("succeeded");
    expect((await app.sql`select id from run where parent_run_id = ${id}`).length).toBe(3);
  });
});

describe("a trial of a draft with a nested workflow", () => {
  test("runs it, and leaves nothing behind", async () => {
    const { id: teamId, path, run } = await made();
    const draft = { name: "new", tasks: [each, after("$(tasks.group.results.said)")] };
    const { body, status } = await admin.post(`${path}/workflow/new/try`, { draft });
    expect([status, body]).toMatchObject([200, {}]);
    await kit.settle();
    await kit.settle();
    const over = await run(body.id);
    expect([over.status, resultOf(over, "out")]).toEqual(["succeeded", '["a!","b!","c!"]']);
    await app.sql`update workflow set created_at = created_at - interval '3 hours' where team_id = ${teamId}`;
    await app.sql`update run set ended_at = ended_at - interval '3 hours' where team_id = ${teamId}`;
    await hideOldTries(app.sql);
    await hideOldTries(app.sql);
    expect(await app.sql`select name from workflow where team_id = ${teamId} and deleted_at is null`).toEqual([]);
  });
});

describe("a test of a workflow", () => {
  const workflow = {
    params: [{ name: "n", type: "number" }],
    tasks: [
      { name: "work", taskRef: "work", ...params({ script: "do $(params.n)" }) },
      { name: "ask", taskRef: "manual-approval", dependencies: [{ taskRef: "work", executionCondition: "success" }] },
      set("n", "$(tasks.work.results.n)", { dependencies: [{ taskRef: "ask", executionCondition: "success" }] }),
    ],
  };
  const tasks = [group(workflow, { n: "$(params.item)" }, { forEach: { items: [1, 2], parallel: 1 } }), after("$(tasks.group.results.n)")];
  const play = async (test: object, draft: object = { name: "outer", tasks }) => {
    const { path } = await made();
    const { body, text } = await admin.post(`${path}/workflow/outer/test/run`, { draft, tests: [{ name: "it", ...test }] });
    return body.tests?.[0] ?? text;
  };
  const decided = [1, 2].map(() => ({ task: "group/ask", decision: "approved", after: "1h" }));

  test("runs what is nested in it, with mocks and expectations by the names of the tasks that lead there", async () => {
    const result = await play({
      mocks: { "group/work": { results: { n: "7" }, duration: "5m" }, "group[1]/work": { results: { n: "8" } } },
      events: decided,
      expect: {
        ran: ["group", "group[0]/work", "group[1]/ask"],
        order: ["group[0]/work", "group[1]/work"],
        params: { "group[1]/work": { script: "do 2" } },
        results: { out: '["7","8"]' },
        duration: { min: "2h5m", max: "2h5m" },
      },
    });
    expect(result).toMatchObject({ outcome: "passed", failures: [] });
    expect(result.run.tasks.map(({ name }: Doc) => name)).toContain("group[0]/set-n");
  });

  test.each<[string, object, string]>([
    ["a mock is missing", { events: decided }, 'task "group[0]/work" runs on a worker (script) and has no mock'],
    ["a mock is of no task", { mocks: { "group/wrk": {} } }, "did you mean work?"],
    ["nobody decides", { mockOthers: {} }, 'task "group[0]/ask" waits forever'],
    ["a task fails", { mocks: { "group/work": { status: "failed" } } }, ""],
  ])("says so where %s", async (_, test, message) => {
    const result = await play(test);
    expect([result.outcome, result.problem ?? ""]).toEqual(["failed", expect.stringContaining(message)]);
  });

  test("can mock all of it, as one task", async () => {
    const mocks = { group: { items: [{ results: { n: "1" } }, { results: { n: "2" } }] } };
    expect(await play({ mocks, expect: { results: { out: '["1","2"]' } } })).toMatchObject({ outcome: "passed" });
  });

  test("runs the saved version, and can cancel in the middle", async () => {
    const { path, save } = await made();
    await save(tasks);
    const test = { name: "it", mockOthers: {}, events: [{ cancel: true, at: "10m" }], expect: { status: "cancelled" } };
    const { body } = await admin.post(`${path}/workflow/outer/test/run`, { tests: [test] });
    expect(body.tests[0]).toMatchObject({ outcome: "passed" });
  });
});
