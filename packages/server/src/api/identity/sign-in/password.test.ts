import { describe, expect, test } from "vitest";
import { testApp } from "../../../../test/kit/app.ts";
import { cheapPasswordHash } from "../../../../test/kit/cheap-password.ts";
import { cookiesOf, setCookies } from "../../../../test/kit/cookie-jar.ts";
import { moveTime } from "../../../../test/kit/database.ts";
import { until } from "../../../../test/kit/until.ts";
import type { Transaction } from "../../../store/database/database.ts";
import { transaction } from "../../../store/database/transaction.ts";

const app = await testApp();
const browser = app.as(null);
const path = "/api/v2/auth/password";
const admin = await app.make.user({ type: "admin" });
const asAdmin = app.as(await app.make.userToken(admin.id));
const secret = "correct horse battery";
const hash = cheapPasswordHash(secret);

async function person(fields: { status?: string } = {}) {
  const user = await app.make.user();
  await app.sql`update app_user set password_hash = ${hash}, status = ${fields.status ?? "active"} where id = ${user.id}`;
  return user;
}

const signIn = (email: string, password = secret, headers = {}) => browser.post(path, { email, password }, headers);

describe("sign in", () => {
  test("gives the profile and the cookie of a session, of which the database holds a hash only", async () => {
    const user = await person();
    const team = await app.make.team();
    await app.as().patch(`/api/v2/team/${team.name}`, { members: [{ id: user.id, role: "reader" }] });
    const answer = await signIn(user.email.toUpperCase());
    expect(answer).toMatchObject({ status: 200, body: { id: user.id, teams: [{ name: team.name }], permissions: ["**/read"] } });
    const [cookie] = setCookies(answer);
    expect(cookie).toMatch(/^millrace-session=mrs_\w+; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax$/);
    expect((await browser.get("/api/v2/profile", { cookie: cookiesOf(answer) })).body).toEqual(answer.body);
    const text = cookiesOf(answer).split("=")[1]!;
    const [row] = await app.sql`
      select (select count(*)::int from token t where t::text like ${`%${text}%`}) + (select count(*)::int from audit a where a::text like ${`%${text}%`}) as count`;
    expect(row).toEqual({ count: 0 });
  });

  test("does not reveal why it was refused: unknown, no password and wrong password look the same", async () => {
    const without = await app.make.user();
    const known = await person();
    const answers = [
      await signIn("nobody@example.com"),
      await signIn(without.email),
      await signIn(known.email, "wrong"),
      await signIn("x"),
    ];
    for (const { status, body } of answers) {
      expect({ status, reason: body.reason, message: body.message }).toEqual({
        status: 401,
        reason: "UNAUTHENTICATED",
        message: answers[0]!.body.message,
      });
    }
    expect(answers.flatMap(setCookies)).toEqual([]);
  });

  test.each([
    ["the password is changed", (tx: Transaction, id: string) => tx`update app_user set password_hash = 'other' where id = ${id}`],
    ["the user is deactivated", (tx: Transaction, id: string) => tx`update app_user set status = 'inactive' where id = ${id}`],
  ])("begins no session while %s, which could not end it", async (_, change) => {
    const user = await person();
    const { answer } = await transaction(app.sql, async (tx) => {
      await change(tx, user.id);
      const answer = signIn(user.email);
      await until(async () => {
        const [row] = await app.sql`
          select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        return row!["count"] > 0;
      }, "the sign-in waits for the change");
      return { answer };
    });
    expect((await answer).status).toBe(401);
    expect(await app.sql`select 1 from token where user_id = ${user.id}`).toHaveLength(0);
  });

  test("only who knows the password learns that the account is not active", async () => {
    const user = await person({ status: "inactive" });
    expect((await signIn(user.email, "wrong")).status).toBe(401);
    expect(await signIn(user.email)).toMatchObject({ status: 403, body: { message: expect.stringContaining("not active") } });
  });

  test("is refused from a page of another origin, with or without a cookie", async () => {
    const user = await person();
    for (const headers of [
      { origin: "https://evil.example.com" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site", origin: "http://sub.localhost:80" },
    ]) {
      expect((await signIn(user.email, secret, headers)).status).toBe(403);
    }
    expect((await signIn(user.email, secret, { "sec-fetch-site": "same-origin", origin: "http://localhost:80" })).status).toBe(200);
  });

  test.each([
    [{}],
    [{ email: "a@example.com" }],
    [{ email: "a@example.com", password: "" }],
    [{ email: 1, password: "x" }],
    ["{"],
    [undefined],
  ])("%j is malformed", async (body) => expect((await browser.post(path, body)).status).toBe(400));

  test("before the instance is activated nobody signs in", async () => {
    const fresh = await testApp({ isActivated: false });
    expect((await fresh.as(null).post(path, { email: "a@example.com", password: "x" })).status).toBe(423);
  });
});

describe("attempts are limited", () => {
  test("per account, in any spelling of the address", async () => {
    const user = await person();
    await app.sql`update app_user set email = ${"j\u00f6rg.m\u00fcller@example.com"} where id = ${user.id}`;
    const spellings = ["j\u00f6rg.m\u00fcller@example.com", "jo\u0308rg.m\u00fcller@example.com", "J\u00f6rg.mu\u0308ller@Example.com"];
    expect((await signIn(spellings[2]!)).status).toBe(200);
    for (let count = 0; count < 10; count++) expect((await signIn(spellings[count % 3]!, "wrong")).status).toBe(401);
    for (const spelling of spellings) expect((await signIn(spelling)).status).toBe(429);
    expect((await browser.post(`${path}/reset`, { email: spellings[1], code: "x", new: "staple with nine" })).status).toBe(429);
    // A letter whose lower case depends on the locale belongs to no account.
    for (const other of ["J\u00d6RG.m\u00fcller@example.com", "j\u00f6rg.m\u00fc\u200bller@example.com"])
      expect((await signIn(other)).status).not.toBe(200);
  });

  test("to ten per account in 15 minutes, also concurrently, whether it exists or not, by the database's clock", async () => {
    for (const { email } of [await person(), { email: "ghost@example.com" }]) {
      const answers = await Promise.all(Array.from({ length: 14 }, () => signIn(email, "wrong")));
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
      const limited = await signIn(email);
      expect(limited).toMatchObject({ status: 429, body: { reason: "TOO_MANY_REQUESTS" } });
      expect(Number(limited.headers["retry-after"])).toBeGreaterThan(800);
    }
    await moveTime(app.sql, 901_000);
  });

  test("the limit is in the database, so it holds for all processes", async () => {
    const user = await person();
    const [rowsBefore] = await app.sql`select count(*)::int as count from failed_attempt`;
    await signIn(user.email, "wrong");
    const [rows] = await app.sql`select count(*)::int as count from failed_attempt`;
    expect(rows!["count"]).toBe(rowsBefore!["count"] + 2);
    expect(JSON.stringify(await app.sql`select * from failed_attempt`)).not.toContain(user.email);
  });

  test("an IPv6 address counts as its /64 network", async () => {
    await app.sql`delete from failed_attempt`;
    for (const remoteAddress of ["2001:db8::1", "2001:db8:0:0:ffff::2", "2001:db8:0:1::1"]) {
      await app.server.inject({ method: "POST", url: path, remoteAddress, payload: { email: "ghost@example.com", password: "x" } });
    }
    const rows = await app.sql`select count(*)::int as count from failed_attempt group by subject order by count`;
    expect(rows.map(({ count }) => count)).toEqual([1, 2, 3]);
  });

  test("a success clears the account, and does not count against the address", async () => {
    const user = await person();
    for (let n = 0; n < 9; n++) await signIn(user.email, "wrong");
    const [before] = await app.sql`select count(*)::int as count from failed_attempt`;
    expect((await signIn(user.email)).status).toBe(200);
    const [after] = await app.sql`select count(*)::int as count from failed_attempt`;
    expect(after!["count"]).toBe(before!["count"] - 9);
    expect((await signIn(user.email, "wrong")).status).toBe(401);
  });
});

describe("change the own password", () => {
  const change = (cookie: string, body: object) => browser.put(path, body, { cookie });

  test("needs the current password; all other sessions end", async () => {
    const user = await person();
    const here = cookiesOf(await signIn(user.email));
    const elsewhere = cookiesOf(await signIn(user.email));
    expect((await change(here, { current: "wrong", new: "a new password" })).status).toBe(403);
    expect((await change(here, { current: secret, new: "short" })).status).toBe(400);
    expect(await change(here, { current: secret, new: "a new password" })).toMatchObject({ status: 204, text: "" });
    expect((await browser.get("/api/v2/profile", { cookie: here })).status).toBe(200);
    expect((await browser.get("/api/v2/profile", { cookie: elsewhere })).status).toBe(401);
    expect((await signIn(user.email)).status).toBe(401);
    expect((await signIn(user.email, "a new password")).status).toBe(200);
  });

  test("is refused for tokens that act as themselves or are restricted, and for users without a password", async () => {
    const user = await app.make.user();
    const body = { current: secret, new: "a new password" };
    expect((await app.as().put(path, body)).status).toBe(403);
    expect((await app.as(await app.make.userToken(user.id, ["**/read"])).put(path, body)).status).toBe(403);
    expect((await app.as(await app.make.userToken(user.id)).put(path, body)).status).toBe(409);
    expect((await browser.put(path, body)).status).toBe(401);
  });
});

describe("a code of an administrator", () => {
  const reset = "/api/v2/auth/password/reset";
  const codeFor = async (email: string) => (await asAdmin.post(`/api/v2/user/${email}/password-code`)).body;

  test("sets a password once, ends all sessions, and lets an invited user in", async () => {
    const user = await person();
    const cookie = cookiesOf(await signIn(user.email));
    const { code, expirationDate } = await codeFor(user.email);
    expect(code).toMatch(/^(?:\w{5}-){3}\w{5}$/);
    expect(new Date(expirationDate).getTime()).toBeGreaterThan(Date.now());
    const body = { email: user.email, code: code.toLowerCase(), new: "chosen by the user" };
    expect((await browser.post(reset, { ...body, code: "WRONG" })).status).toBe(401);
    expect((await browser.post(reset, { ...body, email: admin.email })).status).toBe(401);
    expect(await browser.post(reset, body)).toMatchObject({ status: 204, text: "" });
    expect((await browser.post(reset, body)).status).toBe(401);
    expect((await browser.get("/api/v2/profile", { cookie })).status).toBe(401);
    expect((await signIn(user.email, body.new)).status).toBe(200);

    const team = await app.make.team();
    await app.as().patch(`/api/v2/team/${team.name}`, { members: [{ email: "invited@example.com", role: "reader" }] });
    const invitation = await codeFor("invited@example.com");
    await browser.post(reset, { email: "invited@example.com", code: invitation.code, new: "chosen by the user" });
    expect((await signIn("invited@example.com", "chosen by the user")).status).toBe(200);
  });

  test("expires after a day, replaces earlier codes, and does not work for deactivated users", async () => {
    const user = await person();
    const first = await codeFor(user.email);
    const second = await codeFor(user.email);
    const attempt = ({ code }: { code: string }) => browser.post(reset, { email: user.email, code, new: "long enough" });
    expect((await attempt(first)).status).toBe(401);
    await asAdmin.patch(`/api/v2/user/${user.id}`, { status: "inactive" });
    expect((await attempt(second)).status).toBe(401);
    await asAdmin.patch(`/api/v2/user/${user.id}`, { status: "active" });
    await moveTime(app.sql, 25 * 3_600_000);
    expect((await attempt(second)).status).toBe(401);
  });

  test("can be created by administrators only, since it gives access to the whole account", async () => {
    const operator = await app.make.user({ type: "operator" });
    const user = await app.make.user();
    const refused = [
      await app.make.userToken(operator.id),
      await app.make.globalToken(["**/read", "**/write", "**/action"]),
      await app.make.userToken(admin.id, ["user/write"]),
      await app.make.userToken(user.id),
    ];
    for (const token of refused) {
      for (const id of [user.id, admin.id, operator.id]) {
        expect(await app.as(token).post(`/api/v2/user/${id}/password-code`)).toMatchObject({
          status: 403,
          body: { reason: "PERMISSION_DENIED" },
        });
      }
    }
    const [row] = await app.sql`select count(*)::int as count from app_user where id = ${user.id} and reset_code_hash is not null`;
    expect(row).toEqual({ count: 0 });
  });

  test("is shown to nobody else, and not created for users who can't use it", async () => {
    const user = await app.make.user();
    const { body } = await asAdmin.post(`/api/v2/user/${user.id}/password-code`);
    expect((await asAdmin.post("/api/v2/user/nobody@example.com/password-code")).status).toBe(404);
    const [row] = await app.sql`
      select (select count(*)::int from app_user u where u::text like ${`%${body.code}%`}) + (select count(*)::int from audit a where a::text like ${`%${body.code}%`}) as count`;
    expect(row).toEqual({ count: 0 });
    await asAdmin.patch(`/api/v2/user/${user.id}`, { status: "archived" });
    expect(await asAdmin.post(`/api/v2/user/${user.id}/password-code`)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining("archived") },
    });
  });
});

const openRules = {
  sessionSeconds: 60,
  idleSeconds: 60,
  administrators: [],
  emailDomains: [],
  trustsEmails: false,
  isProxyOn: false,
  isAuthOff: false,
};

test("the ways to sign in are shown to everyone, without a secret", async () => {
  expect((await browser.get("/api/v2/auth/methods")).body).toEqual({ auth: "on", methods: [{ type: "password", url: path }] });
  const open = await testApp({ config: { auth: "off" }, services: { signIn: { ...openRules, isAuthOff: true } } });
  expect((await open.as(null).get("/api/v2/auth/methods", { host: "localhost" })).body).toEqual({ auth: "off", methods: [] });
});
