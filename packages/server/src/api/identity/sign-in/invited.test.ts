import { Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { testIssuer } from "../../../../test/fakes/test-issuer.ts";
import { type TestAnswer, type TestApp, testApp } from "../../../../test/kit/app.ts";
import { cookiesOf, setCookies } from "../../../../test/kit/cookie-jar.ts";
import { moveTime } from "../../../../test/kit/database.ts";
import { randomName } from "../../../../test/kit/factories.ts";
import { createLog } from "../../../base/process/log.ts";
import { createOidcProvider } from "../../../integrations/sign-in/oidc-provider.ts";
import { hasSecondPerson } from "../../../store/identity/users.ts";

const lines: string[] = [];
const log = createLog("trace", new Writable({ write: (chunk, _encoding, done) => done(void lines.push(String(chunk))) }));
const app = await testApp({ log, config: { logsRequests: true } });
const secret = "correct horse battery";
const acceptPath = "/api/v2/invitation/accept";

const address = () => `${randomName("person")}@example.com`;
const tokenOf = ({ body }: TestAnswer): string => body.link.slice(body.link.indexOf("#") + 1);
const accept = (token: string, more: object = { password: secret }, from: TestApp = app) =>
  from.as(null).post(acceptPath, { token, ...more });

async function invited(email = address(), { role = "editor", from = app, byAdministrator = false } = {}) {
  const team = await from.make.team();
  const owner = await from.make.member(team.id, "owner");
  const inviter = byAdministrator ? from.as() : from.as(owner.token);
  const answer = await inviter.post(`/api/v2/team/${team.name}/invitation`, { email, role });
  expect(answer.status).toBe(200);
  return { team, owner, email, token: tokenOf(answer), path: `/api/v2/team/${team.name}` };
}

async function byFormerAdministrator(email: string) {
  const team = await app.make.team();
  const { id } = await app.make.user();
  await app.sql`update app_user set type = 'admin' where id = ${id}`;
  const answer = await app.as(await app.make.userToken(id)).post(`/api/v2/team/${team.name}/invitation`, { email, role: "editor" });
  expect(answer.status).toBe(200);
  await app.sql`update app_user set type = 'user' where id = ${id}`;
  return { token: tokenOf(answer) };
}

async function rolesOf(email: string, from = app) {
  return from.sql`select t.name, m.role from team_member m join team t on t.id = m.team_id join app_user u on u.id = m.user_id where u.email = ${email}`;
}

describe("with a new password", () => {
  test("a person without an account gets one, is signed in, and is a member with the role", async () => {
    const { email, token, team } = await invited();
    const answer = await accept(token, { password: secret, name: " Bob B. " });
    expect(answer).toMatchObject({ status: 200, body: { team: team.name } });
    expect(setCookies(answer)[0]).toMatch(/^millrace-session=mrs_\w+; .*HttpOnly; SameSite=Lax/);
    const profile = await app.as(null).get("/api/v2/profile", { cookie: cookiesOf(answer) });
    expect(profile.body).toMatchObject({ email, name: "Bob B.", teams: [{ name: team.name, role: "editor" }] });
    expect((await app.as(null).post("/api/v2/auth/password", { email, password: secret })).status).toBe(200);
  });

  test("a link works once, also of two at the same time", async () => {
    const { email, token } = await invited();
    const answers = await Promise.all([accept(token), accept(token, { password: "another password" }), accept(token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(await accept(token)).toMatchObject({ status: 409, body: { reason: "INVITATION_USED" } });
    expect(await rolesOf(email)).toHaveLength(1);
    expect(
      await app.sql`select from token where kind = 'session' and user_id = (select id from app_user where email = ${email})`,
    ).toHaveLength(1);
  });

  test("an invitation that is over makes nobody: expired by the clock of the database, revoked, of a deleted team", async () => {
    const expired = await invited();
    await moveTime(app.sql, 7 * 86_400_000 + 1000);
    const revoked = await invited();
    const { content } = (await app.as().get(`${revoked.path}/invitation/query?limit=1&page=0`)).body;
    await app.as().delete(`${revoked.path}/invitation/${content[0].id}`);
    const deleted = await invited();
    await app.as().delete(deleted.path);
    const reasons = [];
    for (const { token } of [expired, revoked, deleted]) reasons.push((await accept(token)).body.reason);
    expect(reasons).toEqual(["INVITATION_EXPIRED", "INVITATION_REVOKED", "UNAUTHENTICATED"]);
    for (const { email } of [expired, revoked, deleted]) expect(await app.sql`select from app_user where email = ${email}`).toHaveLength(0);
  });

  test("nobody sets the password of an account that is there: it joins by signing in", async () => {
    const user = await app.make.user();
    const { token, team } = await invited(user.email);
    expect(await accept(token)).toMatchObject({ status: 409, body: { message: expect.stringContaining("sign in") } });
    expect(await app.sql`select from app_user where id = ${user.id} and password_hash is null`).toHaveLength(1);
    const signedIn = app.as(await app.make.userToken(user.id));
    expect((await signedIn.post(acceptPath, { token })).body).toEqual({ team: team.name });
    expect(await rolesOf(user.email)).toEqual([{ name: team.name, role: "editor" }]);
  });

  test("nobody sets the password of a deactivated account, or of one that others have added", async () => {
    const gone = await app.make.user();
    await app.sql`update app_user set status = 'inactive' where id = ${gone.id}`;
    expect(await accept((await invited(gone.email)).token)).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining("not active") },
    });

    const email = address();
    const first = await invited(address());
    await app.as().patch(first.path, { members: [{ email, role: "owner" }] });
    const second = await invited(email);
    expect(await accept(second.token)).toMatchObject({ status: 409, body: { message: expect.stringContaining("password code") } });
    const raised = address();
    await app.as().patch(first.path, { members: [{ email: raised, role: "editor" }] });
    const [row] = await app.sql`update app_user set type = 'admin' where email = ${raised} returning id`;
    await app.as().delete(`${first.path}/members`, [{ id: row!["id"] }]);
    expect((await accept((await invited(raised)).token)).status).toBe(409);
    expect((await accept((await byFormerAdministrator(email)).token)).status).toBe(409);
    expect((await accept((await invited(email, { byAdministrator: true })).token)).status).toBe(200);
  });

  test("a person who was only added by address joins with their existing role", async () => {
    const { path, owner } = await invited();
    const email = address();
    const asOwner = app.as(owner.token);
    await asOwner.patch(path, { members: [{ email, role: "reader" }] });
    const answer = await asOwner.post(`${path}/invitation`, { email, role: "reader" });
    expect((await accept(tokenOf(answer))).status).toBe(200);
    expect(await rolesOf(email)).toMatchObject([{ role: "reader" }]);
  });

  test("a short password, no password and an invalid token are refused with the remedy", async () => {
    const { token } = await invited();
    expect((await accept(token, { password: "short" })).status).toBe(400);
    expect(await accept(token, {})).toMatchObject({ status: 401, body: { message: expect.stringContaining("send a password") } });
    for (const wrong of ["mri_1", `${token.slice(0, -1)}${token.endsWith("0") ? "1" : "0"}`, "mri_0000000000000000000000000000000000000"]) {
      expect(await accept(wrong)).toMatchObject({ status: 401, body: { message: expect.stringContaining("ask for a new link") } });
    }
    expect((await accept(token)).status).toBe(200);
  });
});

describe("signed in", () => {
  test("only the invited person accepts, and as a whole person", async () => {
    const user = await app.make.user();
    const other = await app.make.user();
    const { token } = await invited(user.email);
    expect(await app.as(await app.make.userToken(other.id)).post(acceptPath, { token })).toMatchObject({
      status: 403,
      body: { message: expect.stringMatching(`${user.email}.*signed in as ${other.email}`) },
    });
    expect((await app.as(await app.make.userToken(user.id, ["**/read"])).post(acceptPath, { token })).status).toBe(403);
    expect((await app.as(await app.make.userToken(user.id)).post(acceptPath, { token })).status).toBe(200);
  });

  test("a member who accepts keeps the role that they have by now", async () => {
    const user = await app.make.user();
    const { token, path } = await invited(user.email, { role: "reader" });
    await app.as().patch(path, { members: [{ id: user.id, role: "owner" }] });
    expect((await app.as(await app.make.userToken(user.id)).post(acceptPath, { token })).status).toBe(200);
    expect(await rolesOf(user.email)).toMatchObject([{ role: "owner" }]);
  });
});

test("the audit tells who invited whom and who accepted; neither it nor the log has a token", async () => {
  const { token, team, email, owner } = await invited();
  await app.as(null).post("/api/v2/invitation/read", { token });
  await accept(token);
  const [made, used] =
    await app.sql`select action, principal_name, object_kind, object_name, before, after from audit where team_id = ${team.id} order by id`;
  expect(made).toMatchObject({ object_kind: "invitation", object_name: email, after: { email, role: "editor", sendsMail: false } });
  expect(used).toMatchObject({
    object_kind: "invitation",
    principal_name: email,
    after: { state: "used", isNewUser: true, isNewMember: true, invitedBy: owner.email.split("@")[0] },
  });
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.join("")).not.toContain(token);
  expect(lines.join("")).not.toContain("mri_");
  const [row] = await app.sql`select count(*)::int as count from audit a where a::text like ${`%${token}%`}`;
  expect(row).toEqual({ count: 0 });
});

test("wrong links are counted by address, right ones are not", async () => {
  const own = await testApp();
  const { token } = await invited(address(), { from: own });
  const read = (text: string) => own.as(null).post("/api/v2/invitation/read", { token: text });
  for (let count = 0; count < 40; count++) expect((await read(token)).status).toBe(200);
  for (let count = 0; count < 30; count++) expect((await read("mri_wrong")).status).toBe(401);
  expect(await read(token)).toMatchObject({ status: 429, headers: { "retry-after": expect.anything() } });
  await moveTime(own.sql, 15 * 60_000 + 1000);
  expect((await read(token)).status).toBe(200);
});

test("a page of another origin can't accept for its visitor", async () => {
  const { token } = await invited();
  const headers = { origin: "https://evil.example", host: "millrace.example.com" };
  expect((await app.as(null).post(acceptPath, { token, password: secret }, headers)).status).toBe(403);
});

test("an open invitation is a second person, until it is revoked or expires", async () => {
  const own = await testApp();
  await own.sql`delete from app_user`;
  const team = await own.make.team();
  await own.make.user({ type: "admin" });
  expect(await hasSecondPerson(own.sql)).toBe(false);
  await own.as().post(`/api/v2/team/${team.name}/invitation`, { email: address(), role: "editor" });
  expect(await hasSecondPerson(own.sql)).toBe(true);
  await moveTime(own.sql, 7 * 86_400_000 + 1000);
  expect(await hasSecondPerson(own.sql)).toBe(false);
});

describe("with single sign-on", () => {
  test("no password is set; the person signs in there, comes back to the page of the invitation, and joins", async () => {
    const publicUrl = "https://millrace.example.com";
    const issuer = await testIssuer({ redirectUri: `${publicUrl}/api/v2/auth/oidc/callback` });
    const { url, clientId, clientSecret } = issuer;
    const identityProvider = createOidcProvider({ issuer: url, clientId, clientSecret, scopes: "openid email profile" });
    const rules = {
      publicUrl,
      sessionSeconds: 3600,
      idleSeconds: 600,
      administrators: [],
      emailDomains: [],
      trustsEmails: false,
      isProxyOn: false,
      isAuthOff: false,
    };
    const own = await testApp({ config: { publicUrl }, services: { signIn: { ...rules, identityProvider } } });
    const { token, email, team } = await invited(address(), { from: own });
    expect((await own.as(null).post("/api/v2/invitation/read", { token })).body.signIn).toBe("oidc");
    expect(await accept(token, { password: secret }, own)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining("single sign-on") },
    });
    issuer.person = { sub: email, email, email_verified: true, name: "Bob" };
    const start = await own.as(null).get("/api/v2/auth/oidc/start?returnTo=%2Fsign-in%2Finvitation");
    const back = new URL(await issuer.visit(String(start.headers["location"])));
    const done = await own.as(null).get(back.pathname + back.search, { cookie: cookiesOf(start) });
    expect(done.headers["location"]).toBe("/sign-in/invitation");
    const joined = await own
      .as(null)
      .post(acceptPath, { token }, { cookie: cookiesOf(done), origin: publicUrl, host: "millrace.example.com" });
    expect(joined).toMatchObject({ status: 200, body: { team: team.name } });
    expect(await rolesOf(email, own)).toEqual([{ name: team.name, role: "editor" }]);
  });
});
