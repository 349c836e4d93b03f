import { expect, test } from "vitest";
import { testApp } from "../../../test/app.ts";
import { hideOldTries } from "../../store/tries.ts";

const app = await testApp();
const team = await app.make.team();
const path = `/api/v2/team/${team.name}`;
const editor = app.as((await app.make.member(team.id, "editor")).token);
const reader = app.as((await app.make.member(team.id, "reader")).token);
const owner = app.as((await app.make.member(team.id, "owner")).token);
const spec = {
  script: "echo",
  params: [
    { name: "who", type: "text" },
    { name: "key", type: "password" },
  ],
};
const { id } = (await owner.put(`${path}/task/greet`, { spec })).body;

test("a task is run by itself with what is given, in a version", async () => {
  await owner.put(`${path}/task/greet`, { spec });
  const tried = await editor.post(`${path}/task/greet/try`, { version: 1, params: [{ name: "who", value: "Ada" }] });
  expect(tried).toMatchObject({ status: 200, body: { phase: "pending", workflowDisplayName: "Try of greet" } });
  await editor.put(`${path}/workflowrun/${tried.body.id}/start`);
  const { body } = await reader.get(`${path}/workflowrun/${tried.body.id}`);
  const task = body.tasks.find(({ name }: { name: string }) => name === "task");
  expect(task).toMatchObject({ taskRef: id, taskVersion: 1 });
  expect(task.params).toContainEqual(expect.objectContaining({ name: "who", value: "Ada" }));
});

test("a secret that is given is kept as one", async () => {
  const tried = await editor.post(`${path}/task/greet/try`, { params: [{ name: "key", value: "s3cret-of-the-try" }] });
  const { text } = await owner.get(`${path}/workflowrun/${tried.body.id}`);
  expect(text).not.toContain("s3cret-of-the-try");
});

test("its workflow is in no list and no quota, and does not hold the task", async () => {
  await owner.put(`${path}/task/gone`, { spec });
  await editor.post(`${path}/task/gone/try`, {});
  expect((await owner.get(`${path}/workflow/query?limit=10&page=0`)).body).toMatchObject({ content: [], totalElements: 0 });
  expect((await owner.get(path)).body.quotas?.currentWorkflowCount ?? 0).toBe(0);
  expect((await owner.delete(`${path}/task/gone`)).status).toBe(204);
});

test("it is cleared away an hour after its end, and not before", async () => {
  const { body } = await editor.post(`${path}/task/greet/try`, {});
  const isThere = async () => (await owner.get(`${path}/workflowrun/${body.id}`)).status === 200;
  await app.sql`update workflow set created_at = created_at - interval '3 hours' where starts_with(name, 'try~')`;
  await hideOldTries(app.sql);
  expect(await isThere()).toBe(true);
  await app.sql`update run set phase = 'completed', status = 'succeeded', ended_at = db_now() - interval '2 hours' where id = ${body.id}`;
  await hideOldTries(app.sql);
  expect(await isThere()).toBe(false);
});

test("readers can't, and what there is not is told", async () => {
  expect((await reader.post(`${path}/task/greet/try`, {})).status).toBe(403);
  expect((await editor.post(`${path}/task/nothing/try`, {})).body.reason).toBe("WORKFLOW_INVALID_TASK_REF");
  expect((await editor.post(`${path}/task/greet/try`, { version: 99 })).body.reason).toBe("TASK_INVALID_REFERENCE");
});

test("a workflow that people make can't be taken for a try", async () => {
  const { body } = await owner.post(`${path}/workflow`, { name: "try~mine" });
  expect(body.name).toBe("trymine");
});
