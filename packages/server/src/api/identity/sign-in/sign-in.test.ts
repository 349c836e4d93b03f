import { describe, expect, test } from "vitest";
import { testApp } from "../../../../test/kit/app.ts";
import { cheapPasswordHash } from "../../../../test/kit/cheap-password.ts";
import { cookiesOf, setCookies } from "../../../../test/kit/cookie-jar.ts";

const app = await testApp({ config: { publicUrl: "https://millrace.example.com" } });
const browser = app.as(null);
const signIn = "/api/v2/auth/token";
const caller = "/api/v2/auth/caller";
const team = await app.make.team({ name: "owls" });
const workflow = async () => (await app.as().post("/api/v2/team/owls/workflow", { name: `w-${crypto.randomUUID()}` })).body;

/** The cookie of a browser after signing in with that token. */
async function cookieOf(token: string): Promise<string> {
  const answer = await app.as(token).post(signIn);
  expect(answer.status).toBe(204);
  return cookiesOf(answer);
}
const callerOf = async (cookie: string) => (await browser.get(caller, { cookie })).body;

describe("every kind of access token signs a browser in", () => {
  test("the administrator's", async () => {
    expect(await callerOf(await cookieOf("admin-token-of-the-tests"))).toMatchObject({
      kind: "global",
      userId: null,
      permissions: ["**/**"],
    });
  });

  test("a global one, with its permissions", async () => {
    const cookie = await cookieOf(await app.make.globalToken(["workflow/read"]));
    expect(await callerOf(cookie)).toMatchObject({ kind: "global", permissions: ["workflow/read"], teams: [] });
  });

  test("a team's, for its team", async () => {
    const cookie = await cookieOf(await app.make.teamToken(team.id, ["workflow/read"]));
    const own = { id: team.id, name: "owls", displayName: "owls", permissions: ["workflow/read"] };
    expect(await callerOf(cookie)).toMatchObject({ kind: "team", userId: null, permissions: [], teams: [own] });
  });

  test("a user's, as that user", async () => {
    const member = await app.make.member(team.id, "reader");
    expect(await callerOf(await cookieOf(member.token))).toMatchObject({ kind: "user", userId: member.id, email: member.email });
  });

  test("a workflow's, limited to its workflow", async () => {
    const [own, other] = [await workflow(), await workflow()];
    const cookie = await cookieOf(await app.make.workflowToken(team.id, own.id));
    expect(await callerOf(cookie)).toMatchObject({ kind: "workflow", teams: [{ id: team.id }] });
    const read = async (id: string) => (await browser.get(`/api/v2/team/owls/workflow/${id}`, { cookie })).status;
    expect([await read(own.id), await read(other.id)]).toEqual([200, 404]);
  });

  test("but not a session, an empty value, or a text that is not a token", async () => {
    const { id, email } = await app.make.user();
    await app.sql`update app_user set password_hash = ${cheapPasswordHash("correct horse battery")} where id = ${id}`;
    const session = cookiesOf(await browser.post("/api/v2/auth/password", { email, password: "correct horse battery" }));
    const text = session.split("=")[1] as string;
    for (const [answer, status] of [
      [await app.as(text).post(signIn), 400],
      [await browser.post(signIn, undefined, { cookie: session }), 400],
      [await browser.post(signIn), 401],
      [await app.as("mrg_unknown").post(signIn), 401],
    ] as const)
      expect([answer.status, setCookies(answer)]).toEqual([status, []]);
  });
});

describe("the cookie of a token", () => {
  test("is out of reach of scripts, of other hosts and of plain HTTP", async () => {
    const [line] = setCookies(await app.as().post(signIn));
    expect(line).toMatch(/^__Host-millrace-session=/);
    for (const word of ["HttpOnly", "Secure", "SameSite=Lax", "Path=/"]) expect(line).toContain(word);
  });

  test.each([{ "sec-fetch-site": "cross-site" }, { "sec-fetch-site": "same-site" }, { origin: "https://evil.example.com" }])(
    "is not sent to a page of another origin and allows no change from it: %j",
    async (headers) => {
      const token = await app.make.globalToken();
      const refused = await app.as(token).post(signIn, undefined, headers as unknown as Record<string, string>);
      expect([refused.status, setCookies(refused)]).toEqual([403, []]);
      const cookie = await cookieOf(token);
      const change = await browser.post("/api/v2/team", { name: "foreign", displayName: "Foreign" }, { cookie, ...headers } as never);
      expect(change.status).toBe(403);
    },
  );

  test("stops working as soon as the token is revoked", async () => {
    const made = (await app.as().post("/api/v2/token", { type: "global", name: "to-be-revoked", permissions: ["**/read"] })).body;
    const cookie = await cookieOf(made.token);
    expect((await browser.get(caller, { cookie })).status).toBe(200);
    const { content } = (await app.as().get("/api/v2/token/query?types=global&limit=100&page=0")).body;
    const { id } = content.find(({ name }: { name: string }) => name === "to-be-revoked");
    await app.as().delete(`/api/v2/token/${id}`);
    expect((await browser.get(caller, { cookie })).status).toBe(401);
  });

  test("is removed by signing out, and the token stays valid", async () => {
    const token = await app.make.globalToken();
    const cookie = await cookieOf(token);
    const [line] = setCookies(await browser.post("/api/v2/auth/sign-out", undefined, { cookie }));
    expect(line).toMatch(/^__Host-millrace-session=;.*Max-Age=0/);
    expect((await app.as(token).get(caller)).status).toBe(200);
  });
});

test("signing in with a token is in the audit, with its name and without its text", async () => {
  const token = await app.make.globalToken(["workflow/read"]);
  await app.as(token).post(signIn);
  const { body, text } = await app.as().get("/api/v2/audit/query?limit=5&page=0");
  expect(body.content[0]).toMatchObject({ object: { kind: "token" } });
  expect(text).not.toContain(token);
});

test("a caller who is not signed in is shown as anonymous", async () => {
  expect((await browser.get(caller)).status).toBe(401);
});
