import { describe, expect, test } from "vitest";
import { structured } from "../../../test/kit/inbound/event-kit.ts";
import { makeTriggered } from "../../../test/kit/integration-kit.ts";
import { params, runKit } from "../../../test/kit/run-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";

/** Debounce and batch as clients see them: written, read, refused, and in the responses to submissions, webhooks and events. */
const { app, kit, team } = await runKit();
const admin = app.as();
const waits = workflow(node("wait", "eventwait", ["start"], params({ topic: "go" })));
const events = { name: "events", type: "json" };
const batch = { size: 3, period: "1h", param: "events" };
const number = (value: number, more: object = {}) => ({ params: [{ name: "number", value }], ...more });
const paramOf = (run: Record<string, unknown>, name: string) =>
  (run["params"] as { name: string; value: unknown }[]).find((param) => param.name === name)?.value;

describe("the document of a workflow", () => {
  test("keeps its settings for collecting, can be written back as read, and loses them by null", async () => {
    const made = await team();
    for (const [name, more] of Object.entries({
      batch: { batch },
      debounce: { debounce: { period: 10, maxWait: "5m", key: "$(params.a)" } },
    })) {
      await admin.post(`${made.path}/workflow`, { name, tasks: [], params: [events], ...more });
      const { body } = await admin.get(`${made.path}/workflow/${name}`);
      expect(body).toMatchObject(more);
      expect((await admin.put(`${made.path}/workflow`, body)).body).toMatchObject(more);
      const { body: without } = await admin.put(`${made.path}/workflow`, { ...body, [name]: null });
      expect(without).not.toHaveProperty(name);
    }
  });

  test.each([
    [{ batch: { ...batch, size: 1001 } }, "/batch/size"],
    [{ batch: { ...batch, period: "8d" } }, "/batch/period"],
    [{ batch: { ...batch, param: "others" } }, "/batch/param"],
    [{ batch: { ...batch, param: "password" } }, "/batch/param"],
    [{ batch: { ...batch, param: "used" } }, "/batch/param"],
    [{ batch: { ...batch, key: "$(params.events)" } }, "/batch/key"],
    [{ batch: { ...batch, key: "$(params.password)" } }, "/batch/key"],
    [{ batch, debounce: { period: 1 } }, "/batch"],
    [{ debounce: { period: 0 } }, "/debounce/period"],
    [{ debounce: { period: "soon" } }, "/debounce/period"],
    [{ debounce: { period: 1, maxWait: "9d" } }, "/debounce/maxWait"],
    [{ debounce: { period: "5m", maxWait: "1m" } }, "/debounce/maxWait"],
    [{ debounce: { period: 1, key: "same" } }, "/debounce/key"],
  ])("is refused with %j, at the place", async (collects, path) => {
    const made = await team();
    const declared = [events, { name: "password", type: "password" }, { name: "used", type: "json" }];
    declared.push({ name: "user", type: "text", default: "$(params.used)" } as (typeof declared)[number]);
    const { status, body } = await admin.post(`${made.path}/workflow`, { name: "collects", tasks: [], params: declared, ...collects });
    expect(status).toBe(400);
    expect(body.errors.map((fault: { path: string }) => fault.path)).toContain(path);
  });
});

describe("a workflow that collects", () => {
  test("answers each submission with the run that has it, and shows what the run waits for", async () => {
    const made = await team();
    await made.workflow("collects", waits, { params: [events], batch });
    const first = await made.submit("collects", number(1), "");
    const second = await made.submit("collects", number(2), "");
    expect(second).toMatchObject({ id: first.id, creationDate: first.creationDate, status: "ready" });
    expect(paramOf(second, "events")).toEqual([{ number: 2 }]);
    expect((await made.run(first.id)).waitingFor).toMatch(/^Waiting for more events: 2 of 3, starts at the latest in 3\d\d\d s$/);
    await made.submit("collects", number(3), "");
    await kit.settle();
    expect(paramOf(await made.run(first.id), "events")).toEqual([{ number: 1 }, { number: 2 }, { number: 3 }]);
  });

  test("starts a submission with start or wait at once, without adding it", async () => {
    const made = await team();
    await made.workflow("collects", waits, { params: [events], batch });
    const { id } = await made.submit("collects", number(1), "");
    for (const query of ["?start=true", "?wait=1s"]) expect((await made.submit("collects", number(2), query)).id).not.toBe(id);
    expect((await made.run(id)).waitingFor).toMatch(/1 of 3/);
  });

  test("starts a collecting run early on request, with its events and the request's changes", async () => {
    const made = await team();
    await made.workflow("collects", waits, { params: [events], batch });
    const { id } = await made.submit("collects", number(1), "");
    await made.submit("collects", number(2), "");
    const { status, body } = await admin.put(`${made.path}/workflowrun/${id}/start`, { params: [{ name: "more", value: "x" }] });
    expect([status, body.phase]).toEqual([200, "running"]);
    expect([paramOf(body, "events"), paramOf(body, "more")]).toEqual([[{ number: 1 }, { number: 2 }], "x"]);
  });

  test("hands a secret to the executor only, of the last event of a debounce", async () => {
    const made = await team();
    await made.workflow("collects", waits, { params: [{ name: "key", type: "password" }], debounce: { period: "1h" } });
    for (const value of ["hunter21", "hunter22"]) await made.submit("collects", { params: [{ name: "key", value }] }, "");
    const rows =
      await app.sql`select layers::text as layers, params::text as params, secrets is null as bare from run where team_id = ${made.id}`;
    expect(rows).toMatchObject([{ bare: false }]);
    expect(JSON.stringify(rows)).not.toContain("hunter");
  });

  test("counts a repeated request once", async () => {
    const made = await team();
    await made.workflow("collects", waits, { params: [events], batch });
    const submit = (key: string) => admin.post(`${made.path}/workflow/collects/submit`, number(1), { "idempotency-key": key });
    const answers = await Promise.all(["one", "one", "two", "two"].map(submit));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect((await made.run(answers[0]?.body.id)).waitingFor).toMatch(/2 of 3/);
  });

  test("counts an event that is delivered twice once, also concurrently", async () => {
    const { path, id: teamId } = await team();
    const workflowId = await makeTriggered(app, teamId, "collects", { event: { enabled: true } }, { params: [events], batch });
    const send = (id: string) =>
      admin.post(
        `/api/v2/event?ref=${workflowId}`,
        { specversion: "1.0", id, source: "/shop", type: "order.placed", data: { id } },
        structured,
      );
    const answers = await Promise.all(["a", "a", "b", "a", "b"].map(send));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    await send("b");
    expect((await admin.get(`${path}/workflowrun/${answers[0]?.body.id}`)).body.waitingFor).toMatch(/2 of 3/);
  });
});
