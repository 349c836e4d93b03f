import { beforeAll, describe, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { randomName } from "../../../test/kit/factories.ts";
import { makeTask } from "../../../test/kit/workflow-factories.ts";

const app = await testApp();
const path = "/api/v2/workflowtemplate";
const team = await app.make.team();
const owner = (await app.make.member(team.id, "owner")).token;
const operator = await app.make.userToken((await app.make.user({ type: "operator" })).id);

beforeAll(async () => {
  await makeTask(app.sql, { name: "shell", versions: 3 });
  await makeTask(app.sql, { name: "switch", type: "decision" });
  await makeTask(app.sql, { name: "call", params: [{ name: "password", type: "password" }, { name: "url" }] });
  await makeTask(app.sql, { name: "old", status: "inactive" });
  await makeTask(app.sql, { name: "run-workflow", type: "runworkflow" });
  await makeTask(app.sql, { teamId: team.id, name: "own" });
});

const create = (body: unknown) => app.as(operator).post(path, body);
const withTask = (task: object) => ({ name: randomName("t"), tasks: [{ name: "a", taskRef: "shell", ...task }] });

describe("POST workflowtemplate", () => {
  test("needs a name only, and has neither status nor triggers", async () => {
    const { status, body, headers } = await create({ name: "Nightly-Report", status: "inactive", triggers: { event: { enabled: true } } });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: "Nightly-Report",
      displayName: "Nightly-Report",
      version: 1,
      changelog: { reason: "Initial WorkflowTemplate" },
      labels: {},
      annotations: {},
      upgradesAvailable: false,
      params: [],
      workspaces: [],
    });
    expect(body.tasks.map((task: { name: string; dependencies: unknown }) => [task.name, task.dependencies])).toEqual([
      ["start", []],
      ["end", [{ taskRef: "start", executionCondition: "always" }]],
    ]);
    expect(body).not.toHaveProperty("status");
    expect(body).not.toHaveProperty("triggers");
    expect(body.creationDate).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(headers["etag"]).toMatch(/^".+"$/);
  });

  test("keeps unknown members, and all known ones", async () => {
    const document = {
      name: "everything",
      displayName: "Everything",
      icon: "bot",
      description: "d",
      markdown: "# m",
      labels: { "a.b/c": "1" },
      annotations: { x: { y: [null, 1] } },
      timeout: 7,
      retries: 2,
      mine: { deep: [null, 1, "x"] },
      params: [{ name: "p", type: "text", default: "v", label: "P", options: [{ key: "k", value: "v" }], odd: 1 }],
      workspaces: [{ name: "workflow", type: "workflow", optional: false, spec: { size: "900Gi" } }],
      tasks: [
        {
          name: "a",
          taskRef: "shell",
          taskVersion: 2,
          hint: "h",
          timeout: 3,
          labels: { l: "1" },
          annotations: { "millrace.dev/position": { x: 1, y: 2 } },
          params: [{ name: "script", value: "echo $(params.p)" }],
          results: [{ name: "r", description: "R" }],
          forEach: { items: [1, 2], parallel: 2 },
          retry: { count: 1 },
          onLost: "fail",
        },
        { name: "b", taskRef: "shell", dependencies: [{ taskRef: "a", executionCondition: "success", style: "dashed" }] },
      ],
    };
    const made = await create(document);
    const { body } = await app.as(owner).get(`${path}/everything`);
    expect(body).toEqual(made.body);
    const { tasks, ...rest } = document;
    expect(body).toMatchObject({ ...rest, upgradesAvailable: true });
    expect(body.tasks[1]).toMatchObject({ ...tasks[0], type: "template", upgradesAvailable: true });
    expect(body.tasks[2]).toMatchObject({ ...tasks[1], taskVersion: 3, upgradesAvailable: false });
    const again = await app.as(operator).put(`${path}?replace=true`, body);
    expect({ ...again.body, changelog: 0, creationDate: 0 }).toEqual({ ...body, changelog: 0, creationDate: 0 });
  });

  test("responds with a document that can be created as a workflow and run", async () => {
    const { body: template } = await create({
      name: "round-trip",
      labels: { a: "1" },
      params: [{ name: "token", type: "password", default: "open sesame" }],
      tasks: [
        { name: "a", taskRef: "call", params: [{ name: "password", value: "correct horse" }], annotations: { at: 1 } },
        { name: "which", taskRef: "switch", dependencies: [{ taskRef: "a" }], params: [{ name: "value", value: "x" }] },
        { name: "b", taskRef: "shell", taskVersion: 1, dependencies: [{ taskRef: "which", decisionCondition: "x.*" }] },
      ],
      mine: [1],
    });
    expect(JSON.stringify(template)).not.toMatch(/sesame|horse|mrsealed/);
    expect(template.params).toEqual([{ name: "token", type: "password", value: "", default: "", hiddenValue: true }]);
    const base = `/api/v2/team/${team.name}/workflow`;
    const made = await app.as(owner).post(base, template);
    expect(made.status).toBe(200);
    expect(made.body).toMatchObject({ name: "round-trip", version: 1, status: "active", mine: [1], labels: { a: "1" } });
    const secretless = JSON.parse(JSON.stringify(template.tasks).replace(',"hiddenValue":true', ""));
    expect(made.body.tasks).toEqual(secretless);
    expect((await app.as(owner).post(`${base}/round-trip/submit?start=true`, {})).status).toBe(200);
  });

  test.each([
    ["no name", {}, 400, "VALIDATION_FAILED"],
    ["an empty name", { name: "" }, 400, "TASK_INVALID_NAME"],
    ["a name with a blank", { name: "a b" }, 400, "TASK_INVALID_NAME"],
    ["a name of hyphens", { name: "--" }, 400, "TASK_INVALID_NAME"],
    ["a name like an id", { name: "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e" }, 400, "TASK_INVALID_NAME"],
    ["a reserved name", { name: "Query" }, 422, "TASK_ALREADY_EXISTS"],
    ["a wrong type", { name: "t", tasks: 5 }, 400, "VALIDATION_FAILED"],
    ["a canvas", { name: "t", nodes: [] }, 400, "VALIDATION_FAILED"],
    ["a workspace without sense", { name: "t", workspaces: [{ name: "workflow", spec: { size: "big" } }] }, 400, "VALIDATION_FAILED"],
    ["a task without definition", withTask({ taskRef: null }), 400, "WORKFLOW_INVALID_TASK_REF"],
    ["an unknown definition", withTask({ taskRef: "nope" }), 400, "WORKFLOW_INVALID_TASK_REF"],
    ["a definition of a team", withTask({ taskRef: "own" }), 400, "WORKFLOW_INVALID_TASK_REF"],
    ["a definition of a named team", withTask({ taskRef: `${team.name}/own` }), 400, "WORKFLOW_INVALID_TASK_REF"],
    ["an unknown version", withTask({ taskVersion: 9 }), 404, "TASK_INVALID_REFERENCE"],
    ["an inactive definition", withTask({ taskRef: "old" }), 409, "TASK_INACTIVE_STATUS"],
    ["the type of another definition", withTask({ type: "decision" }), 400, "WORKFLOW_INVALID_TASK_REF"],
    [
      "two tasks of one name",
      {
        name: "t",
        tasks: [
          { name: "a", taskRef: "shell" },
          { name: "a", taskRef: "shell" },
        ],
      },
      400,
      "WORKFLOW_NON_UNIQUE_TASK_NAME",
    ],
    ["an unknown dependency", withTask({ dependencies: [{ taskRef: "b" }] }), 400, "WORKFLOWRUN_INVALID_DEPENDENCY"],
    ["a cycle", withTask({ dependencies: [{ taskRef: "a" }] }), 400, "WORKFLOW_INVALID_GRAPH"],
    ["a short secret", { name: "t", params: [{ name: "p", type: "password", value: "abc" }] }, 400, "VALIDATION_FAILED"],
  ])("refuses %s", async (_, body, status, reason) => {
    const answer = await create(body);
    expect([answer.status, answer.body.reason]).toEqual([status, reason]);
    const name = (body as { name?: string }).name;
    if (name) expect((await app.sql`select id from workflow_template where name = ${name}`).length).toBe(0);
  });

  test("names are unique ignoring case, and of two concurrent creations one wins", async () => {
    await create({ name: "taken" });
    expect(await create({ name: "TAKEN" })).toMatchObject({
      status: 422,
      body: { code: 1402, reason: "TASK_ALREADY_EXISTS", message: "Name TAKEN is taken" },
    });
    const answers = await Promise.all([1, 2, 3].map(() => create({ name: "raced" })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
  });

  test("a task that runs a workflow names one of the team that will use the template", async () => {
    expect((await create({ ...withTask({ taskRef: "run-workflow" }), name: "caller" })).status).toBe(200);
  });

  test("needs the permission to write templates of the instance", async () => {
    expect((await app.as(null).post(path, { name: "x" })).status).toBe(401);
    const refused = await app.as(owner).post(path, { name: "x" });
    expect(refused).toMatchObject({ status: 403, body: { message: expect.stringContaining("workflowtemplate/write") } });
    const narrow = await app.make.globalToken(["workflowtemplate/write"]);
    expect((await app.as(narrow).post(path, { name: "by-narrow" })).body).toMatchObject({ changelog: { author: expect.any(String) } });
  });
});

test("a template is checked like a workflow, as far as this is possible without a team", async () => {
  const document = (script: string) => ({
    name: "checked",
    tasks: [{ name: "a", taskRef: "shell", retrys: 1, params: [{ name: "script", value: script }] }],
  });
  expect(await create(document("$(tasks.zzz.results.q)"))).toMatchObject({
    status: 400,
    body: { reason: "WORKFLOW_UNRESOLVED_REFERENCE" },
  });
  const { status, body } = await create(document("$(params.nope) $(team.params.x)"));
  expect(status).toBe(200);
  expect(body.warnings).toMatchObject([
    { reason: "UNRESOLVED_REFERENCE", node: "a", message: expect.stringContaining('the template does not declare the parameter "nope"') },
    { reason: "UNKNOWN_MEMBER", path: "/tasks/0/retrys" },
  ]);
  expect((await app.as(operator).get(`${path}/checked`)).body).not.toHaveProperty("warnings");
});
