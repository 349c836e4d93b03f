import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { hashToken } from "../../../src/base/secret/token-text.ts";
import { testApp } from "../../kit/app.ts";
import { until } from "../../kit/until.ts";

/**
 * A permission that was revoked has no further effect: neither with a body that arrives late, nor in another process, nor after a wait for
 * a lock.
 */
const app = await testApp();
await app.server.listen({ host: "127.0.0.1", port: 0 });
const { port } = app.server.server.address() as AddressInfo;

async function ownersOfTeam() {
  const team = await app.make.team();
  const path = `/api/v2/team/${team.name}`;
  const [owner, other] = [await app.make.member(team.id, "owner"), await app.make.member(team.id, "owner")];
  const remove = (client = app.as(other.token)) => client.delete(`${path}/members`, [{ id: owner.id }]);
  const members = async () => (await app.as().get(path)).body.members.map(({ id }: { id: string }) => id);
  return { team, path, owner, other, remove, members, again: { members: [{ id: owner.id, role: "owner" }] } };
}

/**
 * A request of that user whose head has arrived and whose caller was read. The returned function sends the body, and resolves with the
 * status of the response.
 */
async function begin(method: string, path: string, userId: string, body: unknown) {
  const token = await app.make.userToken(userId);
  const content = JSON.stringify(body);
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  const head = { host: "x", authorization: `Bearer ${token}`, "content-type": "application/json", connection: "close" };
  const lines = Object.entries({ ...head, "content-length": String(content.length) }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
  const isRead = () => app.sql`select from token where hash = ${hashToken(token)} and last_used_at is not null`;
  await until(async () => (await isRead()).length > 0, "the caller was read");
  return async () => {
    socket.write(content);
    return Number((await text(socket)).split(" ", 2)[1]);
  };
}

test("a user who is removed before the body of their request arrives changes nothing with it", async () => {
  const { team, path, owner, remove, members, again } = await ownersOfTeam();
  const requests = [
    await begin("PATCH", path, owner.id, again),
    await begin("POST", "/api/v2/token", owner.id, { type: "team", principal: team.name, name: "t", permissions: ["**/**"] }),
    await begin("POST", `${path}/workflow/none/submit`, owner.id, {}),
  ];
  expect((await remove()).status).toBe(204);
  for (const finish of requests) expect(await finish()).toBe(404);
  expect(await members()).not.toContain(owner.id);
});

test("a token that is revoked before the body of its request arrives does nothing with it", async () => {
  const { path, owner } = await ownersOfTeam();
  const finish = await begin("PATCH", path, owner.id, { labels: { late: "yes" } });
  const [{ id }] = (await app.sql`select id from token where user_id = ${owner.id} order by created_at desc limit 1`) as [{ id: string }];
  expect((await app.as().delete(`/api/v2/token/${id}`)).status).toBe(204);
  expect(await finish()).toBe(401);
});

test("a permission that another process has revoked allows no more writes", async () => {
  const { team, path, owner, remove, members, again } = await ownersOfTeam();
  const stale = (await testApp({ beside: app })).as(owner.token);
  expect((await stale.get(path)).status).toBe(200);
  expect((await remove()).status).toBe(204);
  expect((await stale.get(path)).status, "reads go by what is remembered, for two seconds").toBe(200);
  expect((await stale.patch(path, again)).status).toBe(404);
  const wanted = { type: "team", principal: team.name, name: "t", permissions: ["**/**"] };
  expect((await stale.post("/api/v2/token", wanted)).status).toBe(404);
  expect((await stale.post(`${path}/workflow`, { name: "late" })).status).toBe(404);
  expect(await members()).not.toContain(owner.id);
});

test("a user who is removed while their request waits for the team is not added again by it", async () => {
  const { team, path, owner, members, again } = await ownersOfTeam();
  let answer: Promise<{ status: number }> | undefined;
  await app.sql.begin(async (tx) => {
    await tx`select 1 from team where id = ${team.id} for no key update`;
    answer = app.as(owner.token).patch(path, again);
    await until(async () => (await tx`select from pg_locks where not granted`).length > 0, "the request waits");
    await tx`delete from team_member where team_id = ${team.id} and user_id = ${owner.id}`;
  });
  expect((await answer)?.status).toBe(404);
  expect(await members()).not.toContain(owner.id);
});

test("if two administrators revoke each other's rights at once, one of them keeps them", async () => {
  await app.make.user({ type: "admin" });
  const [one, two] = [await app.make.user({ type: "admin" }), await app.make.user({ type: "admin" })];
  const [first, second] = [await app.make.userToken(one.id), await app.make.userToken(two.id)];
  const answers = await Promise.all([
    app.as(first).patch(`/api/v2/user/${two.id}`, { type: "user" }),
    app.as(second).patch(`/api/v2/user/${one.id}`, { type: "user" }),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 403]);
});
