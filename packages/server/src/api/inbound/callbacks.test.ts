import { describe, expect, test } from "vitest";
import { params, runKit, taskOf } from "../../../test/kit/run-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";

const { app, kit, team, outsider } = await runKit();
const admin = app.as();
const reads = node(
  "read",
  "setwfproperty",
  [{ from: "wait", on: "always" }],
  params({ output: "got", value: "$(tasks.wait.results.data.order.id)" }),
);
const waits = workflow(node("wait", "eventwait", ["start"], params({ topic: "paid" })), reads);

const at = (ref: string, more = "", topic = "paid") => `/api/v2/callback?ref=${ref}&topic=${encodeURIComponent(topic)}${more}`;

async function waiting() {
  const made = await team();
  const workflowId = await made.workflow("waits", waits);
  const { id } = await made.submit("waits");
  return { ...made, teamId: made.id, runId: id, workflowId };
}
const eventsOf = async (runId: string) =>
  (await app.sql`select status, payload from run_event where run_id = ${runId} order by id`).map((row) => ({ ...row }));

describe("POST callback", () => {
  test("ends the waiting task before it responds, with the payload as its result", async () => {
    const { runId, run } = await waiting();
    expect(await admin.post(at(runId), { order: { id: 7 } })).toMatchObject({ status: 204, text: "" });
    const over = await run(runId);
    expect(over).toMatchObject({ status: "succeeded", results: [{ name: "got", value: 7 }] });
    expect(taskOf(over, "wait").results).toEqual([{ name: "data", value: { order: { id: 7 } } }]);
  });

  test("with the status failed fails the task, in upper or lower case", async () => {
    for (const status of ["failed", "Failed", "FAILED"]) {
      const { runId, run } = await waiting();
      expect((await admin.post(at(runId, `&status=${status}`), { why: "no money" })).status).toBe(204);
      expect(taskOf(await run(runId), "wait")).toMatchObject({
        status: "failed",
        reason: "EventFailed",
        results: [{ name: "data", value: { why: "no money" } }],
      });
    }
    const { runId, run } = await waiting();
    expect((await admin.post(at(runId, "&status=Succeeded"), {})).status).toBe(204);
    expect(taskOf(await run(runId), "wait").status).toBe("succeeded");
  });

  test("that comes before the task is reached counts, the newest one first", async () => {
    const made = await team();
    await made.workflow(
      "late",
      workflow(node("first", "script", ["start"]), node("wait", "eventwait", ["first"], params({ topic: "paid" })), reads),
    );
    const { id } = await made.submit("late");
    expect((await admin.post(at(id, "&status=failed"), { order: { id: 1 } })).status).toBe(204);
    expect((await admin.post(at(id), { order: { id: 2 } })).status).toBe(204);
    await kit.end(await made.claim(await kit.worker()));
    expect(await made.run(id)).toMatchObject({ status: "succeeded", results: [{ name: "got", value: 2 }] });
  });

  test("reaches a run that still waits in the queue", async () => {
    const made = await team();
    await made.workflow("waits", waits);
    const { id } = await made.submit("waits", {}, "");
    expect((await admin.post(at(id), { order: { id: 3 } })).status).toBe(204);
    await kit.settle();
    expect(await made.run(id)).toMatchObject({ status: "succeeded", results: [{ name: "got", value: 3 }] });
  });

  test("ends every wait of the run for the topic, and no other", async () => {
    const made = await team();
    const on = (topic: string) => params({ topic });
    await made.workflow(
      "many",
      workflow(
        node("a", "eventwait", ["start"], on("x")),
        node("b", "eventwait", ["start"], on("x")),
        node("c", "eventwait", ["start"], on("y")),
      ),
    );
    const [one, two] = [await made.submit("many"), await made.submit("many")];
    await admin.post(at(one.id, "", "x"), {});
    const statuses = (run: { tasks: { name: string; status: string }[] }) => ["a", "b", "c"].map((name) => taskOf(run, name).status);
    expect(statuses(await made.run(one.id))).toEqual(["succeeded", "succeeded", "waiting"]);
    expect(statuses(await made.run(two.id))).toEqual(["waiting", "waiting", "waiting"]);
  });

  test("that nobody waits for is kept without effect", async () => {
    const { runId, run } = await waiting();
    expect((await admin.post(at(runId, "", "other topic & more"), { a: 1 })).status).toBe(204);
    expect(taskOf(await run(runId), "wait").status).toBe("waiting");
  });

  test("that repeats the newest is kept once; a correction is kept beside it", async () => {
    const made = await team();
    await made.workflow("late", workflow(node("first", "script", ["start"])));
    const { id } = await made.submit("late");
    for (const payload of [{ a: 1 }, { a: 1 }, { a: 2 }, { a: 1 }]) await admin.post(at(id), payload);
    expect(await eventsOf(id)).toEqual([{ a: 1 }, { a: 2 }, { a: 1 }].map((payload) => ({ status: "succeeded", payload })));
  });

  test("to an ended run is a 409, except a repeat of one that it had received", async () => {
    const { runId } = await waiting();
    await admin.post(at(runId), { order: { id: 7 } });
    expect((await admin.post(at(runId), { order: { id: 7 } })).status).toBe(204);
    expect(await admin.post(at(runId), { order: { id: 8 } })).toMatchObject({
      status: 409,
      body: { code: 1304, reason: "WORKFLOWRUN_INVALID_PHASE" },
    });
    expect((await admin.post(at(runId, "&status=failed"), { order: { id: 7 } })).status).toBe(409);
    expect(await eventsOf(runId)).toHaveLength(1);
  });

  test("refuses invalid input", async () => {
    const { runId, run } = await waiting();
    for (const path of [
      `/api/v2/callback?topic=x`,
      `/api/v2/callback?ref=${runId}`,
      at(runId, "", ""),
      at(runId, "", "x".repeat(501)),
      at(runId, "&status=maybe"),
      at(runId, "&status=cancelled"),
    ]) {
      expect((await admin.post(path, {})).status, path).toBe(400);
    }
    for (const body of [[], "text", 5, null, "{"]) expect((await admin.post(at(runId), body)).status, JSON.stringify(body)).toBe(400);
    expect((await admin.send("POST", at(runId))).status).toBe(400);
    expect((await admin.post(at(runId), "a=1", { "content-type": "application/x-www-form-urlencoded" })).status).toBe(415);
    expect((await admin.post(at(runId), { a: "x".repeat(1024 * 1024) })).status).toBe(413);
    expect((await admin.post(at(runId), {}, { "content-type": "application/json; charset=utf-8" })).status).toBe(204);
    expect(taskOf(await run(runId), "wait").status).toBe("succeeded");
  });
});

describe("GET callback", () => {
  test("does the same without a payload", async () => {
    const { runId, run } = await waiting();
    expect(await admin.get(at(runId))).toMatchObject({ status: 204, text: "" });
    expect(taskOf(await run(runId), "wait")).toMatchObject({ status: "succeeded", results: [] });
    const other = await waiting();
    expect((await admin.get(at(other.runId, "&status=Failed"))).status).toBe(204);
    expect(taskOf(await other.run(other.runId), "wait").status).toBe("failed");
    expect((await admin.get(at(other.runId, "&status=x"))).status).toBe(400);
  });
});

test("a HEAD request delivers nothing", async () => {
  const { runId, run } = await waiting();
  expect(await admin.send("HEAD", at(runId))).toMatchObject({ status: 405, headers: { allow: "GET, POST, OPTIONS" } });
  expect(taskOf(await run(runId), "wait").status).toBe("waiting");
});

describe.each(["POST", "GET"] as const)("a callback by %s is for", (method) => {
  const call = (client: typeof admin, path: string) => client.send(method, path, method === "POST" ? {} : undefined);

  test("callers who may deliver events in the team of the run; others don't learn that it exists", async () => {
    const { teamId, runId, member } = await waiting();
    const unknown = { status: 404, body: { code: 1301, reason: "WORKFLOWRUN_INVALID_REFERENCE" } };
    expect((await call(app.as(null), at(runId))).status).toBe(401);
    expect(await call(await outsider(), at(runId))).toMatchObject(unknown);
    expect(await call(app.as(await app.make.teamToken((await team()).id)), at(runId))).toMatchObject(unknown);
    expect(await call(admin, at("nonsense"))).toMatchObject(unknown);
    expect(await call(admin, at("01890000-0000-7000-8000-000000000000"))).toMatchObject(unknown);
    expect(await call(await member("reader"), at(runId))).toMatchObject({ status: 403, body: { reason: "PERMISSION_DENIED" } });
    expect((await call(app.as(await app.make.teamToken(teamId, ["webhook/action"])), at(runId))).status).toBe(204);
    const [record] = await app.sql`select team_id, object_kind, object_id from audit where object_id = ${runId} order by id desc limit 1`;
    expect(record).toEqual({ team_id: teamId, object_kind: "workflowrun", object_id: runId });
  });

  test("the token of the workflow, in the query too", async () => {
    const { teamId, runId, workflowId, workflow: make } = await waiting();
    const other = await app.make.workflowToken(teamId, await make("other", waits), ["webhook/action"]);
    expect((await call(app.as(other), at(runId))).status).toBe(404);
    const own = await app.make.workflowToken(teamId, workflowId, ["webhook/action"]);
    expect((await call(app.as(null), at(runId, `&access_token=${own}`))).status).toBe(204);
  });
});
