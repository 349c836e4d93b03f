import { beforeAll, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { makeTask } from "../../../test/kit/workflow-factories.ts";

/** The same rules as a save of a Pipeline, reported all at once, and nothing is stored. */
const app = await testApp();
const yaml = { "content-type": "application/x-yaml" };
const team = await app.make.team();
const reader = app.as((await app.make.member(team.id, "reader")).token);
const owner = app.as((await app.make.member(team.id, "owner")).token);
const path = `/api/v2/team/${team.name}/workflow`;
const validate = (text: string, headers = {}) => reader.post(`${path}/validate`, text, { ...yaml, ...headers });

beforeAll(() => makeTask(app.sql, { name: "shell", params: [{ name: "script" }] }));

const head = "apiVersion: tekton.dev/v1\nkind: Pipeline\nmetadata: {name: build}\n";
const inside = (step: string, more = "") =>
  `${head}spec:\n  tasks:\n    - name: greet\n      taskSpec:\n        steps: [{${step}}]\n${more}`;
const good = inside("name: s, script: 'true'", "    - {name: b, runAfter: [greet], taskRef: {name: shell}}\n");

test("a pipeline that could be saved has no errors, and neither it nor its tasks are kept", async () => {
  for (let round = 0; round < 2; round++) {
    const { status, body } = await validate(good);
    expect([status, body]).toEqual([
      200,
      [expect.objectContaining({ severity: "warning", reason: "SAVED_AS_TASK", message: expect.stringMatching(/^line 8, /) })],
    ]);
  }
  expect((await owner.get(`${path}/build`)).status).toBe(404);
  expect((await owner.get(`/api/v2/team/${team.name}/task/build-greet`)).status).toBe(404);
  expect((await app.sql`select 1 from audit where team_id = ${team.id} and object_name = 'build-greet'`).length).toBe(0);
});

test("all faults are reported at once, with line and column, errors first", async () => {
  const text = inside(
    "name: s, script: 'true', timeout: soon, tty: true",
    "    - {name: b, runAfter: [greet], taskRef: {name: shel}}\n    - {name: c, runAfter: [b], timeout: 90s, taskRef: {name: nowhere}}\n",
  );
  const { status, body } = await validate(text);
  const said = body.map(({ severity, reason, node, message }: Record<string, string>) => [
    severity,
    reason,
    node,
    /^line \d+/.exec(message!)?.[0],
  ]);
  expect([status, said.slice(0, 3)]).toEqual([
    200,
    [
      ["error", "TASK_INVALID_DEFINITION", "greet", "line 8"],
      ["error", "WORKFLOW_INVALID_TASK_REF", "b", "line 9"],
      ["error", "WORKFLOW_INVALID_TASK_REF", "c", "line 10"],
    ],
  ]);
  expect(said.slice(3).map(([severity]: string[]) => severity)).not.toContain("error");
  const first = await owner.post(path, text, yaml);
  expect([first.status, first.body.reason]).toEqual([400, "TASK_INVALID_DEFINITION"]);
});

test("what no executor can run is found in a task that stands inside, too, and likely mistakes are in the header", async () => {
  const sidecar = good
    .replace("steps:", "sidecars: [{name: x, image: a}]\n        steps:")
    .replace("script: 'true'", "script: 'true', tty: true");
  const { body, headers } = await validate(sidecar);
  expect(body[0]).toMatchObject({ severity: "error", node: "greet", message: expect.stringContaining("has sidecars") });
  expect(headers["warning"]).toContain("tty has no effect");
});

test.each([
  ["a Task", "apiVersion: tekton.dev/v1\nkind: Task\nmetadata: {name: t}\nspec: {}\n", "VALIDATION_FAILED", "/task"],
  ["a member that changes the meaning", `${head}spec: {tasks: [{name: a, taskRef: {resolver: git}}]}\n`, "VALIDATION_FAILED", "line 4"],
])("%s is a problem, not a failed request", async (_what, text, reason, words) => {
  const { status, body } = await validate(text);
  expect([status, body[0]]).toEqual([200, expect.objectContaining({ severity: "error", reason, message: expect.stringContaining(words) })]);
});

test.each([
  ["no YAML", "{[", "VALIDATION_FAILED", "line 1"],
  ["a document of another product", "services: {web: {image: nginx}}\n", "WORKFLOW_FOREIGN_DOCUMENT", "Compose"],
])("%s is refused, as it is in JSON", async (_what, text, reason, words) => {
  const { status, body } = await validate(text);
  expect([status, body.reason, body.message]).toEqual([400, reason, expect.stringContaining(words)]);
});

test("a workflow in YAML is checked as its JSON is", async () => {
  const { status, body } = await validate("name: w\ntasks:\n  - name: a\n    taskRef: nowhere\n");
  expect([status, body[0]]).toMatchObject([200, { severity: "error", reason: "WORKFLOW_INVALID_TASK_REF" }]);
});

test("a task document's check says where a Pipeline is checked", async () => {
  const { body } = await owner.post(`/api/v2/team/${team.name}/task/validate`, good, yaml);
  expect(body.message).toContain("/workflow/validate");
});
