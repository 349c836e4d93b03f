import { beforeEach, describe, expect, test } from "vitest";
import { params, runKit, taskOf } from "../../../test/kit/run-kit.ts";
import { testExecutors } from "../../../test/kit/worker/test-executor.ts";
import { makeTask } from "../../../test/kit/workflow-factories.ts";
import { prepareJobs } from "../../engine/prepare-jobs.ts";
import { claimTaskRuns } from "../../store/worker/workers.ts";

const { app, kit, team } = await runKit();
const admin = app.as();
const path = "/api/v2/parameters";
const worker = await kit.worker();
await makeTask(app.sql, { name: "shell", type: "script", script: "true" });

const create = (body: unknown) => admin.post(path, body);
const replace = (body: unknown) => admin.put(path, body);
const list = async () => (await admin.get(path)).body;
const stored = async (name: string) =>
  (await app.sql<{ document: Record<string, unknown> }[]>`select document from global_parameter where name = ${name}`)[0]?.document;
const lastAudit = async () =>
  (
    await app.sql`select action, object_kind as kind, object_name as name, before, after from audit where object_kind = 'parameter' order by id desc limit 1`
  )[0];

beforeEach(async () => {
  await app.sql`delete from global_parameter`;
});

describe("POST parameters", () => {
  const whole = {
    name: "region",
    label: "Region",
    description: "Where",
    type: "select",
    options: [{ key: "eu" }, { key: "us", value: "America" }],
    default: "eu",
    value: "us",
    required: true,
    helpertext: "h",
    placeholder: "p",
    readOnly: false,
  };

  test("creates a parameter with all its members; reads list them by name", async () => {
    const answer = await create(whole);
    expect([answer.status, answer.body]).toEqual([200, whole]);
    await create({ name: "area", value: { any: ["json", 1, null] } });
    expect(await list()).toEqual([{ name: "area", value: { any: ["json", 1, null] }, readOnly: false }, whole]);
    expect(await lastAudit()).toMatchObject({
      action: "parameter/write",
      name: "area",
      before: null,
      after: { value: { any: ["json", 1, null] } },
    });
  });

  test("understands the older names of members", async () => {
    const answer = await create({
      key: "old",
      type: "multiselect",
      defaultValue: ["a"],
      values: ["b", "c"],
      helperText: "h",
      description: null,
    });
    expect(answer.body).toEqual({ name: "old", type: "multiselect", default: ["a"], value: ["b", "c"], helpertext: "h", readOnly: false });
    expect(answer.headers["x-unknown-members"]).toBeUndefined();
  });

  test("a name is unique: of many concurrent requests exactly one gets it", async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, (_, value) => create({ name: "same", value })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422, 422]);
    expect(answers.find(({ status }) => status === 422)?.body).toMatchObject({ reason: "PARAMS_NON_UNIQUE_REFERENCE", code: 1802 });
    expect((await list()).length).toBe(1);
  });

  test.each([
    ["no name", {}, "/name"],
    ["a blank name", { name: "  " }, "/name"],
    ["a name with a line break", { name: "a\nb" }, "/name"],
    ["a name that is too long", { name: "x".repeat(251) }, "/name"],
    ["a number that is none", { name: "p", type: "number", value: "many" }, "/value"],
    ["a default that is no choice", { name: "p", type: "select", options: [{ key: "a" }], default: "b" }, "/default"],
    ["a secret too short to be masked", { name: "p", type: "password", value: "abc" }, "/value"],
    ["a secret that is not text", { name: "p", type: "Password", value: { hidden: "inside" } }, "/value"],
    ["a member of another type", { name: "p", required: "yes" }, "/required"],
  ])("refuses %s", async (_, body, at) => {
    const answer = await create(body);
    expect([answer.status, answer.body.reason]).toEqual([400, "VALIDATION_FAILED"]);
    expect(answer.body.errors[0].path).toBe(at);
    expect(answer.text).not.toMatch(/inside|"abc"/);
    expect(await list()).toEqual([]);
  });

  test("refuses what is not an object", async () => {
    for (const body of ["[]", '"p"', "{"]) expect((await create(body)).status).toBe(400);
  });
});

describe("PUT parameters", () => {
  test("replaces everything: members that are left out are removed", async () => {
    await create({ name: "p", label: "P", type: "text", value: "one", description: "d" });
    expect((await replace({ key: "p", value: "two" })).body).toEqual({ name: "p", value: "two", readOnly: false });
    expect(await lastAudit()).toMatchObject({
      action: "parameter/write",
      name: "p",
      before: { value: "one", label: "P" },
      after: { value: "two" },
    });
  });

  test("of an unknown name is a 404, of a malformed one a 400", async () => {
    expect((await replace({ name: "nope", value: 1 })).body).toMatchObject({
      code: 1801,
      reason: "PARAMS_INVALID_REFERENCE",
      status: "404 NOT_FOUND",
    });
    expect((await replace({ value: 1 })).status).toBe(400);
    expect((await replace(undefined)).status).toBe(400);
  });
});

describe("DELETE parameters", () => {
  test("answers 204 without a body, and then 404; names may hold anything", async () => {
    const name = "a.b/c [0] ü";
    await create({ name, value: "v" });
    const at = `${path}/${encodeURIComponent(name)}`;
    const answer = await admin.delete(at);
    expect([answer.status, answer.text]).toEqual([204, ""]);
    expect(await lastAudit()).toMatchObject({ action: "parameter/delete", name, before: { value: "v" } });
    expect((await admin.delete(at)).body).toMatchObject({ code: 1801, reason: "PARAMS_INVALID_REFERENCE" });
  });
});

describe("a secret", () => {
  test("is stored sealed, never read, and kept by a write that leaves it empty", async () => {
    const made = await create({ name: "token", type: "password", value: "secret-of-everyone", default: "secret-by-default" });
    expect(made.body).toEqual({ name: "token", type: "password", value: "", default: "", hiddenValue: true, readOnly: false });
    const sealed = await stored("token");
    expect(JSON.stringify(sealed)).not.toContain("secret-");
    expect(await list()).toEqual([made.body]);
    for (const value of ["", null, undefined]) {
      expect((await replace({ ...made.body, label: "L", value })).status).toBe(200);
      expect(await stored("token")).toMatchObject({ value: sealed?.["value"], default: sealed?.["default"], label: "L" });
    }
    await replace({ name: "token", type: "password", value: "secret-that-is-new" });
    expect((await stored("token"))?.["value"]).not.toBe(sealed?.["value"]);
    await admin.delete(`${path}/token`);
    expect(JSON.stringify(await app.sql`select audit::text as row from audit`)).not.toMatch(/secret-of|secret-by|secret-that|mrsealed/);
  });

  test("is not revealed by a write that makes it no secret", async () => {
    await create({ name: "token", type: "password", value: "secret-of-everyone" });
    const answer = await replace({ name: "token", type: "text", value: "" });
    expect(answer.body).toEqual({ name: "token", type: "text", value: "", readOnly: false });
    expect(JSON.stringify(await stored("token"))).not.toContain("mrsealed");
  });

  test("reaches the executor in clear and everyone else masked; a later change does not affect the run", async () => {
    await create({ name: "token", type: "password", value: "secret-of-everyone" });
    await create({ name: "region", value: "eu" });
    const made = await team();
    const text = "$(global.params.token) in $(global.params.region)";
    await admin.post(`${made.path}/workflow`, { name: "flow", tasks: [{ name: "a", taskRef: "shell", ...params({ text }) }] });
    const run = await made.submit("flow");
    await replace({ name: "token", type: "password", value: "secret-of-later" });
    await admin.delete(`${path}/region`);

    expect(taskOf(await made.run(run.id), "a").params).toEqual([{ name: "text", value: "****** in eu" }]);
    const claims = (await claimTaskRuns(app.sql, worker, 100, ["process"], [])).filter(({ runId }) => runId === run.id);
    const limits = { memoryBytes: 1, processes: 1, outputBytes: 1, resultBytes: 1 };
    const settings = { executors: testExecutors(), workspacesDir: "/nowhere", limits };
    const [prepared] = await prepareJobs(app.sql, kit.context, settings, claims);
    expect(prepared?.job?.params).toEqual([{ name: "text", value: "secret-of-everyone in eu" }]);
    expect(prepared?.job?.secrets).toContain("secret-of-everyone");
    const rows = await app.sql`select run::text as row from run union all select task_run::text from task_run`;
    expect(JSON.stringify(rows)).not.toMatch(/secret-of/);
  });
});

test("global parameters are the instance's: a role in a team gives nothing", async () => {
  const own = await app.make.team();
  const owner = app.as((await app.make.member(own.id, "owner")).token);
  const operator = app.as(await app.make.userToken((await app.make.user({ type: "operator" })).id));
  const reader = app.as(await app.make.globalToken(["parameter/read"]));
  const calls = (client: typeof owner) => [
    client.get(path),
    client.post(path, { name: "p" }),
    client.put(path, { name: "p" }),
    client.delete(`${path}/p`),
  ];
  const statuses = async (client: typeof owner) => {
    const found: number[] = [];
    for (const call of calls(client)) found.push((await call).status);
    return found;
  };
  expect(await statuses(app.as(null))).toEqual([401, 401, 401, 401]);
  expect(await statuses(owner)).toEqual([403, 403, 403, 403]);
  expect(await statuses(reader)).toEqual([200, 403, 403, 403]);
  const [read, written, replaced, deleted] = await Promise.all([
    operator.get(path),
    operator.post(path, { name: "q" }),
    operator.put(path, { name: "r" }),
    operator.delete(`${path}/q`),
  ]);
  expect([read?.status, written?.status, replaced?.status, deleted?.status]).toEqual([200, 200, 404, 403]);
});
