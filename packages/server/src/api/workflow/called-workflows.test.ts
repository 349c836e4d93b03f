import { beforeAll, describe, expect, test } from "vitest";
import { params, runKit, taskOf } from "../../../test/kit/run-kit.ts";
import { seedCatalog } from "../../services/seed-catalog.ts";

/** Workflows that run others: by version, with parameters that are checked at save, and with typed results. */
const { app, kit, team } = await runKit();
const admin = app.as();
beforeAll(() => seedCatalog(app.sql));

const set = (name: string, value: unknown, more: object = {}) => ({
  ...{ name: `set-${name}`, taskRef: "set-result-parameter", ...params({ output: name, value }) },
  ...more,
});
const child = {
  name: "bill",
  params: [
    { name: "customer", type: "text", required: true },
    { name: "amount", type: "number" },
    { name: "secret", type: "password" },
  ],
  results: [
    { name: "total", type: "number" },
    { name: "lines", type: "array" },
  ],
  tasks: [set("total", "$(params.amount)"), set("lines", "[1, 2]")],
};
const call = (values: object, more: object = {}) => ({
  name: "call",
  taskRef: "run-workflow",
  ...params({ workflowRef: "bill", wait: true, customer: "acme", ...values }),
  ...more,
});
const reads = (text: string) => ({ ...set("out", text), dependencies: [{ taskRef: "call" }] });

async function made() {
  const one = await team();
  expect((await admin.post(`${one.path}/workflow`, child)).status).toBe(200);
  const save = (tasks: object[], more: object = {}) => admin.put(`${one.path}/workflow`, { name: "parent", tasks, ...more });
  const faultsOf = async (...of: Parameters<typeof save>) => {
    const { status, body } = await save(...of);
    return [status, ...(body.errors ?? []).map(({ path, message }: { path: string; message: string }) => `${path} ${message}`)];
  };
  return { ...one, save, faultsOf };
}

describe("a task that runs a workflow is checked when it is saved:", () => {
  test.each([
    [{ custmer: "x" }, "/tasks/0/params/3/name", /workflow bill \(version 1\) has no parameter "custmer"; did you mean customer\?/],
    [{ other: "x" }, "/tasks/0/params/3/name", /has no parameter "other"; it has customer, amount, secret/],
    [{ amount: "much" }, "/tasks/0/params/3/value", /parameter "amount" of workflow bill \(version 1\) must be a number, but is "much"/],
    [{ customer: "" }, "/tasks/0/params", /parameter "customer" of workflow bill \(version 1\) is required and has no value/],
    [{ workflowVersion: 9 }, "/tasks/0/params/3/value", /is 9, but workflow bill has no such version; its latest is 1/],
    [{ workflowVersion: "1.5" }, "/tasks/0/params/3/value", /is "1.5"; it must be the number of a version, or latest/],
    [{ workflowVersion: -1 }, "/tasks/0/params/3/value", /it must be the number of a version/],
  ])("%j is refused", async (values, path, message) => {
    const { faultsOf } = await made();
    const [status, fault, ...others] = await faultsOf([call(values)]);
    expect([status, others]).toEqual([400, []]);
    expect(fault).toMatch(message);
    expect(fault).toContain(path);
  });

  test.each([
    { amount: 5 },
    { amount: "$(params.p)", secret: "hunter22" },
    { workflowVersion: "1" },
    { workflowVersion: "latest" },
    { workflowVersion: "$(params.p)", other: "known only when it runs" },
    { data: { event: true } },
  ])("%j is saved", async (values) => {
    const { faultsOf } = await made();
    expect(await faultsOf([call(values)], { params: [{ name: "p" }] })).toEqual([200]);
  });

  test("a call of itself, by the parameters that it has then", async () => {
    const { faultsOf } = await made();
    const own = { name: "again", taskRef: "run-workflow", ...params({ workflowRef: "parent", depth: 1 }) };
    expect(await faultsOf([own])).toEqual([400, expect.stringContaining('workflow parent has no parameter "depth"')]);
    expect(await faultsOf([own], { params: [{ name: "depth" }] })).toEqual([200]);
  });

  test("each version by its own parameters", async () => {
    const { path, faultsOf } = await made();
    await admin.put(`${path}/workflow`, {
      ...child,
      params: [{ name: "client", required: true }],
      tasks: [set("total", "1"), set("lines", "[]")],
    });
    expect(await faultsOf([call({ workflowVersion: 1 })])).toEqual([200]);
    expect((await faultsOf([call({})])).slice(1)).toEqual([
      expect.stringContaining('workflow bill (version 2) has no parameter "customer"'),
      expect.stringContaining('parameter "client" of workflow bill (version 2) is required'),
    ]);
  });
});

describe("the results of the other workflow", () => {
  test.each([
    ["$(tasks.call.results.total)", {}, undefined],
    ["$(tasks.call.results.status)", {}, undefined],
    ["$(tasks.call.results.sum)", {}, /has no result "sum"; it has .*total, lines; workflow bill gives no other/],
    ["$(tasks.call.results.total)", { wait: false }, /has no result "total"; it has workflowRunRef; without "wait" it gives no other/],
  ])("%s with %j", async (text, values, message) => {
    const { faultsOf } = await made();
    const [status, fault] = await faultsOf([call(values), reads(text)]);
    expect(status).toBe(message === undefined ? 200 : 400);
    if (message) expect(fault).toMatch(message);
  });

  test("are offered where references are completed, with their types", async () => {
    const { path, save } = await made();
    expect((await save([call({}), reads("x")])).status).toBe(200);
    expect((await admin.get(`${path}/workflow/parent/available-parameters`)).body).toContain("tasks.call.results.total");
    const { body } = await admin.post(`${path}/workflow/parent/preview`, { node: "set-out", references: true });
    const found = body.references.find(({ reference }: { reference: string }) => reference === "$(tasks.call.results.total)");
    expect(found).toMatchObject({ kind: "result", task: "call", type: "number" });
  });

  test("are unresolved in a preview only if the other workflow can't set them", async () => {
    const { path, save } = await made();
    expect((await save([call({}), reads("x")])).status).toBe(200);
    const look = async (result: string, more: object = {}) => {
      const expressions = [`$(tasks.call.results.${result})`];
      const { body } = await admin.post(`${path}/workflow/parent/preview`, { node: "set-out", expressions, ...more });
      return body.values[0];
    };
    expect(await look("total")).toMatchObject({ missing: [{ why: expect.stringContaining("no result yet") }] });
    expect(await look("status")).toMatchObject({ missing: [expect.anything()] });
    expect(await look("sum")).toMatchObject({ unknown: [{ reference: "$(tasks.call.results.sum)" }] });
    const draft = { tasks: [call({ wait: false }), { ...reads("x") }] };
    expect(await look("total", { draft })).toMatchObject({ unknown: [expect.anything()] });
    const open = { params: [{ name: "which" }], tasks: [call({ workflowRef: "$(params.which)" }), { ...reads("x") }] };
    expect(await look("sum", { draft: open })).toMatchObject({ missing: [expect.anything()] });
  });

  test("are those of its tasks where it declares none", async () => {
    const { path, faultsOf } = await made();
    await admin.put(`${path}/workflow`, { ...child, results: null });
    expect(await faultsOf([call({}), reads("$(tasks.call.results.lines)")])).toEqual([200]);
    expect((await faultsOf([call({}), reads("$(tasks.call.results.sum)")]))[0]).toBe(400);
  });

  test("reach the task by the version that it names", async () => {
    const { path, save, run } = await made();
    await admin.put(`${path}/workflow`, { ...child, tasks: [set("total", "777"), set("lines", "[]")] });
    await save([call({ amount: 42, workflowVersion: 1 }), reads("$(tasks.call.results.total)")]);
    const { body } = await admin.post(`${path}/workflow/parent/submit?start=true`, {});
    await kit.settle();
    const ended = await run(body.id);
    expect([ended.status, ended.results]).toMatchObject(["succeeded", [{ name: "out", value: "42" }]]);
    const childRun = taskOf(ended, "call").results.find(({ name }: { name: string }) => name === "workflowRunRef").value;
    expect(await run(childRun)).toMatchObject({ workflowVersion: 1, parentRunRef: body.id });
  });

  test("fail the task that sets one of another type", async () => {
    const { path, run } = await made();
    await admin.put(`${path}/workflow`, { ...child, tasks: [set("total", "$(params.customer)"), set("lines", "[]")] });
    const { body } = await admin.post(`${path}/workflow/bill/submit?start=true`, { params: [{ name: "customer", value: "acme" }] });
    await kit.settle();
    expect(taskOf(await run(body.id), "set-total")).toMatchObject({
      status: "failed",
      reason: "InvalidResult",
      statusMessage: expect.stringMatching(/Result "total" is declared as number, but is/),
    });
  });

  test.each([
    [{ results: [{ name: "other" }] }, ["/results/0/name", "/tasks/0/params/0/value", "/tasks/1/params/0/value"]],
    [{ results: [{ name: "total" }, { name: "lines" }, { name: "total" }] }, ["/results/2/name"]],
    [{ results: [{ name: "total", type: "money" }, { name: "lines" }] }, ["/results/0/type"]],
  ])("are refused as %j, at the place", async (more, paths) => {
    const { path } = await team();
    const { status, body } = await admin.post(`${path}/workflow`, { ...child, ...more });
    expect([status, body.errors.map((fault: { path: string }) => fault.path)]).toEqual([400, paths]);
  });
});

describe("a version that another workflow runs", () => {
  test("can't be replaced, and its workflow can be deleted only by force", async () => {
    const { path, save } = await made();
    await save([call({ workflowVersion: 1 })]);
    const replaced = await admin.put(`${path}/workflow?replace=true`, child);
    expect([replaced.status, replaced.body.message]).toEqual([
      409,
      expect.stringContaining("workflow parent runs this version; save a new version"),
    ]);
    expect((await admin.put(`${path}/workflow`, child)).body).toMatchObject({ version: 2 });
    expect((await admin.put(`${path}/workflow?replace=true`, child)).status).toBe(200);
    const deleted = await admin.delete(`${path}/workflow/bill?force=false`);
    expect([deleted.status, deleted.body.message]).toEqual([409, expect.stringContaining("workflow parent runs a fixed version of it")]);
    expect((await admin.delete(`${path}/workflow/bill`)).status).toBeLessThan(300);
  });
});
