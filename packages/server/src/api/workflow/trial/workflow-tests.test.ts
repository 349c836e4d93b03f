import { expect, test } from "vitest";
import { params, runKit } from "../../../../test/kit/run-kit.ts";
import { makeTask } from "../../../../test/kit/workflow-factories.ts";

const { app, kit, team: makeTeam, outsider } = await runKit();
const team = await makeTeam();
const path = `${team.path}/workflow`;
const editor = await team.member("editor");
const reader = await team.member("reader");
await makeTask(app.sql, { name: "shell", type: "script", script: "echo", params: [{ name: "text", type: "text" }] });
await makeTask(app.sql, { name: "switch", type: "decision", params: [{ name: "value", type: "text" }] });
await makeTask(app.sql, { name: "ask", type: "approval" });

const workflow = (name: string, more: object = {}) => ({
  name,
  params: [
    { name: "city", type: "text", default: "Oslo" },
    { name: "key", type: "password", default: "s3cret-key" },
  ],
  tasks: [
    { name: "fetch", taskRef: "shell", ...params({ text: "$(params.city) $(params.key)" }), results: [{ name: "kind" }] },
    { name: "route", taskRef: "switch", dependencies: [{ taskRef: "fetch" }], ...params({ value: "$(tasks.fetch.results.kind)" }) },
    { name: "approve", taskRef: "ask", dependencies: [{ taskRef: "route", decisionCondition: "large" }] },
    { name: "send", taskRef: "shell", dependencies: [{ taskRef: "route", decisionCondition: "small" }], ...params({ text: "sent" }) },
  ],
  ...more,
});
const small = (name: string, expected: object = {}) => ({
  name,
  mocks: { fetch: { results: { kind: "small" } }, send: {} },
  expect: { ran: ["send"], skipped: ["approve"], ...expected },
});
async function workflowWithTest(name: string, more: object = {}) {
  expect(await editor.put(path, workflow(name, more))).toMatchObject({ status: 200 });
  expect(await editor.put(`${path}/${name}/test/small`, small("small"))).toMatchObject({ status: 200 });
}

test("a test is stored beside its workflow, run when it is saved, and has versions", async () => {
  await workflowWithTest("stored");
  const saved = await editor.put(`${path}/stored/test/small`, { ...small("small"), description: "The usual way" });
  expect(saved.body).toMatchObject({ name: "small", workflow: "stored", version: 2, expect: { ran: ["send"] } });
  const same = await editor.put(`${path}/stored/test/small`, saved.body);
  expect(same.body).toEqual(saved.body);
  expect((await reader.get(`${path}/stored/test`)).body).toMatchObject({
    requireTests: false,
    tests: [{ name: "small", version: 2, description: "The usual way", lastOutcome: { outcome: "passed", workflowVersion: 1 } }],
  });
  expect((await reader.get(`${path}/stored/test/small`)).body).toEqual(saved.body);
  expect((await editor.delete(`${path}/stored/test/small`)).status).toBe(204);
  expect((await reader.get(`${path}/stored/test/small`)).status).toBe(404);
  const records = await app.sql<{ name: string }[]>`select object_name as name from audit where object_kind = 'workflowtest'`;
  expect(new Set(records.map(({ name }) => name))).toContain("stored/small");
});

test("a test is saved from the YAML of its document", async () => {
  expect(await editor.put(path, workflow("from-yaml"))).toMatchObject({ status: 200 });
  const text = "apiVersion: millrace.dev/v1\nkind: WorkflowTest\nname: yaml\nmocks:\n  fetch:\n    results: {kind: small}\n  send: {}\n";
  const put = (yaml: string) => editor.put(`${path}/from-yaml/test/yaml`, yaml, { "content-type": "application/x-yaml" });
  expect(await put(text)).toMatchObject({ status: 200, body: { name: "yaml", mocks: { fetch: { results: { kind: "small" } } } } });
  expect(await put(`${text}expct: {}\n`)).toMatchObject({ status: 400, body: { message: expect.stringContaining("line 8, column") } });
});

test("a test runs with the saved version or a draft, and its result has path, unmet expectations and coverage", async () => {
  await workflowWithTest("run-it");
  const saved = await reader.post(`${path}/run-it/test/run`, {});
  expect(saved.body).toMatchObject({
    ...{ workflow: "run-it", version: 1, passed: 1, failed: 0 },
    tests: [{ outcome: "passed", run: { status: "succeeded", links: expect.arrayContaining([{ from: "route", to: "send" }]) } }],
    coverage: { tasks: { total: 4, covered: 3, missing: ["approve"] } },
  });
  expect(saved.text).not.toContain("s3cret");
  const draft = {
    ...workflow("run-it"),
    tasks: workflow("run-it").tasks.map((task) => ({ ...task, name: task.name.replace("send", "dispatch") })),
  };
  const drafted = await reader.post(`${path}/run-it/test/run`, { draft, tests: [small("renamed")] });
  expect(drafted.body).toMatchObject({ failed: 1, tests: [{ problem: expect.stringContaining("/mocks/send names the task send") }] });
  const failing = await reader.post(`${path}/run-it/test/run`, { tests: [small("other", { params: { send: { text: "lost" } } })] });
  expect(failing.body.tests[0].failures).toEqual([
    { path: "/expect/params/send/text", message: 'task "send" has another parameter "text"', expected: "lost", actual: "sent" },
  ]);
});

test("a draft of a workflow that there is not is tested by a document", async () => {
  const testDocument =
    "apiVersion: millrace.dev/v1\nkind: WorkflowTest\nname: yaml\nmocks:\n  fetch:\n    results: {kind: small}\n  send: {}\n";
  const answer = await reader.post(`${path}/not-yet/test/run`, { draft: workflow("not-yet"), testDocument });
  expect(answer.body).toMatchObject({ workflow: "not-yet", passed: 1 });
  const wrong = await reader.post(`${path}/not-yet/test/run`, { draft: workflow("not-yet"), testDocument: `${testDocument}expct: {}\n` });
  expect(wrong).toMatchObject({ status: 400, body: { message: expect.stringContaining("line 8, column") } });
});

test("invalid tests are refused with the reason, and outsiders see none", async () => {
  await workflowWithTest("guarded");
  const put = (body: object, name = "small") => editor.put(`${path}/guarded/test/${name}`, body);
  expect(await put({ ...small("small"), mocks: { fetch: { status: "done" } } })).toMatchObject({
    status: 400,
    body: { errors: [{ path: "/mocks/fetch/status" }] },
  });
  expect(await put({ ...small("small"), mocks: { fetch: { duration: "soon" } } })).toMatchObject({ status: 400 });
  expect(await put(small("other"))).toMatchObject({ status: 400, body: { errors: [{ path: "/name" }] } });
  expect((await reader.put(`${path}/guarded/test/small`, small("small"))).status).toBe(403);
  expect((await reader.delete(`${path}/guarded/test/small`)).status).toBe(403);
  expect((await editor.put(`${path}/nothing/test/small`, small("small"))).status).toBe(404);
  for (const answer of [(await outsider()).get(`${path}/guarded/test`), (await outsider()).post(`${path}/guarded/test/run`, {})])
    expect((await answer).status).toBe(404);
  expect((await reader.post(`${path}/guarded/test/run`, { names: ["no"] })).status).toBe(404);
});

test("parameters of the team have placeholders unless the test gives them", async () => {
  const own = await makeTeam();
  const owner = await own.member("owner");
  await owner.patch(own.path, { parameters: [{ name: "region", type: "text", value: "the-real-region" }] });
  const tasks = [{ name: "fetch", taskRef: "shell", ...params({ text: "$(team.params.region)" }) }];
  await owner.put(`${own.path}/workflow`, { name: "regional", tasks });
  const run = (given: object) =>
    owner.post(`${own.path}/workflow/regional/test/run`, { tests: [{ name: "t", given, mocks: { fetch: {} } }] });
  const masked = await run({});
  expect(masked.text).not.toContain("the-real-region");
  expect(masked.body.tests[0].run.tasks[0].params).toEqual({ text: "******" });
  expect((await run({ team: { region: "north" } })).body.tests[0].run.tasks[0].params).toEqual({ text: "north" });
  expect((await run({ team: { regoin: "north" } })).body.tests[0].problem).toContain("/given/team/regoin is not a parameter");
});

test("a workflow that requires its tests can't be saved while they fail, in any way", async () => {
  await workflowWithTest("strict", { requireTests: true });
  const broken = { ...workflow("strict"), tasks: workflow("strict").tasks.slice(0, 3) };
  const refused = await editor.put(path, broken);
  expect(refused).toMatchObject({ status: 409, body: { reason: "WORKFLOW_TESTS_FAILED" } });
  expect(refused.body.errors[0]).toMatchObject({ path: "/test/small/mocks/send" });
  expect((await editor.put(path, { ...broken, requireTests: false })).status).toBe(409);
  expect((await editor.put(`${path}?replace=true`, broken)).status).toBe(409);
  const document = { apiVersion: "millrace.dev/v1", kind: "Workflow", ...broken };
  expect((await editor.post(`${team.path}/apply`, [document])).status).toBe(409);
  const canvas = (await editor.get(`${path}/strict/compose`)).body;
  const nodes = canvas.nodes.filter((node: { data: { name: string } }) => node.data.name !== "send");
  const ids = new Set(nodes.map((node: { id: string }) => node.id));
  const edges = canvas.edges.filter((edge: { source: string; target: string }) => ids.has(edge.source) && ids.has(edge.target));
  expect((await editor.put(`${path}/strict/compose`, { ...canvas, nodes, edges })).status).toBe(409);
  expect((await editor.get(`${path}/strict`)).body).toMatchObject({ version: 1, requireTests: true });
  // It may change together with its test in the same set, or after the setting is turned off.
  const fitting = {
    apiVersion: "millrace.dev/v1",
    kind: "WorkflowTest",
    workflow: "strict",
    name: "small",
    mocks: { fetch: { results: { kind: "x" } } },
  };
  expect(await editor.post(`${team.path}/apply`, [document, fitting])).toMatchObject({
    status: 200,
    body: { documents: [{ action: "updated" }, { action: "updated" }] },
  });
  const { body: off } = await editor.get(`${path}/strict`);
  expect((await editor.put(path, { ...off, requireTests: false })).status).toBe(200);
  expect((await editor.put(path, workflow("strict"))).status).toBe(200);
});

test("a run becomes a test that passes, with secrets masked", async () => {
  const own = await makeTeam();
  const owner = await own.member("owner");
  await owner.put(`${own.path}/workflow`, workflow("from-run"));
  const worker = await kit.worker();
  const run = await own.submit("from-run", params({ city: "Bergen" }));
  expect(await owner.post(`${own.path}/workflowrun/${run.id}/test`, {})).toMatchObject({ status: 409 });
  await kit.settle();
  await kit.end(await own.claim(worker), { results: [{ name: "kind", value: "small" }] });
  await kit.settle();
  await kit.end(await own.claim(worker), { results: [{ name: "id", value: 7 }] });
  await kit.settle();
  const only = await owner.post(`${own.path}/workflowrun/${run.id}/test`, { dryRun: true });
  expect(only.body).toMatchObject({ given: { params: { city: "Bergen" } }, mocks: { fetch: { results: { kind: "small" } } } });
  expect((await owner.get(`${own.path}/workflow/from-run/test`)).body.tests).toEqual([]);
  const made = await owner.post(`${own.path}/workflowrun/${run.id}/test`, { name: "as it was" });
  expect(made).toMatchObject({
    status: 200,
    body: { name: "as it was", workflow: "from-run", expect: { ran: ["fetch", "route", "send"], params: { send: { text: "sent" } } } },
  });
  expect(made.text).not.toContain("s3cret");
  expect((await owner.get(`${own.path}/workflow/from-run/test`)).body.tests).toMatchObject([
    { name: "as it was", lastOutcome: { outcome: "passed" } },
  ]);
});
