import { beforeEach, describe, expect, test } from "vitest";
import { createLog } from "../../../src/base/process/log.ts";
import { settingGroups } from "../../../src/core/settings/instance-settings.ts";
import { LiveSettings } from "../../../src/domain/settings/live-settings.ts";
import { prepareJobs } from "../../../src/engine/prepare-jobs.ts";
import { buildApp } from "../../../src/http/server.ts";
import { CodehostClients } from "../../../src/integrations/codehost/codehost-client.ts";
import { claimTaskRuns } from "../../../src/store/worker/workers.ts";
import { adminToken, testRunContext } from "../../kit/app.ts";
import { platformFetch } from "../../kit/platform-fetch.ts";
import { params, runKit, taskOf } from "../../kit/run-kit.ts";
import { node, workflow } from "../../kit/run-simulator.ts";
import { testExecutors } from "../../kit/worker/test-executor.ts";
import { makeTask } from "../../kit/workflow-factories.ts";

/** What each setting does: it is changed over the API, and its effect is observed elsewhere. */
const { app, kit } = await runKit();
const admin = app.as();
const worker = await kit.worker();
await makeTask(app.sql, { name: "shell", type: "script", script: "true" });
await makeTask(app.sql, { name: "set", type: "setwfproperty" });

const pure = workflow(node("a", "setwfproperty", ["start"], params({ output: "a", value: "1" })));
const active = workflow(node("a", "script", ["start"], params({ script: "true" })));
const waiting = workflow(node("a", "manual", ["start"], params({ instructions: "wait" })));

async function set(group: string, values: Record<string, string>) {
  const answer = await admin.put("/api/v2/settings", [
    { id: group, config: Object.entries(values).map(([key, value]) => ({ key, value })) },
  ]);
  expect(answer.text, "the change of settings").not.toContain('"reason"');
  return answer;
}

/** A team without quotas of its own. */
async function bareTeam() {
  const { id, name } = await app.make.team();
  const path = `/api/v2/team/${name}`;
  return {
    id,
    path,
    workflow: (name: string, nodes: Parameters<typeof kit.workflow>[2], more?: Record<string, unknown>) =>
      kit.workflow(id, name, nodes, more),
    submit: (workflow: string, body: unknown = {}, query = "?start=true") =>
      admin.post(`${path}/workflow/${workflow}/submit${query}`, body),
    run: async (runId: string) => (await admin.get(`${path}/workflowrun/${runId}`)).body,
  };
}

/** Resets everything to the shipped defaults. */
beforeEach(async () => {
  const shipped = settingGroups.map(({ key: id, settings }) => ({
    id,
    config: settings.filter(({ type }) => type !== "secured").map((setting) => ({ key: setting.key, value: setting.default })),
  }));
  expect((await admin.put("/api/v2/settings", shipped)).status).toBe(200);
});

describe("teams: quotas of the instance", () => {
  test("are the default quotas, and those of teams without own ones", async () => {
    const made = await bareTeam();
    await set("teams", {
      "max.workflow.count": "1",
      "max.workflowrun.monthly": "77",
      "max.workflow.storage": "3Gi",
      "max.workflowrun.storage": "1Gi",
      "max.workflowrun.duration": "33",
      "max.workflowrun.concurrent": "9",
      "max.workflowrun.waiting": "8",
    });
    const quotas = {
      maxWorkflowCount: 1,
      maxWorkflowRunMonthly: 77,
      maxWorkflowStorage: 3,
      maxWorkflowRunStorage: 1,
      maxWorkflowRunDuration: 33,
      maxConcurrentRuns: 9,
      maxWaitingRuns: 8,
    };
    expect((await admin.get("/api/v2/team/quotas/default")).body).toEqual(quotas);
    expect((await admin.get(made.path)).body.quotas).toMatchObject(quotas);
    expect((await admin.post(`${made.path}/workflow`, { name: "one" })).status).toBe(200);
    expect((await admin.post(`${made.path}/workflow`, { name: "two" })).body.message).toContain("maxWorkflowCount");
    const large = { name: "one", workspaces: [{ name: "workflow", spec: { size: "4Gi" } }] };
    expect((await admin.put(`${made.path}/workflow`, large)).body.message).toContain("4Gi of 3 Gi");
  });

  test("apply to submissions: per month, at a time, and waiting", async () => {
    const made = await bareTeam();
    await made.workflow("pure", pure);
    await made.workflow("active", active);
    await made.workflow("waiting", waiting);
    await set("teams", { "max.workflowrun.monthly": "2" });
    for (const _ of [1, 2]) await made.submit("pure");
    expect((await made.submit("pure")).body).toMatchObject({ reason: "QUOTA_EXCEEDED", message: expect.stringContaining("2 of 2") });
    await set("teams", { "max.workflowrun.monthly": "10", "max.workflowrun.concurrent": "1", "max.workflowrun.waiting": "1" });
    expect((await made.submit("active")).status).toBe(200);
    expect((await made.submit("active")).body).toMatchObject({
      reason: "QUOTA_EXCEEDED",
      message: expect.stringContaining("1 of 1 runs at a time"),
    });
    expect((await made.submit("waiting")).status).toBe(200);
    expect((await made.submit("waiting")).body).toMatchObject({
      reason: "QUOTA_EXCEEDED",
      message: expect.stringContaining("1 of 1 waiting runs"),
    });
  });

  test("apply to the queue: a waiting run names the quota, and starts when the quota is raised", async () => {
    const made = await bareTeam();
    await made.workflow("active", active);
    await set("teams", { "max.workflowrun.concurrent": "1" });
    await made.submit("active");
    const { id } = (await made.submit("active", {}, "")).body;
    await kit.settle();
    expect(await made.run(id)).toMatchObject({ phase: "pending", waitingFor: expect.stringContaining("1 of 1 runs are active") });
    expect((await admin.put(`${made.path}/workflowrun/${id}/start`)).status).toBe(429);
    await set("teams", { "max.workflowrun.concurrent": "2" });
    await kit.settle();
    expect((await made.run(id)).phase).toBe("running");
  });
});

test("a process of the previous version keeps claiming queued runs, by the quotas that it knows", async () => {
  const made = await bareTeam();
  await made.workflow("waiting", waiting);
  const { id } = (await made.submit("waiting", {}, "")).body;
  const claimed = await app.sql`select id from claim_queued_runs(50, 1)`;
  expect(claimed.map((row) => row["id"])).toContain(id);
});

describe("features", () => {
  test("teamQuotas off: no quota applies; on again, all do", async () => {
    const made = await bareTeam();
    await app.sql`update team set max_workflow_count = 1, max_concurrent_runs = 1, max_workflow_run_monthly = 2, max_workflow_storage = 1 where id = ${made.id}`;
    await made.workflow("active", active);
    await set("features", { teamQuotas: "false" });
    expect(
      (await admin.post(`${made.path}/workflow`, { name: "two", workspaces: [{ name: "workflow", spec: { size: "4Gi" } }] })).status,
    ).toBe(200);
    for (const query of ["?start=true", "?start=true", "?start=true"]) expect((await made.submit("active", {}, query)).status).toBe(200);
    const { id, timeout } = (await made.submit("active", {}, "")).body;
    expect(timeout).toBeUndefined();
    await kit.settle();
    expect(await made.run(id)).toMatchObject({ phase: "running" });
    expect((await admin.get(made.path)).body.quotas).toMatchObject({ maxConcurrentRuns: 1, currentConcurrentRuns: 4 });
    await set("features", { teamQuotas: "true" });
    expect((await made.submit("active")).body.reason).toBe("QUOTA_EXCEEDED");
  });

  test("globalParameters and teamParameters off: the layer is missing in new runs and in the designer's references", async () => {
    const made = await bareTeam();
    await admin.post("/api/v2/parameters", { name: "of-all", value: "everywhere" });
    await admin.patch(made.path, { parameters: [{ name: "of-us", value: "here" }] });
    const text = "$(global.params.of-all), $(team.params.of-us)";
    const tasks = [{ name: "a", taskRef: "set", ...params({ output: "out", value: text }), unresolvedReferences: "keep" }];
    await admin.post(`${made.path}/workflow`, { name: "flow", tasks });
    const result = async () => (await made.submit("flow")).body.results[0].value;
    const offered = async () => (await admin.get(`${made.path}/workflow/flow/available-parameters`)).text;
    expect(await result()).toBe("everywhere, here");
    expect(await offered()).toMatch(/global\.params\.of-all.*team\.params\.of-us/);
    await set("features", { globalParameters: "false" });
    expect(await result()).toBe("$(global.params.of-all), here");
    expect(await offered()).not.toContain("of-all");
    await set("features", { globalParameters: "true", teamParameters: "false" });
    expect(await result()).toBe("everywhere, $(team.params.of-us)");
    expect(await offered()).not.toContain("of-us");
  });

  test("workflowTokens off: none can be created, and existing ones stay valid", async () => {
    const made = await bareTeam();
    const workflowId = (await admin.post(`${made.path}/workflow`, { name: "pure" })).body.id;
    const mint = () => admin.post("/api/v2/token", { type: "workflow", name: "t", principal: workflowId, permissions: ["workflow/read"] });
    const { token } = (await mint()).body;
    await set("features", { workflowTokens: "false" });
    expect((await mint()).body).toMatchObject({ code: 403, message: expect.stringContaining("features/workflowTokens") });
    expect((await app.as(token).get(`${made.path}/workflow/pure`)).status).toBe(200);
  });
});

describe("task", () => {
  test("debug and default.timeout: what a run and its task runs get that ask for nothing", async () => {
    const made = await bareTeam();
    await admin.post(`${made.path}/workflow`, {
      name: "flow",
      tasks: [
        { name: "a", taskRef: "shell" },
        { name: "b", taskRef: "shell", timeout: 500 },
      ],
    });
    const submitted = async (body: unknown = {}) => made.run((await made.submit("flow", body, "")).body.id);
    const shipped = await submitted();
    expect([shipped.debug, taskOf(shipped, "a").timeout, taskOf(shipped, "b").timeout]).toEqual([false, 90, 90]);
    await set("task", { debug: "true", "default.timeout": "200" });
    const changed = await submitted();
    expect([changed.debug, taskOf(changed, "a").timeout, taskOf(changed, "b").timeout]).toEqual([true, 200, 200]);
    expect((await submitted({ debug: false })).debug).toBe(false);
  });

  test("default.image and deletion.policy: what executors get", async () => {
    const made = await bareTeam();
    await admin.post(`${made.path}/workflow`, { name: "flow", tasks: [{ name: "a", taskRef: "shell" }] });
    const limits = { memoryBytes: 1, processes: 1, outputBytes: 1, resultBytes: 1 };
    const settings = { executors: testExecutors("process", "container"), workspacesDir: "/nowhere", limits };
    const handOver = async () => {
      const { id } = (await made.submit("flow")).body;
      const claims = await claimTaskRuns(app.sql, worker, 100, ["process", "image"], []);
      const [prepared] = await prepareJobs(
        app.sql,
        kit.context,
        settings,
        claims.filter(({ runId }) => runId === id),
      );
      return [prepared?.executor.kind, prepared?.job?.steps.map(({ image }) => image), taskOf(await made.run(id), "a").spec.deletion];
    };
    expect(await handOver()).toEqual(["process", [undefined], "Never"]);
    await set("task", { "default.image": "debian:13", "deletion.policy": "OnSuccess" });
    expect(await handOver()).toEqual(["container", ["debian:13"], "OnSuccess"]);
  });
});

describe("workspaces", () => {
  test("max.storage.size limits what workflows may request; workflows saved earlier are limited to it, too", async () => {
    const made = await bareTeam();
    await app.sql`update team set max_workflow_run_storage = 100 where id = ${made.id}`;
    const workspaces = [{ name: "workflowrun", type: "workflowrun", spec: { size: "6Gi" } }];
    const save = () => admin.put(`${made.path}/workflow`, { name: "flow", workspaces });
    const refused = await save();
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      [{ path: "/workspaces/0/spec/size", message: expect.stringContaining("at most 5Gi (setting workflowrun/max.storage.size)") }],
    ]);
    await set("workflowrun", { "max.storage.size": "6Gi" });
    expect((await save()).status).toBe(200);
  });
});

describe("several processes", () => {
  test("apply a change within two seconds, and the process that made it immediately", async () => {
    let now = 0;
    const runs = { ...testRunContext(app.keyring), settings: new LiveSettings(() => now) };
    const other = buildApp({
      sql: app.sql,
      keyring: app.keyring,
      config: { adminToken },
      log: createLog("silent"),
      services: { wake: () => {}, runs, bus: app.bus, codehost: new CodehostClients(platformFetch), platformFetch },
    });
    const name = async (server: typeof other) => (await server.inject("/api/v2/context")).json().platform.name;
    expect(await name(other)).toBe("Millrace");
    await set("customizations", { platformName: "Acme" });
    expect(await name(app.server)).toBe("Acme Millrace");
    now = 2000;
    expect(await name(other)).toBe("Acme Millrace");
    await other.close();
  });
});
