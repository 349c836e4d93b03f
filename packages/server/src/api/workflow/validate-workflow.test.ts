import { beforeAll, beforeEach, expect, test } from "vitest";
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
