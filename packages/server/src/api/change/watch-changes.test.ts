import type { AddressInfo } from "node:net";
import { beforeAll, describe, expect, test } from "vitest";
import { type Follower, followStream } from "../../../test/kit/follow-stream.ts";
import { CountingBus } from "../../../test/kit/run/counting-bus.ts";
import { runKit } from "../../../test/kit/run-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";
import { until } from "../../../test/kit/until.ts";

const bus = new CountingBus();
const { app, kit, team: makeTeam } = await runKit({ services: { bus } });
let port = 0;

beforeAll(async () => {
  await app.server.listen({ host: "127.0.0.1", port: 0 });
  port = (app.server.server.address() as AddressInfo).port;
});

/** The number of listeners without any client. */
const idle = bus.listening;
const chain = workflow(node("work", "script", ["start"]));
const path = "/api/v2/changes";

async function follow(token: string, headers: Record<string, string> = {}): Promise<Follower> {
  const stream = await followStream(port, path, token, headers);
  await stream.until("retry:");
  return stream;
}

async function team() {
  const made = await makeTeam();
  names.set(made.id, (await app.as().get(made.path)).body.name);
  return made;
}

/** A reader of two teams, with their open stream. */
async function watching() {
  const [one, two] = [await team(), await team()];
  await one.workflow("works", chain);
  const { id: userId, token } = await app.make.member(one.id, "reader");
  await app.as().patch(two.path, { members: [{ id: userId, role: "reader" }] });
  return { one, two, userId, token, stream: await follow(token) };
}

const names = new Map<string, string>();
const nameOf = ({ id }: { id: string }) => names.get(id) ?? "";
const eventsOf = ({ text }: Follower, name: string) =>
  [...text.matchAll(new RegExp(`event: ${name}\\ndata: (.*)\\n`, "g"))].map(([, data]) => JSON.parse(data as string));

describe("the stream of the changes of all teams", () => {
  test("reports changes of each team of the reader, by name", async () => {
    const { one, two, stream } = await watching();
    const { id } = await one.submit("works");
    await stream.until(`"kind":"workflowrun","team":"${nameOf(one)}","id":"${id}","status":"running"`);
    await kit.end(await one.claim(await kit.worker()));
    await stream.until(`"id":"${id}","status":"succeeded","phase":"completed"`);
    await app.as().patch(two.path, { displayName: "Renamed" });
    await stream.until(`{"kind":"team","team":"${nameOf(two)}"}`);
    stream.request.destroy();
  });

  test("reports nothing of other teams", async () => {
    const { two, stream } = await watching();
    const foreign = await team();
    await foreign.workflow("theirs", chain);
    const { id } = await foreign.submit("theirs");
    await app.as().patch(foreign.path, { displayName: "Renamed" });
    await app.as().patch(two.path, { displayName: "Mine" });
    await stream.until('"kind":"team"');
    expect(stream.text).not.toContain(id);
    expect(stream.text).not.toContain(foreign.id);
    expect(stream.text).not.toContain(nameOf(foreign));
    stream.request.destroy();
  });

  test("asks a reader who was removed from a team to reload, and reports nothing more of that team", async () => {
    const { one, two, userId, stream } = await watching();
    const { status } = await app.as().delete(`${one.path}/members`, [{ id: userId }]);
    expect(status).toBe(204);
    await stream.until("event: reset");
    const heard = stream.text.length;
    const { id } = await one.submit("works");
    await app.as().patch(one.path, { displayName: "Not for the reader" });
    await app.as().patch(two.path, { displayName: "For the reader" });
    await stream.until(`{"kind":"team","team":"${nameOf(two)}"}`);
    expect(stream.text.slice(heard)).not.toContain(nameOf(one));
    expect(stream.text).not.toContain(id);
    stream.request.destroy();
  });

  test("a new member gets the changes of the team without reconnecting", async () => {
    const { userId, stream } = await watching();
    const third = await team();
    await third.workflow("works", chain);
    await app.as().patch(third.path, { members: [{ id: userId, role: "reader" }] });
    await stream.until("event: reset");
    const { id } = await third.submit("works");
    await stream.until(`"team":"${nameOf(third)}","id":"${id}"`);
    stream.request.destroy();
  });

  test("leaves out what the scopes of a token do not cover", async () => {
    const { one, userId, stream: wide } = await watching();
    const stream = await follow(await app.make.userToken(userId, ["workflow/read"]));
    await one.submit("works");
    await app.as().post(`${one.path}/workflow`, { name: "another", tasks: [] });
    await stream.until('"kind":"workflow"');
    expect(eventsOf(stream, "change")).toEqual([{ kind: "workflow", team: nameOf(one) }]);
    stream.request.destroy();
    wide.request.destroy();
  });

  test("reports changes of the instance to callers who may read it, and public ones to all", async () => {
    const { stream } = await watching();
    const administrator = await follow(await app.make.userToken((await app.make.user({ type: "admin" })).id));
    const other = await app.make.user();
    await app.as().patch(`/api/v2/user/${other.id}`, { displayName: "Someone" });
    await administrator.until('{"kind":"user"}');
    await app.as().post("/api/v2/task", { name: `global-${other.id.slice(-6)}`, spec: { script: "x" } });
    await stream.until('{"kind":"task"}');
    bus.wake("workers");
    await administrator.until('{"kind":"worker"}');
    expect(stream.text).not.toMatch(/"kind":"(?:user|worker)"/);
    stream.request.destroy();
    administrator.request.destroy();
  });

  test("ends when the credential does", async () => {
    const { userId, stream } = await watching();
    await app.as().patch(`/api/v2/user/${userId}`, { status: "inactive" });
    expect(await stream.ended).toBe(false);
  });

  test("asks a reader who reconnects, or may have missed something, to reload everything", async () => {
    const { token, stream } = await watching();
    const returning = await follow(token, { "last-event-id": "7" });
    await returning.until("event: reset\ndata: {}");
    app.bus.deliver("teams", undefined);
    await stream.until("event: reset\ndata: {}");
    returning.request.destroy();
    stream.request.destroy();
  });

  test("frees everything when its reader disconnects", async () => {
    await until(() => bus.listening === idle, "the readers before are gone");
    const { stream } = await watching();
    expect(bus.listening).toBeGreaterThan(idle);
    stream.request.destroy();
    await until(() => bus.listening === idle, "nobody listens for the reader any more");
  });
});

test("is open to everyone who is signed in, and to nobody else", async () => {
  expect((await app.as(null).get(path)).status).toBe(401);
});
