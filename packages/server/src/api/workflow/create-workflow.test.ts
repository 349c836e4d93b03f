import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { startWork } from "../../../test/kit/processor-ms.ts";
import { makeTask } from "../../../test/kit/workflow-factories.ts";

const app = await testApp();
let team: { id: string; name: string };
let owner: string;
let path: string;

beforeAll(async () => {
  await makeTask(app.sql, { name: "shell", versions: 3 });
  await makeTask(app.sql, { name: "switch", type: "decision" });
  await makeTask(app.sql, { name: "call", params: [{ name: "password", type: "password" }, { name: "url" }] });
  await makeTask(app.sql, { name: "old", status: "inactive" });
  await makeTask(app.sql, { name: "run-workflow", type: "runworkflow" });
});
beforeEach(async () => {
  team = await app.make.team();
  owner = (await app.make.member(team.id, "owner")).token;
  path = `/api/v2/team/${team.name}/workflow`;
});

const create = (body: unknown) => app.as(owner).post(path, body);
const withTask = (task: object) => ({ name: "w", tasks: [{ name: "a", taskRef: "shell", ...task }] });

describe("POST workflow", () => {
  test("needs a name only, and creates a workflow that can be run", async () => {
    const { status, body, headers } = await create({ name: "Nightly Report" });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: "nightly-report",
      displayName: "nightly-report",
      status: "active",
      version: 1,
      changelog: { reason: "Initial Workflow" },
      labels: {},
      annotations: {},
      upgradesAvailable: false,
      triggers: { manual: { enabled: true, conditions: [] }, schedule: { enabled: false, conditions: [] } },
      params: [],
      workspaces: [],
    });
    expect(body.tasks.map((task: { name: string; dependencies: unknown }) => [task.name, task.dependencies])).toEqual([
      ["start", []],
      ["end", [{ taskRef: "start", executionCondition: "always" }]],
    ]);
    expect(body.creationDate).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(headers["etag"]).toMatch(/^".+"$/);
  });

  test("as inactive can't be run until it is activated; an unknown status is refused", async () => {
    const made = await create({ name: "later", status: "inactive", triggers: { manual: { enabled: true } } });
    expect([made.status, made.body.status]).toEqual([200, "inactive"]);
    const applied = await app.as(owner).put(path, { name: "applied", status: "Inactive" });
    expect([applied.status, applied.body.status]).toEqual([200, "inactive"]);
    const submit = () => app.as(owner).post(`${path}/later/submit`, {});
    expect(await submit()).toMatchObject({ status: 409, body: { reason: "WORKFLOW_NOT_ACTIVE" } });
    await app.as(owner).put(path, { name: "later", status: "active" });
    expect((await submit()).status).toBe(200);
    const wrong = await create({ name: "wrong", status: "paused" });
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining("paused")]);
  });

  test("with a trigger on the end of other workflows takes effect at once, also as a copy", async () => {
    const woken = () => new Promise<void>((resolve) => app.bus.onWake("events", () => resolve()));
    const afterCreation = woken();
    await create({ name: "after", triggers: { workflow: { enabled: true } } });
    await afterCreation;
    const afterCopy = woken();
    await app.as(owner).post(`${path}/after/duplicate`);
    await afterCopy;
  });

  test("keeps unknown members of the workflow, its tasks and their dependencies", async () => {
    const document = {
      name: "w",
      mine: { deep: [null, 1, "x"] },
      tasks: [
        { name: "a", taskRef: "shell", hint: "h" },
        { name: "b", taskRef: "shell", dependencies: [{ taskRef: "a", style: "dashed" }] },
      ],
    };
    const made = await create(document);
    const read = await app.as(owner).get(`${path}/w`);
    expect(read.body).toEqual(made.body);
    expect(read.body).toMatchObject({ mine: { deep: [null, 1, "x"] } });
    expect(read.body.tasks[1]).toMatchObject({ name: "a", hint: "h" });
    expect(read.body.tasks[2].dependencies).toEqual([{ taskRef: "a", style: "dashed", executionCondition: "always" }]);
  });

  test("pins the latest version of each task, fills in its type and writes its name", async () => {
    const id = await makeTask(app.sql, { teamId: team.id, name: "own", type: "script", versions: 2 });
    const tasks = [
      { name: "a", taskRef: "shell" },
      { name: "b", taskRef: "shell", taskVersion: 1 },
      { name: "c", taskRef: id },
      { name: "d", taskRef: `${team.name}/own`, taskVersion: 1 },
    ];
    const { body } = await create({ name: "w", tasks });
    expect(
      body.tasks
        .slice(1, 5)
        .map((task: Record<string, unknown>) => [task["taskRef"], task["taskVersion"], task["type"], task["upgradesAvailable"]]),
    ).toEqual([
      ["shell", 3, "template", false],
      ["shell", 1, "template", true],
      ["own", 2, "script", false],
      ["own", 1, "script", true],
    ]);
    expect(body.upgradesAvailable).toBe(true);
  });

  test("a task of the team comes before a global one of the same name", async () => {
    await makeTask(app.sql, { teamId: team.id, name: "shell", type: "script" });
    expect((await create(withTask({}))).body.tasks[1]).toMatchObject({ taskRef: "shell", type: "script", taskVersion: 1 });
  });

  test.each([
    ["no name", {}, 400, "VALIDATION_FAILED"],
    ["a name without letters", { name: "!!" }, 400, "VALIDATION_FAILED"],
    ["a reserved name", { name: "Query" }, 422, "WORKFLOW_NON_UNIQUE_NAME"],
    ["a wrong type", { name: "w", tasks: 5 }, 400, "VALIDATION_FAILED"],
    [
      "a trigger without sense",
      { name: "w", triggers: { event: { conditions: [{ field: "x", operation: "equals" }] } } },
      400,
      "VALIDATION_FAILED",
    ],
    ["a workspace without sense", { name: "w", workspaces: [{ name: "workflow", spec: { size: "big" } }] }, 400, "VALIDATION_FAILED"],
    ["a workspace beyond the quota", { name: "w", workspaces: [{ name: "workflow", spec: { size: "3Gi" } }] }, 429, "QUOTA_EXCEEDED"],
    ["a canvas", { name: "w", nodes: [] }, 400, "VALIDATION_FAILED"],
    ["a task without definition", withTask({ taskRef: null }), 400, "WORKFLOW_INVALID_TASK_REF"],
    ["an unknown definition", withTask({ taskRef: "nope" }), 400, "WORKFLOW_INVALID_TASK_REF"],
    ["a definition of another team", withTask({ taskRef: "others/shell" }), 400, "WORKFLOW_INVALID_TASK_REF"],
    ["an unknown version", withTask({ taskVersion: 9 }), 404, "TASK_INVALID_REFERENCE"],
    ["an inactive definition", withTask({ taskRef: "old" }), 409, "TASK_INACTIVE_STATUS"],
    ["the type of another definition", withTask({ type: "decision" }), 400, "WORKFLOW_INVALID_TASK_REF"],
    ["an unknown type", withTask({ type: "magic" }), 400, "VALIDATION_FAILED"],
    [
      "a definition for the start",
      { name: "w", tasks: [{ name: "start", type: "start", taskRef: "shell" }] },
      400,
      "WORKFLOW_INVALID_TASK_REF",
    ],
    ["an unknown dependency", withTask({ dependencies: [{ taskRef: "b" }] }), 400, "WORKFLOWRUN_INVALID_DEPENDENCY"],
    ["a cycle", withTask({ dependencies: [{ taskRef: "a" }] }), 400, "WORKFLOW_INVALID_GRAPH"],
    [
      "two tasks of a name",
      {
        name: "w",
        tasks: [
          { name: "a", taskRef: "shell" },
          { name: "a", taskRef: "shell" },
        ],
      },
      400,
      "WORKFLOW_NON_UNIQUE_TASK_NAME",
    ],
    [
      "a workflow to run that is not there",
      withTask({ taskRef: "run-workflow", params: [{ name: "workflowRef", value: "nope" }] }),
      400,
      "TASK_INVALID_WORKFLOWREF",
    ],
    ["a status that is none", { name: "w", status: "paused" }, 400, "VALIDATION_FAILED"],
    ["a secret of a task too short", withTask({ taskRef: "call", params: [{ name: "password", value: "abc" }] }), 400, "VALIDATION_FAILED"],
  ])("refuses %s", async (_, body, status, reason) => {
    const answer = await create(body);
    expect(answer.body).toMatchObject({ reason });
    expect(answer.status).toBe(status);
    expect((await app.as(owner).get(`${path}/query?sort=ASC&limit=10&page=0`)).body.totalElements).toBe(0);
  });

  test("refuses a number that would come back changed", async () => {
    const { status, body } = await create('{"name":"w","big":12345678901234567891}');
    expect([status, body.message]).toEqual([400, expect.stringContaining("12345678901234567891")]);
  });

  test("accepts a workflow that runs itself, others of the team, or one named by a reference", async () => {
    await create({ name: "other" });
    const refs = ["w", "other", "$(params.which)", ""];
    const tasks = refs.map((value, index) => ({ name: `t${index}`, taskRef: "run-workflow", params: [{ name: "workflowRef", value }] }));
    expect((await create({ name: "w", tasks, params: [{ name: "which" }] })).status).toBe(200);
  });

  test("a name is unique: of many concurrent requests exactly one gets it", async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => create({ name: "same" })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422, 422]);
    expect(answers.find(({ status }) => status === 422)?.body).toMatchObject({ reason: "WORKFLOW_NON_UNIQUE_NAME", code: 1201 });
  });

  test("the quota holds under concurrency", async () => {
    await app.sql`update team set max_workflow_count = 3 where id = ${team.id}`;
    const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => create({ name: `w${index}` })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.find(({ status }) => status === 429)?.body).toMatchObject({ reason: "QUOTA_EXCEEDED", code: 1020 });
  });

  test("needs the permission to write", async () => {
    const reader = (await app.make.member(team.id, "reader")).token;
    const outsider = (await app.make.member((await app.make.team()).id, "owner")).token;
    expect((await app.as(null).post(path, { name: "w" })).status).toBe(401);
    expect((await app.as(reader).post(path, { name: "w" })).status).toBe(403);
    expect((await app.as(outsider).post(path, { name: "w" })).status).toBe(404);
  });

  test("takes ten thousand tasks in reasonable time", async () => {
    const tasks = Array.from({ length: 9_998 }, (_, index) => ({
      name: `task ${index}`,
      taskRef: "shell",
      dependencies: index < 100 ? [] : [{ taskRef: `task ${index - 100}`, executionCondition: "success" }],
      params: [{ name: "script", value: `echo ${index} $(params.day)` }],
    }));
    const expectWithin = startWork();
    const { status, body } = await create({ name: "huge", tasks, params: [{ name: "day" }] });
    expectWithin(6_000);
    expect(status).toBe(200);
    expect(body.tasks).toHaveLength(10_000);
    expect((await create({ name: "huger", tasks: [...tasks, ...tasks] })).status).toBe(400);
    expect((await create({ name: "w", pad: "x".repeat(8 * 1024 * 1024) })).status).toBe(413);
  });

  test("leaves an audit record without secrets", async () => {
    await create({ name: "w", params: [{ name: "token", type: "password", default: "open sesame" }] });
    const [record] =
      await app.sql`select object_name as "name", action, after from audit where team_id = ${team.id} order by id desc limit 1`;
    expect(record).toMatchObject({ name: "w", action: "workflow/write", after: { version: 1, taskCount: 2 } });
    expect(JSON.stringify(record)).not.toContain("sesame");
  });
});
