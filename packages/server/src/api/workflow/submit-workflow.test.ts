import { describe, expect, test } from "vitest";
import { params, runKit, taskOf } from "../../../test/kit/run-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";

const { app, kit, team, outsider } = await runKit();
const admin = app.as();

const sets = workflow(node("set", "setwfproperty", ["start"], params({ output: "greeting", value: "Hello $(params.city)" })));
const holds = workflow(node("hold", "script", ["start"], params({ script: "true" })));
const waits = workflow(node("wait", "eventwait", ["start"], params({ topic: "go" })));
const declared = {
  params: [
    { name: "city", type: "text", default: "Oslo" },
    { name: "count", type: "number", required: true, default: "1" },
    { name: "key", type: "password" },
  ],
};

async function teamWithWorkflows(quotas?: { maxConcurrentRuns?: number }) {
  const made = await team(quotas);
  await made.workflow("sets", sets, declared);
  await made.workflow("waits", waits);
  await made.workflow("holds", holds);
  return { ...made, at: (name: string, query = "") => `${made.path}/workflow/${name}/submit${query}` };
}

const countRuns = async (teamId: string) => (await app.sql`select count(*)::int as count from run where team_id = ${teamId}`)[0]?.["count"];

describe("submit", () => {
  test("records the run, which waits in the queue until an engine starts it", async () => {
    const { at, run } = await teamWithWorkflows();
    const { status, body } = await admin.post(at("sets"), {
      params: [{ name: "city", value: "Bergen" }],
      labels: { stage: "test" },
      trigger: "manual",
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: "ready",
      phase: "pending",
      trigger: "manual",
      labels: { stage: "test" },
      waitingFor: "Waiting in the queue",
      duration: 0,
    });
    expect(body.tasks).toBeUndefined();
    await kit.settle();
    expect(await run(body.id)).toMatchObject({ status: "succeeded", results: [{ name: "greeting", value: "Hello Bergen" }] });
  });

  test("with start=true answers a run that has begun, and that may be over already", async () => {
    const { at, run } = await teamWithWorkflows();
    const over = await admin.post(at("sets", "?start=true"), {});
    expect(over.body).toMatchObject({ status: "succeeded", phase: "completed", results: [{ name: "greeting", value: "Hello Oslo" }] });
    const running = await admin.post(at("waits", "?start=true"), {});
    expect(running.body).toMatchObject({ status: "running", phase: "running" });
    expect(taskOf(await run(running.body.id), "wait").status).toBe("waiting");
  });

  test("answers what a read of the run then says", async () => {
    const { at, path } = await teamWithWorkflows();
    for (const [name, query] of [
      ["sets", ""],
      ["sets", "?start=true"],
      ["waits", "?start=true"],
    ] as const) {
      const { body } = await admin.post(at(name, query), {
        params: [{ name: "more", value: { a: [1] } }],
        annotations: { "x/y": 1 },
        debug: true,
        retries: 2,
      });
      const read = await admin.get(`${path}/workflowrun/${body.id}?withTasks=false`);
      const { waitingFor: _, ...shown } = read.body;
      const { waitingFor: __, ...answered } = body;
      expect(answered).toEqual(shown);
    }
  });

  test("takes the workflow by its id too, and a version by its number", async () => {
    const { at, workflow: make } = await teamWithWorkflows();
    const id = await make("other", sets);
    expect((await admin.post(at(id), { workflowVersion: 1 })).body).toMatchObject({ workflowRef: id, workflowVersion: 1 });
  });

  test("never shows a secret, neither in the answer nor in the run", async () => {
    const { at, path } = await teamWithWorkflows();
    const answer = await admin.post(at("sets", "?start=true"), { params: [{ name: "key", value: "hunter22" }] });
    expect(answer.body.params).toContainEqual({ name: "key", value: "******" });
    expect(answer.text + (await admin.get(`${path}/workflowrun/${answer.body.id}`)).text).not.toContain("hunter22");
  });

  test("uses the timeout of the request, then that of the workflow, and does not cut either to a quota", async () => {
    const { at, workflow: make } = await teamWithWorkflows();
    await make("patient", waits, { timeout: 10_000 });
    expect((await admin.post(at("sets"), { timeout: 100_000 })).body.timeout).toBe(100_000);
    expect((await admin.post(at("sets"), {})).body.timeout).toBeUndefined();
    expect((await admin.post(at("patient"), {})).body.timeout).toBe(10_000);
    expect((await admin.post(at("patient"), { timeout: 5 })).body.timeout).toBe(5);
  });
});

describe("submit refuses, and records nothing,", () => {
  test("invalid requests", async () => {
    const { at, id } = await teamWithWorkflows();
    const refused = async (body: unknown, query = "") => admin.post(at("sets", query), body);
    expect(await refused({ params: [{ name: "count", value: "many" }] })).toMatchObject({
      status: 400,
      body: { code: 1302, reason: "WORKFLOWRUN_INVALID_REQUIREMENT", errors: [{ path: "/params/0/value" }] },
    });
    for (const body of [{ params: "x" }, { labels: { a: 1 } }, { timeout: -1 }, { trigger: "nobody" }, [], "{", { retries: 1.5 }]) {
      expect(await refused(body), JSON.stringify(body)).toMatchObject({ status: 400 });
    }
    expect((await admin.send("POST", at("sets"))).status).toBe(400);
    expect((await refused({}, "?start=perhaps")).status).toBe(400);
    expect((await admin.post(at("sets"), "{}", { "content-type": "text/plain" })).status).toBe(415);
    expect(await countRuns(id)).toBe(0);
  });

  test("an unknown workflow (404) and an unknown version (409)", async () => {
    const { at } = await teamWithWorkflows();
    expect(await admin.post(at("nothing"), {})).toMatchObject({ status: 404, body: { code: 1201 } });
    expect(await admin.post(at("sets"), { workflowVersion: 7 })).toMatchObject({
      status: 409,
      body: { code: 1204, reason: "WORKFLOW_REVISION_NOT_FOUND" },
    });
  });

  test("an inactive workflow (409) and an inactive team (423)", async () => {
    const { at, id } = await teamWithWorkflows();
    await app.sql`update workflow set status = 'inactive' where team_id = ${id} and name = 'waits'`;
    expect(await admin.post(at("waits"), {})).toMatchObject({ status: 409, body: { code: 1202 } });
    await app.sql`update team set status = 'inactive' where id = ${id}`;
    expect(await admin.post(at("sets"), {})).toMatchObject({ status: 423, body: { code: 423, reason: "WORKFLOW_TEAM_INACTIVE" } });
  });

  test("a trigger that is off, and internal triggers (409)", async () => {
    const { at } = await teamWithWorkflows();
    for (const trigger of ["webhook", "schedule", "event", "codehost", "engine", "task"]) {
      expect(await admin.post(at("sets"), { trigger }), trigger).toMatchObject({ status: 409, body: { code: 1305 } });
    }
    expect((await admin.post(at("sets"), { trigger: null })).body.trigger).toBe("engine");
  });

  test("a start when the quota of concurrent runs is used up (429), while the queue stays open", async () => {
    const { at, id } = await teamWithWorkflows({ maxConcurrentRuns: 1 });
    await admin.post(at("holds", "?start=true"), {});
    const refused = await admin.post(at("holds", "?start=true"), {});
    expect(refused).toMatchObject({ status: 429, body: { code: 1020, reason: "QUOTA_EXCEEDED" } });
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect(refused.body.message).toContain("maxConcurrentRuns");
    expect((await admin.post(at("holds"), {})).status).toBe(200);
    expect(await countRuns(id)).toBe(2);
  });
});

describe("submit is for", () => {
  test("editors and owners, and for nobody else", async () => {
    const { at, member } = await teamWithWorkflows();
    expect((await app.as(null).post(at("sets"), {})).status).toBe(401);
    expect(await (await outsider()).post(at("sets"), {})).toMatchObject({ status: 404, body: { reason: "TEAM_INVALID_REF" } });
    expect(await (await member("reader")).post(at("sets"), {})).toMatchObject({ status: 403, body: { reason: "PERMISSION_DENIED" } });
    expect((await (await member("editor")).post(at("sets"), {})).status).toBe(200);
  });

  test("the token of the workflow itself", async () => {
    const { at, id, workflow: make } = await teamWithWorkflows();
    const own = await make("own", sets);
    const token = app.as(await app.make.workflowToken(id, own));
    expect((await token.post(at("own"), {})).body).toMatchObject({ initiatedByType: "token" });
    expect((await token.post(at(own), {})).status).toBe(200);
    expect((await token.post(at("sets"), {})).status).toBe(404);
  });
});

describe("with an Idempotency-Key", () => {
  test("the same request gets the first answer again and makes no second run", async () => {
    const { at, id } = await teamWithWorkflows();
    const send = (body: unknown, query = "") => admin.post(at("sets", query), body, { "idempotency-key": "k1" });
    const first = await send({ params: [] });
    const again = await send({ params: [] });
    expect(again).toMatchObject({ status: 200, text: first.text, headers: { "idempotency-replayed": "true" } });
    expect(await send({ params: [{ name: "city", value: "x" }] })).toMatchObject({ status: 409, body: { reason: "CONFLICT" } });
    expect((await send({ params: [] }, "?start=true")).status).toBe(409);
    expect(await countRuns(id)).toBe(1);
  });

  test("concurrent requests create one run", async () => {
    const { at, id } = await teamWithWorkflows();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => admin.post(at("sets", "?start=true"), {}, { "idempotency-key": "k2" })),
    );
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await countRuns(id)).toBe(1);
  });

  test("each of many concurrent requests with a key of its own creates a run, by statements that they share", async () => {
    const { at, id } = await teamWithWorkflows();
    const keys = Array.from({ length: 40 }, (_, index) => ({ "idempotency-key": `own-${index}` }));
    const answers = await Promise.all(keys.map((key) => admin.post(at("sets"), {}, key)));
    expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(200));
    const [found] = await app.sql`
      select count(*)::int as runs, count(distinct xmin::text)::int as statements from run where team_id = ${id}`;
    expect(found?.["runs"]).toBe(40);
    expect(found?.["statements"]).toBeLessThan(20);
    const again = await Promise.all(keys.map((key) => admin.post(at("sets"), {}, key)));
    expect(again.map(({ text }) => text)).toEqual(answers.map(({ text }) => text));
    expect(await countRuns(id)).toBe(40);
  });

  test.each([
    ["a start that opens an action", {}],
    ["a run that its limit skips", { concurrency: { max: 1, onLimit: "skip" } }],
  ] as const)("%s gets the first answer again, which shows it", async (_, control) => {
    const { at, id, workflow: add } = await teamWithWorkflows();
    await add("asks", workflow(node("ask", "approval", ["start"])), control);
    const isLimited = "concurrency" in control;
    if (isLimited) await admin.post(at("asks"), {});
    const send = () => admin.post(at("asks", isLimited ? "" : "?start=true"), {}, { "idempotency-key": "asks" });
    const first = await send();
    expect(first.body).toMatchObject(isLimited ? { status: "cancelled" } : { status: "running", awaitingApproval: true });
    expect(await send()).toMatchObject({ status: 200, text: first.text, headers: { "idempotency-replayed": "true" } });
    expect(await countRuns(id)).toBe(isLimited ? 2 : 1);
  });

  test("a refusal is not stored, so the same key can succeed later", async () => {
    const made = await teamWithWorkflows({ maxConcurrentRuns: 1 });
    const { at, id, path } = made;
    const reader = await made.member("reader");
    const send = (as = admin) => as.post(at("later", "?start=true"), {}, { "idempotency-key": "k3" });
    expect(await send()).toMatchObject({ status: 404, body: { reason: "WORKFLOW_INVALID_REFERENCE" } });
    await made.workflow("later", holds);
    await app.sql`update workflow set status = 'inactive' where team_id = ${id} and name = 'later'`;
    expect(await send()).toMatchObject({ status: 409, body: { reason: "WORKFLOW_NOT_ACTIVE" } });
    await app.sql`update workflow set status = 'active' where team_id = ${id}`;
    await admin.patch(path, { status: "inactive" });
    expect(await send()).toMatchObject({ status: 423 });
    await admin.patch(path, { status: "active" });
    const blocking = await made.submit("holds");
    expect(await send()).toMatchObject({ status: 429, body: { reason: "QUOTA_EXCEEDED" } });
    await admin.delete(`${path}/workflowrun/${blocking.id}/cancel`);
    expect(await app.sql`select 1 from idempotency where key = 'k3'`).toEqual([]);
    const [done, again] = [await send(), await send()];
    expect(done).toMatchObject({ status: 200 });
    expect(again).toMatchObject({ status: 200, text: done.text, headers: { "idempotency-replayed": "true" } });
    expect(await send(reader)).toMatchObject({ status: 403 });
    await admin.patch(path, { members: [{ id: reader.userId, role: "editor" }] });
    expect(await send(reader)).toMatchObject({ status: 429 });
  });

  test("of many concurrent refused requests each gets its own answer, and none stays in progress", async () => {
    const { at } = await teamWithWorkflows();
    const answers = await Promise.all(Array.from({ length: 6 }, () => admin.post(at("nowhere"), {}, { "idempotency-key": "k4" })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
    expect(await app.sql`select 1 from idempotency where key = 'k4'`).toEqual([]);
  });
});
