import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { testIssuer } from "../../../../test/fakes/test-issuer.ts";
import { testApp } from "../../../../test/kit/app.ts";
import { cookiesOf, setCookies } from "../../../../test/kit/cookie-jar.ts";
import { moveTime } from "../../../../test/kit/database.ts";
import { createOidcProvider } from "../../../integrations/sign-in/oidc-provider.ts";

const publicUrl = "https://millrace.example.com";
const redirectUri = `${publicUrl}/api/v2/auth/oidc/callback`;
const startPath = "/api/v2/auth/oidc/start";
const rules = {
  publicUrl,
  sessionSeconds: 3600,
  idleSeconds: 600,
  administrators: ["boss@example.com"],
  emailDomains: ["example.com"],
  trustsEmails: false,
  isProxyOn: false,
  isAuthOff: false,
};
const scopes = "openid email profile";

async function appFor({ url: issuer, clientId, clientSecret }: { url: string; clientId: string; clientSecret: string }) {
  const identityProvider = createOidcProvider({ issuer, clientId, clientSecret, scopes });
  return testApp({ config: { publicUrl }, services: { signIn: { ...rules, identityProvider } } });
}

const issuer = await testIssuer({ redirectUri });
const app = await appFor(issuer);
const browser = app.as(null);

/** From the first click to the address that the provider redirects the browser to; `change` modifies the request on the way. */
async function goThere(person: Record<string, unknown>, change: (url: URL) => void = () => {}, query = "") {
  issuer.person = { sub: String(person["email"]), email_verified: true, ...person };
  const start = await browser.get(startPath + query);
  expect(start.status).toBe(302);
  const there = new URL(String(start.headers["location"]));
  change(there);
  const back = new URL(await issuer.visit(there.href));
  return { start, back, cookie: cookiesOf(start) };
}

const comeBack = (back: URL, cookie: string, headers = {}) => browser.get(back.pathname + back.search, { cookie, ...headers });

async function signIn(person: Record<string, unknown>) {
  const { back, cookie } = await goThere(person);
  return comeBack(back, cookie);
}

describe("the whole way", () => {
  test("goes through the provider with PKCE, state and nonce, and returns to the first page with a session", async () => {
    const { start, back, cookie } = await goThere({ email: "Ada@Example.com", name: "Ada L" }, undefined, "?returnTo=%2Fhawks%3Ftab%3D1");
    const there = new URL(String(start.headers["location"]));
    expect(Object.fromEntries(there.searchParams)).toMatchObject({
      response_type: "code",
      client_id: issuer.clientId,
      redirect_uri: redirectUri,
      scope: scopes,
      code_challenge_method: "S256",
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{40,}$/),
      nonce: expect.stringMatching(/^[\w-]{40,}$/),
    });
    expect(cookie).not.toContain(there.searchParams.get("state"));
    const answer = await comeBack(back, cookie, { "user-agent": "Test Browser" });
    expect(answer).toMatchObject({ status: 302, headers: { location: "/hawks?tab=1" } });
    const [gone, session] = setCookies(answer);
    expect(gone).toMatch(/^__Host-millrace-sign-in=; Max-Age=0/);
    expect(session).toMatch(/^__Host-millrace-session=mrs_\w+; Max-Age=3600; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    const profile = await browser.get("/api/v2/profile", { cookie: cookiesOf(answer) });
    expect(profile).toMatchObject({
      status: 200,
      body: { email: "ada@example.com", name: "Ada L", type: "user", status: "active", lastLoginDate: expect.any(String) },
    });
    expect((await browser.get("/api/v2/auth/sessions", { cookie: cookiesOf(answer) })).body).toMatchObject([
      { userAgent: "Test Browser", address: "127.0.0.1", current: true },
    ]);
    const [record] = await app.sql`select action, principal_name, after from audit where object_kind = 'session'`;
    expect(record).toMatchObject({ principal_name: "ada@example.com", after: { via: "oidc", isNewUser: true } });
  });

  test("the second time it is the same user, with their current name, and no longer on a first visit", async () => {
    const first = await browser.get("/api/v2/profile", { cookie: cookiesOf(await signIn({ email: "ben@example.com", name: "Ben" })) });
    const second = await browser.get("/api/v2/profile", {
      cookie: cookiesOf(await signIn({ email: "ben@example.com", name: "Benjamin" })),
    });
    expect(second.body).toMatchObject({ id: first.body.id, name: "Benjamin", settings: { isFirstVisit: false } });
    expect(first.body.settings.isFirstVisit).toBe(true);
  });

  test("an invited person gets the role of the invitation; a deactivated one is refused", async () => {
    const team = await app.make.team();
    await app.as().patch(`/api/v2/team/${team.name}`, { members: [{ email: "guest@example.com", role: "reader" }] });
    const cookie = cookiesOf(await signIn({ email: "guest@example.com" }));
    expect((await browser.get("/api/v2/profile", { cookie })).body).toMatchObject({ status: "active", teams: [{ role: "reader" }] });
    await app.as().patch("/api/v2/user/guest@example.com", { status: "inactive" });
    expect((await browser.get("/api/v2/profile", { cookie })).status).toBe(401);
    const refused = await signIn({ email: "guest@example.com" });
    expect(refused).toMatchObject({ status: 403, body: { reason: "PERMISSION_DENIED", message: expect.stringContaining("not active") } });
    expect(cookiesOf(refused)).toBe("");
    expect((await app.as().get("/api/v2/user/guest@example.com")).body.status).toBe("inactive");
  });

  test("a person named in the configuration becomes an administrator", async () => {
    const cookie = cookiesOf(await signIn({ email: "boss@example.com" }));
    expect((await browser.get("/api/v2/profile", { cookie })).body).toMatchObject({ type: "admin", permissions: ["**/**"] });
  });

  test("claims may be at the userinfo endpoint only", async () => {
    const shy = await testIssuer({ redirectUri, isUserinfoOnly: true });
    const other = await appFor(shy);
    shy.person = { sub: "1", email: "shy@example.com", email_verified: true, name: "Shy" };
    const start = await other.as(null).get(startPath);
    const back = new URL(await shy.visit(String(start.headers["location"])));
    const answer = await other.as(null).get(back.pathname + back.search, { cookie: cookiesOf(start) });
    expect((await other.as(null).get("/api/v2/profile", { cookie: cookiesOf(answer) })).body).toMatchObject({ name: "Shy" });
  });
});

describe("nobody is signed in", () => {
  const mallory = { email: "mallory@example.com" };

  test.each<[string, (back: URL) => void]>([
    ["with another state", (back) => back.searchParams.set("state", "x".repeat(43))],
    ["without a state", (back) => back.searchParams.delete("state")],
    ["with a code that the provider did not give", (back) => back.searchParams.set("code", "x".repeat(43))],
    ["without a code", (back) => back.searchParams.delete("code")],
    ["by the answer of another issuer", (back) => back.searchParams.set("iss", "https://other.example.com")],
    [
      "when the provider says no",
      (back) => {
        back.searchParams.delete("code");
        back.searchParams.set("error", "access_denied");
      },
    ],
  ])("%s", async (_, change) => {
    const { back, cookie } = await goThere(mallory);
    change(back);
    const answer = await comeBack(back, cookie);
    expect(answer).toMatchObject({ status: 401, body: { reason: "UNAUTHENTICATED" } });
    expect(cookiesOf(answer)).toBe("");
  });

  test.each<[string, (there: URL) => void]>([
    ["another nonce", (there) => there.searchParams.set("nonce", "x".repeat(43))],
    ["another code challenge", (there) => there.searchParams.set("code_challenge", "x".repeat(43))],
  ])("when the provider was asked with %s", async (_, change) => {
    const { back, cookie } = await goThere(mallory, change);
    expect(await comeBack(back, cookie)).toMatchObject({ status: 401, body: { reason: "UNAUTHENTICATED" } });
  });

  test("twice by one code", async () => {
    const { back, cookie } = await goThere({ email: "once@example.com" });
    expect((await comeBack(back, cookie)).status).toBe(302);
    expect(await comeBack(back, cookie)).toMatchObject({ status: 401, body: { message: expect.stringContaining("already used") } });
  });

  test("in another browser, by another's cookie, or by one that was tampered with", async () => {
    const one = await goThere(mallory);
    const other = await goThere(mallory);
    const path = one.back.pathname + one.back.search;
    expect((await browser.get(path)).status).toBe(401);
    expect((await comeBack(one.back, other.cookie)).status).toBe(401);
    expect((await comeBack(one.back, `${one.cookie}x`)).status).toBe(401);
    expect((await comeBack(one.back, one.cookie.replace("__Host-", ""))).status).toBe(401);
  });

  test("after ten minutes by the database's clock", async () => {
    const { back, cookie } = await goThere(mallory);
    await moveTime(app.sql, 601_000);
    expect((await comeBack(back, cookie)).status).toBe(401);
    await moveTime(app.sql, -601_000);
    expect((await comeBack(back, cookie)).status).toBe(302);
  });

  test.each([
    ["without an address", { email: undefined, sub: "42" }],
    ["with something that is not an address", { email: "not an address" }],
    ["with an address that the provider has not verified", { email: "unverified@example.com", email_verified: false }],
    ["with an address of a domain that is not let in", { email: "ada@example.com.evil.org" }],
  ])("%s", async (_, person) => {
    const answer = await signIn(person);
    expect(answer).toMatchObject({ status: 403, body: { reason: "PERMISSION_DENIED" } });
    expect(cookiesOf(answer)).toBe("");
  });

  test("none of these creates a user or a session", async () => {
    const users =
      await app.sql`select email from app_user where email like '%mallory%' or email like '%unverified%' or email like '%evil%'`;
    expect(users.map(({ email }) => email)).toEqual(["mallory@example.com"]);
  });
});

test.each([
  "https://evil.example.com/",
  "//evil.example.com",
  "/\\evil.example.com",
  "\\\\evil.example.com",
  "/%0d%0aset-cookie:x".replaceAll("%0d%0a", "\r\n"),
  "javascript:alert(1)",
  "hawks",
  "/\t/evil.example.com",
  "/..//evil.example.com",
  "/.//evil.example.com",
  "/%2e%2e//evil.example.com",
  "/hawks/../..//evil.example.com",
  "/%5cevil.example.com",
  `/${"x".repeat(1000)}`,
])("coming back to %j is refused", async (returnTo) => {
  const answer = await browser.get(`${startPath}?returnTo=${encodeURIComponent(returnTo)}`);
  expect(answer).toMatchObject({ status: 400, body: { reason: "VALIDATION_FAILED" } });
  expect(answer.headers["location"]).toBeUndefined();
});

test("a browser gets a refusal as a page, and no text in it is executed", async () => {
  const { back, cookie } = await goThere({ email: "x@example.com" });
  back.searchParams.set("error", "<script>alert(1)</script>");
  back.searchParams.delete("code");
  const answer = await comeBack(back, cookie, { accept: "text/html,application/xhtml+xml" });
  expect(answer).toMatchObject({ status: 401, headers: { "content-type": "text/html; charset=utf-8" } });
  expect(answer.text).toContain("You are not signed in");
  expect(answer.text).not.toContain("<script>");
});

test("an unreachable issuer blocks neither the start nor anything else, and works once it is back", async () => {
  const reserved = createServer();
  await new Promise<void>((resolve) => reserved.listen(0, "127.0.0.1", resolve));
  const { port } = reserved.address() as AddressInfo;
  await new Promise((resolve) => reserved.close(resolve));
  const late = await appFor({ ...issuer, url: `http://127.0.0.1:${port}` });
  expect(await late.as(null).get(startPath)).toMatchObject({
    status: 503,
    headers: { "retry-after": "10" },
    body: { reason: "NOT_READY", message: expect.stringContaining("identity provider") },
  });
  expect((await late.as(null).get("/api/v2/auth/methods")).body).toMatchObject({ methods: [{ type: "oidc", url: startPath }] });
  await testIssuer({ redirectUri, port });
  expect((await late.as(null).get(startPath)).status).toBe(302);
});

test("a wrong client secret is reported as that", async () => {
  const other = await appFor({ ...issuer, clientSecret: "not the secret" });
  const start = await other.as(null).get(startPath);
  const back = new URL(await issuer.visit(String(start.headers["location"])));
  expect(await other.as(null).get(back.pathname + back.search, { cookie: cookiesOf(start) })).toMatchObject({
    status: 409,
    body: { reason: "INTEGRATION_NOT_CONFIGURED", message: expect.stringContaining("MILLRACE_OIDC_CLIENT_SECRET") },
  });
});

test("single sign-on is refused without a provider, and before activation", async () => {
  const bare = await testApp();
  for (const path of [startPath, "/api/v2/auth/oidc/callback?code=x&state=y"]) {
    expect(await bare.as(null).get(path)).toMatchObject({ status: 409, body: { reason: "INTEGRATION_NOT_CONFIGURED" } });
  }
  const identityProvider = createOidcProvider({ issuer: issuer.url, clientId: "x", clientSecret: undefined, scopes });
  const fresh = await testApp({ isActivated: false, services: { signIn: { ...rules, identityProvider } } });
  expect((await fresh.as(null).get(startPath)).status).toBe(423);
});
