import { describe, expect, test } from "vitest";
import { moveTime } from "../../kit/database.ts";
import { params, runKit, taskOf } from "../../kit/run-kit.ts";
import { node, workflow } from "../../kit/run-simulator.ts";

/** Runs that only wait, from outside: they take no slot and no active time, and continue before runs that have not started. */
const { app, kit, team } = await runKit();
const admin = app.as();
const worker = await kit.worker();
const script = params({ script: "true" });
const holds = workflow(node("hold", "script", ["start"], script));
const approval = params({ numberOfApprovers: 1 });
const deploys = workflow(node("ask", "approval", ["start"], approval), node("deploy", "script", ["ask"], script));
const quotas = async (path: string) => (await admin.get(path)).body.quotas;
const claim = (made: { id: string }) => kit.claim(worker, made.id);

async function decide(path: string) {
  const { content } = (await admin.get(`${path}/action/query?statuses=submitted&order=ASC`)).body;
  const answer = await admin.put(`${path}/action`, [{ id: content[0].id, approved: true }]);
  expect(answer.status, answer.text).toBe(204);
  await kit.settle();
}

async function teamOf(max: number) {
  const made = await team({ maxConcurrentRuns: max });
  await made.workflow("holds", holds);
  await made.workflow("deploys", deploys);
  return made;
}

describe("runs that only wait", () => {
  test("take no slot: more of them than slots wait for people, and another run starts", async () => {
    const made = await teamOf(1);
    for (let run = 0; run < 5; run += 1) expect((await made.submit("deploys")).phase).toBe("running");
    expect(await quotas(made.path)).toMatchObject({ currentConcurrentRuns: 0, currentWaitingRuns: 5 });
    const { id } = await made.submit("holds");
    expect(await made.run(id)).toMatchObject({ phase: "running" });
    expect(await quotas(made.path)).toMatchObject({ currentConcurrentRuns: 1, currentWaitingRuns: 5 });
  });

  test("list all reasons to wait, also in lists, and none once one of their tasks runs", async () => {
    const made = await teamOf(1);
    const both = workflow(node("ask", "approval", ["start"], approval), node("nap", "sleep", ["start"], params({ duration: 100_000 })));
    await made.workflow("both", both);
    const ids = [await made.submit("deploys"), await made.submit("both"), await made.submit("holds")].map(({ id }) => id);
    const shown = async () => {
      const { content } = (await admin.get(`${made.path}/workflowrun/query?order=ASC`)).body;
      return content.map(({ waitKinds }: { waitKinds?: string[] }) => waitKinds);
    };
    expect(await shown()).toEqual([["action"], ["action", "sleep"], undefined]);
    expect((await made.run(ids[1]!)).waitKinds).toEqual(["action", "sleep"]);
    const { runs } = (await admin.get("/api/v2/overview")).body;
    expect(runs.find(({ id }: { id: string }) => id === ids[0])).toMatchObject({ status: "running", waitKinds: ["action"] });
    await kit.end(await claim(made));
    await decide(made.path);
    expect(await shown()).toEqual([undefined, ["action", "sleep"], undefined]);
  });

  test("wait for a slot when they can continue, and say so, ahead of runs that have not started", async () => {
    const made = await teamOf(1);
    const waits = await made.submit("deploys");
    await made.submit("holds");
    const queued = await made.submit("holds", {}, "");
    await decide(made.path);
    const held = await made.run(waits.id);
    expect(held).toMatchObject({
      phase: "running",
      waitingFor: expect.stringMatching(/^Waiting for the quota maxConcurrentRuns .*: 1 of 1 runs are active$/),
    });
    expect(taskOf(held, "deploy")).toMatchObject({
      status: "ready",
      waitingFor: "Waiting for a place in the quota maxConcurrentRuns of the team",
    });
    await kit.end(await claim(made));
    await kit.settle();
    expect((await made.run(queued.id)).phase, "the one that has begun goes first").toBe("pending");
    const next = await claim(made);
    expect(next.runId).toBe(waits.id);
    await kit.end(next);
    await kit.settle();
    expect(await made.run(waits.id)).toMatchObject({ status: "succeeded" });
    expect((await made.run(queued.id)).phase).toBe("running");
  });

  test("never exceed the slots, however many people decide at once", async () => {
    const made = await teamOf(3);
    for (let run = 0; run < 12; run += 1) await made.submit("deploys");
    const { content } = (await admin.get(`${made.path}/action/query?statuses=submitted&limit=50`)).body;
    const decided = content.map(({ id }: { id: string }) => admin.put(`${made.path}/action`, [{ id, approved: true }]));
    await Promise.all([...decided, kit.driver.tick(), kit.driver.tick()]);
    await kit.settle();
    for (let run = 0; run < 12; run += 1) {
      const { currentConcurrentRuns } = await quotas(made.path);
      expect(currentConcurrentRuns).toBe(Math.min(3, 12 - run));
      await kit.end(await claim(made));
      await kit.settle();
    }
    expect(await quotas(made.path)).toMatchObject({ currentConcurrentRuns: 0, currentWaitingRuns: 0 });
  });

  test("continue with the engine's own tasks without a slot", async () => {
    const made = await teamOf(1);
    const notes = workflow(
      node("ask", "approval", ["start"], approval),
      node("note", "setwfproperty", ["ask"], params({ output: "o", value: "1" })),
    );
    await made.workflow("notes", notes);
    const { id } = await made.submit("notes");
    await made.submit("holds");
    await decide(made.path);
    expect(await made.run(id)).toMatchObject({ status: "succeeded" });
  });

  test("start although the team has no free slot if they need none, and are refused otherwise", async () => {
    const made = await teamOf(1);
    await made.submit("holds");
    expect((await admin.post(`${made.path}/workflow/deploys/submit?start=true`, {})).status).toBe(200);
    expect(await admin.post(`${made.path}/workflow/holds/submit?start=true`, {})).toMatchObject({ status: 429 });
    const queued = await made.submit("deploys", {}, "");
    expect((await admin.put(`${made.path}/workflowrun/${queued.id}/start`, {})).body).toMatchObject({ phase: "running" });
  });

  test("have a limit of their own, which counts them and nothing else", async () => {
    const made = await teamOf(10);
    await admin.patch(made.path, { quotas: { maxWaitingRuns: 2 } });
    await made.submit("holds");
    for (const _ of [1, 2]) await made.submit("deploys");
    const refused = await admin.post(`${made.path}/workflow/deploys/submit?start=true`, {});
    expect(refused).toMatchObject({
      status: 429,
      body: { code: 1020, message: expect.stringMatching(/maxWaitingRuns.*2 of 2 waiting runs/) },
    });
    expect(refused.headers["retry-after"]).toBe("10");
  });
});

describe("how long a run may take", () => {
  const days = (count: number) => count * 24 * 3600 * 1000;
  const later = async (ms: number, then: () => Promise<unknown>) => {
    await moveTime(app.sql, ms);
    await kit.settle();
    await then();
    await moveTime(app.sql, -ms);
  };

  test("waiting does not count towards the quota: an approval after three days succeeds", async () => {
    const made = await teamOf(5);
    await admin.patch(made.path, { quotas: { maxWorkflowRunDuration: 60 } });
    const { id } = await made.submit("deploys");
    await later(days(3), async () => {
      expect(await made.run(id)).toMatchObject({ phase: "running" });
      await decide(made.path);
      expect(taskOf(await made.run(id), "deploy").status).toBe("ready");
    });
  });

  test("active time counts, and ends the run with the name of the quota", async () => {
    const made = await teamOf(5);
    await admin.patch(made.path, { quotas: { maxWorkflowRunDuration: 60 } });
    const { id } = await made.submit("holds");
    await later(61 * 60_000, async () => {
      expect(await made.run(id)).toMatchObject({
        status: "timedout",
        statusMessage: "The run was active for longer than 60 minutes, the quota maxWorkflowRunDuration of its team",
      });
    });
  });

  test("a timeout of the workflow or of the request is wall time, and no quota shortens it", async () => {
    const made = await teamOf(5);
    await made.workflow("patient", deploys, { timeout: 10_000 });
    const patient = await made.submit("patient");
    const hasty = await made.submit("deploys", { timeout: 30 });
    expect(patient).toMatchObject({ timeout: 10_000 });
    expect(hasty).toMatchObject({ timeout: 30 });
    await later(31 * 60_000, async () => {
      expect(await made.run(patient.id)).toMatchObject({ phase: "running" });
      expect(await made.run(hasty.id)).toMatchObject({ status: "timedout", statusMessage: "The run took longer than 30 minutes" });
    });
  });
});

test("a process of the previous version, which does not write the activity, leaves a run with its slot", async () => {
  const made = await teamOf(5);
  const { id } = await made.submit("deploys");
  const [run] = await app.sql`select state_version as "expected" from run where team_id = ${made.id} and id = ${id}`;
  const change = (status: string, phase: string, ended: string | null, expected: number) =>
    JSON.stringify({
      runs: [
        { team_id: made.id, id, expected, status, phase, awaiting_approval: true, started_at: new Date().toISOString(), ended_at: ended },
      ],
      tasks: [],
      newTasks: [],
      attempts: [],
      actions: [],
      closedActions: [],
      signals: [],
      drained: [],
      readyTeams: [],
      releases: [],
      mayHoldLocks: false,
    });
  const activity = async () => (await app.sql`select activity from run where team_id = ${made.id} and id = ${id}`)[0]?.["activity"];
  await app.sql`select apply_run_changes(${change("running", "running", null, run!["expected"])}::json)`;
  expect(await activity()).toBe("active");
  await app.sql`select apply_run_changes(${change("cancelled", "completed", new Date().toISOString(), run!["expected"] + 1)}::json)`;
  expect(await activity()).toBe("none");
});
