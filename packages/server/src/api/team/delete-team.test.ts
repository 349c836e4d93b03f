import { expect, test } from "vitest";
import { moveTime } from "../../../test/kit/database.ts";
import { params, runKit } from "../../../test/kit/run-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";
import { until } from "../../../test/kit/until.ts";
import { makeTask } from "../../../test/kit/workflow-factories.ts";
import { indexRuns } from "../../domain/run/lists/index-runs.ts";
import { submitRun } from "../../domain/run/submit-run.ts";
import { deleteWorkflow, purgeDeletedWorkflows } from "../../domain/workflow/delete-workflow.ts";
import { transaction } from "../../store/database/transaction.ts";
import { purgeEmptyTeams, signalRunsOfDeletedTeams } from "../../store/history/purge.ts";
import { pruneIdle } from "../../store/run/queue/engine-upkeep.ts";
import { lockWorkflow } from "../../store/workflow/workflows.ts";

const { app, kit, team } = await runKit();
const admin = app.as();
const worker = await kit.worker();

async function waitsForLock(): Promise<boolean> {
  const waiting = await app.sql`
    select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`;
  return waiting.length > 0;
}

test("the runs of a team that is deleted end at once: those that run with their processes, those that wait, and their children", async () => {
  const made = await team({ maxConcurrentRuns: 3 });
  await made.workflow(
    "script",
    workflow(node("a", "script"), node("approve", "approval"), node("lock", "acquirelock", ["start"], params({ key: "k" }))),
  );
  await made.workflow("parent", workflow(node("call", "runworkflow", ["start"], params({ workflowRef: "script", wait: true }))));
  const running = await made.submit("script");
  const parent = await made.submit("parent");
  const queued = await made.submit("script", {}, "");
  const { id: taskRunId } = await kit.claim(worker, made.id);
  const ended: string[] = [];
  app.bus.onWake("attempts", (ids) => ended.push(...(ids ?? [])));

  expect((await admin.delete(made.path)).status).toBe(204);
  await kit.settle();

  for (const { id } of [running, parent, queued]) {
    const [row] = await app.sql`select status, status_message as message from run where id = ${id}`;
    expect(row).toEqual({ status: "cancelled", message: "Cancelled: the team was deleted" });
  }
  const left = await app.sql`select 1 from run where team_id = ${made.id} and phase in ('pending', 'queued', 'running')`;
  expect(left.length).toBe(0);
  expect(ended).toContain(taskRunId);
  expect((await app.sql`select distinct status from action where team_id = ${made.id}`).map((row) => row["status"])).toEqual(["cancelled"]);
  expect((await app.sql`select 1 from task_lock where team_id = ${made.id}`).length).toBe(0);
  await expect(kit.submit(made.id, "script")).rejects.toMatchObject({ reason: "WORKFLOW_INVALID_REFERENCE" });
  await expect(kit.submit(made.id, "script", { start: true })).rejects.toMatchObject({ reason: "WORKFLOW_INVALID_REFERENCE" });
});

test("with force=false a team with open runs is kept, and their number is reported", async () => {
  const made = await team();
  await made.workflow("waits", workflow(node("wait", "eventwait", ["start"], params({ topic: "t" }))));
  await made.submit("waits");
  const refused = await admin.delete(`${made.path}?force=false`);
  expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining("has 1 open run")]);
  expect((await admin.get(made.path)).status).toBe(200);
});

test.for(["team", "workflow"] as const)("deleting a %s waits for uncommitted submissions, and cancels their runs", async (what) => {
  const made = await team();
  await makeTask(app.sql, { teamId: made.id, name: "script", type: "script" });
  await admin.post(`${made.path}/workflow`, { name: "held", tasks: [{ name: "a", taskRef: "script" }] });
  const path = what === "team" ? made.path : `${made.path}/workflow/held`;
  let removal: ReturnType<typeof admin.delete> | undefined;
  const run = await transaction(app.sql, async (tx) => {
    const input = { teamId: made.id, workflow: "held", request: {}, start: false, initiatedBy: "test" };
    const submitted = await submitRun(tx, kit.context, input);
    removal = admin.delete(path);
    await until(waitsForLock, `the deletion of the ${what}`);
    return submitted;
  });
  expect((await removal)?.status).toBe(204);
  await kit.settle();
  const [row] = await app.sql`select status from run where id = ${run.id}`;
  expect(row).toEqual({ status: "cancelled" });
});

test("a submission that has found its workflow before it was deleted is refused as one that comes later", async () => {
  const made = await team();
  await made.workflow("goes", workflow(node("a", "script")));
  let late: ReturnType<typeof admin.post> | undefined;
  await transaction(app.sql, async (tx) => {
    await deleteWorkflow(tx, made.id, (await lockWorkflow(tx, made.id, "goes"))!, true);
    late = admin.post(`${made.path}/workflow/goes/submit`, {});
    await until(waitsForLock, "the submission");
  });
  expect([(await late)?.status, (await late)?.body.reason]).toEqual([404, "WORKFLOW_INVALID_REFERENCE"]);
});

test("a workflow that is deleted takes its runs along, and those of no other workflow; a submission meanwhile is refused or cancelled", async () => {
  const made = await team({ maxConcurrentRuns: 3 });
  for (const type of ["script", "approval", "acquirelock"] as const) await makeTask(app.sql, { teamId: made.id, name: type, type });
  const tasks = [{ taskRef: "script" }, { taskRef: "approval" }, { taskRef: "acquirelock", params: [{ name: "key", value: "k" }] }];
  await admin.post(`${made.path}/workflow`, { name: "goes", tasks: tasks.map((task) => ({ name: task.taskRef, ...task })) });
  await made.workflow("stays", workflow(node("wait", "eventwait", ["start"], params({ topic: "t" }))));
  const [running, other] = [await made.submit("goes"), await made.submit("stays")];
  const queued = await made.submit("goes", {}, "");
  await kit.claim(worker, made.id);
  const [late, removal] = await Promise.all([
    admin.post(`${made.path}/workflow/goes/submit`, {}),
    admin.delete(`${made.path}/workflow/goes`),
  ]);
  expect([removal.status, [200, 404].includes(late.status)]).toEqual([204, true]);
  await kit.settle();
  for (const id of [running.id, queued.id, ...(late.status === 200 ? [late.body.id] : [])]) {
    const [row] = await app.sql`select status, status_message as message from run where id = ${id}`;
    expect(row).toEqual({ status: "cancelled", message: "Cancelled: the workflow was deleted" });
  }
  expect((await made.run(other.id)).status).toBe("running");
  const actions = await app.sql`select status from action where team_id = ${made.id}`;
  expect(actions.map((row) => row["status"])).toEqual(["cancelled"]);
  expect((await app.sql`select 1 from task_lock where team_id = ${made.id}`).length).toBe(0);
  const [record] = await app.sql`select action, object_name as name from audit where team_id = ${made.id} order by id desc limit 1`;
  expect(record).toEqual({ action: "workflow/delete", name: "goes" });
});

test("a start during the deletion is refused or cancelled, and nothing continues in a deleted team", async () => {
  for (let round = 0; round < 10; round++) {
    const made = await team();
    await made.workflow("waits", workflow(node("wait", "eventwait", ["start"], params({ topic: "t" }))));
    const [answer, removal] = await Promise.all([admin.post(`${made.path}/workflow/waits/submit?start=true`, {}), admin.delete(made.path)]);
    expect(removal.status).toBe(204);
    expect([200, 404]).toContain(answer.status);
    await kit.settle();
    const running = await app.sql`select 1 from run where team_id = ${made.id} and phase = 'running'`;
    expect(running.length).toBe(0);
  }
});

test("a run that slipped in while the team was deleted is cancelled, too", async () => {
  const made = await team();
  await made.workflow("pure", workflow(node("a", "setwfstatus", ["start"], params({ status: "succeeded" }))));
  const { id } = await made.submit("pure", {}, "");
  await app.sql`update team set deleted_at = db_now() where id = ${made.id}`;
  await kit.settle();
  for (const _ of [1, 2]) await signalRunsOfDeletedTeams(app.sql);
  expect((await app.sql`select 1 from run_signal where run_id = ${id}`).length).toBe(1);
  await kit.settle();
  expect((await app.sql`select status from run where id = ${id}`)[0]).toEqual({ status: "cancelled" });
});

/** Tables whose rows belong to a team, and how many rows of this team each has; audit records outlive what they are about. */
async function rowsOf(teamId: string): Promise<Record<string, number>> {
  const tables = await app.sql<{ name: string }[]>`
    select c.table_name as name from information_schema.columns c
    join pg_class k on k.relname = c.table_name and k.relkind in ('r', 'p') and not k.relispartition
    where c.table_schema = 'public' and c.column_name = 'team_id' and c.table_name <> 'audit' order by 1`;
  const counts: [string, number][] = [];
  for (const { name } of tables) {
    const [row] = await app.sql<{ count: number }[]>`select count(*)::int as count from ${app.sql(name)} where team_id = ${teamId}`;
    counts.push([name, row!.count]);
  }
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

test("an hour later no table has rows of a deleted team, and other teams lose nothing", async () => {
  const fill = async () => {
    const made = await team();
    const task = await makeTask(app.sql, { teamId: made.id, name: "own", type: "script" });
    const editor = await made.member("editor");
    const groups = [{ name: "leads", approvers: [editor.userId] }];
    await admin.patch(made.path, { approverGroups: groups, parameters: [{ name: "p", value: "1" }] });
    await admin.post(`${made.path}/workflow`, { name: "flow", tasks: [{ name: "a", taskRef: "own" }] });
    await made.workflow("votes", workflow(node("ask", "approval"), node("more", "approval", ["start"], params({ numberOfApprovers: 2 }))));
    await made.workflow("waits", workflow(node("lock", "acquirelock", ["start"], params({ key: "k" })), node("ask", "manual")));
    const flow = await made.submit("flow");
    await made.submit("votes");
    await made.submit("waits");
    for (const { id } of (await editor.get(`${made.path}/action/query`)).body.content) {
      await editor.put(`${made.path}/action`, [{ id, approved: true }]);
    }
    await admin.post(`/api/v2/callback?ref=${flow.id}&topic=early`, {});
    await kit.end(await kit.claim(worker, made.id));
    await app.make.teamToken(made.id);
    return { ...made, task };
  };
  const [gone, stays] = [await fill(), await fill()];
  const before = await rowsOf(gone.id);
  expect(Object.keys(before)).toEqual(expect.arrayContaining(["action", "action_vote", "approver", "approver_group", "run", "run_event"]));
  expect(Object.keys(before)).toEqual(expect.arrayContaining(["task", "task_run", "task_run_attempt", "team_member", "token", "workflow"]));
  expect((await admin.delete(gone.path)).status).toBe(204);
  await kit.settle();
  const hours = 2 * 3600 * 1000;
  await moveTime(app.sql, hours);
  // Like services do every few seconds: the notes about runs are processed.
  await indexRuns(app.sql, 1_000, 0);
  const kept = await rowsOf(stays.id);
  await purgeDeletedWorkflows(app.sql, 100);
  await pruneIdle(app.sql);
  await purgeEmptyTeams(app.sql);
  expect(await rowsOf(gone.id)).toEqual({});
  expect((await app.sql`select 1 from team where id = ${gone.id}`).length).toBe(0);
  expect((await app.sql`select 1 from task_version where task_id = ${gone.task}`).length).toBe(0);
  expect({ ...(await rowsOf(stays.id)), ready_team: 0 }).toEqual({ ...kept, ready_team: 0 });
  await moveTime(app.sql, -hours);
});

test("the name of a deleted team is free at once, and its tokens are dead at once, those of its workflows too", async () => {
  const made = await app.make.team();
  const path = `/api/v2/team/${made.name}`;
  await admin.post(`${path}/workflow`, { name: "flow" });
  const { id: workflowId } = (await admin.get(`${path}/workflow/flow`)).body;
  const tokens = [await app.make.teamToken(made.id), await app.make.workflowToken(made.id, workflowId)];
  for (const token of tokens) expect((await app.as(token).get(`${path}/workflow/flow`)).status).toBe(200);
  const [removal, again] = await Promise.all([admin.delete(path), admin.delete(path)]);
  expect([removal.status, again.status].sort()).toEqual([204, 404]);
  for (const token of tokens) expect((await app.as(token).get(`${path}/workflow/flow`)).status).toBe(401);
  const renewed = await admin.post("/api/v2/team", { name: made.name.toUpperCase(), displayName: "Again" });
  expect(renewed).toMatchObject({ status: 200, body: { name: made.name } });
  expect((await admin.get(`${path}/workflow/query?limit=10&page=0`)).body.totalElements).toBe(0);
  expect((await admin.get(`/api/v2/team/${made.id}`)).status).toBe(404);
});
