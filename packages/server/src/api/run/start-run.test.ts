import { describe, expect, test } from "vitest";
import { params, runKit, taskOf } from "../../../test/kit/run-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";

const { app, kit, team, outsider } = await runKit();
const admin = app.as();
const sets = workflow(node("set", "setwfproperty", ["start"], params({ output: "greeting", value: "$(params.city) $(params.count)" })));
const waits = workflow(node("wait", "eventwait", ["start"], params({ topic: "go" })));
const holds = workflow(node("hold", "script", ["start"], params({ script: "true" })));
const declared = {
  params: [
    { name: "city", type: "text", default: "Oslo" },
    { name: "count", type: "number", required: true },
    { name: "key", type: "password" },
  ],
};

async function queued(quotas?: { maxConcurrentRuns?: number }) {
  const made = await team(quotas);
  await made.workflow("sets", sets, declared);
  await made.workflow("waits", waits);
  await made.workflow("holds", holds);
  const submit = (name: string, body: unknown = {}) => made.submit(name, body, "");
  const start = (id: string, body?: unknown) => admin.put(`${made.path}/workflowrun/${id}/start`, body);
  return { ...made, submit, start };
}

describe("PUT workflowrun/{id}/start", () => {
  test("starts a queued run ahead of the queue, and wakes the workers", async () => {
    const { submit, start } = await queued();
    await submit("waits");
    const { id } = await submit("waits");
    const woken: string[] = [];
    const end = app.bus.onWake("runs", (ids) => woken.push(...(ids ?? [])));
    const answer = await start(id);
    expect(answer).toMatchObject({ status: 200, body: { id, status: "running", phase: "running" } });
    expect(taskOf(answer.body, "wait").status).toBe("waiting");
    await new Promise(setImmediate);
    expect(woken).toContain(id);
    end();
  });

  test("overrides labels, annotations, parameters, workspaces and limits of the submission", async () => {
    const { submit, start, path } = await queued();
    const { id } = await submit("sets", {
      params: [
        { name: "count", value: 1 },
        { name: "extra", value: "e" },
      ],
      labels: { a: "1", b: "1" },
      annotations: { x: 1 },
    });
    const { body } = await start(id, {
      labels: { b: "2" },
      annotations: { y: [2] },
      params: [
        { name: "city", value: "Bergen $(params.count)" },
        { name: "key", value: "hunter22" },
      ],
      workspaces: [{ name: "workflowrun", type: "workflowrun" }],
      timeout: 7,
      retries: 1,
      debug: true,
    });
    expect(body).toMatchObject({
      status: "succeeded",
      labels: { a: "1", b: "2" },
      annotations: { x: 1, y: [2] },
      timeout: 7,
      retries: 1,
      debug: true,
    });
    expect(body.workspaces).toMatchObject([{ name: "workflowrun" }]);
    expect(Object.fromEntries(body.params.map((param: { name: string; value: unknown }) => [param.name, param.value]))).toEqual({
      city: "Bergen $(params.count)",
      count: 1,
      extra: "e",
      key: "******",
    });
    expect(body.results).toEqual([{ name: "greeting", value: "Bergen $(params.count) 1" }]);
    const text = (await admin.get(`${path}/workflowrun/${id}`)).text;
    expect(text).not.toContain("hunter22");
  });

  test("passes its secrets to the executor only", async () => {
    const { submit, start, workflow: make, id: teamId } = await queued();
    await make("uses", workflow(node("use", "script", ["start"], params({ script: "echo", token: "$(params.key)" }))), {
      params: [{ name: "key", type: "password", default: "" }],
    });
    const { id } = await submit("uses");
    const { body } = await start(id, { params: [{ name: "key", value: "hunter22" }] });
    expect(taskOf(body, "use").params).toContainEqual({ name: "token", value: "******" });
    const [row] = await app.sql`select secrets, layers::text as layers from run where team_id = ${teamId} and id = ${id}`;
    expect(row?.["secrets"]).toBeInstanceOf(Uint8Array);
    expect(row?.["layers"]).not.toContain("hunter22");
  });

  test("answers 409 when the run does not wait in the queue", async () => {
    const { submit, start } = await queued();
    const { id } = await submit("waits");
    expect((await start(id)).status).toBe(200);
    expect(await start(id)).toMatchObject({ status: 409, body: { code: 1304, reason: "WORKFLOWRUN_INVALID_PHASE" } });
    const { id: over } = await submit("sets", { params: [{ name: "count", value: 1 }] });
    await kit.settle();
    expect((await start(over, {})).status).toBe(409);
  });

  test("of many concurrent starts one wins", async () => {
    const { submit, start } = await queued();
    const { id } = await submit("waits");
    const answers = await Promise.all(Array.from({ length: 6 }, (_, index) => start(id, { labels: { winner: String(index) } })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
  });

  test("answers 429 when the quota of concurrent runs is used up, and 423 in an inactive team", async () => {
    const { id: teamId, submit, start, run } = await queued({ maxConcurrentRuns: 1 });
    const [first, second] = [await submit("holds"), await submit("holds")];
    await start(first.id);
    expect(await start(second.id)).toMatchObject({ status: 429, body: { reason: "QUOTA_EXCEEDED" } });
    expect((await run(second.id)).status).toBe("ready");
    await app.sql`update team set status = 'inactive', max_concurrent_runs = 5 where id = ${teamId}`;
    expect(await start(second.id)).toMatchObject({ status: 423, body: { reason: "WORKFLOW_TEAM_INACTIVE" } });
  });

  test("is never over the quota when many start at once", async () => {
    const { id: teamId, submit, start } = await queued({ maxConcurrentRuns: 3 });
    const runs = await Promise.all(Array.from({ length: 10 }, () => submit("holds")));
    const answers = await Promise.all([...runs.map(({ id }) => start(id)), kit.driver.givePlaces()]);
    expect(answers.length).toBe(11);
    const [row] = await app.sql`select count(*)::int as count from run where team_id = ${teamId} and phase = 'running'`;
    expect(row?.["count"]).toBe(3);
  });

  test("refuses a body that does not fit, and leaves the run in the queue", async () => {
    const { submit, start, run } = await queued();
    const { id } = await submit("sets", { params: [{ name: "count", value: 1 }] });
    expect(await start(id, { params: [{ name: "count", value: "many" }] })).toMatchObject({
      status: 400,
      body: { reason: "WORKFLOWRUN_INVALID_REQUIREMENT" },
    });
    for (const body of [[], { params: 1 }, { timeout: "x" }, "{"]) expect((await start(id, body)).status).toBe(400);
    expect(await run(id)).toMatchObject({ status: "ready", params: expect.arrayContaining([{ name: "count", value: 1 }]) });
  });

  test("needs the permission to act on runs of the team", async () => {
    const { id: teamId, path, submit, member, workflow: make } = await queued();
    const { id } = await submit("waits");
    const at = `${path}/workflowrun/${id}/start`;
    expect((await app.as(null).put(at)).status).toBe(401);
    expect((await (await outsider()).put(at)).status).toBe(404);
    expect((await (await member("reader")).put(at)).status).toBe(403);
    expect((await admin.put(`${(await queued()).path}/workflowrun/${id}/start`)).status).toBe(404);
    const other = app.as(await app.make.workflowToken(teamId, await make("other", waits)));
    expect((await other.put(at)).status).toBe(404);
    expect((await (await member("editor")).put(at)).status).toBe(200);
  });
});
