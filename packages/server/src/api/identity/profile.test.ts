import { describe, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";

const app = await testApp();
const path = "/api/v2/profile";
const team = await app.make.team();
const member = await app.make.member(team.id, "editor");
const other = await app.make.team();
await app.as().patch(`/api/v2/team/${other.name}`, { members: [{ id: member.id, role: "reader" }], labels: { a: "b" } });
await app.as().post(`/api/v2/team/${other.name}/workflow`, { name: "one", tasks: [] });
const gone = await app.make.team();
await app.as().patch(`/api/v2/team/${gone.name}`, { members: [{ id: member.id, role: "owner" }] });
await app.as().delete(`/api/v2/team/${gone.name}`);

test("shows the caller, their teams with sizes, and the union of their permissions", async () => {
  const { status, body } = await app.as(member.token).get(path);
  expect(status).toBe(200);
  expect(body).toMatchObject({ id: member.id, email: member.email, type: "user", permissions: ["**/action", "**/read", "**/write"] });
  expect(body.teams).toHaveLength(2);
  expect(body.teams.find(({ id }: { id: string }) => id === other.id)).toEqual({
    id: other.id,
    name: other.name,
    displayName: other.name,
    creationDate: expect.any(String),
    status: "active",
    externalRef: null,
    labels: { a: "b" },
    role: "reader",
    insights: { workflows: 1, members: 1 },
  });
  const admin = await app.make.user({ type: "admin" });
  expect((await app.as(await app.make.userToken(admin.id)).get(path)).body).toMatchObject({ teams: [], permissions: ["**/**"] });
  expect((await app.as(await app.make.userToken(member.id, ["workflow/read"])).get(path)).body.permissions).toEqual(["workflow/read"]);
});

test("a token that acts as itself has no profile, and the error says what has one", async () => {
  for (const token of [await app.make.globalToken(), await app.make.teamToken(team.id)]) {
    for (const answer of [await app.as(token).get(path), await app.as(token).patch(path, {})]) {
      expect(answer).toMatchObject({ status: 403, body: { reason: "PERMISSION_DENIED", message: expect.stringContaining("user token") } });
    }
  }
  expect((await app.as(null).get(path)).status).toBe(401);
});

describe("changes", () => {
  test("name, display name, labels and settings", async () => {
    const as = app.as(member.token);
    const changed = { name: "M", displayName: "Em", labels: { x: "y" }, settings: { isShowHelp: false } };
    expect(await as.patch(path, changed)).toMatchObject({ status: 204, text: "" });
    const { body } = await as.get(path);
    expect(body).toMatchObject({ ...changed, settings: { isFirstVisit: true, isShowHelp: false, hasConsented: false } });
    expect((await as.patch(path, body)).status).toBe(204);
    expect((await as.get(path)).body).toEqual(body);
  });

  test.each([
    [{ type: "admin" }, 403],
    [{ status: "inactive" }, 403],
    [{ email: "other@example.com" }, 400],
    [{ type: "king" }, 400],
    [{ name: 7 }, 400],
  ])("%j is refused, and nothing changes", async (body, status) => {
    const before = (await app.as(member.token).get(path)).body;
    expect((await app.as(member.token).patch(path, { displayName: "half written", ...body })).status).toBe(status);
    expect((await app.as(member.token).get(path)).body).toEqual(before);
  });

  test("an administrator can't lower their own role, and a restricted token changes nothing", async () => {
    const admin = await app.make.user({ type: "admin" });
    expect((await app.as(await app.make.userToken(admin.id)).patch(path, { type: "user" })).status).toBe(403);
    expect((await app.as(await app.make.userToken(member.id, ["workflow/read"])).patch(path, { name: "x" })).status).toBe(403);
  });
});

test("while sign-in is off it shows an administrator, who can't be changed", async () => {
  const signIn = {
    sessionSeconds: 60,
    idleSeconds: 60,
    administrators: [],
    emailDomains: [],
    trustsEmails: false,
    isProxyOn: false,
    isAuthOff: true,
  };
  const open = await testApp({ config: { auth: "off" }, services: { signIn } });
  const local = open.as(null);
  expect(await local.get(path, { host: "localhost" })).toMatchObject({ status: 200, body: { type: "admin", permissions: ["**/**"] } });
  expect((await local.patch(path, { name: "x" }, { host: "localhost" })).status).toBe(403);
});
