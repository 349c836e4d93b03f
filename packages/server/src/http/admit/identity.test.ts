import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { moveTime } from "../../../test/kit/database.ts";
import { newTokenText } from "../../base/secret/token-text.ts";
import { createIdentity } from "./identity.ts";

const app = await testApp();
const path = "/api/v2/team/roles";
const get = async (headers: Record<string, string>, query = "") => app.as(null).get(path + query, headers);

test("a credential is a bearer token or x-access-token, and nothing else", async () => {
  const token = await app.make.globalToken();
  expect((await get({ authorization: `Bearer ${token}` })).status).toBe(200);
  expect((await get({ authorization: `bearer   ${token}  ` })).status).toBe(200);
  expect((await get({ "x-access-token": token })).status).toBe(200);
  for (const headers of [
    {},
    { authorization: token },
    { authorization: `Basic ${token}` },
    { cookie: `token=${token}` },
    { "x-access-token": "" },
  ]) {
    expect(await get(headers as Record<string, string>)).toMatchObject({
      status: 401,
      body: { reason: "UNAUTHENTICATED" },
      headers: { "www-authenticate": 'Bearer realm="millrace"' },
    });
  }
  expect((await get({}, `?access_token=${token}`)).status).toBe(401);
});

test.each([
  ["mrg_short"],
  [newTokenText("mrg_")],
  [`${newTokenText("mrt_").slice(0, -1)}!`],
  ["x".repeat(5000)],
  ["admin-token-of-the-test"],
  ["admin-token-of-the-testz"],
])("%s is refused", async (token) => expect((await get({ "x-access-token": token })).status).toBe(401));

test("an expired token, and one of an inactive user, are refused", async () => {
  const user = await app.make.user();
  const token = await app.make.userToken(user.id);
  const expiring = await app.make.userToken(user.id);
  await app.sql`update token set expires_at = db_now() + interval '1 hour' where hash = ${createHash("sha256").update(expiring).digest()}`;
  await app.sql`update app_user set status = 'inactive' where id = ${user.id}`;
  expect((await get({ "x-access-token": token })).status).toBe(401);
  await app.sql`update app_user set status = 'active' where id = ${user.id}`;
  expect((await get({ "x-access-token": token })).status).toBe(200);
  await moveTime(app.sql, 3_600_000);
  expect((await get({ "x-access-token": expiring })).status).toBe(401);
});

test("the last use of a token is kept, to the minute", async () => {
  const token = await app.make.globalToken();
  await get({ "x-access-token": token });
  const [row] =
    await app.sql`select db_now() - last_used_at < interval '1 minute' as "isRecent" from token where hash = ${createHash("sha256").update(token).digest()}`;
  expect(row).toEqual({ isRecent: true });
});

test("permissions of a token are taken as they are, and a user of type operator may not delete", async () => {
  const team = await app.make.team();
  const operator = await app.make.user({ type: "operator" });
  const token = await app.make.userToken(operator.id);
  expect((await app.as(token).patch(`/api/v2/team/${team.name}`, { displayName: "x" })).status).toBe(200);
  expect((await app.as(token).delete(`/api/v2/team/${team.name}`)).status).toBe(403);
  const reader = await app.make.globalToken(["workflow/read"]);
  expect((await app.as(reader).get(`/api/v2/team/${team.name}`)).status).toBe(403);
});

test("changes by other processes apply within two seconds, own ones at once", async () => {
  let now = 0;
  const identity = createIdentity(app.sql, undefined, { nowMs: () => now });
  const team = await app.make.team();
  const token = await app.make.teamToken(team.id, ["team/read"]);
  const permissions = async () => (await identity.principalOf(token))?.teams.get(team.id);
  expect(await permissions()).toEqual(["team/read"]);
  expect((await identity.teamOf(team.name.toUpperCase()))?.id).toBe(team.id);
  await app.sql`update token set permissions = '{team/write}' where team_id = ${team.id}`;
  await app.sql`update team set deleted_at = db_now() where id = ${team.id}`;
  now = 1999;
  expect(await permissions()).toEqual(["team/read"]);
  expect(await identity.teamOf(team.name)).toBeDefined();
  now = 2001;
  expect(await permissions()).toBeUndefined();
  expect(await identity.teamOf(team.name)).toBeUndefined();
  await app.sql`update team set deleted_at = null where id = ${team.id}`;
  expect(await permissions()).toEqual(["team/write"]);
  await app.sql`update token set permissions = '{team/delete}' where team_id = ${team.id}`;
  identity.forget();
  expect(await permissions()).toEqual(["team/delete"]);
});

test("a load that began before a change is not cached", async () => {
  const identity = createIdentity(app.sql, undefined);
  const team = await app.make.team();
  const token = await app.make.teamToken(team.id, ["team/read"]);
  const early = identity.principalOf(token);
  identity.forget();
  await app.sql`delete from token where team_id = ${team.id}`;
  await early;
  expect(await identity.principalOf(token)).toBeUndefined();
});
