import { describe, expect, test } from "vitest";
import { type Claims, forgingIssuer, signToken } from "../../../../test/fakes/forging-issuer.ts";
import { testApp } from "../../../../test/kit/app.ts";
import { cookiesOf } from "../../../../test/kit/cookie-jar.ts";
import { createOidcProvider } from "../../../integrations/sign-in/oidc-provider.ts";

const publicUrl = "https://millrace.example.com";
const issuer = await forgingIssuer();
const { url, clientId, clientSecret } = issuer;
const identityProvider = createOidcProvider({ issuer: url, clientId, clientSecret, scopes: "openid email profile" });
const rules = {
  publicUrl,
  sessionSeconds: 3600,
  idleSeconds: 600,
  emailDomains: [],
  trustsEmails: false,
  isProxyOn: false,
  isAuthOff: false,
};
const administrators = ["boss@example.com", "chief@example.com"];
const app = await testApp({ config: { publicUrl }, services: { signIn: { ...rules, administrators, identityProvider } } });
const browser = app.as(null);

async function begin(person: Claims, from = browser) {
  issuer.idToken = (claims, { privateKey }) => signToken({ alg: "RS256", kid: "published" }, { ...claims, ...person }, privateKey);
  const start = await from.get("/api/v2/auth/oidc/start");
  const back = new URL(issuer.visit(String(start.headers["location"])));
  return { path: back.pathname + back.search, cookie: cookiesOf(start) };
}

async function signIn(sub: string, email: string, more: Claims = {}) {
  const { path, cookie } = await begin({ sub, email, email_verified: true, ...more });
  return browser.get(path, { cookie });
}

async function profileOf(answer: Awaited<ReturnType<typeof signIn>>) {
  expect(answer.status, answer.text).toBe(302);
  return (await browser.get("/api/v2/profile", { cookie: cookiesOf(answer) })).body;
}

const user = async (reference: string) => (await app.as().get(`/api/v2/user/${reference}`)).body;
const unverified = { email_verified: undefined };

describe("a person is the issuer and subject of the first sign-in", () => {
  test("the same subject is the same user, and the address is updated as a label", async () => {
    const first = await profileOf(await signIn("ada", "ada@example.com"));
    expect((await user(first.id)).identity).toEqual({ issuer: url, subject: "ada" });
    const second = await profileOf(await signIn("ada", "ada.l@example.com"));
    expect(second).toMatchObject({ id: first.id, email: "ada.l@example.com" });
    // The address is free again, for its next owner.
    const heir = await profileOf(await signIn("another-ada", "ada@example.com"));
    expect(heir.id).not.toBe(first.id);
  });

  test("an address that nobody has verified, or that is someone else's, does not become the label", async () => {
    const { id } = await profileOf(await signIn("label", "label@example.com"));
    expect(await profileOf(await signIn("label", "changed@example.com", unverified))).toMatchObject({ id, email: "label@example.com" });
    await profileOf(await signIn("taken", "taken@example.com"));
    expect(await profileOf(await signIn("label", "taken@example.com"))).toMatchObject({ id, email: "label@example.com" });
  });

  test("the same address from another subject is refused until an administrator allows it", async () => {
    const { id } = await profileOf(await signIn("old", "moved@example.com"));
    const before = cookiesOf(await signIn("old", "moved@example.com"));
    const refused = await signIn("new", "moved@example.com");
    expect(refused).toMatchObject({ status: 403, body: { message: expect.stringContaining("administrator") } });
    expect(cookiesOf(refused)).toBe("");
    const { requestedIdentity, identity } = await user(id);
    expect(identity.subject).toBe("old");
    expect(requestedIdentity).toEqual({ issuer: url, subject: "new", date: expect.any(String) });
    // What was read can be sent back without accepting anything.
    expect((await app.as().patch(`/api/v2/user/${id}`, await user(id))).status).toBe(204);
    expect((await signIn("new", "moved@example.com")).status).toBe(403);
    const agreed = await app.as().patch(`/api/v2/user/${id}`, { identity: { issuer: url, subject: "new" } });
    expect(agreed.status, agreed.text).toBe(204);
    expect((await browser.get("/api/v2/profile", { cookie: before })).status).toBe(401);
    expect((await profileOf(await signIn("new", "moved@example.com"))).id).toBe(id);
    expect(await user(id)).toMatchObject({ identity: { subject: "new" } });
    expect((await user(id)).requestedIdentity).toBeUndefined();
    expect((await signIn("old", "moved@example.com")).status).toBe(403);
    const [record] = await app.sql`
      select before, after from audit where object_id = ${id} and action = 'user/write' and after->'identity'->>'subject' = 'new'`;
    expect(record).toMatchObject({ before: { identity: { subject: "old" } } });
  });

  test("only an administrator can allow it, and one subject is one user", async () => {
    const { id } = await profileOf(await signIn("mine", "mine@example.com"));
    await profileOf(await signIn("theirs", "theirs@example.com"));
    const operator = await app.make.user({ type: "operator" });
    const identity = { issuer: url, subject: "someone" };
    expect((await app.as(await app.make.userToken(operator.id)).patch(`/api/v2/user/${id}`, { identity })).status).toBe(403);
    const taken = await app.as().patch(`/api/v2/user/${id}`, { identity: { issuer: url, subject: "theirs" } });
    expect(taken).toMatchObject({ status: 409, body: { message: expect.stringContaining("theirs@example.com") } });
    expect((await app.as().patch(`/api/v2/user/${id}`, { identity: { issuer: url, subject: "" } })).status).toBe(400);
  });

  test("twenty first sign-ins at once make one user", async () => {
    const begun = await Promise.all(
      Array.from({ length: 20 }, () => begin({ sub: "many", email: "many@example.com", email_verified: true })),
    );
    // The provider returns the nonce of the last start, so the other sign-ins fail, but can be completed with their own nonce.
    const answers = await Promise.all(begun.map(({ path, cookie }) => browser.get(path, { cookie })));
    expect(answers.every(({ status }) => status === 302 || status === 401)).toBe(true);
    expect(await app.sql`select id from app_user where email = 'many@example.com'`).toHaveLength(1);
  });
});

describe("an existing user without a subject", () => {
  test("an invited user, or one with only a password, is linked by a verified address", async () => {
    const team = await app.make.team();
    await app.as().patch(`/api/v2/team/${team.name}`, { members: [{ email: "guest@example.com", role: "reader" }] });
    expect(await profileOf(await signIn("guest", "guest@example.com"))).toMatchObject({ status: "active", teams: [{ role: "reader" }] });
    const old = await app.make.user({ email: "old-timer@example.com" });
    expect((await profileOf(await signIn("old-timer", "Old-Timer@example.com"))).id).toBe(old.id);
    expect((await user(old.id)).identity).toEqual({ issuer: url, subject: "old-timer" });
  });

  test("is not there because of an address that nobody has verified: anyone who is invited by it later is someone else", async () => {
    const squatter = await signIn("squatter", "later@example.com", unverified);
    expect(squatter).toMatchObject({ status: 403, body: { message: expect.stringContaining("MILLRACE_OIDC_TRUST_EMAILS=true") } });
    expect(await app.sql`select from app_user where email = 'later@example.com'`).toHaveLength(0);
    const boss = await signIn("squatter", "boss@example.com", unverified);
    expect(boss.status).toBe(403);
    const team = await app.make.team();
    await app.as().patch(`/api/v2/team/${team.name}`, { members: [{ email: "later@example.com", role: "owner" }] });
    expect(await profileOf(await signIn("rightful", "later@example.com"))).toMatchObject({ teams: [{ role: "owner" }] });
  });

  test("is not linked by an address that the provider does not confirm", async () => {
    const team = await app.make.team();
    await app.as().patch(`/api/v2/team/${team.name}`, { members: [{ email: "invited@example.com", role: "owner" }] });
    const refused = await signIn("thief", "invited@example.com", unverified);
    expect(refused).toMatchObject({ status: 403, body: { message: expect.stringContaining("verified") } });
    const { status, requestedIdentity, id } = await user("invited@example.com");
    expect({ status, subject: requestedIdentity.subject }).toEqual({ status: "inactive", subject: "thief" });
    await app.as().patch(`/api/v2/user/${id}`, { identity: { issuer: url, subject: "thief" } });
    expect((await profileOf(await signIn("thief", "invited@example.com", unverified))).id).toBe(id);
  });

  test("is refused and not linked when deactivated", async () => {
    const gone = await app.make.user({ email: "gone@example.com" });
    await app.as().patch(`/api/v2/user/${gone.id}`, { status: "inactive" });
    expect((await signIn("gone", "gone@example.com")).body.message).toContain("not active");
    expect((await user(gone.id)).identity).toBeUndefined();
  });

  test("is found in any Unicode form of the address", async () => {
    const { id } = await app.make.user({ email: "j\u00f6rg@example.com" });
    expect((await profileOf(await signIn("joerg", "jo\u0308rg@example.com"))).id).toBe(id);
    expect((await signIn("joerg-2", "jo\u00adrg@example.com")).status).toBe(403);
    expect((await signIn("joerg-3", "\u202egro@example.com")).status).toBe(403);
  });
});

describe("administrators by address", () => {
  test("need an address that the provider has verified", async () => {
    const trusting = { ...rules, administrators, trustsEmails: true, identityProvider };
    const other = await testApp({ config: { publicUrl }, services: { signIn: trusting } });
    const { path, cookie } = await begin({ sub: "not-boss", email: "boss@example.com", ...unverified }, other.as(null));
    const answer = await other.as(null).get(path, { cookie });
    expect(answer.status).toBe(302);
    expect((await other.as(null).get("/api/v2/profile", { cookie: cookiesOf(answer) })).body.type).toBe("user");
    expect((await profileOf(await signIn("chief", "chief@example.com"))).type).toBe("admin");
  });

  test("a domain makes administrators only of verified addresses", async () => {
    const narrow = { ...rules, administrators, emailDomains: ["example.com"], identityProvider };
    const other = await testApp({ config: { publicUrl }, services: { signIn: narrow } });
    const go = async (more: Claims) => {
      const { path, cookie } = await (async () => {
        issuer.idToken = (claims, { privateKey }) =>
          signToken({ alg: "RS256", kid: "published" }, { ...claims, sub: "x", email: "x@example.com", ...more }, privateKey);
        const start = await other.as(null).get("/api/v2/auth/oidc/start");
        const back = new URL(issuer.visit(String(start.headers["location"])));
        return { path: back.pathname + back.search, cookie: cookiesOf(start) };
      })();
      return (await other.as(null).get(path, { cookie })).status;
    };
    expect(await go({})).toBe(403);
    expect(await go({ email_verified: true })).toBe(302);
  });
});

describe("the cookie of a sign-in that is under way", () => {
  test("can be used once, also concurrently and if the provider repeats the code", async () => {
    const { path, cookie } = await begin({ sub: "once", email: "once@example.com", email_verified: true });
    const answers = await Promise.all(Array.from({ length: 10 }, () => browser.get(path, { cookie })));
    expect(answers.map(({ status }) => status).sort()).toEqual([302, ...Array(9).fill(401)]);
    expect(await browser.get(path, { cookie })).toMatchObject({
      status: 401,
      body: { message: expect.stringContaining("already used") },
    });
  });

  test("is used up by a sign-in that failed", async () => {
    const { path, cookie } = await begin({ sub: "", email: "nobody@example.com" });
    expect((await browser.get(path, { cookie })).status).toBe(401);
    issuer.idToken = (claims, { privateKey }) =>
      signToken(
        { alg: "RS256", kid: "published" },
        { ...claims, sub: "late", email: "late@example.com", email_verified: true },
        privateKey,
      );
    expect((await browser.get(path, { cookie })).body.message).toContain("already used");
  });
});
