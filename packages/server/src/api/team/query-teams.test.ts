import { expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";

const app = await testApp();
const user = await app.make.user();
const token = await app.make.userToken(user.id);
for (const [name, stage] of [
  ["q-one", "test"],
  ["q-two", "live"],
  ["q-three", "test"],
]) {
  await app.as(token).post("/api/v2/team", { name, displayName: `Team ${name}`, labels: { stage, "a.b": "x,y" } });
}
await app.make.team({ name: "foreign" });
const names = async (query: string) =>
  (await app.as(token).get(`/api/v2/team/query?limit=10&page=0${query}`)).body.content.map((team: { name: string }) => team.name);

test("the caller finds the teams that they may read, and no other", async () => {
  expect(await names("")).toEqual(["q-two", "q-three", "q-one"]);
  expect((await app.as().get("/api/v2/team/query?limit=10&page=0")).body.totalElements).toBe(4);
  const foreign = (await app.as().get("/api/v2/team/foreign")).body;
  expect(await names(`&teams=foreign,${foreign.id}`)).toEqual([]);
  const teamToken = await app.make.teamToken(foreign.id, ["workflow/read"]);
  expect((await app.as(teamToken).get("/api/v2/team/query?limit=10&page=0")).body.content).toEqual([]);
});

test("filters and orders go together", async () => {
  expect(await names("&labels=stage%3Dtest&order=ASC")).toEqual(["q-one", "q-three"]);
  expect(await names("&labels=stage%3Dtest,a.b%3Dx%2Cy&teams=q-one")).toEqual(["q-one"]);
  expect(await names("&labels=stage%3Dnone")).toEqual([]);
  expect(await names("&statuses=inactive")).toEqual([]);
  expect(await names("&sort=creationDate&order=asc")).toEqual(["q-one", "q-two", "q-three"]);
  expect(await names("&sort=nonsense&order=asc")).toEqual(["q-one", "q-three", "q-two"]);
});

test("pages have exact totals and neither repeat nor skip", async () => {
  const pages = [];
  for (const page of [0, 1, 2]) pages.push((await app.as(token).get(`/api/v2/team/query?limit=2&page=${page}`)).body);
  expect(pages.map(({ content }) => content.length)).toEqual([2, 1, 0]);
  expect(new Set(pages.flatMap(({ content }) => content.map(({ id }: { id: string }) => id))).size).toBe(3);
  expect(pages[0]).toMatchObject({
    totalElements: 3,
    totalPages: 2,
    number: 0,
    size: 2,
    numberOfElements: 2,
    first: true,
    last: false,
    empty: false,
  });
  expect(pages[1]).toMatchObject({ first: false, last: true, sort: { sorted: true, unsorted: false, empty: false } });
  expect(pages[2]).toMatchObject({
    empty: true,
    last: true,
    pageable: { pageNumber: 2, pageSize: 2, offset: 4, paged: true, unpaged: false },
  });
});

test("roles, default quotas and the check of a name are available to everyone who is signed in", async () => {
  const as = app.as(token);
  expect((await as.get("/api/v2/team/roles")).body.map(({ name }: { name: string }) => name)).toEqual(["owner", "editor", "reader"]);
  expect((await as.get("/api/v2/team/quotas/default")).body).toEqual({
    maxWorkflowCount: 1000,
    maxWorkflowRunMonthly: 1_000_000_000,
    maxWorkflowStorage: 2,
    maxWorkflowRunStorage: 2,
    maxWorkflowRunDuration: 1440,
    maxConcurrentRuns: 100,
    maxWaitingRuns: 1_000_000,
  });
  await app.sql`insert into setting (group_key, key, value) values ('teams', 'max.workflow.storage', '7Gi')`;
  expect((await as.get("/api/v2/team/quotas/default")).body.maxWorkflowStorage).toBe(7);
  expect((await as.post("/api/v2/team/validate-name", { name: "A Free Name" })).body).toEqual({ name: "a-free-name", valid: true });
  expect((await as.post("/api/v2/team/validate-name", { name: "Q One" })).status).toBe(422);
  expect((await as.post("/api/v2/team/validate-name", { name: "roles" })).status).toBe(422);
  expect((await as.post("/api/v2/team/validate-name", {})).status).toBe(400);
  expect((await app.as(null).get("/api/v2/team/roles")).status).toBe(401);
});
