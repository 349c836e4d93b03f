import { beforeAll, describe, expect, test } from "vitest";
import { testApp } from "../../../test/app.ts";

const app = await testApp();
const team = await app.make.team();
const owner = (await app.make.member(team.id, "owner")).token;
const stranger = (await app.make.member((await app.make.team()).id, "owner")).token;
const path = `/api/v2/team/${team.name}/workflow`;
const ids = new Map<string, string>();

beforeAll(async () => {
  for (const [index, name] of ["a", "b", "c", "d", "e"].entries()) {
    const labels = { tier: String(index % 2), "dotted.key/x": "a=b,c" };
    const { body } = await app.as(owner).post(path, { name, labels });
    ids.set(name, body.id);
  }
  await app.as(owner).put(path, { name: "b", status: "inactive", markdown: "two" });
});

const query = (rest: string, token = owner) => app.as(token).get(`${path}/query?${rest}`);
const names = async (rest: string) =>
  (await query(`limit=10&page=0&${rest}`)).body.content.map((workflow: { name: string }) => workflow.name);

describe("GET workflow/query", () => {
  test("pages through all, with true totals, by date of creation in both directions", async () => {
    const pages = await Promise.all([0, 1, 2].map(async (page) => (await query(`sort=ASC&limit=2&page=${page}`)).body));
    expect(pages.flatMap(({ content }) => content.map((workflow: { name: string }) => workflow.name))).toEqual(["a", "b", "c", "d", "e"]);
    expect(pages[1]).toMatchObject({
      number: 1,
      size: 2,
      numberOfElements: 2,
      totalElements: 5,
      totalPages: 3,
      first: false,
      last: false,
      empty: false,
    });
    expect(pages[2]).toMatchObject({ numberOfElements: 1, last: true });
    expect(await names("sort=DESC")).toEqual(["e", "d", "c", "b", "a"]);
    expect(await names("")).toEqual(["a", "b", "c", "d", "e"]);
    expect((await query("limit=2&page=9")).body).toMatchObject({ content: [], totalElements: 5, empty: true });
  });

  test("gives the latest version of each, with its tasks", async () => {
    const { content } = (await query("limit=10&page=0&workflows=b")).body;
    expect(content).toMatchObject([{ name: "b", version: 2, markdown: "two", status: "inactive" }]);
    expect(content[0].tasks).toHaveLength(2);
    expect(content[0]).toEqual((await app.as(owner).get(`${path}/b`)).body);
  });

  test("filters by status, by names and ids, and by labels, all of which must match", async () => {
    expect(await names("statuses=INACTIVE")).toEqual(["b"]);
    expect(await names("statuses=active,inactive")).toHaveLength(5);
    expect(await names(`workflows=a,${ids.get("c")},nope`)).toEqual(["a", "c"]);
    expect(await names("labels=tier%3D1")).toEqual(["b", "d"]);
    expect(await names(`labels=tier%3D1,${encodeURIComponent("dotted.key/x=a=b,c")}`)).toEqual(["b", "d"]);
    expect(await names("labels=tier%3D2")).toEqual([]);
  });

  test.each([
    ["limit", "page=0"],
    ["page", "limit=1"],
    ["limit", "limit=0&page=0"],
    ["limit", "limit=1001&page=0"],
    ["page", "limit=1&page=-1"],
    ["sort", "limit=1&page=0&sort=name"],
  ])("names the parameter %s that makes no sense: %s", async (name, rest) => {
    const { status, body } = await query(rest);
    expect([status, body.message]).toEqual([400, expect.stringContaining(name)]);
  });

  test.each(["statuses=gone", "labels=tier"])("answers 1001 to the filter %s", async (rest) => {
    expect((await query(`limit=1&page=0&${rest}`)).body).toMatchObject({
      code: 1001,
      reason: "QUERY_INVALID_FILTERS",
      status: "400 BAD_REQUEST",
    });
  });

  test("shows a workflow token its own workflow only, and strangers nothing", async () => {
    const token = await app.make.workflowToken(team.id, ids.get("c")!);
    expect((await query("limit=9&page=0", token)).body).toMatchObject({ totalElements: 1, content: [{ name: "c" }] });
    expect((await query("limit=9&page=0&workflows=a", token)).body.totalElements).toBe(0);
    expect((await query("limit=9&page=0", stranger)).status).toBe(404);
    expect((await app.as(null).get(`${path}/query?limit=1&page=0`)).status).toBe(401);
  });
});
