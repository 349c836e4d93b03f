import { beforeAll, describe, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { makeTask } from "../../../test/kit/workflow-factories.ts";

const app = await testApp();
const path = "/api/v2/workflowtemplate";
const team = await app.make.team();
const reader = (await app.make.member(team.id, "reader")).token;

beforeAll(async () => {
  await makeTask(app.sql, { name: "shell", versions: 2 });
  for (const name of ["alpha", "beta", "gamma", "delta"]) {
    await app.as().post(path, { name, labels: { kind: name.length === 4 ? "short" : "long" }, tasks: [{ name: "a", taskRef: "shell" }] });
  }
  await app.as().put(path, { name: "alpha", tasks: [{ name: "a", taskRef: "shell", taskVersion: 1 }] });
});

const query = (parameters: string) => app.as(reader).get(`${path}/query?${parameters}`);
const names = async (parameters: string) => (await query(parameters)).body.content.map(({ name }: { name: string }) => name);

describe("GET workflowtemplate/query", () => {
  test("lists the latest version of each once, by date, with exact totals", async () => {
    expect(await names("limit=10&page=0")).toEqual(["beta", "gamma", "delta", "alpha"]);
    expect(await names("limit=10&page=0&sort=desc")).toEqual(["alpha", "delta", "gamma", "beta"]);
    const { body } = await query("sort=ASC&limit=3&page=1");
    expect(body).toMatchObject({ totalElements: 4, totalPages: 2, numberOfElements: 1, first: false, last: true });
    expect(body.content).toMatchObject([{ name: "alpha", version: 2, upgradesAvailable: true }]);
    expect(body.content[0].tasks).toHaveLength(3);
  });

  test("filters by names, ids and labels", async () => {
    const { body } = await app.as(reader).get(`${path}/beta`);
    expect(await names(`limit=10&page=0&names=GAMMA,${body.id},nope`)).toEqual(["beta", "gamma"]);
    expect(await names("limit=10&page=0&labels=kind%3Dshort")).toEqual(["beta"]);
    expect((await query("limit=10&page=0&labels=kind%3Dnone")).body).toMatchObject({ totalElements: 0, empty: true });
  });

  test.each([
    ["limit=10", 400],
    ["page=0", 400],
    ["limit=0&page=0", 400],
    ["limit=10&page=0&sort=up", 400],
    ["limit=10&page=0&labels=x", 400],
  ])("refuses %s", async (parameters, status) => expect((await query(parameters)).status).toBe(status));

  test("is for everyone who is signed in", async () => {
    expect((await app.as(null).get(`${path}/query?limit=1&page=0`)).status).toBe(401);
    expect((await app.as(await app.make.teamToken(team.id)).get(`${path}/query?limit=1&page=0`)).status).toBe(200);
  });
});

describe("GET workflowtemplate/{name}", () => {
  test("reads a version, by name or id, with its tasks or without", async () => {
    const { body, headers } = await app.as(reader).get(`${path}/alpha?version=1`);
    expect(body).toMatchObject({ name: "alpha", version: 1, upgradesAvailable: false });
    expect((await app.as(reader).get(`${path}/${body.id}?withTasks=false`)).body).toMatchObject({ name: "alpha", version: 2, tasks: [] });
    const tag = { "if-none-match": headers["etag"] as string };
    expect((await app.as(reader).get(`${path}/alpha?version=1`, tag)).status).toBe(304);
  });

  test("distinguishes an unknown template from an unknown version", async () => {
    expect(await app.as(reader).get(`${path}/nope`)).toMatchObject({
      status: 404,
      body: { code: 1401, reason: "TASK_INVALID_REFERENCE", message: "There is no task or template nope" },
    });
    expect(await app.as(reader).get(`${path}/alpha?version=3`)).toMatchObject({
      status: 404,
      body: { code: 1401, message: "There is no task or template alpha in version 3" },
    });
    expect((await app.as(reader).get(`${path}/alpha?version=0`)).status).toBe(400);
    expect((await app.as(reader).get(`${path}/nope/changelog`)).status).toBe(404);
    expect((await app.as(null).get(`${path}/alpha`)).status).toBe(401);
  });
});

describe("DELETE workflowtemplate/{name}", () => {
  test("removes it with all its versions, and frees its name", async () => {
    const { headers } = await app.as().post(path, { name: "gone", markdown: "kept in the record" });
    await app.as().put(path, { name: "gone" });
    const stale = { "if-match": headers["etag"] as string };
    expect((await app.as().send("DELETE", `${path}/gone`, undefined, stale)).status).toBe(412);
    expect(await app.as().delete(`${path}/GONE`)).toMatchObject({ status: 204, text: "" });
    expect((await app.as(reader).get(`${path}/gone?version=1`)).status).toBe(404);
    expect((await app.as().delete(`${path}/gone`)).body.reason).toBe("TASK_INVALID_REFERENCE");
    expect((await app.as().post(path, { name: "gone" })).body.version).toBe(1);
    const [record] = await app.sql`select before, after from audit where object_name = 'gone' and action = 'workflowtemplate/delete'`;
    expect(record).toMatchObject({ before: { name: "gone", version: 2 }, after: null });
  });

  test("needs an administrator: operators may write, but not delete", async () => {
    const operator = await app.make.userToken((await app.make.user({ type: "operator" })).id);
    expect((await app.as(operator).delete(`${path}/beta`)).status).toBe(403);
    expect((await app.as(reader).delete(`${path}/beta`)).status).toBe(403);
    expect((await app.as(null).delete(`${path}/beta`)).status).toBe(401);
  });
});
