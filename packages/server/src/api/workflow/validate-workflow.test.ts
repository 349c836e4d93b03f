import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testApp } from "../../../test/app.ts";
import { makeTask } from "../../../test/workflow-factories.ts";

const app = await testApp();
let team: { id: string; name: string };
let reader: string;
let path: string;

beforeAll(async () => {
  await makeTask(app.sql, { name: "shell" });
  await makeTask(app.sql, { name: "run-workflow", type: "runworkflow" });
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

test("all that is wrong is told at once, each with its node", async () => {
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
  expect(body[3].message).toBe("another parameter is named p too");
});

test("the first problem is what a save is refused for", async () => {
  const document = { name: "w", tasks: [{ name: "a", taskRef: "shell", dependencies: [{ taskRef: "b" }] }] };
  const owner = (await app.make.member(team.id, "owner")).token;
  const saved = await app.as(owner).post(path, document);
  const [problem] = (await validate(document)).body;
  expect(saved.body.reason).toBe(problem.reason);
});

test("it is refused to whoever may not see the team's workflows", async () => {
  const stranger = (await app.make.member((await app.make.team()).id, "owner")).token;
  expect((await app.as(stranger).post(`${path}/validate`, { name: "w" })).status).toBe(404);
});

describe("what is not wrong and worth knowing", () => {
  const document = {
    name: "w",
    concurrency: 1,
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
    ["UNKNOWN_MEMBER", "/concurrency", undefined],
    ["UNKNOWN_MEMBER", "/tasks/0/retrys", "a"],
    ["UNKNOWN_MEMBER", "/tasks/1/dependancies", "b"],
  ];
  const told = (warnings: { severity: string; reason: string; path: string; node?: string }[]) => {
    expect(new Set(warnings.map(({ severity }) => severity))).toEqual(new Set(["warning"]));
    return warnings.map(({ reason, path, node }) => [reason, path, node]);
  };

  test("is told by a check and by each way of saving, and is not stored", async () => {
    const owner = app.as((await app.make.member(team.id, "owner")).token);
    expect(told((await validate(document)).body)).toEqual(expected);
    const created = await owner.post(path, document);
    expect(created).toMatchObject({
      status: 200,
      body: { concurrency: 1, tasks: expect.arrayContaining([expect.objectContaining({ dependancies: [] })]) },
    });
    expect(told(created.body.warnings)).toEqual(expected);
    expect(created.body.warnings[3].message).toBe("retrys is not known here and has no effect; did you mean retry?");
    expect(told((await owner.put(path, created.body)).body.warnings)).toHaveLength(expected.length);
    const canvas = (await owner.get(`${path}/w/compose`)).body;
    expect(canvas).not.toHaveProperty("warnings");
    expect(told((await owner.put(`${path}/w/compose`, canvas)).body.warnings)).toHaveLength(expected.length);
    expect((await owner.get(`${path}/w`)).body).not.toHaveProperty("warnings");
    const fine = await owner.put(path, { name: "w", mine: 1 });
    expect(fine.body).not.toHaveProperty("warnings");
  });

  test("is not hidden by members that are somebody's own", async () => {
    const own = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`ours${index}`, index]));
    const { body } = await validate({ name: "w", ...own, tasks: [{ name: "a", taskRef: "shell", retrys: 2 }] });
    expect(told(body)).toEqual([["UNKNOWN_MEMBER", "/tasks/0/retrys", "a"]]);
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
