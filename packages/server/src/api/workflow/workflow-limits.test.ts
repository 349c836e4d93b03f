import { describe, expect, test } from "vitest";
import { params, runKit } from "../../../test/kit/run-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";

/** Limits of a workflow as clients see them: written, read, refused, and in the responses about runs. */
const { app, team } = await runKit();
const admin = app.as();
const waits = workflow(node("wait", "eventwait", ["start"], params({ topic: "go" })));
const customer = (value: string) => ({ params: [{ name: "customer", value }] });

describe("the document of a workflow", () => {
  test("keeps its limits, can be written back as read, and loses them by null", async () => {
    const made = await team();
    const limits = { concurrency: { key: "$(params.customer)", max: 2, onLimit: "skip" }, rate: { limit: 5, period: "1m" }, priority: 7 };
    await admin.post(`${made.path}/workflow`, { name: "limited", tasks: [], ...limits });
    const { body } = await admin.get(`${made.path}/workflow/limited`);
    expect(body).toMatchObject(limits);
    expect((await admin.put(`${made.path}/workflow`, body)).body).toMatchObject(limits);
    const { body: without } = await admin.put(`${made.path}/workflow`, { ...body, concurrency: null, rate: null, priority: null });
    expect(without).toMatchObject({ version: 3 });
    expect(without).not.toHaveProperty("concurrency");
    expect((await admin.get(`${made.path}/workflow/limited?version=1`)).body).toMatchObject(limits);
  });

  test.each([
    [{ concurrency: { max: 0 } }, "/concurrency/max"],
    [{ concurrency: { max: 1001 } }, "/concurrency/max"],
    [{ concurrency: { max: 1, onLimit: "drop" } }, "/concurrency/onLimit"],
    [{ concurrency: { max: 1, key: "acme" } }, "/concurrency/key"],
    [{ concurrency: { max: 1, key: "$(params.password)" } }, "/concurrency/key"],
    [{ concurrency: { max: 1, key: "$(tasks.a.results.b)" } }, "/concurrency/key"],
    [{ rate: { limit: 1, period: "soon" } }, "/rate/period"],
    [{ rate: { limit: 1, period: "30d" } }, "/rate/period"],
    [{ rate: { limit: 1, period: 0 } }, "/rate/period"],
    [{ priority: 10 }, "/priority"],
  ])("is refused with %j, at the place", async (limits, path) => {
    const made = await team();
    const declared = [{ name: "password", type: "password" }];
    const { status, body } = await admin.post(`${made.path}/workflow`, { name: "limited", tasks: [], params: declared, ...limits });
    expect(status).toBe(400);
    expect(body.errors.map((fault: { path: string }) => fault.path)).toContain(path);
  });
});

describe("a run that a limit holds", () => {
  test("says what it waits for where it is read and listed, and is refused when it should start", async () => {
    const made = await team();
    await made.workflow("limited", waits, { concurrency: { key: "$(params.customer)", max: 1 } });
    const first = await made.submit("limited", customer("acme"), "");
    const second = await made.submit("limited", customer("acme"), "");
    const text = `Waiting for a slot: 1 of 1 run of customer=acme is running: run ${first.id}`;
    expect((await made.run(second.id)).waitingFor).toBe(text);
    const { body } = await admin.get(`${made.path}/workflowrun/query?phase=pending`);
    expect(body.content.find(({ id }: { id: string }) => id === second.id).waitingFor).toBe(text);
    const started = await admin.put(`${made.path}/workflowrun/${second.id}/start`, {});
    expect(started).toMatchObject({
      status: 429,
      body: { reason: "WORKFLOWRUN_LIMIT_REACHED", message: `The run can't start now: ${text}` },
    });
    expect(await admin.delete(`${made.path}/workflowrun/${second.id}/cancel`)).toMatchObject({ status: 200 });
    expect((await made.run(second.id)).waitingFor).toBeUndefined();
  });

  test.each(["a\u0000b", "\ud800", "a\nb", "'; drop table run; --", "$(params.other)"])(
    "takes any text as its key, or refuses it: %j",
    async (value) => {
      const made = await team();
      await made.workflow("limited", waits, {
        concurrency: { key: "$(params.customer)", max: 1 },
        rate: { limit: 9, period: 1, key: "x$(params.customer)" },
      });
      const { status } = await admin.post(`${made.path}/workflow/limited/submit`, customer(value));
      expect([200, 400]).toContain(status);
    },
  );

  test("is answered as skipped", async () => {
    const made = await team();
    await made.workflow("limited", waits, { concurrency: { max: 1, onLimit: "skip" } });
    const first = await made.submit("limited", {}, "");
    const second = await made.submit("limited", {}, "");
    expect(second).toMatchObject({
      status: "cancelled",
      phase: "completed",
      reason: "Skipped",
      statusMessage: `Skipped: 1 of 1 run of this workflow is running: run ${first.id}`,
    });
  });
});

test("a submission may ask for less priority, and not for more", async () => {
  const made = await team();
  await made.workflow("ordered", waits, { priority: 6 });
  expect(await admin.post(`${made.path}/workflow/ordered/submit`, { priority: 2 })).toMatchObject({ status: 200 });
  const { status, body } = await admin.post(`${made.path}/workflow/ordered/submit`, { priority: 7 });
  expect([status, body.message]).toEqual([
    400,
    "The run request is invalid: priority is 7, and that of the workflow is 6; leave it out, give at most 6, or raise it in the workflow",
  ]);
});
