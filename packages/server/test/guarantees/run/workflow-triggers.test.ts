import { randomUUID } from "node:crypto";
import type { WorkflowInput } from "@millrace/contract/workflow/workflow.ts";
import { describe, expect, test } from "vitest";
import type { Reaction } from "../../../src/domain/outbound/reaction.ts";
import { reactions } from "../../../src/engine/outbound/reactions.ts";
import { engineKit } from "../../kit/engine-kit.ts";
import { paramsOf } from "../../kit/integration-kit.ts";
import { dispatcherOf } from "../../kit/outbound/dispatch-kit.ts";
import { params, runKit } from "../../kit/run-kit.ts";
import { node, workflow } from "../../kit/run-simulator.ts";
import { makeTask } from "../../kit/workflow-factories.ts";

/** The end of a run starts the workflows of its team that wait for it: each of them once, and never endlessly. */
const { app, kit, team: makeTeam, outsider } = await runKit();
await makeTask(app.sql, { name: "set", type: "setwfproperty" });
const admin = app.as();
const dispatcher = dispatcherOf(kit);
const failing = workflow(node("fail", "setwfstatus", ["start"], params({ status: "failed" })));

type Conditions = NonNullable<NonNullable<WorkflowInput["triggers"]>["workflow"]>;

/** A team whose workflows do nothing; each may have a trigger on others. */
async function teamOf(workflows: Record<string, Conditions | undefined>) {
  const team = await makeTeam();
  const ids: Record<string, string> = {};
  const save = (name: string, more: Partial<WorkflowInput>) => admin.put(`${team.path}/workflow`, { name, ...more });
  for (const name of Object.keys(workflows)) ids[name] = (await admin.post(`${team.path}/workflow`, { name, tasks: [] })).body.id;
  for (const [name, trigger] of Object.entries(workflows)) if (trigger) await save(name, { triggers: { workflow: trigger } });
  /** Runs until nothing starts anything more. */
  const settle = async () => {
    for (let rounds = 0; rounds < 60; rounds++) {
      await kit.settle();
      const [open] = await app.sql`select 1 from change_event where dispatched_at is null limit 1`;
      if (!open) return;
      await dispatcher.tick();
    }
    throw new Error("it goes on and on");
  };
  const runs = async () =>
    (await admin.get(`${team.path}/workflowrun/query?limit=500&order=ASC`)).body.content as {
      id: string;
      workflowName: string;
      trigger: string;
      status: string;
      initiatedByRef: string;
      params: { name: string; value: unknown }[];
    }[];
  return {
    ...team,
    ids,
    save,
    settle,
    runs,
    started: async () => (await runs()).filter(({ trigger }) => trigger === "workflow").map(({ workflowName }) => workflowName),
    followUps: async (runId: string) => (await admin.get(`${team.path}/workflowrun/${runId}/followups`)).body.content,
    /** Runs it to its end, and everything that it triggers. */
    async finish(name: string, body: unknown = {}) {
      const run = await team.submit(name, body);
      await settle();
      return run.id;
    },
  };
}

const after = (...workflows: string[]): Conditions => ({
  enabled: true,
  conditions: [{ field: "workflows", operation: "in", values: workflows }],
});

describe("what starts", () => {
  test("the workflow whose conditions hold gets the event and the run, without parameters and results", async () => {
    const team = await teamOf({ build: undefined, report: after("build") });
    const id = await team.finish("build", { labels: { stage: "live" }, params: [{ name: "token", value: "s3cret-value" }] });
    const [, run] = await team.runs();
    expect(run).toMatchObject({ workflowName: "report", trigger: "workflow", initiatedByRef: id, initiatedByType: "workflow" });
    const { event, data } = paramsOf(run!) as Record<string, Record<string, unknown>>;
    expect(event).toMatchObject({
      type: "dev.millrace.workflowrun.succeeded",
      subject: `/workflowrun/${id}/status/succeeded`,
      workflow: "build",
    });
    expect(data).toMatchObject({ id, status: "succeeded", workflowName: "build", labels: { stage: "live" } });
    expect(data).toEqual(event!["data"]);
    expect(JSON.stringify(run)).not.toContain("s3cret-value");
    expect(await team.followUps(id)).toMatchObject([{ workflowName: "report", outcome: "submitted", workflowRunRef: run!.id }]);
  });

  test.each<[string, Conditions, number]>([
    ["its id", { conditions: [{ field: "workflows", operation: "equals", value: "ID" }] }, 1],
    ["a pattern of names", { conditions: [{ field: "workflows", operation: "matches", value: "bui.*" }] }, 1],
    ["its status", { conditions: [{ field: "statuses", operation: "in", values: ["failed", "succeeded"] }] }, 1],
    ["another status", { conditions: [{ field: "statuses", operation: "equals", value: "failed" }] }, 0],
    ["its labels", { conditions: [{ field: "$.labels.stage", operation: "equals", value: "live" }] }, 1],
    ["other labels", { conditions: [{ field: "$.labels.stage", operation: "equals", value: "test" }] }, 0],
    ["a filter on the event", { filters: [{ suffix: { type: ".succeeded" } }, { exact: { workflow: "build" } }] }, 1],
    ["a filter that does not hold", { filters: [{ sql: "workflow <> 'build'" }] }, 0],
    ["a trigger that is off", { enabled: false, conditions: [] }, 0],
  ])("conditions look at %s", async (_, trigger, expected) => {
    const team = await teamOf({ build: undefined, report: undefined });
    const text = JSON.stringify({ enabled: true, ...trigger }).replace("ID", team.ids["build"]!);
    expect((await team.save("report", { triggers: { workflow: JSON.parse(text) } })).status).toBe(200);
    await team.finish("build", { labels: { stage: "live" } });
    expect(await team.started()).toEqual(Array(expected).fill("report"));
  });

  test("a cancelled and a failed run count as well as one that succeeded", async () => {
    const team = await teamOf({ report: { enabled: true, conditions: [{ field: "workflows", operation: "matches", value: "wait|bad" }] } });
    await team.workflow("wait", workflow(node("wait", "manual", ["start"], params({ instructions: "x" }))));
    await team.workflow("bad", failing);
    const { id } = await team.submit("wait");
    await admin.delete(`${team.path}/workflowrun/${id}/cancel`);
    await team.finish("bad");
    expect(await team.started()).toEqual(["report", "report"]);
    const statuses = (await team.runs())
      .filter(({ trigger }) => trigger === "workflow")
      .map((run) => (paramsOf(run)["data"] as { status: string }).status);
    expect(statuses.toSorted()).toEqual(["cancelled", "failed"]);
  });

  test("a workflow that can't be submitted is recorded with its reason and does not stop the others", async () => {
    const team = await teamOf({ build: undefined, idle: after("build"), needy: after("build"), report: after("build") });
    await team.save("idle", { status: "inactive" });
    await team.save("needy", { params: [{ name: "city", type: "text", required: true }] });
    const id = await team.finish("build");
    expect(await team.started()).toEqual(["report"]);
    expect((await team.followUps(id)).map((one: Record<string, string>) => `${one["workflowName"]} ${one["outcome"]}`).toSorted()).toEqual([
      "idle refused",
      "needy refused",
      "report submitted",
    ]);
    const refused = (await team.followUps(id)).find((one: Record<string, string>) => one["workflowName"] === "needy");
    expect(refused.message).toContain("city");
  });

  test("a quota that is used up refuses it, and says so", async () => {
    const team = await teamOf({ build: undefined, report: after("build") });
    await app.sql`update team set max_workflow_run_monthly = 1 where id = ${team.id}`;
    const id = await team.finish("build");
    expect(await team.started()).toEqual([]);
    expect(await team.followUps(id)).toMatchObject([{ outcome: "refused", message: expect.stringContaining("1 of 1") }]);
  });

  test("other teams are not notified, and read nothing", async () => {
    const team = await teamOf({ build: undefined });
    const other = await teamOf({ build: undefined, report: { enabled: true, conditions: [] } });
    const id = await team.finish("build");
    await other.settle();
    expect(await other.runs()).toEqual([]);
    expect((await (await outsider()).get(`${team.path}/workflowrun/${id}/followups`)).status).toBe(404);
    expect((await admin.get(`${other.path}/workflowrun/${id}/followups`)).status).toBe(404);
    expect((await app.as(null).get(`${team.path}/workflowrun/${id}/followups`)).status).toBe(401);
    expect((await admin.get(`${team.path}/workflowrun/${randomUUID()}/followups`)).status).toBe(404);
  });
});

describe("chains end", () => {
  test("a workflow does not start itself", async () => {
    const team = await teamOf({ build: { enabled: true, conditions: [] } });
    const id = await team.finish("build");
    expect(await team.started()).toEqual([]);
    expect(await team.followUps(id)).toMatchObject([
      { workflowName: "build", outcome: "loop", message: expect.stringContaining("would create a loop") },
    ]);
  });

  test("two workflows that start each other do so once", async () => {
    const team = await teamOf({ a: after("b"), b: after("a") });
    await team.finish("a");
    expect(await team.started()).toEqual(["b"]);
    const [, b] = await team.runs();
    expect(await team.followUps(b!.id)).toMatchObject([{ workflowName: "a", outcome: "loop", message: expect.stringContaining("a → b") }]);
  });

  test("a retry of a run that was started stays in its chain", async () => {
    const team = await teamOf({ a: after("b"), b: after("a") });
    await team.finish("a");
    const [, b] = await team.runs();
    await admin.put(`${team.path}/workflowrun/${b!.id}/retry?start=true`);
    await team.settle();
    expect((await team.runs()).map(({ workflowName }) => workflowName)).toEqual(["a", "b", "b"]);
  });

  test("a workflow that another one runs as its child does not start that one again", async () => {
    const team = await teamOf({ a: undefined });
    await team.workflow("b", workflow(node("run", "runworkflow", ["start"], params({ workflowRef: "a", waitForCompletion: true }))));
    const [{ id: b } = { id: "" }] = await app.sql<{ id: string }[]>`select id from workflow where team_id = ${team.id} and name = 'b'`;
    await app.sql`update workflow set triggers = ${JSON.stringify({ workflow: after("a") })}::json where id = ${b}`;
    await team.finish("a");
    const runs = await team.runs();
    expect(runs.map(({ workflowName }) => workflowName)).toEqual(["a", "b", "a"]);
    expect(await team.followUps(runs[2]!.id)).toMatchObject([{ workflowName: "b", outcome: "loop" }]);
  });

  test("of a diamond, the last one is started once by each of the two before it", async () => {
    const team = await teamOf({ top: undefined, left: after("top"), right: after("top"), bottom: after("left", "right") });
    await team.finish("top");
    expect((await team.started()).toSorted()).toEqual(["bottom", "bottom", "left", "right"]);
  });

  test("a chain has at most ten workflows", async () => {
    const names = Array.from({ length: 13 }, (_, at) => `w${at}`);
    const team = await teamOf(Object.fromEntries(names.map((name, at) => [name, at === 0 ? undefined : after(`w${at - 1}`)])));
    await team.finish("w0");
    expect(await team.started()).toEqual(names.slice(1, 10));
    const last = (await team.runs()).at(-1)!;
    expect(await team.followUps(last.id)).toMatchObject([
      { workflowName: "w10", outcome: "tooLong", message: expect.stringContaining("at most 10") },
    ]);
  });

  test("the person who started the first run can't decide in the last one if the requester may not", async () => {
    const team = await teamOf({ a: undefined });
    const ask = workflow(node("ask", "approval", ["start"], params({ instructions: "x", requesterMayNotApprove: true })));
    const id = await team.workflow("b", ask);
    await app.sql`update workflow set triggers = ${JSON.stringify({ workflow: after("a") })}::json where id = ${id}`;
    const ann = await team.member("editor");
    await ann.post(`${team.path}/workflow/a/submit?start=true`, {});
    await team.settle();
    const [action] = (await ann.get(`${team.path}/action/query`)).body.content;
    expect((await ann.put(`${team.path}/action`, [{ id: action.id, approved: true }])).status).toBe(403);
  });
});

describe("exactly once", () => {
  const retried = { retries: 1 };

  test("an automatically retried run counts with its last attempt", async () => {
    const team = await teamOf({ report: after("bad"), bad: undefined });
    await app.sql`update workflow set deleted_at = db_now() where id = ${team.ids["bad"]!}`;
    await team.workflow("bad", failing);
    const id = await team.finish("bad", retried);
    const runs = await team.runs();
    expect(runs.map(({ workflowName }) => workflowName)).toEqual(["bad", "bad", "report"]);
    expect(runs[2]!.initiatedByRef).toBe(runs[1]!.id);
    expect(await team.followUps(id)).toEqual([]);
  });

  test("if the next attempt is refused, the previous one counts", async () => {
    const team = await teamOf({ report: { enabled: true, conditions: [] } });
    await team.workflow("bad", failing);
    const { id } = await team.submit("bad", retried);
    await app.sql`update team set max_workflow_run_monthly = 1 where id = ${team.id}`;
    await kit.settle();
    await app.sql`update team set max_workflow_run_monthly = 100 where id = ${team.id}`;
    await team.settle();
    // The quota that refused the retry refused the report as well; what counts is that it did.
    expect(await team.followUps(id)).toMatchObject([{ workflowName: "report", outcome: "refused" }]);
  });

  test("concurrent dispatchers start each workflow once", async () => {
    const team = await teamOf({ build: undefined, report: after("build"), other: after("build") });
    const kits = Array.from({ length: 4 }, () => engineKit(app.sql, app));
    for (let n = 0; n < 5; n++) await team.submit("build");
    await Promise.all(kits.map((one) => dispatcherOf(one)).flatMap((one) => [one.tick(), one.tick()]));
    await team.settle();
    expect(await team.started()).toHaveLength(10);
  });

  test("a dispatcher that dies before its commit leaves nothing, and the next one does it", async () => {
    const team = await teamOf({ build: undefined, report: after("build") });
    await team.submit("build");
    await kit.settle();
    const dying: Reaction = {
      name: "dying",
      concerns: () => true,
      react: () => Promise.reject(Object.assign(new Error("killed"), { code: "57P01" })),
    };
    await expect(dispatcherOf(kit, [...reactions, dying]).tick()).rejects.toThrow("killed");
    expect(await team.started()).toEqual([]);
    await team.settle();
    expect(await team.started()).toEqual(["report"]);
  });
});

describe("saving", () => {
  const save = (team: { path: string }, trigger: unknown) =>
    admin.put(`${team.path}/workflow`, { name: "report", tasks: [], triggers: { workflow: trigger } });

  test.each<[string, unknown, string]>([
    ["an unknown workflow", after("build", "biuld"), '/triggers/workflow/conditions/0/values/1 is \\"biuld\\"'],
    ["a name in other letters", after("Build"), "lower case"],
    [
      "a status in which no run ends",
      { enabled: true, conditions: [{ field: "statuses", operation: "equals", value: "ready" }] },
      "a run ends as one of",
    ],
    ["a filter that makes no sense", { enabled: true, filters: [{ sql: "type =" }] }, "/triggers/workflow/filters/0/sql"],
  ])("refuses %s", async (_, trigger, message) => {
    const team = await teamOf({ build: undefined });
    const { status, text } = await save(team, trigger);
    expect(status).toBe(400);
    expect(text).toContain(message);
  });

  test("accepts its own name, and an ID; a workflow that is deleted later causes no errors", async () => {
    const team = await teamOf({ build: undefined });
    expect((await save(team, after("report", team.ids["build"]!))).status).toBe(200);
    await admin.delete(`${team.path}/workflow/build`);
    expect((await admin.put(`${team.path}/workflow`, { name: "report", description: "new" })).status).toBe(200);
  });

  test("no submission can claim to come from the end of a run", async () => {
    const team = await teamOf({ report: { enabled: true, conditions: [] } });
    const answer = await admin.post(`${team.path}/workflow/report/submit`, { trigger: "workflow" });
    expect(answer).toMatchObject({ status: 409, body: { reason: "WORKFLOWRUN_TRIGGER_DISABLED" } });
  });
});
