import { beforeAll, describe, expect, test } from "vitest";
import { params, runKit } from "../../../test/kit/run-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";
import { indexRuns } from "../../domain/run/lists/index-runs.ts";

const { app, team, outsider } = await runKit();
const admin = app.as();
const sets = workflow(node("set", "setwfproperty", ["start"], params({ output: "a", value: "out-of-order" })));
const waits = workflow(node("wait", "eventwait", ["start"], params({ topic: "go" })));

const index = async () => {
  while ((await indexRuns(app.sql, 100, 0)).done > 0);
};

async function teamWithRuns() {
  const made = await team();
  const declared = {
    params: [
      { name: "order", type: "string" },
      { name: "key", type: "password" },
    ],
  };
  const ids = { sets: await made.workflow("set-things", sets, declared), waits: await made.workflow("wait-for-go", waits, declared) };
  const runs = [
    await made.submit("set-things", { labels: { stage: "blue" }, params: [{ name: "order", value: "A-2345" }] }),
    await made.submit("set-things", { params: [{ name: "order", value: "A-2346" }] }),
    await made.submit("wait-for-go", {
      params: [
        { name: "order", value: "ada@example.com /orders/17" },
        { name: "key", value: "hunter-seven" },
      ],
    }),
    await made.submit("wait-for-go"),
  ];
  await index();
  const query = (search: string, more = "") => admin.get(`${made.path}/workflowrun/query?search=${encodeURIComponent(search)}${more}`);
  const found = async (search: string, more?: string) => {
    const { status, body } = await query(search, more);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.totalElements).toBeGreaterThanOrEqual(body.content.length);
    return body.content.map(({ id }: { id: string }) => runs.findIndex((run) => run.id === id));
  };
  return { ...made, ids, runs, query, found };
}

let made: Awaited<ReturnType<typeof teamWithRuns>>;
beforeAll(async () => {
  made = await teamWithRuns();
});

describe("GET workflowrun/query?search", () => {
  test.each([
    ["A-2345", [0]],
    ["a-234", [0, 1]],
    ["A-23", [0, 1]],
    ["A-2", []],
    ["23", []],
    ["2345 A", [0]],
    ["example.com", [2]],
    ["ADA@example", [2]],
    ["orders/17", [2]],
    ["example ada", [2]],
    ["com.example", []],
    ["blue", [0]],
    ["wait-for", [2, 3]],
    ["things a-2346", [1]],
    ["running 17", [2]],
    ["admin", [0, 1, 2, 3]],
    ["' | 'x", []],
    ["!!", []],
    ["", [0, 1, 2, 3]],
  ])("%s", async (search, runs) => {
    expect(await made.found(search)).toEqual(runs);
  });

  test("finds a run by its id, long or short, also before it is indexed", async () => {
    const { found, runs, submit } = made;
    const id = runs[1]!.id;
    expect(await found(id)).toEqual([1]);
    expect(await found(id.slice(-8))).toEqual([1]);
    expect(await found(id.slice(0, 20))).toEqual([1]);
    expect(await found(id.slice(0, 8))).toEqual([0, 1, 2, 3]);
    const late = await submit("wait-for-go");
    expect((await made.query(late.id)).body.content.map((run: { id: string }) => run.id)).toEqual([late.id]);
    await admin.delete(`${made.path}/workflowrun/${late.id}/cancel`);
    await index();
    expect((await made.query("cancelled")).body.content.map((run: { id: string }) => run.id)).toEqual([late.id]);
    await app.sql`delete from run where id = ${late.id}`;
  });

  test("can be combined with filters, order and pages", async () => {
    const { found, query } = made;
    expect(await found("a-234", "&order=DESC")).toEqual([1, 0]);
    expect(await found("a-234", "&order=DESC&limit=1&page=1")).toEqual([0]);
    expect((await query("a-234", "&limit=1")).body).toMatchObject({ totalElements: 2, search: {} });
    expect(await found("a-234", "&labels=stage%3Dblue")).toEqual([0]);
    expect(await found("admin", "&statuses=succeeded")).toEqual([0, 1]);
    expect(await found("admin", "&statuses=waiting,succeeded&workflows=wait-for-go")).toEqual([2, 3]);
    expect(await found("admin", "&workflows=nothing")).toEqual([]);
    expect(await found("admin", "&triggers=schedule")).toEqual([]);
    expect(await found("admin", "&phase=running")).toEqual([2, 3]);
    expect(await found("admin", `&toDate=${Date.parse(made.runs[1]!["creationDate"] as string)}`)).toEqual([0]);
    expect((await query("x".repeat(201))).status).toBe(400);
  });

  test("counts by status, too", async () => {
    const counts = (await admin.get(`${made.path}/workflowrun/count?search=admin`)).body.status;
    expect(counts).toMatchObject({ all: 4, succeeded: 2, waiting: 2, running: 0, failed: 0 });
  });

  test("never finds a secret", async () => {
    expect(await made.found("hunter-seven")).toEqual([]);
    expect(await made.found("hunter")).toEqual([]);
    expect(await app.sql`select id from run_search where words::text like '%hunter%'`).toEqual([]);
  });

  test("finds a run by labels that it gets later", async () => {
    await admin.patch(`${made.path}/workflowrun/${made.runs[0]!.id}`, { labels: { ticket: "OPS-77" } });
    await index();
    expect(await made.found("OPS-77")).toEqual([0]);
    expect(await made.found("blue")).toEqual([0]);
  });

  test("says so when the index is behind", async () => {
    await app.sql`insert into run_search_due (team_id, run_id, noted_at) values (${made.id}, new_id(), db_now() - interval '1 minute')`;
    expect((await made.query("blue")).body.search.indexedUntil).toMatch(/^20/);
    expect((await admin.get("/metrics")).text).toMatch(/millrace_run_search_late_seconds 6\d/);
    await index();
    expect((await made.query("blue")).body.search).toEqual({});
  });
});

describe("what the caller may not see", () => {
  test("is not found", async () => {
    const { path, id, ids, member } = made;
    const find = async (client: Awaited<ReturnType<typeof outsider>>, q: string) => {
      const { status, body } = await client.get(`/api/v2/search/workflowrun?q=${q}&limit=50`);
      expect(status).toBe(200);
      return body.hits.map((hit: { id: string }) => made.runs.findIndex((run) => run.id === hit.id));
    };
    await teamWithRuns();
    expect(await find(await member("reader"), "a-234")).toEqual([1, 0]);
    expect(await find(await member("reader"), made.runs[1]!.id)).toEqual([1]);
    expect((await find(app.as(), "a-234")).length).toBe(4);
    expect(await find(await outsider(), "a-234")).toEqual([]);
    expect(await find(await outsider(), made.runs[1]!.id)).toEqual([]);
    expect((await (await outsider()).get(`${path}/workflowrun/query?search=a-234`)).status).toBe(404);
    const token = app.as(await app.make.workflowToken(id, ids.waits));
    expect(await find(token, "admin")).toEqual([3, 2]);
    expect((await token.get(`${path}/workflowrun/query?search=a-234`)).body.totalElements).toBe(0);
    expect((await app.as(null).get("/api/v2/search/workflowrun?q=a-234")).status).toBe(401);
    expect(await find(await member("reader"), "a")).toEqual([]);
  });

  test("as runs of a deleted workflow", async () => {
    const other = await teamWithRuns();
    expect(await other.found("a-234")).toEqual([0, 1]);
    await app.sql`update workflow set deleted_at = db_now() where team_id = ${other.id} and name = 'set-things'`;
    expect(await other.found("a-234")).toEqual([]);
    expect(await other.found("orders")).toEqual([2]);
  });
});
