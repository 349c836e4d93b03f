import { describe, expect, test } from "vitest";
import { testApp } from "../../../../test/kit/app.ts";
import { cheapPasswordHash } from "../../../../test/kit/cheap-password.ts";
import { cookiesOf, setCookies } from "../../../../test/kit/cookie-jar.ts";
import { moveTime } from "../../../../test/kit/database.ts";
import { createLog } from "../../../base/process/log.ts";
import { createHousekeepingService } from "../../../services/housekeeping-service.ts";

const publicUrl = "https://millrace.example.com";
const app = await testApp({ config: { publicUrl } });
const browser = app.as(null);
const sessions = "/api/v2/auth/sessions";
const signOut = "/api/v2/auth/sign-out";
const hash = cheapPasswordHash("correct horse battery");

async function signedIn(type: "user" | "admin" = "user") {
  const user = await app.make.user({ type });
  await app.sql`update app_user set password_hash = ${hash} where id = ${user.id}`;
  const again = async () =>
    cookiesOf(
      await browser.post("/api/v2/auth/password", { email: user.email, password: "correct horse battery" }, { "user-agent": "Tests" }),
    );
  return { ...user, cookie: await again(), again };
}

const profile = async (cookie: string) => (await browser.get("/api/v2/profile", { cookie })).status;

describe("the cookie", () => {
  test("under HTTPS it is Secure and of this host only, and counts under that name alone", async () => {
    const { cookie } = await signedIn();
    expect(cookie).toMatch(/^__Host-millrace-session=mrs_/);
    expect(await profile(cookie)).toBe(200);
    expect(await profile(`other=1; ${cookie}; more=2`)).toBe(200);
    expect(await profile(cookie.replace("__Host-", ""))).toBe(401);
    expect(await profile(`${cookie}x`)).toBe(401);
    expect(await profile("__Host-millrace-session=")).toBe(401);
    expect(await profile("=; ;;__Host-millrace-session=%ff")).toBe(401);
  });

  test("signing in again in the same browser ends the previous session", async () => {
    const { cookie, email } = await signedIn();
    expect(await profile(cookie)).toBe(200);
    const body = { email, password: "correct horse battery" };
    const next = cookiesOf(await browser.post("/api/v2/auth/password", body, { cookie }));
    expect([await profile(cookie), await profile(next)]).toEqual([401, 200]);
  });

  test("a token in a header takes precedence, also a bad one", async () => {
    const { cookie } = await signedIn();
    const other = await app.make.user();
    const answer = await app.as(await app.make.userToken(other.id)).get("/api/v2/profile", { cookie });
    expect(answer.body.id).toBe(other.id);
    expect((await app.as("nonsense").get("/api/v2/profile", { cookie })).status).toBe(401);
  });

  test.each<[string, Record<string, string>, number]>([
    ["a page of ours", { "sec-fetch-site": "same-origin", origin: publicUrl }, 204],
    ["an older browser on a page of ours", { origin: publicUrl }, 204],
    ["a page under the name that the request was sent to", { origin: "https://localhost:80" }, 204],
    ["no page at all", {}, 204],
    ["the address bar", { "sec-fetch-site": "none" }, 204],
    ["a foreign page", { "sec-fetch-site": "cross-site", origin: "https://evil.example.com" }, 403],
    ["a page of a neighbouring host", { "sec-fetch-site": "same-site", origin: "https://other.example.com" }, 403],
    ["a foreign page in an older browser", { origin: "https://evil.example.com" }, 403],
    ["a page of ours by plain HTTP", { origin: "http://millrace.example.com" }, 403],
    ["a page by plain HTTP under the name that the request was sent to", { origin: "http://localhost:80" }, 403],
    ["a page of another port", { origin: "https://millrace.example.com:8443" }, 403],
    ["a sandboxed frame", { origin: "null" }, 403],
    ["a malformed origin", { origin: "https://" }, 403],
  ])("a change from %s", async (_, headers, status) => {
    const { cookie } = await signedIn();
    expect((await browser.patch("/api/v2/profile", { name: "x" }, { cookie, ...headers })).status).toBe(status);
    expect((await browser.get("/api/v2/profile", { cookie, ...headers })).status).toBe(200);
  });

  test("a GET that changes something is a change; a token by header needs no origin", async () => {
    const admin = await signedIn("admin");
    const callback = "/api/v2/callback?ref=0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e&topic=t";
    expect((await browser.get(callback, { cookie: admin.cookie, "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await browser.get(callback, { cookie: admin.cookie })).status).toBe(404);
    const token = await app.make.userToken(admin.id);
    expect((await app.as(token).patch("/api/v2/profile", {}, { origin: "https://evil.example.com" })).status).toBe(204);
  });

  // A mail program opens addresses without any page, and our own pages show links that people wrote.
  test.each<[string, Record<string, string>, number]>([
    ["a link in a mail", { "sec-fetch-site": "none", "sec-fetch-mode": "navigate" }, 403],
    ["a link that someone wrote into a text on a page of ours", { "sec-fetch-site": "same-origin", "sec-fetch-mode": "navigate" }, 403],
    ["a link in an older browser", { accept: "text/html,application/xhtml+xml,*/*;q=0.8" }, 403],
    ["a script of ours", { "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors", accept: "*/*" }, 404],
    ["a script of ours in an older browser", { accept: "*/*" }, 404],
  ])("a GET that changes something, from %s", async (_, headers, status) => {
    const admin = await signedIn("admin");
    const callback = "/api/v2/callback?ref=0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e&topic=t";
    expect((await browser.get(callback, { cookie: admin.cookie, ...headers })).status).toBe(status);
    expect((await browser.get("/api/v2/profile", { cookie: admin.cookie, ...headers })).status).toBe(200);
    // A program that can only open an address has a token in it, or an address that the run has given.
    const token = await app.make.userToken(admin.id);
    expect((await browser.get(`${callback}&access_token=${token}`, headers)).status).toBe(404);
  });
});

describe("a session ends", () => {
  test("by signing out, which removes the cookie too and can be repeated", async () => {
    const { cookie, again } = await signedIn();
    const other = await again();
    expect((await browser.post(signOut, undefined, { cookie, origin: "https://evil.example.com" })).status).toBe(403);
    const answer = await browser.post(signOut, undefined, { cookie });
    expect(answer).toMatchObject({ status: 204, text: "" });
    expect(setCookies(answer)).toEqual(["__Host-millrace-session=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax"]);
    expect(await profile(cookie)).toBe(401);
    expect(await profile(other)).toBe(200);
    expect((await browser.post(signOut, undefined, { cookie })).status).toBe(204);
    expect((await browser.post(signOut)).status).toBe(204);
  });

  test("a day after it began, whatever is done in it, by the database's clock", async () => {
    const { cookie } = await signedIn();
    for (let hours = 0; hours < 23; hours += 7) {
      await moveTime(app.sql, 7 * 3_600_000);
      await forget();
      expect([hours, await profile(cookie)]).toEqual([hours, hours < 21 ? 200 : 401]);
    }
  });

  test("eight hours after it was last used", async () => {
    const { cookie } = await signedIn();
    await moveTime(app.sql, 7.9 * 3_600_000);
    await forget();
    expect(await profile(cookie)).toBe(200);
    await moveTime(app.sql, 8.1 * 3_600_000);
    await forget();
    expect(await profile(cookie)).toBe(401);
    expect(await profile(cookie)).toBe(401);
  });

  test("with its user, and when the user is deactivated", async () => {
    const deactivated = await signedIn();
    await app.as().patch(`/api/v2/user/${deactivated.id}`, { status: "inactive" });
    expect(await profile(deactivated.cookie)).toBe(401);
    await app.as().patch(`/api/v2/user/${deactivated.id}`, { status: "active" });
    expect(await profile(deactivated.cookie)).toBe(401);
    const deleted = await signedIn();
    await app.as().delete(`/api/v2/user/${deleted.id}`);
    expect(await profile(deleted.cookie)).toBe(401);
  });

  test("when the browser starts another one", async () => {
    const first = await signedIn();
    const body = { email: first.email, password: "correct horse battery" };
    await browser.post("/api/v2/auth/password", body, { cookie: first.cookie });
    expect((await app.sql`select 1 from token where user_id = ${first.id}`).length).toBe(1);
  });

  test("and is removed, with outdated attempts", async () => {
    await browser.post("/api/v2/auth/password", { email: "nobody@example.com", password: "x" });
    const { id } = await signedIn();
    await moveTime(app.sql, 4 * 24 * 3_600_000);
    await createHousekeepingService(app.sql, createLog("silent")).tick();
    expect(await app.sql`select 1 from token where user_id = ${id}`).toHaveLength(0);
    expect(await app.sql`select 1 from failed_attempt`).toHaveLength(0);
  });

  /** What this process remembers for two seconds is dropped by any change of rights. */
  const forget = () => app.as().post("/api/v2/team", { name: `t${Math.random()}`, displayName: "t" });
});

describe("everyone sees and ends their own", () => {
  test("with when, where and in which browser it was begun", async () => {
    const { cookie, again } = await signedIn();
    const other = await again();
    const { body } = await browser.get(sessions, { cookie });
    expect(body).toHaveLength(2);
    expect(body[1]).toEqual({
      id: expect.any(String),
      creationDate: expect.any(String),
      lastUsedDate: expect.any(String),
      expirationDate: expect.any(String),
      address: "127.0.0.1",
      userAgent: "Tests",
      current: true,
    });
    expect((await browser.delete(`${sessions}/${body[0].id}`, undefined, { cookie })).status).toBe(204);
    expect(await profile(other)).toBe(401);
    expect(await profile(cookie)).toBe(200);
    expect((await browser.delete(`${sessions}/${body[0].id}`, undefined, { cookie })).status).toBe(404);
  });

  test("not those of others, unless the caller may change users", async () => {
    const mine = await signedIn();
    const theirs = await signedIn();
    const [session] = (await browser.get(sessions, { cookie: theirs.cookie })).body;
    expect((await browser.delete(`${sessions}/${session.id}`, undefined, { cookie: mine.cookie })).status).toBe(404);
    expect((await browser.delete(`/api/v2/token/${session.id}`, undefined, { cookie: mine.cookie })).status).toBe(404);
    expect((await browser.get("/api/v2/token/query?limit=100&page=0", { cookie: mine.cookie })).text).not.toContain(session.id);
    const admin = await signedIn("admin");
    const found = await browser.get(`/api/v2/token/query?limit=9&page=0&types=session&principals=${theirs.email}`, {
      cookie: admin.cookie,
    });
    expect(found.body.content).toMatchObject([{ id: session.id, type: "session", valid: true }]);
    expect((await browser.delete(`${sessions}/${session.id}`, undefined, { cookie: admin.cookie })).status).toBe(204);
    expect(await profile(theirs.cookie)).toBe(401);
  });

  test("an operator signs out users and operators, but no administrator", async () => {
    const operator = await app.make.user({ type: "operator" });
    const as = app.as(await app.make.userToken(operator.id));
    for (const [type, status] of [
      ["admin", 403],
      ["user", 204],
    ] as const) {
      const theirs = await signedIn(type);
      const [session] = (await browser.get(sessions, { cookie: theirs.cookie })).body;
      expect((await as.delete(`${sessions}/${session.id}`)).status).toBe(status);
      expect(await profile(theirs.cookie)).toBe(status === 403 ? 200 : 401);
    }
  });

  test.each(["x", "%25", "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e"])("there is no session %s", async (id) =>
    expect((await app.as().delete(`${sessions}/${id}`)).status).toBe(404),
  );

  test("a caller without sessions gets the reason", async () => {
    expect((await app.as().get(sessions)).status).toBe(403);
    expect((await browser.get(sessions)).status).toBe(401);
    const { id } = await app.make.user();
    expect((await app.as(await app.make.userToken(id, ["**/read"])).get(sessions)).status).toBe(403);
  });
});

test("a token created in a session outlives it", async () => {
  const { cookie } = await signedIn();
  const made = await browser.post("/api/v2/token", { type: "user", name: "cli" }, { cookie });
  expect(made).toMatchObject({ status: 200, body: { expirationDate: null } });
  await browser.post(signOut, undefined, { cookie });
  expect((await app.as(made.body.token).get("/api/v2/profile")).status).toBe(200);
});
