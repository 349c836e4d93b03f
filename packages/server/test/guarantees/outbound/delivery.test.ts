import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { createLog } from "../../../src/base/process/log.ts";
import { LiveSettings } from "../../../src/domain/settings/live-settings.ts";
import { createHistoryService } from "../../../src/services/history-service.ts";
import { type WebhookReceiver, webhookReceiver } from "../../fakes/webhook-receiver.ts";
import { moveTime, setTestTime } from "../../kit/database.ts";
import { deliveryKit, testSecret } from "../../kit/outbound/delivery-kit.ts";
import { runKit } from "../../kit/run-kit.ts";

const { app, team: makeTeam } = await runKit();
const { sql } = app;
const minute = 60_000;
const day = 24 * 60 * minute;
const statuses = ["ready", "running", "succeeded"];

/** Each test has its own queue: otherwise what other tests have left would be sent, too. */
async function world() {
  await sql`delete from subscription`;
  await sql`delete from change_event`;
  await setTestTime(sql, 0);
  const team = await makeTeam();
  return { team, ...deliveryKit(app) };
}

type World = Awaited<ReturnType<typeof world>>;

async function subscribed({ team, subscribe }: World, receiver: WebhookReceiver, name = "all") {
  return subscribe(team.path, { name, target: { url: receiver.url } });
}

/** Changes of invented runs, as the triggers write them: one event of each status, alternating between the runs. */
async function changeRuns(teamId: string, runs: number): Promise<string[]> {
  const ids = (await sql<{ id: string }[]>`select new_id() as id from generate_series(1, ${runs})`).map(({ id }) => id);
  for (const status of statuses) {
    await sql`
      insert into change_event (team_id, kind, status, object_id, lane_id, data)
      select ${teamId}, 'workflowrun', ${status}, id, id, json_build_object('id', id) from unnest(${ids}::uuid[]) as r(id)`;
  }
  return ids;
}

/** The statuses of each run, in the order in which the receiver accepted them. */
function courses(receiver: WebhookReceiver): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const { event } of receiver.taken()) {
    const run: string = event.data.id;
    found[run] = [...(found[run] ?? []), event.type.split(".").at(-1)];
  }
  return found;
}

describe("delivering", () => {
  test("the events of a run arrive in order and once, without faults", async () => {
    const here = await world();
    const receiver = await webhookReceiver(testSecret);
    const { id } = await subscribed(here, receiver);
    const runs = await changeRuns(here.team.id, 20);
    await here.flush();
    expect(courses(receiver)).toEqual(Object.fromEntries(runs.map((run) => [run, statuses])));
    expect(receiver.received).toHaveLength(60);
    expect(receiver.forged).toBe(0);
    const [delivery] = await here.deliveries(here.team.path, id);
    expect(delivery).toMatchObject({
      status: "delivered",
      attempts: 1,
      answerStatus: 204,
      event: { type: "dev.millrace.workflowrun.succeeded" },
    });
  });

  test("a failed delivery is tried again later, with the same id, and those after it of the same run wait", async () => {
    const here = await world();
    const receiver = await webhookReceiver(testSecret);
    const { id } = await subscribed(here, receiver);
    receiver.answer(() => ({ status: 503, body: "come back later" }));
    const [run] = await changeRuns(here.team.id, 1);
    await here.flush();
    expect(receiver.received).toHaveLength(1);
    const [third, second, first] = await here.deliveries(here.team.path, id);
    expect(first).toMatchObject({
      status: "pending",
      attempts: 1,
      answerStatus: 503,
      answer: "come back later",
      error: expect.stringMatching(/answered 503/),
    });
    expect([second?.status, third?.status]).toEqual(["waiting", "waiting"]);
    receiver.answer(() => ({ status: 200 }));
    await here.flush();
    expect(receiver.received).toHaveLength(1);
    await here.flushLater(10_000);
    expect(courses(receiver)).toEqual({ [run!]: statuses });
    expect(receiver.received[1]?.id).toBe(first?.id);
  });

  test("events of a run that can't be delivered don't block those of another", async () => {
    const here = await world();
    const receiver = await webhookReceiver(testSecret);
    await subscribed(here, receiver);
    const [bad, good] = await changeRuns(here.team.id, 2);
    receiver.answer(({ event }) => ({ status: event.data.id === bad ? 500 : 200 }));
    await here.flush();
    expect(courses(receiver)).toEqual({ [good!]: statuses });
  });

  test("Retry-After is honoured", async () => {
    const here = await world();
    const receiver = await webhookReceiver(testSecret);
    await subscribed(here, receiver);
    receiver.answer(() => ({ status: 429, headers: { "retry-after": "600" } }));
    await changeRuns(here.team.id, 1);
    await here.flush();
    receiver.answer(() => ({ status: 200 }));
    await here.flushLater(9 * minute);
    expect(receiver.taken()).toHaveLength(0);
    await here.flushLater(2 * minute);
    expect(receiver.taken()).toHaveLength(3);
  });

  test("a delivery that fails for a day is dead, and the next ones are sent; replayed, it arrives in order", async () => {
    const here = await world();
    const receiver = await webhookReceiver(testSecret);
    const { id } = await subscribed(here, receiver);
    receiver.answer(() => ({ status: 500 }));
    await changeRuns(here.team.id, 1);
    await here.flush();
    for (let hours = 0; hours < 26; hours++) await here.flushLater(60 * minute);
    const dead = await here.deliveries(here.team.path, id, "&statuses=dead");
    expect(dead).toHaveLength(3);
    expect(dead[2]?.attempts).toBeGreaterThan(20);
    expect(dead[2]).toHaveProperty("endDate");
    receiver.answer(() => ({ status: 200 }));
    await here.flushLater(day);
    expect(receiver.taken()).toEqual([]);
    const replayed = await app.as().post(`${here.team.path}/subscription/${id}/delivery/replay`);
    expect(replayed.body).toEqual({ count: 3 });
    await here.flush();
    expect(Object.values(courses(receiver))).toEqual([statuses]);
    expect(new Set(receiver.taken().map((one) => one.id))).toEqual(new Set(dead.map((one) => one.id)));
  });

  test("an ended delivery can be sent again, an open one can't", async () => {
    const here = await world();
    const receiver = await webhookReceiver(testSecret);
    const { id } = await subscribed(here, receiver);
    await changeRuns(here.team.id, 1);
    await here.dispatch();
    const [waiting] = await here.deliveries(here.team.path, id);
    const path = `${here.team.path}/subscription/${id}/delivery/${waiting?.id}/replay`;
    expect(await app.as().post(path)).toMatchObject({ status: 409, body: { reason: "DELIVERY_NOT_OVER" } });
    await here.flush();
    expect(await app.as().post(path)).toMatchObject({ status: 200, body: { status: "pending" } });
    await here.flush();
    expect(receiver.received.filter((one) => one.id === waiting?.id)).toHaveLength(2);
    expect(receiver.taken()).toHaveLength(3);
  });

  test("a receiver that is gone (410) pauses its subscription with the reason", async () => {
    const here = await world();
    const receiver = await webhookReceiver(testSecret);
    const { id } = await subscribed(here, receiver);
    receiver.answer(() => ({ status: 410 }));
    await changeRuns(here.team.id, 2);
    await here.flush();
    const { body } = await app.as().get(`${here.team.path}/subscription/${id}`);
    expect(body).toMatchObject({ isActive: false, statusMessage: expect.stringMatching(/410/) });
    const sent = receiver.received.length;
    await here.flushLater(day);
    expect(receiver.received).toHaveLength(sent);
  });

  test("an answer without end is read up to a bound, and its first KiB kept, with the secret masked", async () => {
    const here = await world();
    const receiver = await webhookReceiver(testSecret);
    const { id } = await subscribed(here, receiver);
    receiver.answer(() => ({ status: 500, body: `${testSecret} \0 ${"ä".repeat(200_000)}` }));
    await changeRuns(here.team.id, 1);
    await here.flush();
    const delivery = (await here.deliveries(here.team.path, id)).at(-1)!;
    expect(Buffer.byteLength(delivery.answer ?? "")).toBeLessThanOrEqual(1024);
    expect(delivery.answer).toMatch(/^\*\*\* \ufffd ä+$/);
    expect(JSON.stringify(delivery)).not.toContain("MfKQ9r8");
  });

  test("a rotated secret signs beside the one before for a day, and alone afterwards", async () => {
    const here = await world();
    let secret = testSecret;
    const receiver = await webhookReceiver(() => secret);
    const { id } = await subscribed(here, receiver);
    const rotated = await app.as().post(`${here.team.path}/subscription/${id}/rotate`);
    expect(rotated.body.secret).toMatch(/^whsec_/);
    await changeRuns(here.team.id, 1);
    await here.flush();
    expect(receiver.taken()).toHaveLength(3);
    expect(String(receiver.received[0]?.headers["webhook-signature"]).split(" ")).toHaveLength(2);
    await moveTime(sql, day + minute);
    secret = rotated.body.secret;
    await changeRuns(here.team.id, 1);
    await here.flush();
    expect(receiver.taken()).toHaveLength(6);
    expect(String(receiver.received.at(-1)?.headers["webhook-signature"]).split(" ")).toHaveLength(1);
    expect(receiver.forged).toBe(0);
  });

  test("a test event ignores the filters, and is signed like all others", async () => {
    const here = await world();
    const receiver = await webhookReceiver(testSecret);
    const { id } = await here.subscribe(here.team.path, {
      name: "none",
      target: { url: receiver.url },
      filters: [{ exact: { type: "x" } }],
    });
    const answer = await app.as().post(`${here.team.path}/subscription/${id}/test`);
    expect(answer).toMatchObject({ status: 200, body: { status: "pending", event: { type: "dev.millrace.subscription.test" } } });
    await here.deliver();
    expect(receiver.taken().map((one) => one.id)).toEqual([answer.body.id]);
  });
});

describe("faults", () => {
  test("a process that dies between sending and recording leads to a second delivery after its lease, and a late record changes nothing", async () => {
    const here = await world();
    const receiver = await webhookReceiver(testSecret);
    const { id } = await subscribed(here, receiver);
    await changeRuns(here.team.id, 1);
    await here.dispatch();
    // What a process had claimed when it died: the attempt counts, the lease runs.
    await sql`update delivery set attempts = attempts + 1, due_at = db_now() + interval '1 minute' where status = 'pending'`;
    await here.flush();
    expect(receiver.received).toEqual([]);
    await here.flushLater(61_000);
    expect(receiver.taken()).toHaveLength(3);
    const first = (await here.deliveries(here.team.path, id)).at(-1);
    expect(first).toMatchObject({ attempts: 2, status: "delivered" });
  });

  test("a receiver that never answers delays no other", async () => {
    const here = await world();
    const [deaf, fine] = [await webhookReceiver(testSecret), await webhookReceiver(testSecret)];
    deaf.answer(() => "hang");
    await subscribed(here, deaf, "deaf");
    await subscribed(here, fine, "fine");
    await changeRuns(here.team.id, 50);
    await here.dispatch();
    await here.delivering.start();
    while (fine.taken().length < 150) await fine.arrival();
    expect(deaf.received.length).toBeLessThanOrEqual(32);
    await here.delivering.stop();
    const broken = await sql<{ count: number }[]>`
      select count(*)::int as count from delivery where status = 'pending' and last_error like '%the service stops%' or last_error like '%reached%'`;
    expect(broken[0]?.count).toBeGreaterThan(0);
  });

  test("with a receiver that fails half of the time nothing is lost, and the events of each run stay in order", async () => {
    const here = await world();
    const receiver = await webhookReceiver(testSecret);
    await subscribed(here, receiver);
    let count = 0;
    receiver.answer(() => ({ status: (count++ * 7919) % 10 < 5 ? 500 : 200 }));
    const runs: string[] = [];
    for (let waves = 0; waves < 5; waves++) {
      runs.push(...(await changeRuns(here.team.id, 20)));
      await here.flush();
    }
    for (let rounds = 0; rounds < 40 && receiver.taken().length < 300; rounds++) await here.flushLater(60 * minute);
    expect(courses(receiver)).toEqual(Object.fromEntries(runs.map((run) => [run, statuses])));
    expect(receiver.forged).toBe(0);
  });

  test("a delivery that joins a lane while the one before it ends is not forgotten", async () => {
    const here = await world();
    const receiver = await webhookReceiver(testSecret);
    await subscribed(here, receiver);
    const lane = (await changeRuns(here.team.id, 1))[0]!;
    const add = () => sql`
      insert into change_event (team_id, kind, status, object_id, lane_id, data)
      values (${here.team.id}, 'workflowrun', 'running', ${lane}, ${lane}, json_build_object('id', ${lane}::text))`;
    for (let rounds = 0; rounds < 30; rounds++) {
      await add();
      await Promise.all([here.dispatch(), here.deliver()]);
    }
    await here.flush();
    expect(receiver.taken()).toHaveLength(33);
  });
});

describe("keeping", () => {
  test("delivered and dead ones are removed after 30 days, and their events with their month", async () => {
    const here = await world();
    const receiver = await webhookReceiver(testSecret);
    const { id } = await subscribed(here, receiver);
    const history = createHistoryService(sql, new LiveSettings(), createLog("silent"));
    await history.tick();
    const [bad] = await changeRuns(here.team.id, 2);
    receiver.answer(({ event }) => ({ status: event.data.id === bad ? 410 : 200 }));
    await here.flush();
    await sql`update delivery set status = 'dead', due_at = null, ended_at = db_now() where ended_at is null`;
    const left = async () => (await here.deliveries(here.team.path, id)).map(({ status }) => status);
    const before = await left();
    expect(new Set(before)).toEqual(new Set(["dead", "delivered"]));
    await moveTime(sql, 29 * day);
    await history.tick();
    expect(await left()).toEqual(before);
    await moveTime(sql, 2 * day);
    await history.tick();
    expect(await left()).toEqual([]);
    await moveTime(sql, 31 * day);
    await history.tick();
    expect(await sql`select 1 from change_event where team_id = ${here.team.id}`).toHaveLength(0);
  });

  test("queued deliveries are deleted with their subscription or team", async () => {
    const here = await world();
    const receiver = await webhookReceiver(testSecret);
    const { id } = await subscribed(here, receiver);
    await subscribed(here, receiver, "second");
    await changeRuns(here.team.id, 1);
    await here.dispatch();
    await app.as().delete(`${here.team.path}/subscription/${id}`);
    expect(await sql`select 1 from delivery where subscription_id = ${id}`).toHaveLength(0);
    expect((await app.as().delete(here.team.path)).status).toBeLessThan(300);
    await here.flush();
    expect(receiver.received).toEqual([]);
    expect(await sql`select 1 from delivery`).toHaveLength(0);
  });
});

test("a secret is stored sealed, and shown once", async () => {
  const here = await world();
  const made = await app.as().post(`${here.team.path}/subscription`, { name: "made", target: { url: "https://example.com/" } });
  expect(new Webhook(made.body.secret)).toBeDefined();
  const [row] = await sql<{ secret: string }[]>`select secret from subscription where id = ${made.body.id}`;
  expect(row?.secret).not.toContain(made.body.secret.slice(6, 30));
  for (const path of [`${made.body.id}`, "made"]) {
    const { body } = await app.as().get(`${here.team.path}/subscription/${path}`);
    expect(body).toMatchObject({ secret: "", hiddenValue: true });
  }
  const audit = await sql<{ text: string }[]>`select coalesce(after::text, '') as text from audit where object_id = ${made.body.id}`.catch(
    () => [],
  );
  for (const { text } of audit) expect(text).not.toContain(made.body.secret);
});
