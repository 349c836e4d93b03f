import { randomUUID } from "node:crypto";
import type { WorkflowTriggersInput } from "@millrace/contract/inbound/trigger.ts";
import { describe, expect, test } from "vitest";
import { prepareJobs } from "../../../src/engine/prepare-jobs.ts";
import { moveTime } from "../../kit/database.ts";
import { eventPath, structured } from "../../kit/inbound/event-kit.ts";
import { makeTriggered } from "../../kit/integration-kit.ts";
import { deliveryKit } from "../../kit/outbound/delivery-kit.ts";
import { dispatcherOf } from "../../kit/outbound/dispatch-kit.ts";
import { params, runKit } from "../../kit/run-kit.ts";
import { node, workflow } from "../../kit/run-simulator.ts";
import { scheduleEngine } from "../../kit/schedule-kit.ts";
import { testExecutors } from "../../kit/worker/test-executor.ts";

/** Runs that would start each other endlessly, through events that leave the service and return to it. */

const { app, kit, team: makeTeam } = await runKit();
const { sql } = app;
const admin = app.as();
const origin = (await app.server.listen({ host: "127.0.0.1", port: 0 })).replace("[::1]", "127.0.0.1");
const { subscribe, deliveries, deliver } = deliveryKit(app);
const dispatcher = dispatcherOf(app);

const triggers = { webhook: { enabled: true }, event: { enabled: true }, schedule: { enabled: true } };
const ended = [{ exact: { type: "dev.millrace.workflowrun.succeeded" } }];

async function newTeam() {
  await sql`delete from subscription`;
  await sql`delete from change_event`;
  const team = await makeTeam();
  const token = await app.make.teamToken(team.id, ["webhook/action"]);
  return {
    ...team,
    token,
    /** A workflow with only start and end. */
    triggered: (name: string, more: WorkflowTriggersInput = {}) => makeTriggered(app, team.id, name, { ...triggers, ...more }),
    /** Events of a workflow go to an endpoint of this same service. */
    sendTo: (name: string, target: string, filters: unknown = ended) =>
      subscribe(team.path, {
        name,
        target: { url: `${origin}${target}${target.includes("?") ? "&" : "?"}access_token=${token}` },
        filters,
      } as never),
    runs: async () =>
      (
        await sql<{ name: string }[]>`
      select w.name from run r join workflow w on w.team_id = r.team_id and w.id = r.workflow_id where r.team_id = ${team.id} order by r.id`
      ).map(({ name }) => name),
    lineages: async () =>
      (await sql<{ lineage: string[] }[]>`select lineage from run where team_id = ${team.id} order by id`).map(({ lineage }) => lineage),
  };
}

/** Processes everything until nothing is left to do; a loop would take endless rounds. */
async function goOn(rounds = 15): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await kit.settle();
    await dispatcher.tick();
    await deliver();
  }
}

describe("a workflow whose own events come back to it", () => {
  test.each([
    ["its webhook", (id: string) => `/api/v2/webhook?ref=${id}`],
    ["its event trigger", (id: string) => `${eventPath}?ref=${id}`],
  ])("by %s runs once, and the delivery says why it starts nothing", async (_, target) => {
    const team = await newTeam();
    const id = await team.triggered("self");
    const { id: subscription } = await team.sendTo("back", target(id));
    await team.submit("self");
    await goOn();
    expect(await team.runs()).toEqual(["self"]);
    const [delivery] = await deliveries(team.path, subscription);
    expect(delivery).toMatchObject({ status: "dead", answerStatus: 409, attempts: 1 });
    expect(delivery!.error).toContain("Workflow self is one of the workflows that led here (self); starting it would create a loop");
    expect(delivery!.error).toContain("run-workflow");
  });

  test("by all of its events, unfiltered, runs once", async () => {
    const team = await newTeam();
    const id = await team.triggered("self");
    const { id: subscription } = await team.sendTo("back", `/api/v2/webhook?ref=${id}`, []);
    await team.submit("self");
    await goOn();
    expect(await team.runs()).toEqual(["self"]);
    const all = await deliveries(team.path, subscription);
    expect(all.length).toBeGreaterThan(1);
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set(["dead"]));
  });

  test("as an event that names no workflow runs once, and the answer names it as refused", async () => {
    const team = await newTeam();
    await team.triggered("self");
    await team.triggered("other");
    const { id: subscription } = await team.sendTo("back", eventPath, [...ended, { exact: { workflow: "self" } }]);
    // The subject names the kind of the object, which is not a workflow, so such an event matches no workflow.
    await team.submit("self");
    await goOn();
    expect(await team.runs()).toEqual(["self"]);
    expect((await deliveries(team.path, subscription))[0]).toMatchObject({ answerStatus: 404 });
    const [one] = await sql<{ lineage: string[] }[]>`select lineage from change_event where team_id = ${team.id}`;
    const answer = await app
      .as(team.token)
      .post(eventPath, { specversion: "1.0", id: "1", source: "/x", type: "x", millracelineage: one!.lineage.join() }, structured);
    expect(answer.body.refused).toMatchObject([{ workflowName: "self", reason: "WORKFLOWRUN_LOOP" }]);
    expect(answer.body.runs).toMatchObject([{ workflowName: "other" }]);
  });

  test("is not started by a relay that sends on the payload alone", async () => {
    const team = await newTeam();
    const id = await team.triggered("self");
    const event = { specversion: "1.0", id: "1", source: "/x", type: "x", millracelineage: id };
    const webhook = await app.as(team.token).post(`/api/v2/webhook?ref=${id}`, event);
    expect(webhook).toMatchObject({ status: 409, body: { code: 1308, reason: "WORKFLOWRUN_LOOP" } });
    const binary = { "ce-specversion": "1.0", "ce-id": "2", "ce-source": "/x", "ce-type": "x", "ce-millracelineage": id };
    expect((await app.as(team.token).post(`${eventPath}?ref=${id}`, {}, binary)).status).toBe(409);
    expect(await team.runs()).toEqual([]);
  });

  test("is reported in advance, by a test of its trigger", async () => {
    const team = await newTeam();
    const id = await team.triggered("self");
    const payload = { specversion: "1.0", id: "1", source: "/x", type: "x", millracelineage: id };
    for (const kind of ["event", "webhook"]) {
      const answer = await admin.post(`${team.path}/workflow/self/trigger/test`, { kind, payload });
      expect(answer.body.blockers).toEqual([expect.stringContaining("would create a loop")]);
    }
  });
});

describe("workflows that start each other", () => {
  test("by events do so once around", async () => {
    const team = await newTeam();
    const [a, b] = [await team.triggered("a"), await team.triggered("b")];
    await team.sendTo("to b", `/api/v2/webhook?ref=${b}`, [...ended, { exact: { workflow: "a" } }]);
    await team.sendTo("to a", `${eventPath}?ref=${a}`, [...ended, { exact: { workflow: "b" } }]);
    await team.submit("a");
    await goOn();
    expect(await team.runs()).toEqual(["a", "b"]);
    expect(await team.lineages()).toEqual([[], [a]]);
  });

  test("one by an event, one by the end of the other, do so once around", async () => {
    const team = await newTeam();
    const b = await team.triggered("b");
    const after = { enabled: true, conditions: [{ field: "workflows", operation: "equals" as const, value: "b" }] };
    const a = await team.triggered("a", { workflow: after });
    await team.sendTo("to b", `/api/v2/webhook?ref=${b}`, [...ended, { exact: { workflow: "a" } }]);
    await team.submit("a");
    await goOn();
    expect(await team.runs()).toEqual(["a", "b"]);
    const [{ id } = { id: "" }] = await sql<{ id: string }[]>`select id from run where team_id = ${team.id} and workflow_id = ${b}`;
    expect((await admin.get(`${team.path}/workflowrun/${id}/followups`)).body.content).toMatchObject([{ workflowRef: a, outcome: "loop" }]);
  });

  test("by the events of a child run, its tasks and its actions end as well", async () => {
    const team = await newTeam();
    await team.workflow("child", workflow(node("ask", "manual", ["start"], params({ instructions: "x" }))));
    const top = await team.workflow(
      "top",
      workflow(node("run", "runworkflow", ["start"], params({ workflowRef: "child", waitForCompletion: true }))),
    );
    await sql`update workflow set triggers = ${JSON.stringify(triggers)}::json where id = ${top}`;
    const { id: subscription } = await team.sendTo("back", `/api/v2/webhook?ref=${top}`, [{ exact: { workflow: "child" } }]);
    await team.submit("top");
    await goOn();
    expect(await team.runs()).toEqual(["top", "child"]);
    const all = await deliveries(team.path, subscription);
    expect(new Set(all.map(({ event }) => String(event["type"]).split(".")[2]))).toEqual(new Set(["workflowrun", "taskrun", "action"]));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set(["dead"]));
  });

  test("in another instance, come back with what led there, and a chain has at most ten", async () => {
    const team = await newTeam();
    const id = await team.triggered("last");
    const elsewhere = Array.from({ length: 10 }, () => randomUUID());
    const send = (lineage: string[]) =>
      app.as(team.token).post(`/api/v2/webhook?ref=${id}`, {}, { "millrace-lineage": lineage.join(", ") });
    const refused = await send(elsewhere);
    expect(refused).toMatchObject({ status: 409, body: { reason: "WORKFLOWRUN_LOOP" } });
    expect(refused.body.message).toContain(`at most 10 (${elsewhere[0]}`);
    expect((await send(elsewhere.slice(1))).status).toBe(200);
    expect(await team.lineages()).toEqual([elsewhere.slice(1)]);
    expect((await send([id, ...elsewhere.slice(5)])).body.message).toContain("would create a loop");
  });
});

describe("a request of a step of a run", () => {
  test("with the lineage of its run starts no run of a workflow in it, in whatever way", async () => {
    const team = await newTeam();
    const id = await team.triggered("self");
    const { id: run } = await team.submit("self");
    const schedule = (
      await admin.post(`${team.path}/schedule`, {
        workflowRef: "self",
        type: "runOnce",
        dateSchedule: "2040-01-01T00:00:00Z",
        timezone: "UTC",
      })
    ).body;
    const headers = { "millrace-lineage": id };
    const range = { from: Date.now() - 1000, to: Date.now() };
    const answers = [
      await admin.post(`${team.path}/workflow/self/submit`, {}, headers),
      await admin.put(`${team.path}/workflowrun/${run}/retry`, undefined, headers),
      await admin.post(`${team.path}/schedule/${schedule.id}/submit`, undefined, headers),
    ];
    for (const answer of answers) expect(answer, answer.text).toMatchObject({ status: 409, body: { reason: "WORKFLOWRUN_LOOP" } });
    expect((await admin.post(`${team.path}/schedule/${schedule.id}/backfill`, range, headers)).text).not.toContain('"count":1');
    expect(await team.runs()).toEqual(["self"]);
  });

  test("gets the lineage, with its own workflow last", async () => {
    const team = await newTeam();
    const id = await team.workflow("work", workflow(node("do", "script", ["start"], params({ script: "true" }))));
    const before = randomUUID();
    await admin.post(`${team.path}/workflow/work/submit?start=true`, {}, { "millrace-lineage": before });
    const claim = await team.claim(await kit.worker());
    const limits = { memoryBytes: 1, processes: 1, outputBytes: 1, resultBytes: 1 };
    const [prepared] = await prepareJobs(sql, kit.context, { executors: testExecutors(), workspacesDir: "/nowhere", limits }, [claim]);
    expect(prepared?.job?.lineage).toEqual([before, id]);
  });

  test("starts runs of others, which know where they come from, also when they are retried", async () => {
    const team = await newTeam();
    await team.triggered("other");
    const before = randomUUID();
    const { body } = await admin.post(`${team.path}/workflow/other/submit?start=true`, {}, { "millrace-lineage": before });
    const again = await admin.put(`${team.path}/workflowrun/${body.id}/retry`);
    expect(again.status).toBe(200);
    expect(await team.lineages()).toEqual([[before], [before]]);
  });

  test("schedules have the lineage of the run that created them, and a workflow may schedule itself", async () => {
    const team = await newTeam();
    const later = node("later", "runscheduledworkflow", ["start"], params({ workflowRef: "self", futureIn: "1", futurePeriod: "minutes" }));
    const id = await team.workflow("self", workflow(later));
    await sql`update workflow set triggers = ${JSON.stringify(triggers)}::json where id = ${id}`;
    const { id: subscription } = await team.sendTo("back", `/api/v2/webhook?ref=${id}`, [{ prefix: { type: "dev.millrace.schedule." } }]);
    await team.submit("self");
    await goOn();
    expect(await team.runs()).toEqual(["self"]);
    expect((await deliveries(team.path, subscription))[0]).toMatchObject({ status: "dead", answerStatus: 409 });
    await moveTime(sql, 61_000);
    await scheduleEngine(app).service.tick();
    expect(await team.lineages()).toEqual([[], [id]]);
  });
});
