import type { AddressInfo } from "node:net";
import { beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { webhookReceiver } from "../../../test/fakes/webhook-receiver.ts";
import { type Follower, followStream } from "../../../test/kit/follow-stream.ts";
import { deliveryKit, testSecret } from "../../../test/kit/outbound/delivery-kit.ts";
import { runKit, type TestTeam } from "../../../test/kit/run-kit.ts";

const { app, team } = await runKit();
const { sql } = app;
const kit = deliveryKit(app);
let port = 0;

beforeAll(async () => {
  await app.server.listen({ host: "127.0.0.1", port: 0 });
  port = (app.server.server.address() as AddressInfo).port;
});
beforeEach(() => sql`delete from subscription`);

async function follow(path: string, token: string, headers: Record<string, string> = {}): Promise<Follower> {
  const stream = await followStream(port, path, token, headers);
  onTestFinished(() => void stream.request.destroy());
  await stream.until("retry:");
  return stream;
}

/** Changes of so many made-up runs of the team, as the triggers write them. */
const change = (of: TestTeam, runs = 1) => sql`
  insert into change_event (team_id, kind, status, object_id, lane_id, data)
  select ${of.id}, 'workflowrun', 'succeeded', id, id, json_build_object('id', id) from (select new_id() as id from generate_series(1, ${runs})) r`;

const kindsOf = ({ text }: Follower) => [...text.matchAll(/"kind":"(\w+)"/g)].map(([, kind]) => kind);
const timesNotified = (stream: Follower) => kindsOf(stream).filter((kind) => kind === "delivery").length;

/** Everything that happened until now has been sent to them: something that each of them receives is queued behind it. */
async function caughtUp(of: TestTeam, streams: readonly Follower[]) {
  await app.as().patch(of.path, { displayName: `Told ${Math.random()}` });
  await Promise.all(streams.map((stream) => stream.until('"kind":"team"')));
}

test("what happens to a team's deliveries is sent to those of the team who may read them, and to nobody else", async () => {
  const [mine, other] = [await team(), await team()];
  const receiver = await webhookReceiver(testSecret);
  await kit.subscribe(mine.path, { name: "all", target: { url: receiver.url } });
  const { id, token } = await app.make.member(mine.id, "reader");
  const outsider = await app.make.member(other.id, "owner");
  const narrow = await app.make.userToken(id, ["workflowrun/read", "team/read"]);
  const stream = await follow(`${mine.path}/changes`, token);
  const unheard = [await follow(`${mine.path}/changes`, narrow), await follow("/api/v2/changes", token)];
  const foreign = await follow(`${other.path}/changes`, outsider.token);
  await change(mine);
  await kit.flush();
  await stream.until('{"kind":"delivery"}');
  expect(receiver.taken()).toHaveLength(1);
  await caughtUp(mine, [stream, ...unheard]);
  await caughtUp(other, [foreign]);
  expect([...unheard, foreign].map(timesNotified)).toEqual([0, 0, 0]);
});

test("deliveries of the instance's own subscriptions are sent to those who may read them there, whosever the event is", async () => {
  const made = await team();
  const receiver = await webhookReceiver(testSecret);
  await kit.subscribe("/api/v2", { name: "everything", target: { url: receiver.url } });
  const { token } = await app.make.member(made.id, "owner");
  const administrator = await app.make.userToken((await app.make.user({ type: "admin" })).id);
  const stream = await follow("/api/v2/changes", administrator);
  const unheard = [await follow("/api/v2/changes", token), await follow(`${made.path}/changes`, token)];
  await change(made);
  await kit.flush();
  await stream.until('{"kind":"delivery"}');
  await caughtUp(made, [stream, ...unheard]);
  expect(unheard.map(timesNotified)).toEqual([0, 0]);
});

test("a subscription that is written, or paused because its receiver is gone, is reported", async () => {
  const made = await team();
  const receiver = await webhookReceiver(testSecret);
  const { token } = await app.make.member(made.id, "reader");
  const stream = await follow(`${made.path}/changes`, token);
  await kit.subscribe(made.path, { name: "all", target: { url: receiver.url } });
  await stream.until('{"kind":"subscription"}');
  const before = kindsOf(stream).length;
  receiver.answer(() => ({ status: 410 }));
  await change(made);
  await kit.flush();
  await expect.poll(() => kindsOf(stream).slice(before)).toContain("subscription");
});

test("during many deliveries a reader is notified about once a second, and always of the last one", async () => {
  const made = await team();
  const receiver = await webhookReceiver(testSecret);
  await kit.subscribe(made.path, { name: "all", target: { url: receiver.url } });
  const { token } = await app.make.member(made.id, "reader");
  const stream = await follow(`${made.path}/changes`, token);
  const begin = performance.now();
  await change(made, 1000);
  await kit.flush();
  expect(receiver.taken()).toHaveLength(1000);
  const seconds = (performance.now() - begin) / 1000;
  const told = timesNotified(stream);
  expect(told).toBeLessThanOrEqual(2 + seconds);
  // Records since the last report are reported after it.
  await expect.poll(() => timesNotified(stream), { timeout: 3000 }).toBeGreaterThan(Math.min(told, 1));
  expect(stream.text).not.toContain("event: reset");
});

test("a client that was disconnected while a delivery ended is asked to reload", async () => {
  const made = await team();
  const receiver = await webhookReceiver(testSecret);
  await kit.subscribe(made.path, { name: "all", target: { url: receiver.url } });
  const { token } = await app.make.member(made.id, "reader");
  const before = await follow(`${made.path}/changes`, token);
  before.request.destroy();
  await change(made);
  await kit.flush();
  const stream = await follow(`${made.path}/changes`, token, { "last-event-id": "1" });
  await stream.until("event: reset\ndata: {}");
});
