import { describe, expect, test, vi } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { moveTime } from "../../../test/kit/database.ts";
import { isTokenText } from "../../base/secret/token-text.ts";

const app = await testApp();
const mint = (by: string | undefined, fields: object) =>
  app.as(by).post("/api/v2/token", { type: "team", name: "t", permissions: ["workflow/read"], ...fields });
const team = await app.make.team();
const foreign = await app.make.team();
const owner = await app.make.member(team.id, "owner");
const editor = await app.make.member(team.id, "editor");
const admin = await app.make.user({ type: "admin" });
const adminToken = await app.make.userToken(admin.id);

test("a team token works at once, as the team and no further than its permissions", async () => {
  const made = await mint(owner.token, { principal: team.name, permissions: ["team/read"] });
  expect(made).toMatchObject({ status: 200, body: { type: "team", id: expect.any(String), expirationDate: null } });
  expect(made.body.token).toMatch(/^mrt_/);
  expect(isTokenText(made.body.token)).toBe(true);
  const as = app.as(made.body.token);
  expect((await as.get(`/api/v2/team/${team.name}`)).status).toBe(200);
  expect((await as.get(`/api/v2/team/${foreign.name}`)).status).toBe(404);
  expect((await as.patch(`/api/v2/team/${team.name}`, { displayName: "x" })).status).toBe(403);
});

test("the database holds no token in clear", async () => {
  const { token } = (await mint(owner.token, { principal: team.name })).body;
  const [row] = await app.sql`
    select (select count(*)::int from token t where t::text like ${`%${token}%`}) + (select count(*)::int from audit a where a::text like ${`%${token}%`}) as count`;
  expect(row).toEqual({ count: 0 });
});

describe("a token never gets more permissions than its creator", () => {
  test.each([
    ["an owner, for the team", owner.token, { principal: team.id, permissions: ["**/**"] }, 200],
    ["an editor, within their permissions", editor.token, { principal: team.id, permissions: ["workflow/write", "**/read"] }, 200],
    ["an editor, beyond their permissions", editor.token, { principal: team.id, permissions: ["workflow/**"] }, 403],
    ["an owner, for a foreign team", owner.token, { principal: foreign.id }, 404],
    ["an owner, for the instance", owner.token, { type: "global" }, 403],
    ["an administrator, for the instance", adminToken, { type: "global", permissions: ["**/**"] }, 200],
    ["a user, for themselves", editor.token, { type: "user" }, 200],
    ["a user, for themselves by address", editor.token, { type: "user", principal: editor.email }, 200],
    ["a user, for someone else", owner.token, { type: "user", principal: editor.email }, 404],
    ["an administrator, for someone else", adminToken, { type: "user", principal: editor.email }, 200],
    ["an administrator, for nobody", adminToken, { type: "user", principal: "nobody@example.com" }, 404],
    ["the admin token, for no user", undefined, { type: "user" }, 400],
  ])("%s", async (_, by, fields, status) => expect((await mint(by, fields)).status).toBe(status));

  test("an administrator's token admits a user who was invited by address, with the invited role", async () => {
    await app.as(owner.token).patch(`/api/v2/team/${team.name}`, { members: [{ email: "invited@example.com", role: "reader" }] });
    const { body } = await mint(adminToken, { type: "user", principal: "Invited@Example.com", permissions: [] });
    expect((await app.as(body.token).get(`/api/v2/team/${team.name}`)).status).toBe(200);
    expect((await app.as(body.token).patch(`/api/v2/team/${team.name}`, {})).status).toBe(403);
  });

  test("a restricted token creates only tokens with the same restrictions, if any", async () => {
    const narrow = await app.make.userToken(owner.id, ["workflow/read"]);
    expect((await mint(narrow, { type: "user" })).status).toBe(403);
    const maker = await app.make.userToken(owner.id, ["token/write", "team/read", "workflow/read"]);
    expect((await mint(maker, { type: "user", permissions: ["workflow/write"] })).status).toBe(403);
    expect((await mint(maker, { principal: team.name, permissions: ["workflow/write"] })).status).toBe(403);
    const inherited = (await mint(maker, { type: "user", permissions: [] })).body.token;
    expect((await app.as(inherited).get(`/api/v2/team/${team.name}`)).status).toBe(200);
    expect((await app.as(inherited).patch(`/api/v2/team/${team.name}`, {})).status).toBe(403);
  });

  test("a token does not outlive the token that created it", async () => {
    const soon = new Date(Date.now() + 60_000).toISOString();
    const short = (await mint(owner.token, { type: "user", permissions: [], expirationDate: soon })).body;
    expect(short.expirationDate).toBe(soon);
    expect((await mint(short.token, { type: "user", permissions: [] })).body.expirationDate).toBe(soon);
    expect((await mint(short.token, { type: "user", permissions: [], expirationDate: "2999-01-01T00:00:00Z" })).status).toBe(403);
  });
});

test("a user token follows the current role of its user", async () => {
  const member = await app.make.member(team.id, "reader");
  const path = `/api/v2/team/${team.name}`;
  expect((await app.as(member.token).patch(path, {})).status).toBe(403);
  await app.as().patch(path, { members: [{ id: member.id, role: "editor" }] });
  expect((await app.as(member.token).patch(path, {})).status).toBe(200);
  await app.as().delete(`${path}/members`, [{ id: member.id }]);
  expect((await app.as(member.token).get(path)).status).toBe(404);
});

describe("a workflow token", async () => {
  const [workflow] = await app.sql`
    insert into workflow (team_id, name, display_name, triggers, latest_version) values (${team.id}, 'build', 'Build', '{}', 1) returning id`;
  const id = workflow!["id"] as string;

  test.each([
    ["by id", id],
    ["by team and name", `${team.name}/build`],
  ])("is minted %s", async (_, principal) => {
    const made = await mint(owner.token, { type: "workflow", principal });
    expect(made.body.token).toMatch(/^mrw_/);
    expect((await app.as(made.body.token).get(`/api/v2/team/${team.name}`)).status).toBe(403);
    expect(
      (
        await app
          .as(made.body.token)
          .post("/api/v2/token", { type: "team", name: "t", principal: team.name, permissions: ["workflow/read"] })
      ).status,
    ).toBe(403);
  });

  test.each([
    ["build", 400],
    [`${foreign.name}/build`, 404],
    [`${team.name}/other`, 404],
    ["0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e", 404],
  ])("for %s is refused", async (principal, status) =>
    expect((await mint(owner.token, { type: "workflow", principal })).status).toBe(status),
  );
});

test.each([
  [{ type: "session" }, "TOKEN_INVALID_SESSION_REQ"],
  [{ type: "robot" }, "TOKEN_INVALID_REQ"],
  [{ type: "team" }, "TOKEN_INVALID_REQ"],
  [{ principal: team.name, permissions: [] }, "TOKEN_INVALID_REQ"],
  [{ principal: team.name, permissions: ["workflow"] }, "TOKEN_INVALID_PERMISSION"],
  [{ principal: team.name, permissions: ["house/read"] }, "TOKEN_INVALID_PERMISSION"],
  [{ principal: team.name, permissions: ["workflow/Read"] }, "TOKEN_INVALID_PERMISSION"],
  [{ principal: team.name, permissions: ["**/team/read"] }, "TOKEN_INVALID_PERMISSION"],
  [{ principal: team.name, expirationDate: "2001-01-01T00:00:00Z" }, "TOKEN_INVALID_REQ"],
  [{ principal: team.name, expirationDate: "tomorrow" }, "TOKEN_INVALID_REQ"],
  [{ principal: team.name, expirationDate: "2999-13-45" }, "TOKEN_INVALID_REQ"],
  [{ principal: team.name, expirationDate: 8.64e15 }, "TOKEN_INVALID_REQ"],
  [{ principal: team.name, expirationDate: -8.64e15 }, "TOKEN_INVALID_REQ"],
  [{ principal: team.name, expirationDate: "0000-01-01" }, "TOKEN_INVALID_REQ"],
  [{ principal: team.name, expirationDate: 1e17 }, "TOKEN_INVALID_REQ"],
  [{ principal: team.name, name: " " }, "VALIDATION_FAILED"],
  [{ principal: 7 }, "VALIDATION_FAILED"],
])("%j is refused", async (fields, reason) => expect(await mint(undefined, fields)).toMatchObject({ status: 400, body: { reason } }));

describe("search and revoke", () => {
  test("tokens of a deleted workflow stop working at once", async () => {
    const path = `/api/v2/team/${team.name}/workflow`;
    const { body } = await app.as(owner.token).post(path, { name: "short-lived", tasks: [] });
    const token = await app.make.workflowToken(team.id, body.id);
    expect((await app.as(token).get(`${path}/short-lived`)).status).toBe(200);
    expect((await app.as(owner.token).delete(`${path}/short-lived`)).status).toBe(204);
    expect((await app.as(token).get(`${path}/short-lived`)).status).toBe(401);
  });

  test("`valid` lists tokens that work now: not expired, and with an active user", async () => {
    const user = await app.make.user();
    const asUser = app.as(await app.make.userToken(user.id));
    await asUser.post("/api/v2/token", { type: "user", name: "short", expirationDate: new Date(Date.now() + 60_000).toISOString() });
    const valid = async () =>
      (await app.as(adminToken).get(`/api/v2/token/query?limit=10&page=0&principals=${user.id}`)).body.content.map(
        (token: { valid: boolean }) => token.valid,
      );
    expect(await valid()).toEqual([true, true]);
    await app.as(adminToken).patch(`/api/v2/user/${user.id}`, { status: "inactive" });
    expect(await valid()).toEqual([false, false]);
    await app.as(adminToken).patch(`/api/v2/user/${user.id}`, { status: "active" });
    await moveTime(app.sql, 61_000);
    expect(await valid()).toEqual([true, false]);
  });

  test("a date without a zone is UTC, wherever the service runs; a blank principal is ignored", async () => {
    vi.stubEnv("TZ", "America/New_York");
    const fields = { type: "user", permissions: [], expirationDate: "2999-01-01T12:00:00" };
    expect((await mint(owner.token, fields)).body.expirationDate).toBe("2999-01-01T12:00:00.000Z");
    expect((await mint(owner.token, { ...fields, expirationDate: "2999-01-01T12:00:00+02:00" })).body.expirationDate).toBe(
      "2999-01-01T10:00:00.000Z",
    );
    expect((await mint(owner.token, { ...fields, expirationDate: "2999-01-01" })).body.expirationDate).toBe("2999-01-01T00:00:00.000Z");
    expect((await mint(owner.token, { ...fields, principal: " " })).status).toBe(200);
    expect((await mint(owner.token, { principal: "" })).body).toMatchObject({ reason: "TOKEN_INVALID_REQ" });
    vi.unstubAllEnvs();
  });

  test("everyone sees their own tokens, and those of teams whose tokens they may read", async () => {
    const names = async (by: string, query = "") =>
      (await app.as(by).get(`/api/v2/token/query?limit=100&page=0${query}`)).body.content.map(
        ({ principal }: { principal: string }) => principal,
      );
    const outsider = await app.make.member(foreign.id, "reader");
    await app.make.teamToken(foreign.id);
    expect(new Set(await names(outsider.token))).toEqual(new Set([outsider.id, foreign.id]));
    expect(await names(outsider.token, `&principals=${team.name}`)).toEqual([]);
    expect(await names(adminToken, `&principals=${foreign.name}&types=team`)).toEqual([foreign.id]);
    expect(await names(adminToken, `&principals=${outsider.email}`)).toEqual([outsider.id]);
    await app.make.globalToken();
    expect(new Set(await names(adminToken, "&principals=**"))).toEqual(new Set(["**"]));
    expect(await names(outsider.token, "&principals=**")).toEqual([]);
    expect(await names(adminToken, "&toDate=1")).toEqual([]);
    expect((await app.as(adminToken).get("/api/v2/token/query?limit=1&page=0&fromDate=5&toDate=1")).body.reason).toBe(
      "QUERY_INVALID_FILTERS",
    );
    expect(
      (await app.as(adminToken).get("/api/v2/token/query?limit=1&page=0&sort=expirationDate&order=desc&fromDate=8640000000000000")).status,
    ).toBe(200);
  });

  test("a revoked token stops working at once; outsiders can't revoke it or learn that it exists", async () => {
    const made = (await mint(owner.token, { principal: team.name })).body;
    const outsider = await app.make.member(foreign.id, "owner");
    expect((await app.as(made.token).get("/api/v2/team/roles")).status).toBe(200);
    expect((await app.as(outsider.token).delete(`/api/v2/token/${made.id}`)).status).toBe(404);
    expect((await app.as(editor.token).delete(`/api/v2/token/${made.id}`)).status).toBe(403);
    expect((await app.as(owner.token).delete(`/api/v2/token/${made.id}`)).status).toBe(204);
    expect((await app.as(made.token).get("/api/v2/team/roles")).status).toBe(401);
    expect((await app.as(owner.token).delete(`/api/v2/token/${made.id}`)).status).toBe(404);
    expect((await app.as(owner.token).delete("/api/v2/token/not-an-id")).status).toBe(404);
  });
});
