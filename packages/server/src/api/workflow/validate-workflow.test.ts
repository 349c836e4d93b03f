import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { startWork } from "../../../test/kit/processor-ms.ts";
import { makeTask } from "../../../test/kit/workflow-factories.ts";

const app = await testApp();
let team: { id: string; name: string };
let reader: string;
let path: string;

beforeAll(async () => {
  await makeTask(app.sql, { name: "shell" });
  await makeTask(app.sql, { name: "run-workflow", type: "runworkflow", params: [{ name: "workflowRef" }, { name: "wait" }] });
  await makeTask(app.sql, { name: "manual-approval", type: "approval", params: [{ name: "title" }, { name: "instructions" }] });
});
beforeEach(async () => {
  team = await app.make.team();
  reader = (await app.make.member(team.id, "reader")).token;
  path = `/api/v2/team/${team.name}/workflow`;
});

const validate = (body: unknown) => app.as(reader).post(`${path}/validate`, body);

test("a workflow that could be saved has no problems, and nothing is saved", async () => {
  const answer = await validate({ name: "w", tasks: [{ name: "a", taskRef: "shell" }] });
  expect(answer).toMatchObject({ status: 200, body: [] });
  expect((await app.as(reader).get(`${path}/w`)).status).toBe(404);
});

test("a document with more members than anyone writes is refused, before it takes seconds to copy them again and again", async () => {
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`member${index}`, 1]));
  const valid = { name: "w", tasks: [{ name: "a", taskRef: "shell", ...many(10_001) }] };
  const places: [string, unknown][] = [
    ["", { name: "w", ...many(200_000) }],
    ["/tasks/0", valid],
  ];
  for (const [place, body] of places) {
    const expectWithin = startWork();
    const refused = await validate(body);
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: place, message: expect.stringContaining("at most 10000") }] } });
    expectWithin(2_000);
  }
  const editor = (await app.make.member(team.id, "editor")).token;
  const applied = await app
    .as(editor)
    .post(`/api/v2/team/${team.name}/apply`, { kind: "Workflow", apiVersion: "millrace.dev/v1", ...valid });
  expect(JSON.stringify(applied.body)).toContain("at most 10000 are allowed in one object");
  expect((await validate({ name: "w", tasks: [{ name: "a", taskRef: "shell", x: many(9_000) }] })).status).toBe(200);
});

test("all faults are reported at once, each with its node", async () => {
  const { status, body } = await validate({
    name: "w",
    params: [{ name: "p" }, { name: "p" }],
    tasks: [
      { name: "a", taskRef: "nothing" },
      { name: "b", taskRef: "shell", dependencies: [{ taskRef: "gone" }] },
      { name: "c", taskRef: "shell", taskVersion: 7 },
      { name: "d", taskRef: "run-workflow", params: [{ name: "workflowRef", value: "nowhere" }] },
    ],
  });
  expect(status).toBe(200);
  expect(body.map(({ node, reason }: { node?: string; reason: string }) => [node, reason])).toEqual([
    ["a", "WORKFLOW_INVALID_TASK_REF"],
    ["c", "TASK_INVALID_REFERENCE"],
    ["b", "WORKFLOWRUN_INVALID_DEPENDENCY"],
    [undefined, "VALIDATION_FAILED"],
    ["d", "TASK_INVALID_WORKFLOWREF"],
  ]);
  expect(body[4].path).toBe("/tasks/3/params/0/value");
  expect(body[3].message).toBe("another parameter has the name p");
});

test("a task that is nearly named is suggested, ten times at most", async () => {
  const { body } = await validate({ name: "w", tasks: Array.from({ length: 12 }, (_, index) => ({ name: `t${index}`, taskRef: "shel" })) });
  const messages: string[] = body.map(({ message }: { message: string }) => message);
  expect(messages[0]).toMatch(/there is no such task in the team, and no such global task; did you mean shell\?$/);
  expect(messages.filter((message) => message.includes("did you mean"))).toHaveLength(10);
});

test("the first problem is the reason that a save gives", async () => {
  const document = { name: "w", tasks: [{ name: "a", taskRef: "shell", dependencies: [{ taskRef: "b" }] }] };
  const owner = (await app.make.member(team.id, "owner")).token;
  const saved = await app.as(owner).post(path, document);
  const [problem] = (await validate(document)).body;
  expect(saved.body.reason).toBe(problem.reason);
});

test("it needs the permission to see the team's workflows", async () => {
  const outsider = (await app.make.member((await app.make.team()).id, "owner")).token;
  expect((await app.as(outsider).post(`${path}/validate`, { name: "w" })).status).toBe(404);
});

test("a workspace that chooses its volume on a cluster gets a warning that this has no effect", async () => {
  const spec = { size: "1Gi", accessMode: "ReadWriteOnce", className: "fast" };
  const body = { name: "w", workspaces: [{ name: "data", type: "workflowrun", spec }] };
  expect((await validate(body)).body).toMatchObject([
    { severity: "warning", reason: "UNKNOWN_MEMBER", path: "/workspaces/0/spec/accessMode" },
    { severity: "warning", reason: "UNKNOWN_MEMBER", path: "/workspaces/0/spec/className" },
  ]);
});

describe("what is not wrong and worth knowing", () => {
  const document = {
    name: "w",
    parallelism: 1,
    mine: { anything: true },
    tasks: [
      { name: "a", taskRef: "run-workflow", retrys: 2, params: [{ name: "workflowRef", value: "$(team.params.channel)" }] },
      {
        name: "b",
        dependancies: [],
        taskRef: "shell",
        params: [{ name: "script", value: "echo $(tasks.a.results.q)" }],
        dependencies: [{ taskRef: "a" }],
      },
    ],
  };
  const expected = [
    ["UNRESOLVED_REFERENCE", "/tasks/0/params/0/value", "a"],
    ["UNRESOLVED_REFERENCE", "/tasks/1/params/0/value", "b"],
    ["UNKNOWN_MEMBER", "/parallelism", undefined],
    ["UNKNOWN_MEMBER", "/tasks/0/retrys", "a"],
    ["UNKNOWN_MEMBER", "/tasks/1/dependancies", "b"],
  ];
  const told = (warnings: { severity: string; reason: string; path: string; node?: string }[]) => {
    expect(new Set(warnings.map(({ severity }) => severity))).toEqual(new Set(["warning"]));
    return warnings.map(({ reason, path, node }) => [reason, path, node]);
  };

  test("is reported by a check and by each way of saving, and is not stored", async () => {
    const owner = app.as((await app.make.member(team.id, "owner")).token);
    expect(told((await validate(document)).body)).toEqual(expected);
    const created = await owner.post(path, document);
    expect(created).toMatchObject({
      status: 200,
      body: { parallelism: 1, tasks: expect.arrayContaining([expect.objectContaining({ dependancies: [] })]) },
    });
    expect(told(created.body.warnings)).toEqual(expected);
    expect(created.body.warnings[3].message).toBe("retrys is unknown here and has no effect; did you mean retry?");
    expect(told((await owner.put(path, created.body)).body.warnings)).toHaveLength(expected.length);
    const canvas = (await owner.get(`${path}/w/compose`)).body;
    expect(canvas).not.toHaveProperty("warnings");
    const onCanvas = told((await owner.put(`${path}/w/compose`, canvas)).body.warnings);
    expect(onCanvas.map(([, at]) => at)).toEqual(
      expect.arrayContaining(["/parallelism", expect.stringMatching(/^\/nodes\/\d+\/data\/retrys$/)]),
    );
    expect(onCanvas).toHaveLength(expected.length);
    expect((await owner.get(`${path}/w`)).body).not.toHaveProperty("warnings");
    const fine = await owner.put(path, { name: "w", mine: 1, tasks: [{ name: "a", taskRef: "shell" }] });
    expect(fine.body).not.toHaveProperty("warnings");
  });

  test("names members without effect in a workflow without tasks", async () => {
    const { body } = await validate({
      name: "w",
      script: ["npm test"],
      canvasNotes: [],
      labels: { mine: "x" },
      tasks: [{ name: "start", type: "start" }],
    });
    expect(told(body)).toEqual([["UNKNOWN_MEMBER", "/script", undefined]]);
    expect(body[0].message).toContain("the workflow has no tasks");
  });

  /** A task with these values for parameters. */
  const node = (name: string, taskRef: string, values: Record<string, unknown>) => ({
    ...{ name, taskRef },
    params: Object.entries(values).map(([param, value]) => ({ name: param, value })),
  });

  test("names values that do not fit their parameters", async () => {
    await makeTask(app.sql, { name: "wait-a-bit", type: "sleep", params: [{ name: "duration", type: "text" }] });
    await makeTask(app.sql, { name: "which", type: "decision", params: [{ name: "value", type: "text" }] });
    const method = { name: "method", type: "select", options: [{ key: "GET", value: "Get" }] };
    await makeTask(app.sql, { name: "call", params: [{ name: "tries", type: "number" }, { name: "quiet", type: "boolean" }, method] });
    const { body } = await validate({
      name: "w",
      params: [{ name: "p" }],
      tasks: [
        node("a", "wait-a-bit", { duration: "5 minutes" }),
        node("b", "which", { value: "" }),
        node("c", "call", { tries: "many", quiet: "True", method: "FETCH" }),
        node("d", "call", { tries: "$(params.p)", quiet: "", method: "GET" }),
        node("e", "which", { value: "$(params.p)" }),
      ],
    });
    expect(told(body)).toEqual([
      ["INVALID_VALUE", "/tasks/0/params/0/value", "a"],
      ["INVALID_VALUE", "/tasks/1/params", "b"],
      ["INVALID_VALUE", "/tasks/2/params/0/value", "c"],
      ["INVALID_VALUE", "/tasks/2/params/2/value", "c"],
    ]);
    expect(body[0].message).toBe('parameter "duration" must be a number, but is "5 minutes"');
    expect(body[1].message).toBe('parameter "value" has no value, but a task of type decision needs one');
  });

  test("names what an approval or a manual task would fail with at its start, unless references decide it", async () => {
    const names = ["approverGroupId", "numberOfApprovers", "deadline", "reminder", "escalateAfter", "escalateTo", "instructions"];
    const params = [...names, "requesterMayNotApprove"].map((name) => ({ name, type: "text" }));
    await makeTask(app.sql, { name: "vote", type: "approval", params });
    await makeTask(app.sql, { name: "do", type: "manual", params });
    const approvers = [(await app.make.member(team.id, "editor")).email];
    const changed = await app.as().patch(`/api/v2/team/${team.name}`, { approverGroups: [{ name: "Ops", approvers }] });
    expect(changed.status).toBe(200);
    const vote = (name: string, values: Record<string, unknown>) => node(name, "vote", values);
    const { body } = await validate({
      name: "w",
      params: [{ name: "p" }],
      tasks: [
        vote("a", { approverGroupId: "ops", deadline: "tomorrow" }),
        vote("b", { escalateAfter: 30 }),
        vote("c", { deadline: 10, escalateTo: "OPS", escalateAfter: "30" }),
        vote("d", { approverGroupId: "nobody", numberOfApprovers: "0" }),
        vote("e", { approverGroupId: "Ops", numberOfApprovers: 2 }),
        node("f", "do", { requesterMayNotApprove: "perhaps", numberOfApprovers: 0 }),
        vote("g", { escalateAfter: 30, escalateTo: "$(params.p)", deadline: "$(params.p)", approverGroupId: "$(params.p)" }),
        vote("h", { approverGroupId: "Ops", reminder: 5, deadline: 60, numberOfApprovers: "$(params.p)", instructions: "Look" }),
      ],
    });
    const at = (task: number, param: number) => `/tasks/${task}/params/${param}/value`;
    const found = body.map(({ path, message }: { path: string; message: string }) => [path, message]);
    expect(found).toEqual([
      [at(0, 1), 'Parameter "deadline" must be a whole number of minutes from 1 to 525600'],
      [at(1, 0), 'Parameters "escalateAfter" and "escalateTo" must be given together'],
      [at(2, 2), 'Parameter "escalateAfter" is 30, and must be less than "deadline", which is 10'],
      [at(3, 1), 'Parameter "numberOfApprovers" must be a whole number from 1 to 100'],
      [at(5, 0), 'Parameter "requesterMayNotApprove" must be true or false'],
      [at(3, 0), 'parameter "approverGroupId" names the approver group "nobody", which the team does not have'],
      [at(4, 0), 'approver group "Ops" has one member, but 2 have to approve'],
    ]);
    expect(new Set(body.map(({ reason }: { reason: string }) => reason))).toEqual(new Set(["INVALID_VALUE"]));
  });

  test("answers about an approval whatever its parameters are", async () => {
    const names = ["approverGroupId", "numberOfApprovers", "deadline", "escalateAfter", "escalateTo", "instructions", "fields", "title"];
    await makeTask(app.sql, { name: "hostile", type: "approval", params: names.map((name) => ({ name, type: "json" })) });
    const deep = JSON.parse(`${"[".repeat(400)}${"]".repeat(400)}`) as unknown;
    const values = [
      {},
      [],
      [null],
      1e308,
      -0,
      true,
      null,
      { toString: 1, valueOf: 2 },
      "__proto__",
      "x".repeat(300_000),
      deep,
      "\0",
      "$(",
      "\ud800",
    ];
    for (const value of values) {
      const params = [...names, "__proto__", "constructor"].map((name) => ({ name, value }));
      const { status } = await validate({ name: "w", tasks: [{ name: "a", taskRef: "hostile", params }] });
      expect([JSON.stringify(value)?.slice(0, 40), status]).toEqual([JSON.stringify(value)?.slice(0, 40), expect.toBeOneOf([200, 400])]);
    }
    const long = "y".repeat(100_000);
    const { body } = await validate({
      name: "w",
      tasks: [{ name: "a", taskRef: "hostile", params: [{ name: "approverGroupId", value: long }] }],
    });
    expect(JSON.stringify(body).length).toBeLessThan(10_000);
  });

  test("reports faults in the form of an approval, unless references decide it", async () => {
    await makeTask(app.sql, { name: "ask", type: "approval", params: [{ name: "fields", type: "json" }] });
    const ask = (name: string, value: unknown) => ({ name, taskRef: "ask", params: [{ name: "fields", value }] });
    const { body } = await validate({
      name: "w",
      tasks: [ask("a", [{ name: "key", type: "password" }]), ask("b", "$(params.fields)"), ask("c", [{ name: "version" }])],
      params: [{ name: "fields" }],
    });
    expect(told(body)).toEqual([["INVALID_VALUE", "/tasks/0/params/0/value", "a"]]);
    expect(body[0].message).toContain("a field can't be a secret");
  });

  test("names parameters of tasks that look misspelt, and text that looks like a failed reference", async () => {
    const { body } = await validate({
      name: "w",
      params: [{ name: "city", default: "$(param.town)" }],
      tasks: [
        {
          name: "a",
          taskRef: "run-workflow",
          params: [
            { name: "workflowRef", value: "$(team.params.channel)" },
            { name: "wati", value: "true" },
            { name: "mine", value: "{{ params.city }}" },
          ],
        },
      ],
    });
    expect(told(body)).toEqual([
      ["UNRESOLVED_REFERENCE", "/params/0/default", undefined],
      ["UNRESOLVED_REFERENCE", "/tasks/0/params/0/value", "a"],
      ["UNRESOLVED_REFERENCE", "/tasks/0/params/2/value", "a"],
      ["UNKNOWN_MEMBER", "/tasks/0/params/1/name", "a"],
    ]);
    expect(body[3].message).toBe('task run-workflow has no parameter "wati"; did you mean wait?');
  });

  test("names values that a task of the engine does nothing with", async () => {
    const asks = (...params: object[]) => ({ name: "w", tasks: [{ name: "a", type: "approval", taskRef: "manual-approval", params }] });
    const title = { name: "title", value: "Release?" };
    const { body } = await validate(asks(title, { name: "message", value: "Tests are green" }, { name: "numberOfApprovals", value: "2" }));
    expect(told(body)).toEqual([["UNKNOWN_MEMBER", "/tasks/0/params/1/name", "a"]]);
    expect(body[0].message).toMatch(
      /^task manual-approval has no parameter "message"; its value has no effect. It has title, instructions$/,
    );
    const script = { name: "s", taskRef: "shell", params: [{ name: "mine", value: "x" }] };
    expect((await validate({ name: "w", tasks: [script] })).body, "scripts get all").toEqual([]);
  });

  test("names misspelt members wherever they stand, kept or ignored", async () => {
    const { body } = await validate({
      name: "w",
      timeot: 5,
      triggers: { manual: { enabeld: true } },
      params: [{ name: "p", defualt: 1 }],
      workspaces: [{ name: "workflowrun", type: "workflowrun", spec: { siez: 1 } }],
      tasks: [
        { name: "a", taskRef: "shell", retry: { count: 1, backofMs: 5 }, params: [{ name: "x", vlaue: 1 }] },
        { name: "b", taskRef: "shell", dependencies: [{ taskRef: "a", executionConditon: "success" }] },
      ],
    });
    expect(told(body).map(([, path]) => path)).toEqual([
      "/timeot",
      "/triggers/manual/enabeld",
      "/params/0/defualt",
      "/workspaces/0/spec/siez",
      "/tasks/0/retry/backofMs",
      "/tasks/0/params/0/vlaue",
      "/tasks/1/dependencies/0/executionConditon",
    ]);
  });

  test("names tasks that no run can reach, times that a limit cuts, and secrets that no log can mask", async () => {
    const { body } = await validate({
      name: "w",
      timeout: 10_000,
      params: [{ name: "pin", type: "password", default: "123" }],
      tasks: [
        { name: "a", taskRef: "shell", timeout: 2000 },
        { name: "good", taskRef: "shell", dependencies: [{ taskRef: "a", executionCondition: "success" }] },
        {
          name: "join",
          taskRef: "shell",
          dependencies: [
            { taskRef: "a", executionCondition: "failure" },
            { taskRef: "good", executionCondition: "success" },
          ],
        },
      ],
    });
    expect(told(body)).toEqual([
      ["CUT_BY_LIMIT", "/timeout", undefined],
      ["CUT_BY_LIMIT", "/tasks/0/timeout", "a"],
      ["UNREACHABLE_NODE", "/tasks/2", "join"],
      ["SHORT_SECRET", "/params/0/default", undefined],
    ]);
    expect(body[0].message).toContain(
      "is 10000 minutes, but the quota maxWorkflowRunDuration of the team ends a run after 1440 active minutes",
    );
    expect(JSON.stringify(body)).not.toContain("123");
  });

  test("a short default of a password is saved, sealed and used", async () => {
    const owner = app.as((await app.make.member(team.id, "owner")).token);
    const document = { name: "pin", params: [{ name: "pin", type: "password", default: "123" }] };
    const saved = await owner.post(path, document);
    expect(saved).toMatchObject({ status: 200, body: { warnings: [{ reason: "SHORT_SECRET" }] } });
    expect((await owner.get(`${path}/pin`)).body.params[0]).toMatchObject({ default: "", hiddenValue: true });
    expect((await owner.post(`${path}/pin/submit`, {})).status).toBe(200);
    const asValue = { name: "pin", params: [{ name: "pin", type: "password", value: "123" }] };
    expect((await owner.put(path, asValue)).status).toBe(400);
  });

  test("names secrets that a save refuses, without their texts", async () => {
    const { body } = await validate({
      name: "w",
      params: [
        { name: "keys", type: "secret", default: { a: "hunter22" } },
        { name: "pin", type: "password", value: "123" },
      ],
    });
    expect(body).toMatchObject([
      { severity: "error", reason: "VALIDATION_FAILED", path: "/params/0/type" },
      { severity: "error", reason: "VALIDATION_FAILED", path: "/params/1/value" },
    ]);
    expect(JSON.stringify(body)).not.toMatch(/hunter22|123/);
  });

  test("is not hidden by custom members", async () => {
    const own = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`ours${index}`, index]));
    const { body } = await validate({ name: "w", ...own, tasks: [{ name: "a", taskRef: "shell", retrys: 2 }] });
    expect(told(body)).toEqual([["UNKNOWN_MEMBER", "/tasks/0/retrys", "a"]]);
  });

  test("names tasks whose parameters leave nothing to run, except where only the run can know", async () => {
    await makeTask(app.sql, { name: "any-image", params: [{ name: "image" }], image: "$(params.image)" });
    const node = (name: string, value: string) => ({ name, taskRef: "any-image", params: [{ name: "image", value }] });
    const { body } = await validate({
      name: "w",
      params: [{ name: "p" }],
      tasks: [node("a", ""), node("b", "$(params.p)"), node("c", "alpine")],
    });
    expect(told(body)).toEqual([["NO_EXECUTOR", "/tasks/0", "a"]]);
  });

  test("names tasks that no worker can run now", async () => {
    const owner = app.as((await app.make.member(team.id, "owner")).token);
    await app.sql`
      insert into worker (host, pid, roles, executors, configured, labels, slots, lease_until)
      values ('mill', 1, '{worker}', '{container}', '{container}', '{}', 1, db_now() + interval '1 hour')`;
    const { body } = await owner.post(path, { name: "w", tasks: [{ name: "a", taskRef: "shell" }] });
    await app.sql`delete from worker`;
    expect(body.warnings).toMatchObject([{ severity: "warning", reason: "NO_EXECUTOR", node: "a", path: "/tasks/0" }]);
    expect(body.warnings[0].message).toContain('"process"');
  });
});

test("a check reports references and missing values like a save", async () => {
  await makeTask(app.sql, { name: "picky", params: [{ name: "url", required: true }], script: "echo $(params.flag)" });
  const tasks = [{ name: "a", taskRef: "picky", params: [{ name: "text", value: "$(params.nope)" }] }];
  const owner = app.as((await app.make.member(team.id, "owner")).token);
  const refused = (await owner.post(path, { name: "w", tasks })).body.errors.map(({ message }: { message: string }) => message);
  expect(refused).toHaveLength(3);
  expect((await validate({ name: "w", tasks })).body.map(({ message }: { message: string }) => message)).toEqual(refused);
});

describe("refused as a save would be", () => {
  test.each([
    ["$(params.nope)", 'there is no parameter "nope"'],
    ["$(tasks.zzz.results.q)", 'the workflow has no task "zzz"'],
  ])("%s", async (value, why) => {
    const document = { name: "w", tasks: [{ name: "a", taskRef: "shell", params: [{ name: "script", value: `echo ${value}` }] }] };
    const problem = { severity: "error", reason: "WORKFLOW_UNRESOLVED_REFERENCE", node: "a", path: "/tasks/0/params/0/value" };
    expect((await validate(document)).body).toMatchObject([{ ...problem, message: expect.stringContaining(why) }]);
    const owner = app.as((await app.make.member(team.id, "owner")).token);
    const refused = await owner.post(path, document);
    expect(refused).toMatchObject({ status: 400, body: { code: 1207, reason: "WORKFLOW_UNRESOLVED_REFERENCE" } });
    expect(refused.body.errors).toMatchObject([{ path: "/tasks/0/params/0/value" }]);
    expect((await owner.post(path, { ...document, unresolvedReferences: "keep" })).body.warnings).toHaveLength(1);
  });

  test("a document of another product is named", async () => {
    const owner = app.as((await app.make.member(team.id, "owner")).token);
    const foreign = { name: "CI", on: { push: {} }, jobs: { build: { "runs-on": "ubuntu-latest", steps: [] } } };
    for (const answer of [await validate(foreign), await owner.post(path, foreign), await owner.put(path, foreign)])
      expect(answer).toMatchObject({
        status: 400,
        body: { reason: "WORKFLOW_FOREIGN_DOCUMENT", message: expect.stringContaining("GitHub Actions") },
      });
    expect((await owner.get(`${path}/ci`)).status).toBe(404);
  });
});
