import { describe, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";

const app = await testApp();
const admin = await app.make.user({ type: "admin", email: "first-admin@example.com" });
const asAdmin = app.as(await app.make.userToken(admin.id));
const operator = await app.make.user({ type: "operator" });
const asOperator = app.as(await app.make.userToken(operator.id));
const path = (id: string) => `/api/v2/user/${id}`;
const read = async (id: string) => (await app.as().get(path(id))).body;

describe("read a user", () => {
  test("by id or address, with all that is stored", async () => {
    const user = await app.make.user({ email: "ada@example.com" });
    const wanted = {
      id: user.id,
      email: "ada@example.com",
      name: "ada",
      type: "user",
      status: "active",
      creationDate: expect.stringMatching(/T.*\.\d{3}Z$/),
      labels: {},
      settings: { isFirstVisit: true, isShowHelp: true, hasConsented: false },
    };
    expect(await asOperator.get(path(user.id))).toMatchObject({ status: 200, body: wanted });
    expect((await asOperator.get(path("Ada@Example.com"))).body).toEqual((await asAdmin.get(path(user.id.toUpperCase()))).body);
  });

  test.each(["nobody@example.com", "0198c1de-7d5c-7c3b-a1f0-2b7f6d2d9b1e", "%25", "x"])("%s does not exist", async (id) =>
    expect(await asAdmin.get(path(id))).toMatchObject({ status: 404, body: { code: 101, reason: "USER_NOT_FOUND" } }),
  );

  test("only for callers who may read the whole instance", async () => {
    const team = await app.make.team();
    const owner = await app.make.member(team.id, "owner");
    for (const credential of [owner.token, await app.make.teamToken(team.id)]) {
      expect((await app.as(credential).get(path(owner.id))).status).toBe(403);
      expect((await app.as(credential).get("/api/v2/user/query?limit=1&page=0")).status).toBe(403);
      expect((await app.as(credential).patch(path(owner.id), {})).status).toBe(403);
    }
    expect((await app.as(null).get(path(owner.id))).status).toBe(401);
  });
});

describe("search users", async () => {
  const emails = ["q1@example.com", "q2@example.com", "q3@example.com"];
  for (const email of emails) await app.make.user({ email });
  await app.as().patch(path("q1@example.com"), { labels: { "site.name": "a=b", team: "q" }, status: "archived" });
  await app.as().patch(path("q2@example.com"), { labels: { team: "q" } });
  const query = async (text: string) => asAdmin.get(`/api/v2/user/query?limit=10&page=0&ids=${emails.join(",")}${text}`);
  const found = async (text: string) => (await query(text)).body.content.map(({ email }: { email: string }) => email);

  test("by name, descending by default, in pages with exact totals", async () => {
    expect(await found("")).toEqual([...emails].reverse());
    expect(await found("&order=ASC&sort=email")).toEqual(emails);
    expect(await found("&order=ASC&sort=nonsense")).toEqual(emails);
    const page = await asAdmin.get(`/api/v2/user/query?limit=2&page=1&ids=${emails.join(",")}`);
    expect(page.body).toMatchObject({ totalElements: 3, totalPages: 2, numberOfElements: 1, last: true, sort: { sorted: true } });
  });

  test("each sort field pages without repeating or skipping", async () => {
    for (const sort of ["name", "displayName", "email", "type", "status", "creationDate", "lastLoginDate"]) {
      const seen = [];
      for (let page = 0; page < 3; page++) {
        const answer = await asAdmin.get(`/api/v2/user/query?limit=1&page=${page}&sort=${sort}&ids=${emails.join(",")}`);
        seen.push(...answer.body.content.map(({ email }: { email: string }) => email));
      }
      expect([sort, seen.sort()]).toEqual([sort, emails]);
    }
  });

  test("by labels, status and ids", async () => {
    expect(await found("&labels=team%3Dq&order=ASC")).toEqual(["q1@example.com", "q2@example.com"]);
    expect(await found("&labels=site.name%3Da%3Db,team%3Dq")).toEqual(["q1@example.com"]);
    expect(await found("&status=ARCHIVED")).toEqual(["q1@example.com"]);
    expect(await found("&status=inactive,deleted,pending_deletion")).toEqual([]);
    const { id } = await read("q3@example.com");
    expect((await asAdmin.get(`/api/v2/user/query?limit=10&page=0&ids=${id}`)).body.content).toMatchObject([{ id }]);
  });

  test.each([
    ["page=0", "VALIDATION_FAILED"],
    ["limit=1", "VALIDATION_FAILED"],
    ["limit=0&page=0", "VALIDATION_FAILED"],
    ["limit=1&page=0&status=asleep", "QUERY_INVALID_FILTERS"],
    ["limit=1&page=0&labels=x", "QUERY_INVALID_FILTERS"],
  ])("%s is refused", async (text, reason) =>
    expect(await asAdmin.get(`/api/v2/user/query?${text}`)).toMatchObject({ status: 400, body: { reason } }),
  );
});

describe("change a user", () => {
  test("only what is given changes; labels are merged", async () => {
    const { id } = await app.make.user();
    expect(await asAdmin.patch(path(id), { displayName: " Ada ", labels: { a: "1", b: "2" }, type: "Operator" })).toMatchObject({
      status: 204,
      text: "",
    });
    await asAdmin.patch(path(id), { labels: { a: null, c: "3" }, name: " ", settings: { hasConsented: true } });
    const before = await read(id);
    expect(before).toMatchObject({ displayName: "Ada", type: "operator", labels: { b: "2", c: "3" }, settings: { hasConsented: true } });
    expect((await asAdmin.patch(path(id), before)).status).toBe(204);
    expect(await read(id)).toEqual(before);
  });

  test("a deactivated user is locked out at once, with all tokens, until the account is active again", async () => {
    const { id } = await app.make.user();
    const token = await app.make.userToken(id);
    expect((await app.as(token).get("/api/v2/team/roles")).status).toBe(200);
    expect((await asAdmin.patch(path(id), { status: "inactive" })).status).toBe(204);
    expect((await app.as(token).get("/api/v2/team/roles")).status).toBe(401);
    await asAdmin.patch(path(id), { status: "active" });
    expect((await app.as(token).get("/api/v2/team/roles")).status).toBe(200);
  });

  test("an administrator who makes a token for a deactivated user does not let that user in", async () => {
    const user = await app.make.user();
    await asAdmin.patch(path(user.id), { status: "inactive" });
    await app.as().post("/api/v2/token", { type: "user", name: "t", principal: user.email });
    expect((await read(user.id)).status).toBe("inactive");
  });

  test("nobody grants more than they have, or changes a user above them", async () => {
    const someone = await app.make.user();
    expect((await asOperator.patch(path(someone.id), { type: "admin" })).status).toBe(403);
    expect((await asOperator.patch(path(admin.id), { type: "user" })).status).toBe(403);
    expect((await asOperator.patch(path(admin.id), { status: "inactive" })).status).toBe(403);
    expect((await asOperator.patch(path(operator.id), { type: "admin" })).status).toBe(403);
    expect((await asOperator.patch(path(operator.id), { status: "archived" })).status).toBe(403);
    expect((await asAdmin.patch(path(admin.id), { type: "user" })).status).toBe(403);
    expect((await app.as(await app.make.globalToken(["user/**"])).patch(path(someone.id), { type: "operator" })).status).toBe(403);
    expect((await asOperator.patch(path(someone.id), { type: "operator" })).status).toBe(204);
    expect((await asOperator.patch(path(admin.id), { labels: { seen: "yes" } })).status).toBe(204);
    expect((await read(admin.id)).type).toBe("admin");
  });

  test("the last active administrator stays, also when two demote each other at once", async () => {
    expect(await app.as().patch(path(admin.id), { status: "inactive" })).toMatchObject({ status: 409, body: { reason: "CONFLICT" } });
    expect((await app.as().delete(path(admin.id))).status).toBe(409);
    const second = await app.make.user({ type: "admin" });
    const asSecond = app.as(await app.make.userToken(second.id));
    const answers = await Promise.all([asAdmin.patch(path(second.id), { type: "user" }), asSecond.patch(path(admin.id), { type: "user" })]);
    expect(answers.map(({ status }) => status).sort()).not.toEqual([204, 204]);
    expect(
      (await app.as().get("/api/v2/user/query?limit=10&page=0&status=active")).body.content.filter(
        ({ type }: { type: string }) => type === "admin",
      ),
    ).not.toEqual([]);
    await app.as().patch(path(admin.id), { type: "admin" });
  });

  test.each([
    [{ type: "king" }, 400],
    [{ status: "asleep" }, 400],
    [{ email: "other@example.com" }, 400],
    [{ labels: { "": "x" } }, 400],
    [{ labels: { a: 1 } }, 400],
    [{ settings: { isShowHelp: "yes" } }, 400],
    ["{", 400],
    [undefined, 400],
  ])("%j is refused", async (body, status) => expect((await asAdmin.patch(path(operator.id), body)).status).toBe(status));

  test("leaves an audit record with the state before and after", async () => {
    const user = await app.make.user();
    await asAdmin.patch(path(user.id), { displayName: "New" });
    const [record] = await app.sql`select principal_id, action, before, after from audit where object_id = ${user.id}`;
    expect(record).toMatchObject({ principal_id: `user:${admin.id}`, action: "user/write", after: { displayName: "New" } });
    expect(record!["before"]).not.toHaveProperty("displayName");
  });
});

describe("delete a user", () => {
  test("is refused while the user belongs to teams, which are named; afterwards the tokens are gone and the votes stay", async () => {
    const team = await app.make.team();
    const member = await app.make.member(team.id, "editor");
    expect(await asAdmin.delete(path(member.id))).toMatchObject({
      status: 400,
      body: { code: 101, reason: "USER_UNABLE_TO_DELETE", message: expect.stringContaining(team.name) },
    });
    expect((await app.as(member.token).get("/api/v2/profile")).status).toBe(200);
    await app.as().delete(`/api/v2/team/${team.name}/members`, [{ id: member.id }]);
    expect(await asAdmin.delete(path(member.id))).toMatchObject({ status: 204, text: "" });
    expect((await app.as(member.token).get("/api/v2/team/roles")).status).toBe(401);
    expect((await asAdmin.get(path(member.id))).status).toBe(404);
    expect((await asAdmin.delete(path(member.id))).status).toBe(404);
    const [record] = await app.sql`select object_name from audit where object_id = ${member.id} and action = 'user/delete'`;
    expect(record).toEqual({ object_name: member.email });
  });

  test("is possible if all teams of the user are deleted", async () => {
    const team = await app.make.team();
    const member = await app.make.member(team.id, "owner");
    await app.as().delete(`/api/v2/team/${team.name}`);
    expect((await asAdmin.delete(path(member.id))).status).toBe(204);
  });

  test("needs its own permission; nobody deletes themselves or a user with more permissions", async () => {
    const user = await app.make.user();
    expect((await asOperator.delete(path(user.id))).status).toBe(403);
    expect((await asAdmin.delete(path(admin.id))).status).toBe(403);
    expect((await app.as(await app.make.globalToken(["user/**"])).delete(path(admin.id))).status).toBe(403);
    expect((await app.as(null).delete(path(user.id))).status).toBe(401);
  });
});
