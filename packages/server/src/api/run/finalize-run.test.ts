import { expect, test } from "vitest";
import { params, runKit } from "../../../test/kit/run-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";

const { app, team, outsider } = await runKit();
const admin = app.as();
const sets = workflow(node("set", "setwfproperty", ["start"], params({ output: "a", value: "b" })));
const waits = workflow(node("wait", "eventwait", ["start"], params({ topic: "go" })));

test("a run that is over is finalized once and keeps its status", async () => {
  const { path, workflow: make, submit } = await team();
  await make("sets", sets);
  const { id } = await submit("sets");
  const finalize = () => admin.put(`${path}/workflowrun/${id}/finalize`);
  expect(await finalize()).toMatchObject({ status: 200, body: { id, status: "succeeded", phase: "finalized" } });
  expect(await finalize()).toMatchObject({ status: 409, body: { code: 1304, reason: "WORKFLOWRUN_INVALID_PHASE" } });
});

test("of many concurrent requests one finalizes", async () => {
  const { path, workflow: make, submit } = await team();
  await make("sets", sets);
  const { id } = await submit("sets");
  const answers = await Promise.all(Array.from({ length: 5 }, () => admin.put(`${path}/workflowrun/${id}/finalize`)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
});

test("a run that is not over can't be finalized", async () => {
  const { path, workflow: make, submit } = await team();
  await make("waits", waits);
  for (const query of ["", "?start=true"]) {
    const { id } = await submit("waits", {}, query);
    expect((await admin.put(`${path}/workflowrun/${id}/finalize`)).status).toBe(409);
  }
});

test("needs the permission to act on runs of the team", async () => {
  const { path, workflow: make, submit, member } = await team();
  await make("sets", sets);
  const { id } = await submit("sets");
  const at = `${path}/workflowrun/${id}/finalize`;
  expect((await app.as(null).put(at)).status).toBe(401);
  expect((await (await outsider()).put(at)).status).toBe(404);
  expect((await (await member("reader")).put(at)).status).toBe(403);
  expect((await admin.put(`${(await team()).path}/workflowrun/${id}/finalize`)).status).toBe(404);
  expect((await (await member("editor")).put(at)).status).toBe(200);
});
