import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { testApp } from "../../../test/kit/app.ts";
import { makeTask } from "../../../test/kit/workflow-factories.ts";

const app = await testApp();
const yaml = { "content-type": "application/x-yaml" };
const asYaml = { accept: "application/yaml" };
let team: { id: string; name: string };
let owner: ReturnType<typeof app.as>;
let path: string;

beforeAll(async () => {
  await makeTask(app.sql, { name: "shell", versions: 3, params: [{ name: "script" }] });
  await makeTask(app.sql, { name: "switch", type: "decision", params: [{ name: "value" }] });
  await makeTask(app.sql, { name: "set-result-parameter", type: "setwfproperty", params: [{ name: "output" }, { name: "value" }] });
});
beforeEach(async () => {
  team = await app.make.team();
  owner = app.as((await app.make.member(team.id, "owner")).token);
  path = `/api/v2/team/${team.name}/workflow`;
});

const head = "apiVersion: tekton.dev/v1\nkind: Pipeline\nmetadata: {name: build}\n";
const plain = `${head}spec:\n  tasks:\n    - {name: a, taskRef: {name: shell}}\n    - {name: b, runAfter: [a], taskRef: {name: shell}}\n`;
const inside = (script: string) => `${head}spec: {tasks: [{name: greet, taskSpec: {steps: [{name: s, script: '${script}'}]}}]}\n`;

test("a Pipeline becomes a workflow, a new version with PUT, and is returned unchanged", async () => {
  const made = await owner.post(path, plain, yaml);
  expect(made.status).toBe(200);
  expect(made.body).toMatchObject({ name: "build", version: 1 });
  expect(made.body.warnings).toBeUndefined();
  expect(made.body.tasks.find((task: { name: string }) => task.name === "b")).toMatchObject({
    taskRef: "shell",
    taskVersion: 3,
    dependencies: [{ taskRef: "a", executionCondition: "success" }],
  });
  const read = await owner.get(`${path}/build`, asYaml);
  expect(read.headers["content-type"]).toBe("application/x-yaml; charset=utf-8");
  expect(parse(read.text)).toEqual(parse(plain));
  const changed = plain.replace("[a]", "[a], retries: 2");
  expect((await owner.put(path, changed, { ...yaml, "if-match": String(read.headers["etag"]) })).body).toMatchObject({ version: 2 });
  expect(parse((await owner.get(`${path}/build`, asYaml)).text)).toEqual(parse(changed));
  expect(parse((await owner.get(`${path}/build?version=1`, asYaml)).text)).toEqual(parse(plain));
  expect((await owner.post(path, plain, yaml)).status).toBe(422);
});

test("members of a task inside that look misspelt are among the warnings, and unknown ones are refused if that is asked for", async () => {
  const text = inside("true").replace("name: s,", "name: s, scirpt: x, example.com/y: z,");
  const strict = await owner.post(path, text, { ...yaml, prefer: "handling=strict" });
  expect([strict.status, strict.body.message]).toEqual([400, expect.stringContaining("taskSpec.steps.0.scirpt")]);
  const { body } = await owner.post(path, text, yaml);
  expect(body.warnings.filter(({ reason }: { reason: string }) => reason === "UNKNOWN_MEMBER")).toEqual([
    expect.objectContaining({ message: expect.stringMatching(/scirpt .*did you mean script\?/) }),
  ]);
});

test("what has no effect is among the warnings, with its line", async () => {
  const { body } = await owner.post(
    path,
    plain.replace("{name: build}", "{name: build, namespace: ci}").replace("a, task", "a, timeout: 90s, runafter: [b], task"),
    yaml,
  );
  expect(body.warnings).toEqual([
    expect.objectContaining({
      reason: "UNKNOWN_MEMBER",
      message: expect.stringMatching(/^line 6, column \d+: spec.tasks.0.runafter .*did you mean runAfter\?/),
    }),
    expect.objectContaining({ reason: "NOT_MAPPED", path: "/metadata/namespace", message: expect.stringMatching(/^line 3, column 36: /) }),
    expect.objectContaining({ reason: "NOT_MAPPED", message: expect.stringContaining("becomes 2m") }),
  ]);
  const strict = await owner.post(path, plain.replace("a, task", "a, runafter: [b], task"), { ...yaml, prefer: "handling=strict" });
  expect(strict.status).toBe(400);
  expect(strict.body).toMatchObject({ message: expect.stringContaining("runAfter") });
});

describe("a taskSpec", () => {
  test("is a task of the team, with a new version only if it has changed", async () => {
    const { body } = await owner.post(path, inside("echo 1"), yaml);
    expect(body.warnings).toMatchObject([
      { reason: "SAVED_AS_TASK", path: "/spec/tasks/0/taskSpec", message: expect.stringContaining("build-greet") },
    ]);
    const taskPath = `/api/v2/team/${team.name}/task/build-greet`;
    expect((await owner.get(taskPath)).body).toMatchObject({ version: 1, spec: { script: "echo 1" } });
    await owner.put(path, inside("echo 1"), yaml);
    expect((await owner.get(taskPath)).body).toMatchObject({ version: 1 });
    await owner.put(path, inside("echo 2"), yaml);
    expect((await owner.get(taskPath)).body).toMatchObject({ version: 2, spec: { script: "echo 2" } });
    expect(parse((await owner.get(`${path}/build`, asYaml)).text)).toEqual(parse(inside("echo 2")));
    expect(parse((await owner.get(`${path}/build?version=1`, asYaml)).text)).toEqual(parse(inside("echo 1")));
    const audited = await app.sql<
      { kind: string }[]
    >`select object_kind as kind from audit where team_id = ${team.id} and object_name = 'build-greet'`;
    expect(audited).toHaveLength(2);
  });

  test("never changes a task that was created in another way, and leaves nothing behind when it is refused", async () => {
    await owner.post(`/api/v2/team/${team.name}/task`, { name: "build-greet", spec: { script: "mine" } });
    const refused = await owner.post(path, inside("echo 1"), yaml);
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject({ reason: "TASK_ALREADY_EXISTS", message: expect.stringContaining("build-greet") });
    expect((await owner.get(`/api/v2/team/${team.name}/task/build-greet`)).body).toMatchObject({ version: 1, spec: { script: "mine" } });
    const other = inside("echo 1")
      .replace("]}", "]}, {name: x, taskRef: {name: nowhere}}]}")
      .replace("build", "other")
      .replace("]}}]}, ", "]}}, ");
    expect((await owner.post(path, other, yaml)).status).toBe(400);
    expect((await owner.get(`/api/v2/team/${team.name}/task/other-greet`)).status).toBe(404);
  });

  test("needs the permission to write tasks, and a plain pipeline does not", async () => {
    const narrow = app.as(await app.make.teamToken(team.id, ["workflow/write"]));
    expect((await narrow.post(path, inside("x"), yaml)).body).toMatchObject({
      reason: "PERMISSION_DENIED",
      message: expect.stringContaining("task/write"),
    });
    expect((await narrow.post(path, plain, yaml)).status).toBe(200);
  });

  test("that is wrong is refused with its line", async () => {
    const { body } = await owner.post(path, inside("x").replace("name: s,", "name: s, timeout: soon,"), yaml);
    expect(body).toMatchObject({ errors: [{ path: "/spec/tasks/0/taskSpec/steps/0/timeout", message: expect.stringMatching(/^line 4/) }] });
  });
});

test.each([
  ["a task that is not there", plain.replace("{name: shell}}\n    - {name: b", "{name: shel}}\n    - {name: b"), /Task a refers to shel/],
  ["a cycle", plain.replace("a, task", "a, runAfter: [b], task"), /cycle/],
  ["two documents", `${plain}---\n${plain}`, /2 documents/],
  [
    "aliases of aliases",
    `${head}spec:\n  a: &a [x,x,x,x,x,x,x,x,x]\n${[..."bcdefg"].map((name, at) => `  ${name}: &${name} [${`*${"abcdef"[at]},`.repeat(9)}]\n`).join("")}`,
    /50000/,
  ],
  ["five megabytes", `${head}spec: {description: ${"x".repeat(5_000_000)}}\n`, /1048576/],
  ["__proto__", plain.replace("a, task", "a, __proto__: {x: y}, task"), /__proto__/],
  ["a name that is none", plain.replace("build", "'***'"), /name/],
  [
    "labels beyond the limits",
    plain.replace("{name: build}", `{name: build, labels: {${Array.from({ length: 70 }, (_, at) => `l${at}: x`).join(", ")}}}`),
    /labels/,
  ],
  ["no YAML", "{[", /line 1/],
  [
    "a PipelineRun of a pipeline",
    "apiVersion: tekton.dev/v1\nkind: PipelineRun\nmetadata: {name: r}\nspec: {pipelineRef: {name: p}}\n",
    /submit/,
  ],
])("refuses %s with 400 or 413, and says why", async (_what, text, why) => {
  const { status, body } = await owner.post(path, text, yaml);
  expect(status).toBe(400);
  expect(body.message).toMatch(why);
});

test("as JSON a Pipeline is refused with the page that says how", async () => {
  const { body } = await owner.post(path, parse(plain));
  expect(body).toMatchObject({ reason: "WORKFLOW_FOREIGN_DOCUMENT", message: expect.stringContaining("docs/tekton-pipelines.md") });
});

test("a task of another team is not found", async () => {
  const other = await app.make.team();
  await makeTask(app.sql, { teamId: other.id, name: "theirs" });
  expect((await owner.post(path, plain.replaceAll("shell", "theirs"), yaml)).body).toMatchObject({ reason: "WORKFLOW_INVALID_TASK_REF" });
});

test("a workflow that can't be written as a Pipeline is a 406 with the reason", async () => {
  await owner.post(path, {
    name: "w",
    timeout: 5,
    tasks: [
      { name: "a", taskRef: "shell" },
      { name: "b", taskRef: "shell", dependencies: [{ taskRef: "a" }] },
    ],
  });
  const { status, body } = await owner.get(`${path}/w`, asYaml);
  expect(status).toBe(406);
  expect(body).toMatchObject({
    reason: "WORKFLOW_NO_PIPELINE",
    errors: expect.arrayContaining([
      expect.objectContaining({ path: "/timeout" }),
      expect.objectContaining({ path: "/tasks/2/dependencies" }),
    ]),
  });
});
