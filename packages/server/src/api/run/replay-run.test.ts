import { describe, expect, test } from "vitest";
import { addVersion } from "../../../test/kit/engine-kit.ts";
import { params, runKit, taskOf } from "../../../test/kit/run-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";

const { app, kit, team, outsider } = await runKit();
const admin = app.as();
const out = { results: [{ name: "out" }] };

/** `first` succeeds, then `second` with the city, then `third`. */
const chainTo = (more: Record<string, unknown> = {}) =>
  workflow(
    node("first", "script", ["start"], out),
    node("second", "script", [{ from: "first", on: "success" }], { ...out, ...params({ city: "$(params.city)", ...more }) }),
    node("third", "setwfproperty", [{ from: "second", on: "success" }], params({ output: "end", value: "$(tasks.second.results.out)" })),
  );

const city = { params: [{ name: "city", type: "text", default: "Oslo" }] };

/** A finished run of it. */
async function ran(second: "succeeded" | "failed" = "failed") {
  const made = await team();
  const workflowId = await made.workflow("chain", chainTo(), city);
  const { id } = await made.submit("chain");
  const worker = await kit.worker();
  await kit.end(await made.claim(worker), { results: [{ name: "out", value: "made once" }] });
  const results = [{ name: "out", value: "all" }];
  await kit.end(
    await made.claim(worker),
    second === "failed" ? { status: "failed", reason: "ExitCode", message: "Exit code 1" } : { results },
  );
  const at = `${made.path}/workflowrun/${id}`;
  const plan = (body: unknown = {}) => admin.post(`${at}/rerun/plan`, body);
  const rerun = (body: unknown = {}) => admin.post(`${at}/rerun?start=true`, body);
  const mark = (body: object) => admin.post(`${at}/mark-succeeded?start=true`, body);
  return { ...made, workflowId, id, at, worker, plan, rerun, mark };
}

const decisions = ({ tasks }: { tasks: { task: string; decision: string; why?: string }[] }) =>
  Object.fromEntries(tasks.map(({ task, decision, why }) => [task, why ?? decision]));

describe("POST workflowrun/{id}/rerun/plan", () => {
  test("says what would run and why, and changes nothing", async () => {
    const { plan, path, id } = await ran();
    const { status, body } = await plan();
    expect(status).toBe(200);
    expect(body).toMatchObject({ workflowRunRef: id, runVersion: 1, version: 1, latestVersion: 1, reused: 1, again: 2, unmapped: [] });
    expect(decisions(body)).toEqual({ first: "reused", second: "failed", third: "downstream" });
    expect(body.tasks[2].text).toBe('Task "second" comes before it');
    expect((await plan()).body.digest).toBe(body.digest);
    expect((await admin.get(`${path}/workflowrun/query`)).body.totalElements).toBe(1);
  });

  test("compares another version and other parameters with what ran", async () => {
    const { plan, id: _, workflowId, id } = await ran("succeeded");
    expect(decisions((await plan()).body)).toEqual({ first: "reused", second: "reused", third: "reused" });
    const bergen = { params: [{ name: "city", value: "Bergen" }] };
    expect(decisions((await plan(bergen)).body)).toEqual({ first: "reused", second: "input-changed", third: "downstream" });
    await addVersion(
      app.sql,
      workflowId,
      chainTo({ more: "1" })
        .slice(0, -2)
        .concat(node("end", "end", ["second"])),
      city,
    );
    const { body } = await plan({ version: 2 });
    expect(decisions(body)).toEqual({ first: "reused", second: "definition-changed" });
    expect(body).toMatchObject({ runVersion: 1, version: 2, latestVersion: 2, unmapped: [{ task: "third", why: "removed" }] });
    expect(body.workflowRunRef).toBe(id);
  });

  test("refuses invalid requests with a reason", async () => {
    const { plan, workflow: make, submit, path } = await ran();
    expect(await plan({ from: ["fourth"] })).toMatchObject({ status: 400, body: { message: expect.stringContaining('"fourth"') } });
    expect(await plan({ version: 9 })).toMatchObject({ status: 409, body: { reason: "WORKFLOW_REVISION_NOT_FOUND" } });
    await make("numbers", workflow(node("a", "setwfstatus", ["start"], params({ status: "failed" }))), {
      params: [{ name: "n", type: "number" }],
    });
    const { id } = await submit("numbers");
    const wrong = { params: [{ name: "n", value: "many" }] };
    expect(await admin.post(`${path}/workflowrun/${id}/rerun/plan`, wrong)).toMatchObject({ status: 400 });
    await make("waits", workflow(node("wait", "eventwait", ["start"], params({ topic: "go" }))));
    const open = await submit("waits");
    expect(await admin.post(`${path}/workflowrun/${open.id}/rerun/plan`)).toMatchObject({
      status: 409,
      body: { reason: "WORKFLOWRUN_INVALID_PHASE" },
    });
  });
});

describe("POST workflowrun/{id}/rerun", () => {
  test("reuses task runs, says where they ran, and is linked from the original", async () => {
    const { rerun, run, id, at, worker, claim, path } = await ran("succeeded");
    const { status, body } = await rerun({ from: ["third"] });
    expect(status).toBe(200);
    const made = await run(body.id);
    expect(made).toMatchObject({ status: "succeeded", retryOf: id, rerunOf: { workflowRunRef: id, version: 1, reused: 2 } });
    expect(made.results).toEqual([{ name: "end", value: "all" }]);
    const original = await run(id);
    const origin = { how: "reused", workflowRunRef: id, taskRunRef: taskOf(original, "second").id };
    expect(taskOf(made, "second")).toMatchObject({ status: "succeeded", results: [{ name: "out", value: "all" }], origin });
    expect((await admin.get(`${path}/taskrun/${taskOf(made, "second").id}`)).body.origin).toEqual(origin);
    expect(taskOf(made, "third").origin).toBeUndefined();
    expect((await admin.get(`${at}/rerun`)).body.content).toMatchObject([
      { workflowRunRef: body.id, status: "succeeded", phase: "completed", reused: 2, version: 1 },
    ]);
    const again = await admin.post(`${path}/workflowrun/${body.id}/rerun?start=true`, { from: ["second"] });
    await kit.end(await claim(worker), { results: [{ name: "out", value: "new" }] });
    const second = await run(again.body.id);
    expect(second.results).toEqual([{ name: "end", value: "new" }]);
    expect(taskOf(second, "first").origin).toEqual({ how: "reused", workflowRunRef: id, taskRunRef: taskOf(original, "first").id });
  });

  test("is listed with what it waits for", async () => {
    const { path, submit, workflow: make } = await team();
    await make(
      "gate",
      workflow(
        node("first", "setwfproperty", ["start"], params({ output: "a", value: "b" })),
        node("ask", "eventwait", ["first"], params({ topic: "go" })),
      ),
    );
    const { id } = await submit("gate");
    const at = `${path}/workflowrun/${id}`;
    await admin.delete(`${at}/cancel`);
    const { body } = await admin.post(`${at}/rerun?start=true`, { from: ["ask"] });
    const [listed] = (await admin.get(`${at}/rerun`)).body.content;
    expect(listed).toMatchObject({ workflowRunRef: body.id, status: "running", phase: "running", waitKinds: ["event"] });
  });

  test("runs another version with other parameters", async () => {
    const { rerun, run, workflowId, worker, claim } = await ran();
    await addVersion(app.sql, workflowId, chainTo({ more: "$(context.params.workflow-version)" }), city);
    const { body } = await rerun({ version: 2, params: [{ name: "city", value: "Bergen" }] });
    expect(body).toMatchObject({ workflowVersion: 2, params: [{ name: "city", value: "Bergen" }] });
    await kit.end(await claim(worker), { results: [{ name: "out", value: "done" }] });
    const made = await run(body.id);
    expect(taskOf(made, "second").params).toEqual([
      { name: "city", value: "Bergen" },
      { name: "more", value: 2 },
    ]);
    expect(made).toMatchObject({ status: "succeeded", workflowVersion: 2 });
  });

  test("keeps what reused tasks did to the run", async () => {
    const made = await team();
    const sets = (name: string, from: string) => node(name, "setwfproperty", [from], params({ output: name, value: name }));
    await made.workflow(
      "sets",
      workflow(sets("one", "start"), node("bad", "setwfstatus", ["one"], params({ status: "failed" })), sets("two", "bad")),
    );
    const { id } = await made.submit("sets");
    const { body } = await admin.post(`${made.path}/workflowrun/${id}/rerun?start=true`, { from: ["two"] });
    const rerun = await made.run(body.id);
    expect(rerun.status).toBe("failed");
    expect(rerun.results.map(({ name }: { name: string }) => name)).toEqual(["one", "two"]);
  });

  test("runs only those items of a forEach again that failed", async () => {
    const made = await team();
    await made.workflow("each", workflow(node("each", "script", ["start"], { ...out, forEach: { items: ["a", "b", "c"], parallel: 1 } })));
    const { id } = await made.submit("each");
    const worker = await kit.worker();
    const ends = [
      { results: [{ name: "out", value: "A" }] },
      { status: "failed", reason: "ExitCode" },
      { results: [{ name: "out", value: "C" }] },
    ];
    for (const end of ends) await kit.end(await made.claim(worker), end as object);
    const plan = (await admin.post(`${made.path}/workflowrun/${id}/rerun/plan`)).body;
    expect(plan.tasks).toMatchObject([{ task: "each", why: "failed", reusesItems: 2 }]);
    const { body } = await admin.post(`${made.path}/workflowrun/${id}/rerun?start=true`, { plan: plan.digest });
    await kit.settle();
    await kit.end(await made.claim(worker), { results: [{ name: "out", value: "B" }] });
    const rerun = await made.run(body.id);
    expect(rerun.status).toBe("succeeded");
    expect(taskOf(rerun, "each").results).toEqual([{ name: "out", value: ["A", "B", "C"] }]);
    expect(taskOf(rerun, "each[0]").origin).toMatchObject({ how: "reused", workflowRunRef: id });
    expect(taskOf(rerun, "each[1]").origin).toBeUndefined();
  });

  test("answers 409 if the plan has changed, and when nothing would run", async () => {
    const { plan, rerun } = await ran("succeeded");
    const { digest } = (await plan({ from: ["second"] })).body;
    expect(await rerun({ from: ["third"], plan: digest })).toMatchObject({ status: 409, body: { reason: "CONFLICT" } });
    expect((await rerun({ from: ["second"], plan: digest })).status).toBe(200);
    expect(await rerun()).toMatchObject({ status: 409, body: { reason: "WORKFLOWRUN_NOTHING_TO_RERUN" } });
  });

  test("has nothing to run when only handlers would", async () => {
    const made = await team();
    const tell = node("tell", "setwfproperty", [], { handler: "finally", ...params({ output: "told", value: "x" }) });
    await made.workflow("told", [...workflow(node("one", "setwfproperty", ["start"], params({ output: "one", value: "x" }))), tell]);
    const { id } = await made.submit("told");
    await kit.settle();
    expect((await made.run(id)).status).toBe("succeeded");
    const again = await admin.post(`${made.path}/workflowrun/${id}/rerun`, {});
    expect(again).toMatchObject({ status: 409, body: { reason: "WORKFLOWRUN_NOTHING_TO_RERUN" } });
    expect((await admin.post(`${made.path}/workflowrun/${id}/rerun`, { from: ["one"] })).status).toBe(200);
  });

  test("asks people again if what they approved has changed", async () => {
    const made = await team();
    const asks = workflow(
      node("ask", "approval"),
      node("go", "setwfproperty", ["ask"], params({ output: "city", value: "$(params.city)" })),
    );
    await made.workflow("asks", asks, city);
    const { id } = await made.submit("asks");
    const [action] = (await admin.get(`${made.path}/action/query?workflowruns=${id}`)).body.content;
    await admin.put(`${made.path}/action`, [{ id: action.id, approved: true }]);
    await kit.settle();
    expect((await made.run(id)).status).toBe("succeeded");
    const same = await admin.post(`${made.path}/workflowrun/${id}/rerun?start=true`, { from: ["go"] });
    expect((await made.run(same.body.id)).status).toBe("succeeded");
    const other = await admin.post(`${made.path}/workflowrun/${id}/rerun?start=true`, {
      from: ["go"],
      params: [{ name: "city", value: "Rome" }],
    });
    expect(await made.run(other.body.id)).toMatchObject({ status: "running", awaitingApproval: true });
  });

  test("keeps secrets, and detects a changed one", async () => {
    const made = await team();
    const uses = workflow(
      node("a", "setwfproperty", ["start"], params({ output: "x", value: "$(params.key)" })),
      node("b", "setwfstatus", ["a"], params({ status: "failed" })),
    );
    await made.workflow("secret", uses, { params: [{ name: "key", type: "password" }] });
    const { id } = await made.submit("secret", { params: [{ name: "key", value: "long-secret-one" }] });
    const at = `${made.path}/workflowrun/${id}`;
    const asked = async (value: string) => decisions((await admin.post(`${at}/rerun/plan`, { params: [{ name: "key", value }] })).body);
    expect(await asked("long-secret-one")).toEqual({ a: "reused", b: "reused" });
    expect(await asked("long-secret-two")).toEqual({ a: "input-changed", b: "downstream" });
    const planned = { params: [{ name: "key", value: "long-secret-two" }], plan: "" };
    planned.plan = (await admin.post(`${at}/rerun/plan`, { params: planned.params })).body.digest;
    const third = { ...planned, params: [{ name: "key", value: "long-secret-six" }] };
    expect(await admin.post(`${at}/rerun?start=true`, third)).toMatchObject({ status: 409, body: { reason: "CONFLICT" } });
    const { body, text } = await admin.post(`${at}/rerun?start=true`, planned);
    expect(text).not.toContain("long-secret");
    expect(JSON.stringify(await made.run(body.id))).not.toContain("long-secret");
  });

  test("needs the permission to act on runs of the team", async () => {
    const { at, member } = await ran();
    for (const path of ["rerun/plan", "rerun"]) {
      expect((await app.as(null).post(`${at}/${path}`)).status).toBe(401);
      expect((await (await outsider()).post(`${at}/${path}`)).status).toBe(404);
      expect((await (await member("reader")).post(`${at}/${path}`)).status).toBe(403);
      expect((await (await member("editor")).post(`${at}/${path}`)).status).toBe(200);
    }
  });
});

describe("POST workflowrun/{id}/mark-succeeded", () => {
  const reason = "Deployed from the console";

  test("continues with the given results, and records who did it and why", async () => {
    const { mark, run, id, at, path } = await ran();
    const { body: plan } = await admin.post(`${at}/mark-succeeded/plan`, { task: "second" });
    expect(decisions(plan)).toEqual({ first: "reused", second: "marked", third: "downstream" });
    const { status, body } = await mark({ task: "second", results: [{ name: "out", value: "given" }], reason });
    expect(status).toBe(200);
    const made = await run(body.id);
    expect(made).toMatchObject({ status: "succeeded", results: [{ name: "end", value: "given" }] });
    const task = taskOf(made, "second");
    expect(task).toMatchObject({ status: "succeeded", reason: "MarkedSucceeded", results: [{ name: "out", value: "given" }] });
    expect(task.origin).toMatchObject({ how: "marked", workflowRunRef: id, reason, byName: expect.any(String), date: expect.any(String) });
    expect((await run(id)).status).toBe("failed");
    const [record] = await app.sql`select action, after from audit where object_id = ${body.id}`;
    expect(record).toMatchObject({ action: "taskrun/write", after: { markedSucceeded: "second", of: id, reason } });
    expect((await admin.get(`${path}/taskrun/${task.id}`)).body.origin.reason).toBe(reason);
  });

  test("refuses tasks that can't be marked, and results that the task does not have", async () => {
    const { mark } = await ran();
    const message = (text: string) => ({ status: 400, body: { message: expect.stringContaining(text) } });
    expect(await mark({ task: "first", reason })).toMatchObject(message("ended as succeeded"));
    expect(await mark({ task: "third", reason })).toMatchObject(message("setwfproperty"));
    expect(await mark({ task: "none", reason })).toMatchObject(message('"none"'));
    expect(await mark({ task: "second", reason, results: [{ name: "other", value: 1 }] })).toMatchObject(message("it declares: out"));
    const twice = { task: "second", reason, results: ["1", "2"].map((value) => ({ name: "out", value })) };
    expect(await mark(twice)).toMatchObject(message('result "out" is given more than once'));
    expect((await mark({ task: "second" })).status).toBe(400);
    expect((await mark({ task: "second", reason: "  " })).status).toBe(400);
  });

  test("refuses a list that has not one value for each item", async () => {
    const made = await team();
    await made.workflow("each", workflow(node("each", "script", ["start"], { ...out, forEach: { items: ["a", "b"], parallel: 1 } })));
    const { id } = await made.submit("each");
    const worker = await kit.worker();
    await kit.end(await made.claim(worker), { status: "failed", reason: "ExitCode", message: "Exit code 1" });
    await kit.end(await made.claim(worker), { status: "failed", reason: "ExitCode", message: "Exit code 1" });
    const mark = (value: unknown) =>
      admin.post(`${made.path}/workflowrun/${id}/mark-succeeded`, { task: "each", reason, results: [{ name: "out", value }] });
    expect(await mark(["1"])).toMatchObject({ status: 400, body: { message: expect.stringContaining("which are 2; it has 1") } });
    expect((await mark(["1", "2"])).status).toBe(200);
  });

  test("needs a permission of its own", async () => {
    const { at, member, path } = await ran();
    const body = { task: "second", reason };
    expect((await (await member("reader")).post(`${at}/mark-succeeded`, body)).status).toBe(403);
    expect((await (await member("editor")).post(`${at}/mark-succeeded`, body)).status).toBe(200);
    const token = async (permissions: string[]) => {
      const made = await admin.post("/api/v2/token", { type: "team", name: "t", principal: path.split("/").at(-1), permissions });
      return app.as(made.body.token);
    };
    expect((await (await token(["workflowrun/action", "workflowrun/read"])).post(`${at}/mark-succeeded`, body)).status).toBe(403);
  });
});
