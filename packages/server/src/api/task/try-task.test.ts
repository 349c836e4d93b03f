import { expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { hideOldTries } from "../../store/workflow/hidden-workflows.ts";

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

test("a given secret is stored as a secret", async () => {
  const tried = await editor.post(`${path}/task/greet/try`, { params: [{ name: "key", value: "s3cret-of-the-try" }] });
  const { text } = await owner.get(`${path}/workflowrun/${tried.body.id}`);
  expect(text).not.toContain("s3cret-of-the-try");
});

test("its workflow is in no list or quota, and does not keep the task from being deleted", async () => {
  await owner.put(`${path}/task/gone`, { spec });
  await editor.post(`${path}/task/gone/try`, {});
  expect((await owner.get(`${path}/workflow/query?limit=10&page=0`)).body).toMatchObject({ content: [], totalElements: 0 });
  expect((await owner.get(path)).body.quotas?.currentWorkflowCount ?? 0).toBe(0);
  expect((await owner.delete(`${path}/task/gone`)).status).toBe(204);
});

test("its run is in no list, statistics or monthly quota, and triggers nothing", async () => {
  const { body } = await editor.post(`${path}/task/greet/try`, {});
  expect((await owner.get(`${path}/workflowrun/query`)).body).toMatchObject({ content: [], totalElements: 0 });
  expect((await owner.get(`${path}/taskrun/query`)).body).toMatchObject({ content: [], totalElements: 0 });
  expect((await owner.get(`${path}/workflowrun/count`)).body.status.all ?? 0).toBe(0);
  expect((await owner.get(path)).body.quotas.currentRuns ?? 0).toBe(0);
  expect((await owner.get(`${path}/workflowrun/${body.id}`)).body).toMatchObject({ trial: {}, timeout: 1440 });
  expect(await app.sql`select 1 from change_event where team_id = ${team.id} and object_id = ${body.id}`).toEqual([]);
});

test("its run can't be repeated", async () => {
  const { body } = await editor.post(`${path}/task/greet/try`, {});
  await app.sql`update run set phase = 'completed', status = 'failed', ended_at = db_now() where id = ${body.id}`;
  expect(await editor.put(`${path}/workflowrun/${body.id}/retry`)).toMatchObject({ status: 409, body: { reason: "CONFLICT" } });
  const [row] = await app.sql<{ name: string }[]>`
    select w.name from workflow w join run r on r.workflow_id = w.id where r.id = ${body.id}`;
  expect((await editor.post(`${path}/workflow/${row?.name}/submit`, {})).status).toBe(404);
});

test("it is removed an hour after its end, and not before", async () => {
  const { body } = await editor.post(`${path}/task/greet/try`, {});
  const isThere = async () => (await owner.get(`${path}/workflowrun/${body.id}`)).status === 200;
  await app.sql`update workflow set created_at = created_at - interval '3 hours' where starts_with(name, 'try~')`;
  await hideOldTries(app.sql);
  expect(await isThere()).toBe(true);
  await app.sql`update run set phase = 'completed', status = 'succeeded', ended_at = db_now() - interval '2 hours' where id = ${body.id}`;
  await hideOldTries(app.sql);
  expect(await isThere()).toBe(false);
});

test("readers can't try a task, and an unknown task is a 404", async () => {
  expect((await reader.post(`${path}/task/greet/try`, {})).status).toBe(403);
  expect((await editor.post(`${path}/task/nothing/try`, {})).body.reason).toBe("WORKFLOW_INVALID_TASK_REF");
  expect((await editor.post(`${path}/task/greet/try`, { version: 99 })).body.reason).toBe("TASK_INVALID_REFERENCE");
});

test("a workflow of users can't be mistaken for a try", async () => {
  const { body } = await owner.post(`${path}/workflow`, { name: "try~mine" });
  expect(body.name).toBe("trymine");
});

test("with an Idempotency-Key it is one try, however often and at once it is asked for; another request by the key is refused", async () => {
  const send = (body: object, as = editor) => as.post(`${path}/task/greet/try`, body, { "idempotency-key": "try-1" });
  const body = { params: [{ name: "who", value: "Ada" }] };
  const answers = await Promise.all(Array.from({ length: 5 }, () => send(body)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
  expect(answers.filter(({ headers }) => headers["idempotency-replayed"] === "true")).toHaveLength(4);
  expect(await send({ params: [{ name: "who", value: "Bob" }] })).toMatchObject({ status: 409, body: { reason: "CONFLICT" } });
  const ofOwner = await send(body, owner);
  expect(ofOwner.status).toBe(200);
  expect(ofOwner.body.id).not.toBe(answers[0]?.body.id);
});

test("a draft that is refused for what it says makes nothing under its key, and one that is right is tried once under the same key", async () => {
  const send = (draft: object) => owner.post(`${path}/task/greet/try`, { draft }, { "idempotency-key": "try-2" });
  expect((await send({ spec: {} })).status).toBe(400);
  const first = await send({ spec: { script: "echo mine" } });
  const again = await send({ spec: { script: "echo mine" } });
  expect(again).toMatchObject({ status: 200, body: { id: first.body.id }, headers: { "idempotency-replayed": "true" } });
});
