import { expect, test } from "vitest";
import { startWork } from "../../../../test/kit/processor-ms.ts";
import { params, runKit, taskOf } from "../../../../test/kit/run-kit.ts";
import { node, workflow } from "../../../../test/kit/run-simulator.ts";
import { makeTask } from "../../../../test/kit/workflow-factories.ts";

const { app, kit, team: makeTeam } = await runKit();
const team = await makeTeam();
const editor = await team.member("editor");
const reader = await team.member("reader");
const [text, key] = [
  { name: "text", type: "text" },
  { name: "key", type: "password" },
];
await makeTask(app.sql, {
  name: "shell",
  type: "script",
  script: "echo",
  params: [text!, key!, { name: "list", type: "multiselect" }],
  results: [],
});
await makeTask(app.sql, { name: "lookup", type: "script", script: "echo", results: [{ name: "person" }, { name: "count" }] });
await app.sql`update team set parameters = ${JSON.stringify([
  { name: "region", type: "text", value: "north" },
  { name: "city", type: "text", value: "hidden by the workflow" },
  { name: "token", type: "password", value: "sealed-s3cret" },
])}::json where id = ${team.id}`;

const values = (given: Record<string, unknown>) => Object.entries(given).map(([name, value]) => ({ name, value }));
const draft = {
  displayName: "Orders",
  params: [
    { name: "city", type: "text", default: "Oslo" },
    { name: "secret", type: "password", default: "s3cret-of-the-draft" },
  ],
  tasks: [
    { name: "find", taskRef: "lookup", dependencies: [{ taskRef: "start" }] },
    { name: "free", taskRef: "shell", dependencies: [{ taskRef: "start" }] },
    {
      ...{ name: "send", taskRef: "shell", dependencies: [{ taskRef: "find" }] },
      params: values({ text: "Hi $(tasks.find.results.person.name)", key: "s3cret-of-the-node", extra: "x" }),
    },
  ],
};
const pinned = { find: { results: values({ person: { name: "Ann", tags: ["a", "b"] }, count: 3 }) } };
const look = (body: object, as: { post: typeof editor.post } = editor, name = "orders") =>
  as.post(`${team.path}/workflow/${name}/preview`, body);
const preview = async (body: object) => (await look({ draft, ...body })).body;
const one = async (expression: unknown, more: object = {}) =>
  (await preview({ node: "send", pinned, expressions: [expression], ...more })).values[0];

test("expressions give the values of a run, with their types, in the order of the request", async () => {
  const expressions = [
    "$(params.city) $(params.region)",
    "$(tasks.find.results.count)",
    "$(tasks.find.results.person)",
    "$(params.text)!",
    "no reference",
    "",
  ];
  const { values: given } = await preview({ node: "send", pinned, expressions, params: values({ city: "Bergen" }) });
  expect(given).toEqual([
    { value: "Bergen north", type: "text" },
    { value: "3", type: "number", from: [{ task: "find", pinned: true }] },
    { value: '{"name":"Ann","tags":["a","b"]}', type: "object", from: [{ task: "find", pinned: true }] },
    { value: "Hi Ann!", type: "text" },
    { value: "no reference", type: "text" },
    { value: "", type: "text" },
  ]);
});

test("an unknown reference differs from one without a value yet", async () => {
  const find = (reference: string, why: RegExp) => [{ reference, why: expect.stringMatching(why) }];
  expect(await one("$(params.ctiy)")).toMatchObject({ value: "$(params.ctiy)", unknown: find("$(params.ctiy)", /no parameter "ctiy"/) });
  expect(await one("$(tasks.fnid.results.count)")).toMatchObject({ unknown: find("$(tasks.fnid.results.count)", /no task/) });
  expect(await one("$(tasks.find.results.size)")).toMatchObject({ unknown: find("$(tasks.find.results.size)", /no result "size"/) });
  expect(await one("$(tasks.find.results.size)", { pinned: {} })).toHaveProperty("unknown");
  expect(await one("$(tasks.find.results.person.age)")).toHaveProperty("unknown");
  expect(await one("$(tasks.free.results.x)")).toMatchObject({ unknown: find("$(tasks.free.results.x)", /does not end before/) });
  expect(await one("$(param.city)")).toMatchObject({ unknown: find("$(param.city)", /did you mean/) });
  expect(await one("Hi $(tasks.find.results.count)", { pinned: {} })).toEqual({
    ...{ value: "Hi $(tasks.find.results.count)", type: "text" },
    missing: find("$(tasks.find.results.count)", /pin the results of "find"/),
  });
  expect(await one("$(context.params.workflowrun-id) $(params.taskrun-ref)")).toMatchObject({
    missing: [
      expect.objectContaining({ reference: "$(context.params.workflowrun-id)" }),
      expect.objectContaining({ reference: "$(params.taskrun-ref)" }),
    ],
  });
  expect(await one("$(params.workflow-name) $(params.team-name)")).not.toHaveProperty("missing");
  expect(await one("$(tasks.find.results.count)", { pinned: { find: { status: "failed" } } })).toMatchObject({
    value: "",
    missing: [expect.anything()],
  });
});

test("secrets are masked wherever they come from, and no answer holds one", async () => {
  const expressions = [
    "$(params.secret)",
    "a $(team.params.token) b",
    "$(params.key)",
    { text: "s3cret-that-is-typed", param: "key" },
    "$(workflow.params.secret)",
  ];
  const answer = await look({
    draft,
    node: "send",
    pinned,
    expressions,
    references: true,
    params: values({ secret: "s3cret-that-is-given" }),
  });
  for (const value of answer.body.values) expect(value).toMatchObject({ secret: true, value: expect.stringContaining("******") });
  expect(answer.text).not.toContain("s3cret");
  await editor.put(`${team.path}/workflow`, { ...draft, name: "saved" });
  const saved = await look({ node: "send", expressions: [...expressions.slice(0, 3)], references: true }, editor, "saved");
  for (const value of saved.body.values) expect(value).toMatchObject({ secret: true });
  const { body } = await editor.get(`${team.path}/workflow/saved`);
  const back = await look({ draft: body, node: "send", expressions: [...expressions.slice(0, 3)] }, editor, "saved");
  for (const value of back.body.values) expect(value).toMatchObject({ secret: true });
  expect(saved.text + back.text).not.toMatch(/s3cret|v\d:/);
});

test("the value of a parameter of the task has its type, and refers to itself on the level below", async () => {
  const city = {
    name: "send",
    taskRef: "shell",
    dependencies: [],
    params: values({ city: "$(params.city)!", list: '["$(params.city)"]' }),
  };
  const { values: given } = (
    await look({
      draft: { ...draft, tasks: [city] },
      node: "send",
      expressions: [{ text: "$(params.city)!", param: "city" }, "$(params.city)", { text: '["$(params.city)", 1]', param: "list" }],
    })
  ).body;
  expect(given.map(({ value }: { value: string }) => value)).toEqual(["Oslo!", "Oslo!", '["Oslo!", 1]']);
});

test("results and parameters of a run are used where nothing is pinned, if the caller may read it", async () => {
  const worker = await kit.worker();
  const tried = await editor.post(`${team.path}/workflow/orders/try`, {
    draft,
    upTo: "find",
    params: values({ city: "Bergen", secret: "s3cret-of-the-run" }),
  });
  await kit.settle();
  await kit.end(await team.claim(worker), { results: values({ count: 5 }) });
  expect(taskOf(await team.run(tried.body.id), "find").status).toBe("succeeded");
  const body = {
    draft,
    node: "send",
    fromRun: tried.body.id,
    expressions: ["$(tasks.find.results.count) $(params.city)", "$(params.secret)"],
    references: true,
  };
  const answer = await look(body);
  expect(answer.body.values).toEqual([
    { value: "5 Bergen", type: "text", from: [{ task: "find", run: tried.body.id }] },
    { value: "******", type: "text", secret: true },
  ]);
  expect(answer.body.references).toContainEqual({ reference: "$(tasks.find.results.count)", kind: "result", task: "find", lastValue: "5" });
  const reads = app.as(await app.make.teamToken(team.id, ["workflow/read"]));
  expect((await look({ expressions: [] }, reads, "saved")).status).toBe(200);
  expect((await look({ fromRun: tried.body.id }, reads, "saved")).status).toBe(403);
  const other = await makeTeam();
  const outsider = await other.member("owner");
  expect((await look({ draft }, outsider)).status).toBe(404);
  expect((await outsider.post(`${other.path}/workflow/orders/preview`, body)).body.reason).toBe("WORKFLOWRUN_INVALID_REFERENCE");
});

test("callers who may not run a workflow see no values of team parameters", async () => {
  const { values: given } = (await look({ draft, expressions: ["$(params.region)", "$(params.city)"] }, reader)).body;
  expect(given).toEqual([
    { value: "******", type: "text", secret: true },
    { value: "Oslo", type: "text" },
  ]);
});

test("references that a task may use are listed with current values: parameters, earlier results, system values", async () => {
  const { references } = await preview({ node: "send", pinned, references: true });
  const kinds = references.map(({ kind }: { kind: string }) => kind);
  expect(kinds).toEqual(
    [...kinds].sort((a: string, b: string) => ["parameter", "result", "system"].indexOf(a) - ["parameter", "result", "system"].indexOf(b)),
  );
  const byText = new Map(references.map((reference: { reference: string }) => [reference.reference, reference]));
  expect(byText.get("$(params.city)")).toEqual({
    reference: "$(params.city)",
    kind: "parameter",
    layer: "workflow",
    type: "text",
    lastValue: "Oslo",
  });
  expect(byText.get("$(team.params.city)")).toMatchObject({ kind: "parameter", layer: "team", lastValue: "hidden by the workflow" });
  expect(byText.get("$(params.region)")).toMatchObject({ layer: "team", lastValue: "north" });
  expect(byText.has("$(team.params.region)")).toBe(false);
  expect(byText.get("$(params.key)")).toMatchObject({ layer: "task", type: "password", secret: true });
  expect(byText.get("$(tasks.find.results.count)")).toEqual({
    reference: "$(tasks.find.results.count)",
    kind: "result",
    task: "find",
    lastValue: "3",
    pinned: true,
  });
  expect(byText.get("$(params.team-name)")).toMatchObject({ kind: "system" });
  expect(byText.get("$(params.workflowrun-id)")).toEqual({ reference: "$(params.workflowrun-id)", kind: "system" });
  expect([...byText.keys()].filter((text) => String(text).includes("tasks.free"))).toEqual([]);
});

test("of a task that runs for each item of a list, the first item stands for all", async () => {
  const forEach = { items: "$(tasks.find.results.list)" };
  const each = {
    name: "send",
    taskRef: "shell",
    dependencies: [{ taskRef: "find" }],
    forEach,
    params: values({ text: "$(params.item.id)" }),
  };
  const find = { name: "find", taskRef: "shell", dependencies: [] };
  const ask = async (list: unknown) =>
    (
      await preview({
        draft: { ...draft, tasks: [find, each] },
        node: "send",
        pinned: { find: { results: values({ list }) } },
        expressions: ["$(params.text) $(params.item-index)"],
      })
    ).values[0];
  expect(await ask([{ id: "a1" }, { id: "b2" }])).toMatchObject({ value: "a1 0" });
  expect(await ask("no list")).toMatchObject({
    missing: [{ reference: "$(params.item-index)", why: expect.stringContaining("when the workflow runs") }],
  });
});

test("conditions say which links a switch would take", async () => {
  const { conditions } = await preview({
    ...{ node: "send", pinned },
    conditions: [
      { value: "$(tasks.find.results.count)", patterns: ["[0-5]", ""] },
      { value: "x", patterns: ["3", ""] },
      { value: "$(params.secret)", patterns: [".*"] },
      { value: "$(params.nothing)", patterns: [".*"] },
    ],
  });
  expect(conditions).toEqual([
    { value: "3", taken: [true, false] },
    { value: "x", taken: [false, true] },
    { why: "the value is secret" },
    { why: expect.stringContaining("$(params.nothing)") },
  ]);
});

test.each([
  ["a task that there is not", { node: "sned" }, "/node"],
  ["too many expressions", { expressions: Array(201).fill("x") }, "/expressions"],
  ["a pin of no task", { pinned: { sned: {} } }, "/pinned/sned"],
])("%s is refused with its place", async (_, more, path) => {
  expect(await look({ draft, ...more })).toMatchObject({
    status: 400,
    body: { errors: expect.arrayContaining([expect.objectContaining({ path })]) },
  });
});

test("an unfinished draft can be previewed: with unknown tasks, cycles, or without a name", async () => {
  const tasks = [
    { name: "a", taskRef: "there-is-no-such-task", dependencies: [{ taskRef: "b" }], params: values({ x: "$(params.city)" }) },
    { name: "b", dependencies: [{ taskRef: "a" }, { taskRef: "gone" }] },
  ];
  const { values: given } = await preview({ draft: { ...draft, tasks }, node: "a", expressions: ["$(params.x)", "$(tasks.b.results.y)"] });
  expect(given).toMatchObject([{ value: "Oslo" }, { value: "$(tasks.b.results.y)" }]);
  expect((await look({ draft: {}, expressions: ["$(params.team-name)"] })).status).toBe(200);
});

test("50 expressions of a draft with 500 tasks cost a few milliseconds of work, and large values have a bound", async () => {
  const tasks = Array.from({ length: 500 }, (_, at) => ({
    ...{ name: `n${at}`, taskRef: at % 2 ? "shell" : "lookup", dependencies: [{ taskRef: at === 0 ? "start" : `n${at - 1}` }] },
    params: values({ text: "$(params.city) and more" }),
  }));
  const pins = Object.fromEntries(tasks.slice(0, 60).map(({ name }) => [name, { results: values({ person: "Ann" }) }]));
  const expressions = Array.from(
    { length: 50 },
    (_, at) => `Hi $(tasks.n${at}.results.person) of $(params.city), $(tasks.n${at + 400}.results.person)`,
  );
  const ask = () => preview({ draft: { ...draft, tasks }, node: "n499", pinned: pins, expressions, references: true });
  await ask();
  const expectWithin = startWork();
  const { values: given } = await ask();
  expect(given[49].value).toMatch(/^Hi Ann of Oslo/);
  expectWithin(400);
  const large = { find: { results: values({ person: "x".repeat(1_000_000), count: 1 }) } };
  const many = await preview({ node: "send", pinned: large, expressions: Array(200).fill("$(tasks.find.results.person)") });
  expect(many.values[0]).toMatchObject({ truncated: true, value: expect.stringMatching(/^x+/) });
  expect(many.values[199]).toMatchObject({ truncated: true });
  expect(many.values[199]).not.toHaveProperty("value");
});

const polling = (more: object, name = "poll") => ({
  ...draft,
  tasks: [{ name, taskRef: "lookup", dependencies: [{ taskRef: "start" }], ...more }],
});
const until = { value: "$(loop.previous.results.count)", matches: "[3-9]" };
const looped = async (loop: object, more: object = {}) =>
  (await preview({ draft: polling({ loop, params: values({ n: 1 }) }), node: "poll", repeats: true, ...more })).loop;
const round = (count: unknown) => ({ pinned: { poll: { results: values({ count }) } } });

test.each([
  ["until", 2, { rounds: 1, value: "2", holds: false, ends: false }],
  ["until", 3, { rounds: 1, value: "3", holds: true, ends: true }],
  ["while", 3, { rounds: 1, value: "3", holds: true, ends: false }],
  ["while", 2, { rounds: 1, value: "2", holds: false, ends: true }],
])("a loop %s its condition holds says what that gives after a round with %j", async (kind, count, expected) => {
  expect(await looped({ [kind]: until }, round(count))).toEqual(expected);
});

test("a condition that needs an unknown round says so; one checked before the first round is evaluated", async () => {
  expect(await looped({ until })).toEqual({ rounds: 0, why: expect.stringContaining("choose a run") });
  expect(await looped({ while: { value: "$(loop.index)", matches: "0" } })).toEqual({ rounds: 0, value: "0", holds: true, ends: false });
  expect(await looped({ until: { ...until, value: "$(loop.previous.results.state)" } }, round(1))).toMatchObject({
    why: '$(loop.previous.results.state): the round before left no result "state"',
  });
  expect(await looped({ until: { ...until, value: "$(params.n)" } }, round(1))).toMatchObject({
    why: expect.stringContaining("$(params.n)"),
  });
  expect(await looped({ until: { ...until, value: "$(params.secret)" } }, round(1))).toEqual({ rounds: 1, why: "the value is secret" });
});

test("a loop without a condition yet does not prevent other previews", async () => {
  for (const loop of [{}, { maxRounds: 3 }, { until: null }]) {
    const { status, body } = await look({ draft: polling({ loop }), node: "poll", repeats: true, expressions: ["$(params.city)"] });
    expect([status, body.values?.[0].value, body.loop]).toEqual([200, "Oslo", undefined]);
  }
});

test("the round before is the last one of the run that is chosen, and only its readers see it", async () => {
  const made = await team.workflow(
    "polls",
    workflow(node("poll", "script", ["start"], { loop: { until }, results: [{ name: "count" }], ...params({ script: "true" }) })),
  );
  expect(made).toBeTruthy();
  const worker = await kit.worker();
  const { id } = await team.submit("polls");
  await kit.end(await team.claim(worker), { results: [{ name: "count", value: 1 }] });
  await kit.end(await team.claim(worker), { results: [{ name: "count", value: 2 }] });
  const asked = {
    draft: polling({ loop: { until } }),
    node: "poll",
    repeats: true,
    fromRun: id,
    expressions: ["$(loop.previous.results.count)"],
  };
  const { loop, values: given } = await preview(asked);
  expect(loop).toEqual({ rounds: 2, value: "2", holds: false, ends: false });
  expect(given[0]).toMatchObject({ value: "2" });
  // The task may have another name by now.
  expect((await preview({ ...asked, draft: polling({ loop: { until } }, "ask"), node: "ask" })).loop).toMatchObject({ rounds: 0 });
  const other = await makeTeam();
  await other.workflow("polls", workflow(node("poll", "script", ["start"], params({ script: "true" }))));
  const foreign = await other.submit("polls");
  expect((await look({ ...asked, fromRun: foreign.id })).status).toBe(404);
});

test.each([
  ["[1, 2, 3]", {}, { count: 3, first: "1" }],
  [[1, 2, 3], { batchSize: 2 }, { count: 2, first: "[1,2]" }],
  ["$(params.city)", {}, { why: "it must be a list, and is Oslo" }],
  ["$(tasks.find.results.person.tags)", {}, { count: 2, first: "a" }],
  ["$(tasks.find.results.persons)", {}, { why: expect.stringContaining("$(tasks.find.results.persons)") }],
  ["[]", {}, { count: 0 }],
])("a forEach over %j with %j has the items of its list", async (items, more, expected) => {
  const tasks = [draft.tasks[0], { ...polling({ forEach: { items, ...more } }).tasks[0], dependencies: [{ taskRef: "find" }] }];
  expect((await preview({ draft: { ...draft, tasks }, node: "poll", pinned, repeats: true })).items).toEqual(expected);
});
