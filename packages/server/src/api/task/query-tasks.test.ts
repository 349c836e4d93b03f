import { expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";

const app = await testApp();
const spec = { script: "x" };
const [mine, other] = [await app.make.team(), await app.make.team()];
const member = app.as((await app.make.member(mine.id, "reader")).token);
const names = ["alpha", "beta", "gamma", "delta"];
for (const name of names) {
  await app.as().post(`/api/v2/team/${mine.name}/task`, { name, labels: { letter: name[0], "a.b/c": "x=y,z" }, spec });
}
await app.as().post(`/api/v2/team/${other.name}/task`, { name: "foreign", spec });
await app.as().post("/api/v2/task", { name: "global", spec });
await app.as().put(`/api/v2/team/${mine.name}/task/beta`, { spec: { script: "newer" } });
await app.as().put(`/api/v2/team/${mine.name}/task/gamma`, { status: "inactive", spec });

const query = async (parameters: string, client = member, path = `/api/v2/team/${mine.name}/task/query`) =>
  client.get(`${path}?${parameters}`);
const found = async (parameters: string) =>
  (await query(`limit=10&page=0&${parameters}`)).body.content.map(({ name }: { name: string }) => name);

test("a page has the latest version of each task of the team, with exact totals", async () => {
  const answer = await query("limit=3&page=0&sort=ASC");
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({
    content: [{ name: "alpha" }, { name: "beta", version: 2, spec: { script: "newer" } }, { name: "gamma", status: "inactive" }],
    number: 0,
    size: 3,
    numberOfElements: 3,
    totalElements: 4,
    totalPages: 2,
    first: true,
    last: false,
    empty: false,
  });
  expect((await query("limit=3&page=1&sort=ASC")).body).toMatchObject({ content: [{ name: "delta" }], last: true, totalElements: 4 });
  expect((await query("limit=3&page=9")).body).toMatchObject({ content: [], empty: true, totalElements: 4 });
});

test("filters and order", async () => {
  expect(await found("")).toEqual(names);
  expect(await found("sort=DESC")).toEqual([...names].reverse());
  expect(await found("statuses=active")).toEqual(["alpha", "beta", "delta"]);
  expect(await found("statuses=Inactive")).toEqual(["gamma"]);
  expect(await found("statuses=active,inactive")).toEqual(names);
  expect(await found("names=delta,alpha,nothing")).toEqual(["alpha", "delta"]);
  expect(await found("labels=letter%3Db")).toEqual(["beta"]);
  expect(await found(`labels=letter%3Db,${encodeURIComponent("a.b/c=x=y,z")}`)).toEqual(["beta"]);
  expect(await found("labels=letter%3Dz")).toEqual([]);
});

test("other teams are searched as far as the caller may read them", async () => {
  expect(await found(`teams=${other.name}`)).toEqual([]);
  expect(await found(`teams=${other.name},${mine.id}`)).toEqual(names);
  const all = await query(`limit=10&page=0&teams=${other.name},${mine.name}`, app.as(), "/api/v2/task/query");
  expect(all.body.content).toHaveLength(5);
  expect((await query("limit=10&page=0&teams=nobody", app.as())).body.totalElements).toBe(0);
});

test("global tasks are for everyone who is signed in", async () => {
  const answer = await query("limit=10&page=0", member, "/api/v2/task/query");
  expect(answer.body.content.map(({ name }: { name: string }) => name)).toEqual(["global"]);
  expect((await query("limit=10&page=0", app.as(null), "/api/v2/task/query")).status).toBe(401);
});

test("what is refused", async () => {
  for (const parameters of [
    "",
    "limit=10",
    "page=0",
    "limit=0&page=0",
    "limit=1001&page=0",
    "limit=10&page=-1",
    "limit=x&page=0",
    "limit=1&page=0&sort=UP",
  ]) {
    expect(await query(parameters)).toMatchObject({ status: 400 });
  }
  expect(await query("limit=1&page=0&statuses=archived")).toMatchObject({
    status: 400,
    body: { code: 1001, reason: "QUERY_INVALID_FILTERS" },
  });
  expect(await query("limit=1&page=0&labels=letter")).toMatchObject({ status: 400, body: { code: 1001 } });
  const outsider = app.as((await app.make.member(other.id, "owner")).token);
  expect(await query("limit=1&page=0", outsider)).toMatchObject({ status: 404, body: { reason: "TEAM_INVALID_REF" } });
});
