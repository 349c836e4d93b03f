import { describe, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";

const proxy = { addresses: ["10.0.0.7", "10.1.0.0/16", "fd00::/8"], emailHeader: "x-forwarded-email", nameHeader: "x-forwarded-user" };
const signIn = {
  sessionSeconds: 60,
  idleSeconds: 60,
  administrators: ["boss@example.com"],
  emailDomains: [],
  trustsEmails: false,
  isProxyOn: true,
  isAuthOff: false,
};
const app = await testApp({ config: { proxy }, services: { signIn } });

async function send(remoteAddress: string, headers: Record<string, string>, path = "/api/v2/profile", method = "GET", on = app) {
  const isBody = method === "PATCH";
  const answer = await on.server.inject({
    method: method as "GET",
    url: path,
    remoteAddress,
    headers: { ...headers, ...(isBody && { "content-type": "application/json" }) },
    ...(isBody && { payload: "{}" }),
  });
  return { status: answer.statusCode, body: answer.body === "" ? undefined : JSON.parse(answer.body) };
}

const ada = { "x-forwarded-email": "Ada@Example.com", "x-forwarded-user": "Ada" };

describe("an identity asserted by the proxy", () => {
  test("creates the user on the first visit and is that user from then on", async () => {
    const first = await send("10.0.0.7", ada);
    expect(first).toMatchObject({ status: 200, body: { email: "ada@example.com", name: "Ada", type: "user" } });
    for (const peer of ["10.1.2.3", "::ffff:10.0.0.7", "fd00::1"]) expect((await send(peer, ada)).body.id).toBe(first.body.id);
    const records = await app.sql`select principal_name, after from audit where object_kind = 'user' and object_name = 'ada@example.com'`;
    expect(records).toMatchObject([{ principal_name: "ada@example.com", after: { via: "proxy" } }]);
  });

  test.each(["10.0.0.8", "10.2.0.1", "127.0.0.1", "::ffff:10.0.0.8", "::1"])("counts not from %s", async (peer) => {
    expect((await send(peer, { ...ada, "x-forwarded-for": "10.0.0.7" })).status).toBe(401);
  });

  test("must be one address", async () => {
    for (const email of ["nobody", "a@b.c,d@e.f", "a b@example.com"])
      expect((await send("10.0.0.7", { "x-forwarded-email": email })).status).toBe(401);
    expect((await send("10.0.0.7", { "x-forwarded-user": "Ada" })).status).toBe(401);
  });

  test("is read as UTF-8, and no letter outside of A to Z is folded into another person's address", async () => {
    const bytes = (text: string) => Buffer.from(text, "utf8").toString("latin1");
    expect((await send("10.0.0.7", { "x-forwarded-email": bytes("j\u00f6rg@example.com") })).body.email).toBe("j\u00f6rg@example.com");
    await app.make.user({ email: "kim@example.com" });
    for (const email of ["\u212aim@example.com", "\u0130da@example.com", "J\u00d6RG@example.com", "\ufffd@example.com"]) {
      expect([email, (await send("10.0.0.7", { "x-forwarded-email": bytes(email) })).status]).toEqual([email, 401]);
    }
  });

  test("is overridden by one of our tokens, but not by a foreign bearer token", async () => {
    const user = await app.make.user();
    const own = { authorization: `Bearer ${await app.make.userToken(user.id)}` };
    expect((await send("10.0.0.7", { ...ada, ...own })).body.id).toBe(user.id);
    expect((await send("10.0.0.7", { ...ada, authorization: "Bearer mrg_revoked" })).status).toBe(401);
    expect((await send("10.0.0.7", { ...ada, authorization: "Bearer eyJhbGciOi.J9.x" })).body.email).toBe("ada@example.com");
  });

  test("admits invited users, refuses deactivated ones, and promotes those in the configuration", async () => {
    const team = await app.make.team();
    await app.as().patch(`/api/v2/team/${team.name}`, { members: [{ email: "guest@example.com", role: "reader" }] });
    expect((await send("10.0.0.7", { "x-forwarded-email": "guest@example.com" })).body).toMatchObject({ teams: [{ role: "reader" }] });
    await app.as().patch("/api/v2/user/guest@example.com", { status: "inactive" });
    expect(await send("10.0.0.7", { "x-forwarded-email": "guest@example.com" })).toMatchObject({
      status: 403,
      body: { reason: "PERMISSION_DENIED" },
    });
    expect((await send("10.0.0.7", { "x-forwarded-email": "boss@example.com" })).body.type).toBe("admin");
  });

  test("promotes a recent visitor at once, too, and each change of rights is in the audit", async () => {
    const records = (email: string) =>
      app.sql`select before, after from audit where object_kind = 'user' and object_name = ${email} order by id`;
    const chief = { "x-forwarded-email": "chief@example.com" };
    expect((await send("10.0.0.7", chief)).body.type).toBe("user");
    // As after a restart with another configuration: the cache is empty.
    signIn.administrators.push("chief@example.com");
    await app.as().patch(`/api/v2/team/${(await app.make.team()).name}`, {});
    expect((await send("10.0.0.7", chief)).body.type).toBe("admin");
    await send("10.0.0.7", chief);
    expect(await records("chief@example.com")).toMatchObject([
      { before: null, after: { type: "user", status: "active" } },
      { before: { type: "user", status: "active" }, after: { type: "admin", status: "active", via: "proxy" } },
    ]);
    const team = await app.make.team();
    await app.as().patch(`/api/v2/team/${team.name}`, { members: [{ email: "awaited@example.com", role: "reader" }] });
    await send("10.0.0.7", { "x-forwarded-email": "awaited@example.com" });
    expect(await records("awaited@example.com")).toMatchObject([{ before: { status: "inactive" }, after: { status: "active" } }]);
  });

  test("does not cover changes from a foreign page", async () => {
    const change = (headers: Record<string, string>) => send("10.0.0.7", { ...ada, ...headers }, "/api/v2/profile", "PATCH");
    expect((await change({ origin: "https://evil.example.com" })).status).toBe(403);
    expect((await change({ "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await change({ "sec-fetch-site": "same-origin" })).status).toBe(204);
  });

  test("creates nobody before the instance is activated", async () => {
    const fresh = await testApp({ isActivated: false, config: { proxy }, services: { signIn } });
    expect((await send("10.0.0.7", ada, "/api/v2/profile", "GET", fresh)).status).toBe(423);
    expect(await fresh.sql`select 1 from app_user`).toHaveLength(0);
  });
});

test("without that setting such headers are ignored", async () => {
  const plain = await testApp();
  const addressOnly = await testApp({ config: { proxy: { ...proxy, emailHeader: undefined } } });
  for (const other of [plain, addressOnly]) {
    for (const peer of ["127.0.0.1", "10.0.0.7"]) expect((await send(peer, ada, "/api/v2/profile", "GET", other)).status).toBe(401);
  }
});
