import { beforeEach, describe, expect, test } from "vitest";
import { testApp } from "../../../test/kit/app.ts";
import { moveTime } from "../../../test/kit/database.ts";
import { makeRun, makeTask } from "../../../test/kit/workflow-factories.ts";
import { hashToken } from "../../base/secret/token-text.ts";
import { purgeDeletedWorkflows } from "../../domain/workflow/delete-workflow.ts";

const app = await testApp();
let team: { id: string; name: string };
let owner: string;
let path: string;
let id: string;

beforeEach(async () => {
  team = await app.make.team();
  owner = (await app.make.member(team.id, "owner")).token;
  path = `/api/v2/team/${team.name}/workflow`;
  id = (await app.as(owner).post(path, { name: "flow" })).body.id;
});

const remove = (token: string | null = owner, headers = {}) => app.as(token).delete(`${path}/flow`, undefined, headers);
const countRows = async (table: string) =>
  (await app.sql.unsafe(`select count(*)::int as count from ${table} where team_id = '${team.id}'`))[0]?.["count"];

describe("DELETE workflow", () => {
  test("answers 204 without a body, and the workflow and its tokens are gone; its name is free", async () => {
    const token = await app.make.workflowToken(team.id, id);
    const answer = await remove();
    expect([answer.status, answer.text]).toEqual([204, ""]);
    for (const ref of ["flow", id]) expect((await app.as(owner).get(`${path}/${ref}`)).body).toMatchObject({ code: 1201 });
    expect((await remove()).status).toBe(404);
    expect((await app.sql`select 1 from token where hash = ${hashToken(token)}`).length).toBe(0);
    expect((await app.as(owner).get(`${path}/query?limit=5&page=0`)).body.totalElements).toBe(0);
    const again = await app.as(owner).post(path, { name: "flow" });
    expect([again.status, again.body.version]).toEqual([200, 1]);
  });

  test("frees its place in the quota of workflows", async () => {
    await app.sql`update team set max_workflow_count = 1 where id = ${team.id}`;
    expect((await app.as(owner).post(path, { name: "two" })).status).toBe(429);
    await remove();
    expect((await app.as(owner).post(path, { name: "two" })).status).toBe(200);
  });

  test.each(["pending", "running"] as const)(
    "with force=false is refused while a run is %s, with the number of such runs",
    async (phase) => {
      await makeRun(app.sql, team.id, id, "completed");
      await makeRun(app.sql, team.id, id, phase);
      const { status, body } = await app.as(owner).delete(`${path}/flow?force=false`);
      expect([status, body.message]).toEqual([409, expect.stringContaining("Workflow flow has 1 open run; cancel it first")]);
      expect((await app.as(owner).get(`${path}/flow`)).status).toBe(200);
    },
  );

  test("needs an owner, honours If-Match, and keeps the last document in the audit record", async () => {
    const editor = (await app.make.member(team.id, "editor")).token;
    const outsider = (await app.make.member((await app.make.team()).id, "owner")).token;
    expect((await remove(null)).status).toBe(401);
    expect((await remove(editor)).status).toBe(403);
    expect((await remove(outsider)).status).toBe(404);
    expect((await remove(owner, { "if-match": '"old"' })).status).toBe(412);
    expect((await remove()).status).toBe(204);
    const [record] =
      await app.sql`select action, object_name as "name", before from audit where team_id = ${team.id} order by id desc limit 1`;
    expect(record).toMatchObject({
      action: "workflow/delete",
      name: "flow",
      before: { name: "flow", tasks: [{ name: "start" }, { name: "end" }] },
    });
  });

  test("concurrent deletions delete it once", async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => remove()));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404]);
  });

  test("frees the tasks that it used", async () => {
    await makeTask(app.sql, { teamId: team.id, name: "tool" });
    await app.as(owner).put(path, { name: "flow", tasks: [{ name: "a", taskRef: "tool" }] });
    await remove();
    const used = await app.sql`
      select 1 from workflow_version_task u join workflow_version v on v.team_id = u.team_id and v.id = u.workflow_version_id
        join workflow w on w.team_id = v.team_id and w.id = v.workflow_id where w.team_id = ${team.id} and w.deleted_at is null`;
    expect(used.length).toBe(0);
  });
});

describe("the purge", () => {
  const month = 31 * 24 * 3600 * 1000;

  test("keeps the runs of this month for the quota, and removes everything when the month is over", async () => {
    const run = await makeRun(app.sql, team.id, id, "completed");
    await app.sql`insert into task_run (team_id, run_id, node, name, type, status, phase, ended_at) values (${team.id}, ${run}, 0, 'a', 'script', 'succeeded', 'completed', db_now())`;
    await app.sql`insert into action (team_id, workflow_id, run_id, task_run_id, type) values (${team.id}, ${id}, ${run}, new_id(), 'manual')`;
    await remove();
    await app.sql`update workflow set deleted_at = deleted_at - interval '2 hours' where id = ${id}`;
    await purgeDeletedWorkflows(app.sql, 100);
    expect([await countRows("workflow"), await countRows("run"), await countRows("task_run")]).toEqual([1, 1, 1]);
    await moveTime(app.sql, month);
    expect(await purgeDeletedWorkflows(app.sql, 100)).toBeGreaterThan(0);
    for (const table of ["workflow", "workflow_version", "run", "task_run", "action"])
      expect([table, await countRows(table)]).toEqual([table, 0]);
    await moveTime(app.sql, -month);
  });

  test("keeps a run submitted meanwhile until it has ended, and leaves other workflows alone", async () => {
    await app.as(owner).post(path, { name: "kept" });
    await remove();
    await makeRun(app.sql, team.id, id, "running");
    await moveTime(app.sql, month);
    await purgeDeletedWorkflows(app.sql, 100);
    expect([await countRows("workflow"), await countRows("run")]).toEqual([2, 1]);
    await app.sql`update run set status = 'succeeded', phase = 'completed', ended_at = db_now(), activity = 'none', active_since = null where team_id = ${team.id}`;
    await purgeDeletedWorkflows(app.sql, 100);
    expect([await countRows("workflow"), await countRows("run")]).toEqual([1, 0]);
    await moveTime(app.sql, -month);
  });

  test("works in batches, can be stopped, and runs in several processes at once", async () => {
    for (let index = 0; index < 50; index++) await makeRun(app.sql, team.id, id, "completed");
    await remove();
    await moveTime(app.sql, month);
    expect(await purgeDeletedWorkflows(app.sql, 1)).toBe(1);
    expect(await countRows("run")).toBe(30);
    await Promise.all([purgeDeletedWorkflows(app.sql, 100), purgeDeletedWorkflows(app.sql, 100)]);
    expect([await countRows("run"), await countRows("workflow")]).toEqual([0, 0]);
    await moveTime(app.sql, -month);
  });
});
