import { beforeAll, describe, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";

const app = await testApp();
const team = await app.make.team();
const owner = (await app.make.member(team.id, "owner")).token;
const outsider = (await app.make.member((await app.make.team()).id, "owner")).token;
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
  ])("names the invalid parameter %s: %s", async (name, rest) => {
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

  test("shows a workflow token its own workflow only, and outsiders nothing", async () => {
    const token = await app.make.workflowToken(team.id, ids.get("c")!);
    expect((await query("limit=9&page=0", token)).body).toMatchObject({ totalElements: 1, content: [{ name: "c" }] });
    expect((await query("limit=9&page=0&workflows=a", token)).body.totalElements).toBe(0);
    expect((await query("limit=9&page=0", outsider)).status).toBe(404);
    expect((await app.as(null).get(`${path}/query?limit=1&page=0`)).status).toBe(401);
  });
});

describe("GET workflow-label/query", () => {
  const list = (rest = "", token = owner) => app.as(token).get(`/api/v2/team/${team.name}/workflow-label/query?${rest}`);
  const tier = (values: [value: string, workflows: number][]) => ({
    key: "tier",
    workflows: values.reduce((sum, [, workflows]) => sum + workflows, 0),
    valueCount: values.length,
    values: values.map(([value, workflows]) => ({ value, workflows })),
  });

  test("counts the workflows of each label, and those that match the filters of the list", async () => {
    const dotted = (workflows: number) => ({ key: "dotted.key/x", workflows, valueCount: 1, values: [{ value: "a=b,c", workflows }] });
    expect((await list()).body).toEqual({
      total: 5,
      labels: [
        dotted(5),
        tier([
          ["0", 3],
          ["1", 2],
        ]),
      ],
    });
    expect((await list("statuses=inactive")).body).toEqual({ total: 1, labels: [dotted(1), tier([["1", 1]])] });
    expect((await list("labels=tier%3D0&search=a")).body).toEqual({ total: 1, labels: [dotted(1), tier([["0", 1]])] });
  });

  test("workflows without a label of a key are found by that", async () => {
    const other = await app.make.team();
    const at = `/api/v2/team/${other.name}`;
    await app.as().post(`${at}/workflow`, { name: "has", labels: { folder: "money" } });
    await app.as().post(`${at}/workflow`, { name: "has-not", labels: { other: "folder" } });
    const { body } = await app.as().get(`${at}/workflow/query?limit=9&page=0&withoutLabel=folder`);
    expect(body).toMatchObject({ totalElements: 1, content: [{ name: "has-not" }] });
    expect((await app.as().get(`${at}/workflow/query?limit=9&page=0&withoutLabel=`)).status).toBe(400);
  });

  test("of very many values the most used are listed, with the total", async () => {
    const other = await app.make.team();
    await app.sql`
      insert into workflow (team_id, name, display_name, status, labels, annotations, triggers, latest_version)
      select ${other.id}, 'w' || n, 'W', 'active', jsonb_build_object('n', (n % 600)::text), '{}', '{}', 1 from generate_series(1, 610) n`;
    const { body } = await app.as().get(`/api/v2/team/${other.name}/workflow-label/query`);
    expect(body).toMatchObject({ total: 610, labels: [{ key: "n", workflows: 610, valueCount: 600 }] });
    expect(body.labels[0].values).toHaveLength(500);
    expect(body.labels[0].values).toContainEqual({ value: "10", workflows: 2 });
  });

  test("shows a workflow token its own workflow only, and outsiders nothing", async () => {
    const token = await app.make.workflowToken(team.id, ids.get("c")!);
    expect((await list("", token)).body).toMatchObject({ total: 1, labels: [{}, tier([["0", 1]])] });
    expect((await list("", outsider)).status).toBe(404);
  });
});

describe("GET workflow/query by what workflows are called and how they do", async () => {
  const made = await app.make.team();
  const at = `/api/v2/team/${made.name}/workflow`;
  const reader = (await app.make.member(made.id, "reader")).token;
  const list = async (rest: string, token = reader) => (await app.as(token).get(`${at}/query?limit=10&page=0&${rest}`)).body;
  const order = async (rest: string) => (await list(rest)).content.map(({ name }: { name: string }) => name);

  beforeAll(async () => {
    for (const [name, displayName] of [
      ["x1", "beta"],
      ["x2", "Alpha"],
      ["x3", "gamma"],
      ["x4", "Delta"],
    ])
      await app.as().post(at, { name, displayName });
    await runs("x1", ["succeeded", "cancelled", "failed"]);
    await runs("x2", ["failed", "timedout"]);
    await runs("x3", ["succeeded", "running"]);
    await runs("x1", ["succeeded"]);
  });

  /** Of the workflow, one after the other. */
  async function runs(name: string, statuses: string[]) {
    for (const status of statuses)
      await app.sql`
        insert into run (team_id, workflow_id, workflow_version_id, workflow_version, task_version_ids, status, phase, trigger, layers, task_count,
          started_at, ended_at)
        select ${made.id}, w.id, new_id(), 1, '{}', ${status}, ${status === "running" ? "running" : "completed"}, 'manual', '{}', 1, db_now(),
          case when ${status} <> 'running' then db_now() end
        from workflow w where w.team_id = ${made.id} and w.name = ${name}`;
  }

  test("sorts by name whatever the case, by the newest run, and by the share of runs that succeeded; what never ran comes last", async () => {
    expect(await order("sortBy=name")).toEqual(["x2", "x1", "x4", "x3"]);
    expect(await order("sortBy=name&sort=DESC")).toEqual(["x3", "x4", "x1", "x2"]);
    expect(await order("sortBy=lastRun")).toEqual(["x2", "x3", "x1", "x4"]);
    expect(await order("sortBy=lastRun&sort=DESC")).toEqual(["x1", "x3", "x2", "x4"]);
    // Two of three, none of two, one of one: cancelled and running ones don't count.
    expect(await order("sortBy=successRate")).toEqual(["x2", "x1", "x3", "x4"]);
    expect(await order("sortBy=successRate&sort=DESC")).toEqual(["x3", "x1", "x2", "x4"]);
    expect(await order("sortBy=creationDate&sort=DESC")).toEqual(["x4", "x3", "x2", "x1"]);
  });

  test("can be combined with filters, pages and the search", async () => {
    const page = async (number: number) => (await app.as(reader).get(`${at}/query?limit=3&page=${number}&sortBy=lastRun`)).body;
    const [first, second] = [await page(0), await page(1)];
    expect([...first.content, ...second.content].map(({ name }) => name)).toEqual(["x2", "x3", "x1", "x4"]);
    expect(second).toMatchObject({ totalElements: 4, numberOfElements: 1 });
    expect(await order("sortBy=lastRun&search=a&workflows=x1,x3&sort=DESC")).toEqual(["x1", "x3"]);
  });

  test("gives the latest runs of each, newest first, and leaves the tasks out where that is asked", async () => {
    const { content } = await list("withRuns=2&withTasks=false&sortBy=name");
    const found = content.map(({ name, tasks, latestRuns }: { name: string; tasks: []; latestRuns: { status: string }[] }) => [
      name,
      tasks.length,
      latestRuns.map(({ status }) => status),
    ]);
    expect(found).toEqual([
      ["x2", 0, ["timedout", "failed"]],
      ["x1", 0, ["succeeded", "failed"]],
      ["x4", 0, []],
      ["x3", 0, ["running", "succeeded"]],
    ]);
    expect((await list("")).content[0]).not.toHaveProperty("latestRuns");
  });

  test("what a read says about runs is no part of the workflow when it is written back", async () => {
    const [workflow] = (await list("withRuns=5&workflows=x1")).content;
    expect((await app.as().put(at, workflow)).status).toBe(200);
    const [row] = await app.sql<{ document: object }[]>`
      select v.document from workflow_version v where v.team_id = ${made.id} and v.workflow_id = ${workflow.id} order by v.version desc limit 1`;
    expect(row?.document).not.toHaveProperty("latestRuns");
  });

  test("shows nothing of runs to callers who may not read them", async () => {
    const token = await app.make.teamToken(made.id, ["workflow/read"]);
    for (const rest of ["withRuns=1", "sortBy=lastRun", "sortBy=successRate"])
      expect(await list(rest, token)).toMatchObject({ reason: "PERMISSION_DENIED", message: expect.stringContaining("workflowrun/read") });
    expect((await list("sortBy=name", token)).totalElements).toBe(4);
  });

  test.each([
    ["sortBy", "sortBy=age"],
    ["withRuns", "withRuns=21"],
  ])("names the invalid parameter %s: %s", async (name, rest) => {
    expect((await list(rest)).message).toContain(name);
  });
});
