import { describe, expect, test } from "vitest";
import { params, runKit } from "../../../test/kit/run-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";

const { app, team, outsider } = await runKit();
const admin = app.as();
const sets = workflow(node("set", "setwfproperty", ["start"], params({ output: "a", value: "b" })));
const waits = workflow(node("wait", "eventwait", ["start"], params({ topic: "go" })));

/** One finished run, two running, one queued; oldest first. */
async function teamWithRuns() {
  const made = await team();
  const ids = { sets: await made.workflow("sets", sets), waits: await made.workflow("waits", waits) };
  const runs = [
    await made.submit("sets", { labels: { stage: "test", "a.b/c": "x=y,z" }, trigger: "manual" }),
    await made.submit("waits", { labels: { stage: "test" } }),
    await made.submit("waits"),
    await made.submit("sets", {}, ""),
  ];
  const query = (text: string) => admin.get(`${made.path}/workflowrun/query?${text}`);
  const found = async (text: string) => {
    const { status, body } = await query(text);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.content.map(({ id }: { id: string }) => runs.findIndex((run) => run.id === id));
  };
  return { ...made, ids, runs, query, found };
}

describe("GET workflowrun/query", () => {
  test("returns pages by creation date, with exact totals", async () => {
    const { found, query } = await teamWithRuns();
    expect(await found("limit=10&page=0")).toEqual([0, 1, 2, 3]);
    expect(await found("order=DESC")).toEqual([3, 2, 1, 0]);
    expect(await found("limit=3&page=1&order=DESC")).toEqual([0]);
    expect((await query("limit=3")).body).toMatchObject({
      totalElements: 4,
      totalPages: 2,
      number: 0,
      size: 3,
      numberOfElements: 3,
      first: true,
      last: false,
    });
    expect((await query("page=5")).body).toMatchObject({ content: [], totalElements: 4, empty: true, last: true });
    expect((await query("limit=1")).body.content[0].tasks).toBeUndefined();
  });

  test("sorts by duration, status and workflow, the unfinished last, and says how many are in this order", async () => {
    const { id, path, found, query, runs } = await teamWithRuns();
    await app.sql`update workflow set display_name = 'Alpha' where team_id = ${id} and name = 'waits'`;
    expect(await found("sortBy=workflow&order=ASC")).toEqual([2, 1, 3, 0]);
    expect(await found("sortBy=workflow&order=DESC&limit=1&page=1")).toEqual([0]);
    expect(await found("sortBy=status")).toEqual([3, 0, 2, 1]);
    expect(await found("sortBy=duration")).toEqual([0, 3, 2, 1]);
    await admin.delete(`${path}/workflowrun/${runs[1]!.id}/cancel`);
    await app.sql`update run set started_at = started_at - interval '1 hour' where team_id = ${id} and id = ${runs[0]!.id}`;
    expect(await found("sortBy=duration&order=DESC")).toEqual([0, 1, 3, 2]);
    expect(await found("sortBy=duration&order=ASC")).toEqual([1, 0, 3, 2]);
    const { body } = await query("sortBy=duration&limit=1");
    expect([body.totalElements, body.sortedRuns]).toEqual([4, { count: 4 }]);
    expect((await query("sortBy=age")).status).toBe(400);
    expect((await query("")).body).not.toHaveProperty("sortedRuns");
  });

  test("filters by status, phase, trigger, workflow, label, id and date", async () => {
    const { found, runs, ids } = await teamWithRuns();
    expect(await found("statuses=waiting")).toEqual([1, 2]);
    expect(await found("statuses=Succeeded,READY")).toEqual([0, 3]);
    expect(await found("phase=pending,completed")).toEqual([0, 3]);
    expect(await found("triggers=manual")).toEqual([0]);
    expect(await found("workflows=waits")).toEqual([1, 2]);
    expect(await found(`workflows=${ids.sets},nothing`)).toEqual([0, 3]);
    expect(await found("labels=stage%3Dtest")).toEqual([0, 1]);
    expect(await found(`labels=stage%3Dtest,${encodeURIComponent(encodeURIComponent("a.b/c=x=y,z"))}`)).toEqual([0]);
    expect(await found(`workflowruns=${runs[2]?.id},${runs[0]?.id},nonsense`)).toEqual([0, 2]);
    const at = (index: number) => Date.parse(runs[index]?.["creationDate"] as string);
    expect(await found(`fromDate=${at(1)}&toDate=${at(3)}`)).toEqual(
      [0, 1, 2, 3].filter((index) => at(index) >= at(1) && at(index) < at(3)),
    );
    expect(await found(`toDate=${at(0)}`)).toEqual([]);
    expect(await found(`fromDate=${at(3) + 60_000}`)).toEqual([]);
  });

  test("finds a run of which nothing runs as waiting, and counts it so", async () => {
    const { id, path, found, runs, query } = await teamWithRuns();
    await app.sql`update run set activity = 'active', active_since = started_at where team_id = ${id} and id = ${runs[2]!.id}`;
    expect(await found("statuses=running")).toEqual([1, 2]);
    expect(await found("statuses=running&waits=false")).toEqual([2]);
    expect(await found("waits=false&statuses=running,succeeded")).toEqual([0, 2]);
    expect(await found("waits=true")).toEqual([1]);
    expect(await found("statuses=waiting")).toEqual([1]);
    expect(await found("statuses=running,waiting")).toEqual([1, 2]);
    expect(await found("phase=running")).toEqual([1, 2]);
    expect(await found("statuses=waiting,succeeded")).toEqual([0, 1]);
    expect(await found("statuses=succeeded,running&waits=false&sortBy=status")).toEqual([2, 0]);
    expect((await query("statuses=waiting,ready&limit=1")).body).toMatchObject({ totalElements: 2 });
    expect((await query("statuses=waiting")).body.content[0]).toMatchObject({ status: "running", waitKinds: ["event"] });
    const counts = (await admin.get(`${path}/workflowrun/count`)).body;
    expect(counts).toMatchObject({ waits: { event: 1 }, status: { all: 4, running: 1, waiting: 1, ready: 1, succeeded: 1 } });
    // Held back until the quota has a free slot: it waits for nobody.
    await app.sql`update run set activity = 'wanted', active_since = null where team_id = ${id} and id = ${runs[2]!.id}`;
    expect(await found("statuses=running&waits=false")).toEqual([2]);
  });

  test("refuses filters that mean nothing", async () => {
    const { query } = await teamWithRuns();
    for (const text of ["statuses=happy", "phase=moon", "triggers=x", "labels=novalue", "fromDate=2&toDate=1"]) {
      expect(await query(text), text).toMatchObject({ status: 400, body: { code: 1001, reason: "QUERY_INVALID_FILTERS" } });
    }
    for (const text of ["limit=0", "limit=1001", "page=-1", "fromDate=yesterday", "order=up"])
      expect((await query(text)).status, text).toBe(400);
  });

  test("shows a team its own runs, and a workflow token those of its workflow", async () => {
    const { id, ids, path, member } = await teamWithRuns();
    await teamWithRuns();
    expect((await app.as(null).get(`${path}/workflowrun/query`)).status).toBe(401);
    expect((await (await outsider()).get(`${path}/workflowrun/query`)).status).toBe(404);
    expect((await (await member("reader")).get(`${path}/workflowrun/query`)).body.totalElements).toBe(4);
    expect((await app.as(await app.make.teamToken(id, ["task/read"])).get(`${path}/workflowrun/query`)).status).toBe(403);
    const token = app.as(await app.make.workflowToken(id, ids.waits));
    const total = async (text: string) => (await token.get(`${path}/workflowrun/query?${text}`)).body.totalElements;
    expect(await total("")).toBe(2);
    expect(await total("workflows=sets")).toBe(0);
    expect(await total("workflows=sets,waits")).toBe(2);
  });

  test("says of queued runs what they wait for", async () => {
    const { query } = await teamWithRuns();
    expect((await query("phase=pending")).body.content[0].waitingFor).toBe("Waiting in the queue for an engine to start it");
  });
});

describe("GET workflowrun/count", () => {
  test("counts runs by status, including zeros", async () => {
    const { path } = await teamWithRuns();
    await teamWithRuns();
    const count = async (text: string) => (await admin.get(`${path}/workflowrun/count?${text}`)).body.status;
    const none = {
      notstarted: 0,
      ready: 0,
      running: 0,
      waiting: 0,
      succeeded: 0,
      failed: 0,
      invalid: 0,
      skipped: 0,
      cancelled: 0,
      timedout: 0,
    };
    expect(await count("")).toEqual({ ...none, all: 4, ready: 1, waiting: 2, succeeded: 1 });
    expect(await count("workflows=waits")).toEqual({ ...none, all: 2, waiting: 2 });
    expect(await count("labels=stage%3Dtest")).toEqual({ ...none, all: 2, waiting: 1, succeeded: 1 });
    expect(await count("toDate=1000")).toEqual({ ...none, all: 0 });
    expect((await admin.get(`${path}/workflowrun/count?fromDate=x`)).status).toBe(400);
  });

  test("keeps to the caller's rights", async () => {
    const { id, ids, path, member } = await teamWithRuns();
    const at = `${path}/workflowrun/count`;
    expect((await app.as(null).get(at)).status).toBe(401);
    expect((await (await outsider()).get(at)).status).toBe(404);
    expect((await (await member("reader")).get(at)).status).toBe(200);
    const token = app.as(await app.make.workflowToken(id, ids.waits));
    expect((await token.get(at)).body.status.all).toBe(2);
    expect((await token.get(`${at}?workflows=sets`)).body.status.all).toBe(0);
  });
});
