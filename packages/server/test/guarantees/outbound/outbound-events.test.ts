import { describe, expect, test } from "vitest";
import type { Reaction } from "../../../src/domain/outbound/reaction.ts";
import { transaction } from "../../../src/store/database/transaction.ts";
import { webhookReceiver } from "../../fakes/webhook-receiver.ts";
import { moveTime } from "../../kit/database.ts";
import { deliveryKit, testSecret } from "../../kit/outbound/delivery-kit.ts";
import { params, runKit, type TestTeam } from "../../kit/run-kit.ts";

const { app, kit, team: makeTeam } = await runKit();
const { sql } = app;

const chain = (type: string, more: Record<string, unknown> = {}) =>
  [
    { name: "start", type: "start" },
    { name: "work", type, dependencies: [{ taskRef: "start" }], ...more },
    { name: "end", type: "end", dependencies: [{ taskRef: "work" }] },
  ] as never;

async function newTeam(): Promise<TestTeam & { name: string }> {
  const team = await makeTeam();
  const [row] = await sql<{ name: string }[]>`select name from team where id = ${team.id}`;
  return { ...team, name: row!.name };
}

const events = async (teamId: string) =>
  sql<{ type: string; objectId: string; data: Record<string, unknown>; text: string }[]>`
    select kind || '.' || status as type, object_id as "objectId", data, data::text as text from change_event where team_id = ${teamId} order by seq`;
const typesOf = async (teamId: string) => (await events(teamId)).map(({ type }) => type);

const pausedSubscription = { name: "all", target: { url: "http://127.0.0.1:9/" } };

describe("recording", () => {
  test("nothing is written while nobody subscribes to changes", async () => {
    const team = await newTeam();
    await team.workflow("plain", chain("sleep", params({ duration: 1000 })));
    await team.submit("plain");
    const { subscribe } = deliveryKit(app);
    await subscribe(team.path, { ...pausedSubscription, isActive: false });
    await team.submit("plain");
    expect(await events(team.id)).toEqual([]);
  });

  test("events are not written for teams without a subscription", async () => {
    const [team, other] = [await newTeam(), await newTeam()];
    await deliveryKit(app).subscribe(team.path, pausedSubscription);
    for (const one of [team, other]) {
      await one.workflow("plain", chain("sleep", params({ duration: 1000 })));
      await one.submit("plain");
    }
    expect(await typesOf(team.id)).not.toEqual([]);
    expect(await events(other.id)).toEqual([]);
  });

  test("a change that is rolled back leaves no event", async () => {
    const team = await newTeam();
    await deliveryKit(app).subscribe(team.path, pausedSubscription);
    await team.workflow("plain", chain("sleep", params({ duration: 1000 })));
    await team.submit("plain");
    const attempt = transaction(sql, async (tx) => {
      await tx`update run set status = 'failed', phase = 'completed', ended_at = db_now(), activity = 'none', active_since = null where team_id = ${team.id}`;
      throw new Error("rolled back");
    });
    await expect(attempt).rejects.toThrow("rolled back");
    expect((await typesOf(team.id)).filter((type) => type.includes("failed"))).toEqual([]);
  });

  test("only kinds that the filters can let through are written", async () => {
    const team = await newTeam();
    await deliveryKit(app).subscribe(team.path, { ...pausedSubscription, filters: [{ suffix: { type: "workflowrun.running" } }] });
    await team.workflow("plain", chain("sleep", params({ duration: 1000 })));
    await team.submit("plain");
    expect(await typesOf(team.id)).toEqual(["workflowrun.running"]);
  });

  test("a run, its tasks, its action and its end are reported, but not its finalization", async () => {
    const team = await newTeam();
    await deliveryKit(app).subscribe(team.path, pausedSubscription);
    await team.workflow("ask", chain("approval"));
    await team.submit("ask");
    const [action] = (await app.as().get(`${team.path}/action/query?limit=10&page=0`)).body.content;
    await app.as().put(`${team.path}/action`, [{ id: action.id, approved: true }]);
    await kit.settle();
    await sql`update run set phase = 'finalized' where team_id = ${team.id}`;
    const types = await typesOf(team.id);
    expect(types.filter((type) => type.startsWith("workflowrun"))).toEqual([
      "workflowrun.ready",
      "workflowrun.running",
      "workflowrun.succeeded",
    ]);
    expect(types.filter((type) => type.startsWith("action"))).toEqual(["action.submitted", "action.approved"]);
    expect(types).toContain("taskrun.waiting");
  });

  test("a new run is reported before its task runs, which the same statement writes", async () => {
    const team = await newTeam();
    await deliveryKit(app).subscribe(team.path, pausedSubscription);
    await team.workflow("plain", chain("sleep", params({ duration: 1000 })));
    await team.submit("plain");
    const [first, ...others] = await typesOf(team.id);
    expect(first).toBe("workflowrun.running");
    expect(others).toContain("taskrun.waiting");
  });

  test("a schedule that is made, paused and over is reported", async () => {
    const team = await newTeam();
    await deliveryKit(app).subscribe(team.path, { ...pausedSubscription, filters: [{ prefix: { type: "dev.millrace.schedule." } }] });
    const saved = await app.as().post(`${team.path}/workflow`, { name: "nightly", tasks: [], triggers: { schedule: { enabled: true } } });
    expect(saved.status).toBe(200);
    const schedule = await app.as().post(`${team.path}/schedule`, { workflowRef: "nightly", cronSchedule: "0 8 * * *", timezone: "UTC" });
    await app.as().put(`${team.path}/schedule`, { id: schedule.body.id, status: "inactive", timezone: "UTC", cronSchedule: "0 8 * * *" });
    expect(await typesOf(team.id)).toEqual(["schedule.active", "schedule.inactive"]);
    const [first] = await events(team.id);
    expect(first?.data).toMatchObject({ id: schedule.body.id, workflowRef: "nightly", cronSchedule: "0 8 * * *", timezone: "UTC" });
  });

  test("the members of a run are those that the API shows, without parameters, results and secrets", async () => {
    const team = await newTeam();
    await deliveryKit(app).subscribe(team.path, pausedSubscription);
    await team.workflow("plain", chain("sleep", params({ duration: 1000 })), {
      params: [
        { name: "token", type: "password" },
        { name: "city", type: "text" },
      ],
    });
    const run = await team.submit("plain", {
      params: [
        { name: "token", value: "s3cret-value" },
        { name: "city", value: "Oslo" },
      ],
    });
    const shown = await team.run(run.id);
    const told = (await events(team.id)).filter(({ type }) => type.startsWith("workflowrun")).at(-1)!;
    const { link, duration: _, ...members } = told.data;
    expect(link).toBe(`/api/v2/team/${team.id}/workflowrun/${run.id}`);
    expect(shown).toMatchObject(members);
    for (const { text } of await events(team.id)) expect(text).not.toMatch(/s3cret-value|Oslo|"params"|"results"|"layers"/);
    const task = (await events(team.id)).find(({ type }) => type === "taskrun.waiting")!;
    const { link: taskLink, labels: _labels, ...taskMembers } = task.data;
    expect(taskLink).toBe(`/api/v2/team/${team.id}/taskrun/${task.objectId}`);
    expect((await app.as().get(`${team.path}/taskrun/${task.objectId}`)).body).toMatchObject(taskMembers);
  });
});

describe("dispatching", () => {
  test("the event is a CloudEvent with the team, the workflow and the initiator's context as attributes", async () => {
    const team = await newTeam();
    const receiver = await webhookReceiver(testSecret);
    const { subscribe, flush } = deliveryKit(app);
    await subscribe(team.path, {
      name: "runs",
      target: { url: receiver.url },
      filters: [{ prefix: { type: "dev.millrace.workflowrun." } }],
    });
    await team.workflow("plain", chain("sleep", params({ duration: 1000 })));
    const run = await team.submit("plain", { labels: { initiatorContext: "ticket 7" } });
    await flush();
    const [one] = receiver.taken();
    expect(one?.headers["content-type"]).toMatch(/^application\/cloudevents\+json/);
    expect(one?.event).toMatchObject({
      specversion: "1.0",
      type: `dev.millrace.workflowrun.${run.status}`,
      source: `/api/v2/team/${team.id}`,
      subject: `/workflowrun/${run.id}/status/${run.status}`,
      datacontenttype: "application/json",
      team: team.name,
      workflow: "plain",
      initiatorcontext: "ticket 7",
      data: {
        id: run.id,
        status: run.status,
        workflowName: "plain",
        ...{ initiatedByRef: run["initiatedByRef"], initiatedByType: run["initiatedByType"], initiatedByName: run["initiatedByName"] },
        link: `${app.context.publicUrl}/api/v2/team/${team.id}/workflowrun/${run.id}`,
      },
    });
    expect(receiver.forged).toBe(0);
  });

  test("a subscription of the instance gets the events of all teams, one of a team its own only", async () => {
    const [team, other] = [await newTeam(), await newTeam()];
    const receivers = [await webhookReceiver(testSecret), await webhookReceiver(testSecret)] as const;
    const { subscribe, flush } = deliveryKit(app);
    const filters = [{ prefix: { type: "dev.millrace.workflowrun." } }];
    await subscribe(team.path, { name: "mine", target: { url: receivers[0].url }, filters });
    const all = await subscribe("/api/v2", { name: "all", target: { url: receivers[1].url }, filters });
    for (const one of [team, other]) {
      await one.workflow("plain", chain("sleep", params({ duration: 1000 })));
      await one.submit("plain");
    }
    await flush();
    expect(new Set(receivers[0].taken().map(({ event }) => event.team))).toEqual(new Set([team.name]));
    expect(new Set(receivers[1].taken().map(({ event }) => event.team))).toEqual(new Set([team.name, other.name]));
    await app.as().delete(`/api/v2/subscription/${all.id}`);
  });

  test("an event that no filter lets through is forgotten", async () => {
    const team = await newTeam();
    const { subscribe, dispatch } = deliveryKit(app);
    await subscribe(team.path, { ...pausedSubscription, filters: [{ exact: { workflow: "another" } }] });
    await team.workflow("plain", chain("sleep", params({ duration: 1000 })));
    await team.submit("plain");
    expect(await typesOf(team.id)).not.toEqual([]);
    await dispatch();
    expect(await typesOf(team.id)).toEqual([]);
  });

  test("a failed reaction is rolled back, and stops neither the others nor the deliveries", async () => {
    const team = await newTeam();
    const seen: string[] = [];
    const effects: string[] = [];
    const concerns = (event: { teamId: string | null }) => event.teamId === team.id;
    const reactions: Reaction[] = [
      {
        name: "fails",
        concerns,
        async react(tx, _event, { afterCommit }) {
          await tx`update team set display_name = 'touched' where id = ${team.id}`;
          afterCommit(() => effects.push("fails"));
          await tx`select 1 / 0`;
        },
      },
      {
        name: "works",
        concerns,
        async react(tx, event, { afterCommit }) {
          await tx`update team set type = ${event.kind} where id = ${team.id}`;
          seen.push(`${event.kind}.${event.status}`);
          afterCommit(() => effects.push("works"));
        },
      },
    ];
    const receiver = await webhookReceiver(testSecret);
    const { subscribe, flush } = deliveryKit(app, { reactions });
    await subscribe(team.path, {
      name: "runs",
      target: { url: receiver.url },
      filters: [{ prefix: { type: "dev.millrace.workflowrun." } }],
    });
    await team.workflow("plain", chain("sleep", params({ duration: 1000 })));
    await team.submit("plain");
    await flush();
    const [row] = await sql<{ name: string; type: string }[]>`select display_name as name, type from team where id = ${team.id}`;
    expect(row).toEqual({ name: team.name, type: "workflowrun" });
    expect(seen).toEqual(receiver.taken().map(({ event }) => event.type.replace("dev.millrace.", "")));
    expect(effects).toEqual(seen.map(() => "works"));
  });

  test("two dispatchers at once make each delivery once", async () => {
    const team = await newTeam();
    const [one, two] = [deliveryKit(app), deliveryKit(app)];
    const { id } = await one.subscribe(team.path, { ...pausedSubscription, filters: [{ prefix: { type: "dev.millrace.workflowrun." } }] });
    await team.workflow("plain", chain("sleep", params({ duration: 1000 })));
    for (let runs = 0; runs < 5; runs++) await team.submit("plain");
    await Promise.all([one.dispatch(), two.dispatch(), one.dispatch(), two.dispatch()]);
    await one.dispatch();
    const told = (await one.deliveries(team.path, id)).map(({ event }) => event.id);
    expect(told.length).toBeGreaterThanOrEqual(5);
    expect(new Set(told).size).toBe(told.length);
  });
});

test("paused deliveries keep their place, and continue when resumed", async () => {
  const team = await newTeam();
  const receiver = await webhookReceiver(testSecret);
  const { subscribe, flush, dispatch } = deliveryKit(app);
  const { id } = await subscribe(team.path, {
    name: "runs",
    target: { url: receiver.url },
    filters: [{ prefix: { type: "dev.millrace.workflowrun." } }],
  });
  await team.workflow("plain", chain("sleep", params({ duration: 1000 })));
  await team.submit("plain");
  await dispatch();
  await app.as().patch(`${team.path}/subscription/${id}`, { isActive: false });
  await flush();
  expect(receiver.received).toEqual([]);
  await moveTime(sql, 60_000);
  await app.as().patch(`${team.path}/subscription/${id}`, { isActive: true });
  await flush();
  expect(receiver.taken()).toHaveLength(1);
});
