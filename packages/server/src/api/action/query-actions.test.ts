import { describe, expect, test } from "vitest";
import { params, runKit } from "../../../test/kit/run-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";

const { app, team, outsider } = await runKit();
const admin = app.as();

/** An approved approval, a rejected one, an open one, an open manual task, a cancelled approval; oldest first. */
async function teamWithActions() {
  const made = await team();
  await made.workflow("ask", workflow(node("ask", "approval", ["start"])));
  const choreId = await made.workflow("chore", workflow(node("do", "manual", ["start"], params({ instructions: "Sweep" }))));
  const runs = [];
  for (const name of ["ask", "ask", "ask", "chore", "ask"]) runs.push(await made.submit(name));
  const rows = await app.sql<{ id: string; runId: string }[]>`select id, run_id as "runId" from action where team_id = ${made.id}`;
  const ids = runs.map(({ id }) => rows.find((row) => row.runId === id)!.id);
  await admin.put(`${made.path}/action`, [
    { id: ids[0], approved: true },
    { id: ids[1], approved: false },
  ]);
  await admin.delete(`${made.path}/workflowrun/${runs[4]?.id}/cancel`);
  const query = (text: string) => admin.get(`${made.path}/action/query?${text}`);
  const found = async (text: string) => {
    const { status, body } = await query(text);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.content.map(({ id }: { id: string }) => ids.indexOf(id));
  };
  return { ...made, ids, choreId, query, found };
}

describe("GET action/query", () => {
  test("answers the newest first, ten a page, with true totals", async () => {
    const { found, query } = await teamWithActions();
    expect(await found("")).toEqual([4, 3, 2, 1, 0]);
    expect((await query("")).body).toMatchObject({ size: 10, number: 0, totalElements: 5, sort: { sorted: true } });
    expect(await found("limit=2&page=1&order=ASC")).toEqual([2, 3]);
    expect((await query("limit=2&page=9")).body).toMatchObject({ content: [], totalElements: 5, totalPages: 3 });
  });

  test("filters by type, status, workflow and date, both ends included", async () => {
    const { found, choreId, query } = await teamWithActions();
    expect(await found("types=manual")).toEqual([3]);
    expect(await found("types=APPROVAL&statuses=submitted")).toEqual([2]);
    expect(await found("statuses=approved,Rejected&order=ASC")).toEqual([0, 1]);
    expect(await found("statuses=cancelled")).toEqual([4]);
    expect(await found("workflows=Chore")).toEqual([3]);
    expect(await found(`workflows=${choreId},nothing`)).toEqual([3]);
    expect(await found("workflows=nothing")).toEqual([]);
    const dates = (await query("order=ASC")).body.content.map((action: { creationDate: string }) => Date.parse(action.creationDate));
    const between = [0, 1, 2, 3, 4].filter((index) => dates[index] >= dates[1] && dates[index] <= dates[3]);
    expect(await found(`fromDate=${dates[1]}&toDate=${dates[3]}&order=ASC`)).toEqual(between);
  });

  test("sorts by other fields too, with the id as tie-break", async () => {
    const { query } = await teamWithActions();
    const statuses = (await query("sort=status&order=ASC")).body.content.map(({ status }: { status: string }) => status);
    expect(statuses).toEqual([...statuses].sort());
    expect((await query("sort=type&order=DESC")).body.content[0].type).toBe("manual");
    expect((await query("sort=whatever")).status).toBe(200);
  });

  test("refuses filters that mean nothing", async () => {
    const { query } = await teamWithActions();
    for (const text of ["types=wish", "statuses=done", "fromDate=2&toDate=1"])
      expect(await query(text), text).toMatchObject({ status: 400, body: { code: 1001 } });
    for (const text of ["limit=0", "page=x", "order=sideways", "toDate=soon"]) expect((await query(text)).status, text).toBe(400);
  });
});

describe("GET action/{id}", () => {
  test("shows the action with names and votes", async () => {
    const { path, ids, id } = await teamWithActions();
    expect((await admin.get(`${path}/action/${ids[3]}`)).body).toMatchObject({
      id: ids[3],
      type: "manual",
      status: "submitted",
      instructions: "Sweep",
      workflowName: "chore",
      taskName: "do",
      teamName: expect.stringMatching(/^team-/),
      numberOfApprovers: 1,
      approvalsRequired: 1,
      numberOfApprovals: 0,
      approverGroupRef: null,
      actioners: [],
    });
    expect((await admin.get(`${path}/action/${ids[0]}`)).body.actioners).toHaveLength(1);
    await app.sql`update workflow set deleted_at = db_now() where team_id = ${id}`;
    expect((await admin.get(`${path}/action/${ids[0]}`)).status).toBe(404);
    expect((await admin.get(`${path}/action/query`)).body.totalElements).toBe(0);
  });

  test("does not find an action of another team", async () => {
    const { path, ids } = await teamWithActions();
    const unknown = { status: 404, body: { code: 1601, reason: "ACTION_INVALID_REF" } };
    expect(await admin.get(`${(await team()).path}/action/${ids[0]}`)).toMatchObject(unknown);
    expect(await admin.get(`${path}/action/nonsense`)).toMatchObject(unknown);
  });
});

describe("GET action/summary", () => {
  test("counts what is open, and the share that is decided, of this team alone", async () => {
    const { path, choreId } = await teamWithActions();
    await teamWithActions();
    const summary = async (text = "") => (await admin.get(`${path}/action/summary?${text}`)).body;
    expect(await summary()).toEqual({ approvalsRate: 50, manual: 1, approvals: 1 });
    expect(await summary("workflows=ask")).toEqual({ approvalsRate: 67, manual: 0, approvals: 1 });
    expect(await summary(`workflows=${choreId}`)).toEqual({ approvalsRate: 0, manual: 1, approvals: 0 });
    expect(await summary("toDate=1000")).toEqual({ approvalsRate: 0, manual: 0, approvals: 0 });
    expect((await admin.get(`${path}/action/summary?fromDate=x`)).status).toBe(400);
  });
});

test("reading actions needs the permission to read the team", async () => {
  const { id, path, ids, member, workflow: make } = await teamWithActions();
  const reader = await member("reader");
  const workflowToken = app.as(await app.make.workflowToken(id, await make("w", workflow())));
  for (const at of [`${path}/action/${ids[0]}`, `${path}/action/query`, `${path}/action/summary`]) {
    expect((await app.as(null).get(at)).status).toBe(401);
    expect((await (await outsider()).get(at)).status).toBe(404);
    expect((await app.as(await app.make.teamToken(id, ["workflow/read"])).get(at)).status).toBe(403);
    expect((await workflowToken.get(at)).status).toBe(403);
    expect((await reader.get(at)).status).toBe(200);
  }
});
