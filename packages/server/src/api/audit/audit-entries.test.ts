import { describe, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";

const app = await testApp();
const team = await app.make.team();
const other = await app.make.team();
const editor = await app.make.member(team.id, "editor");
const owner = await app.make.member(team.id, "owner");
const operator = await app.make.user({ type: "operator" });
const operatorToken = await app.make.userToken(operator.id);
const base = `/api/v2/team/${team.name}`;

/** Who does what, in this order. */
const workflow = (await app.as(editor.token).post(`${base}/workflow`, { name: "nightly" }, { "x-request-id": "first-request" })).body;
await app.as(owner.token).put(`${base}/workflow`, {
  name: "nightly",
  displayName: "Nightly",
  params: [{ name: "key", type: "password", default: "open sesame" }],
});
const run = (await app.as(editor.token).post(`${base}/workflow/nightly/submit`, {})).body;
await app.as().post(`/api/v2/team/${other.name}/workflow`, { name: "nightly" });
await app.as(operatorToken).post("/api/v2/workflowtemplate", { name: "shared" });
const minted = (
  await app.as(owner.token).post("/api/v2/token", { type: "team", name: "robot", principal: team.name, permissions: ["workflow/write"] })
).body;
await app.as(minted.token).post(`${base}/workflow`, { name: "by-robot" });
await app.as(owner.token).delete(`${base}/workflow/by-robot`);

const query = (parameters = "", token: string | null = owner.token) =>
  app.as(token).get(`${base}/audit/query?limit=100&page=0${parameters}`);
// biome-ignore lint/suspicious/noExplicitAny: tests read answers of any shape
const told = (body: any) => body.content.map((entry: any) => `${entry.action} ${entry.object.name ?? entry.object.id}`);
const found = async (parameters: string) => told((await query(parameters)).body);
const everywhere = async (parameters: string) =>
  told((await app.as(operatorToken).get(`/api/v2/audit/query?limit=100&page=0${parameters}`)).body);

describe("GET team audit/query", () => {
  test("lists all writes of the team, newest first", async () => {
    const { body } = await query();
    expect(told(body)).toEqual([
      "workflow/delete by-robot",
      "workflow/write by-robot",
      "token/write robot",
      "workflow/action nightly",
      "workflow/write nightly",
      "workflow/write nightly",
    ]);
    expect(body).toMatchObject({ totalElements: 6, totalPages: 1 });
    expect(await found("&order=ASC")).toEqual(told(body).reverse());
    const second = (await app.as(owner.token).get(`${base}/audit/query?limit=4&page=1`)).body;
    expect(second).toMatchObject({ totalElements: 6, totalPages: 2, numberOfElements: 2, last: true });
    expect(told(second)).toEqual(["workflow/write nightly", "workflow/write nightly"]);
  });

  test("an entry says who, with which token, what, when, and what was before and after, without secrets", async () => {
    const { content } = (await query("&order=ASC")).body;
    expect(content[0]).toEqual({
      id: expect.any(String),
      date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      team: { id: team.id, name: team.name },
      actor: { principal: `user:${editor.id}`, type: "user", name: expect.any(String), tokenRef: expect.any(String) },
      action: "workflow/write",
      object: { kind: "workflow", id: workflow.id, name: "nightly" },
      requestId: "first-request",
      before: null,
      after: expect.objectContaining({ name: "nightly", version: 1 }),
    });
    expect(content[1]).toMatchObject({ before: { version: 1, displayName: "nightly" }, after: { version: 2, displayName: "Nightly" } });
    expect(JSON.stringify(content)).not.toMatch(/sesame|mrsealed|mrt_/);
    const { body } = await app.as(owner.token).get(`${base}/audit/${content[1].id}`);
    expect(body).toEqual(content[1]);
  });

  test("finds by actor: principal, id, address, name, or the name of a token", async () => {
    const byEditor = ["workflow/action nightly", "workflow/write nightly"];
    for (const actor of [`user:${editor.id}`, editor.id, editor.email, editor.email.toUpperCase(), editor.email.split("@")[0]]) {
      expect(await found(`&actors=${actor}`)).toEqual(byEditor);
    }
    expect(await found("&actors=Robot")).toEqual(["workflow/write by-robot"]);
    expect(await found(`&actors=${minted.id}`)).toEqual(["workflow/write by-robot"]);
    expect(await found("&actors=nobody")).toEqual([]);
    expect(await found(`&actors=robot,${editor.id}`)).toHaveLength(3);
  });

  test("finds by the name of a deleted token", async () => {
    const gone = (
      await app.as(owner.token).post("/api/v2/token", { type: "team", name: "gone", principal: team.id, permissions: ["workflow/write"] })
    ).body;
    await app.as(gone.token).put(`${base}/workflow`, { name: "of-gone" });
    await app.as(owner.token).delete(`/api/v2/token/${gone.id}`);
    expect(await found("&actors=gone")).toEqual(["workflow/write of-gone"]);
    expect(await found(`&objects=${gone.id}`)).toEqual(["token/delete gone", "token/write gone"]);
    await app.sql`delete from audit where object_name in ('gone', 'of-gone')`;
  });

  test("finds by object, kind, action and request", async () => {
    expect(await found("&objects=NIGHTLY")).toEqual(["workflow/write nightly", "workflow/write nightly"]);
    expect(await found(`&objects=${workflow.id}`)).toHaveLength(2);
    expect(await found(`&objects=${run.id}`)).toEqual(["workflow/action nightly"]);
    expect(await found("&kinds=token,workflowrun")).toEqual(["token/write robot", "workflow/action nightly"]);
    expect(await found("&actions=workflow/delete")).toEqual(["workflow/delete by-robot"]);
    expect(await found("&requestId=first-request")).toEqual(["workflow/write nightly"]);
    expect(await found(`&kinds=workflow&actors=${owner.id}&actions=workflow/write`)).toEqual(["workflow/write nightly"]);
  });

  test("finds by time", async () => {
    const { content } = (await query()).body;
    const newest = Date.parse(content[0].date);
    expect(await found(`&fromDate=${newest}`)).toContain("workflow/delete by-robot");
    expect(await found(`&toDate=${newest}`)).not.toContain("workflow/delete by-robot");
    expect(await found(`&fromDate=0&toDate=${newest + 1}`)).toHaveLength(6);
    expect(await found(`&fromDate=${newest + 60_000}`)).toEqual([]);
  });

  test.each(["&fromDate=2&toDate=1", "&order=up", "&fromDate=x", "&limit=0"])("refuses %s", async (parameters) => {
    expect((await query(parameters)).status).toBe(400);
  });

  test("needs the permission to change the team", async () => {
    const call = async (token: string | null) => (await query("", token)).status;
    expect(await call(null)).toBe(401);
    expect(await call((await app.make.member(other.id, "owner")).token)).toBe(404);
    expect(await call((await app.make.member(team.id, "reader")).token)).toBe(403);
    expect(await call(editor.token)).toBe(200);
    expect((await app.as(owner.token).get(`${base}/audit/query?limit=1`)).status).toBe(400);
  });
});

describe("GET team audit/{auditId}", () => {
  test("knows the records of its team only", async () => {
    const [foreign] = await app.sql`select id from audit where team_id = ${other.id}`;
    for (const id of [foreign!["id"], "nonsense", team.id]) {
      const answer = await app.as(owner.token).get(`${base}/audit/${id}`);
      expect(answer).toMatchObject({ status: 404, body: { reason: "NOT_FOUND", message: `There is no audit record ${id}` } });
    }
    expect((await app.as(operatorToken).get(`/api/v2/audit/${foreign!["id"]}`)).body.team.name).toBe(other.name);
  });
});

describe("GET audit/query", () => {
  test("covers all teams and what belongs to none", async () => {
    expect(await everywhere("&kinds=workflowtemplate")).toEqual(["workflowtemplate/write shared"]);
    expect(await everywhere(`&teams=${other.name}`)).toEqual(["workflow/write nightly"]);
    expect(await everywhere(`&teams=${team.id},${other.id}&objects=nightly`)).toHaveLength(3);
    expect(await everywhere(`&actors=${operator.email}`)).toEqual(["workflowtemplate/write shared"]);
    expect(await everywhere("&actors=admin%20token")).toEqual(["workflow/write nightly"]);
  });

  test("needs the permission to read the system", async () => {
    expect((await app.as(owner.token).get("/api/v2/audit/query?limit=1&page=0")).status).toBe(403);
    expect((await app.as(null).get("/api/v2/audit/query?limit=1&page=0")).status).toBe(401);
    expect((await app.as(await app.make.globalToken(["system/read"])).get("/api/v2/audit/query?limit=1&page=0")).status).toBe(200);
    expect((await app.as(operatorToken).get("/api/v2/audit/nonsense")).status).toBe(404);
  });

  test("leaves the states out where a page would be too large, and says so", async () => {
    const large = "x".repeat(3_000_000);
    await app.sql`
      insert into audit (principal_kind, principal_id, action, object_kind, before)
      select 'user', 'user:large', 'task/write', 'large', json_build_object('text', ${large}::text) from generate_series(1, 4)`;
    const { content } = (await app.as(operatorToken).get("/api/v2/audit/query?limit=10&page=0&kinds=large")).body;
    expect(content.map((entry: { truncated?: boolean }) => entry.truncated === true)).toEqual([false, false, true, true]);
    expect(content[3].before).toBeNull();
    expect((await app.as(operatorToken).get(`/api/v2/audit/${content[3].id}`)).body.before.text).toBe(large);
  });
});
