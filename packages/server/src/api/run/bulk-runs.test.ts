import { describe, expect, test } from "vitest";
import { addVersion } from "../../../test/kit/engine-kit.ts";
import { params, runKit } from "../../../test/kit/run-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";
import { workOnBulk } from "../../domain/run/lists/bulk-runs.ts";
import { allowsRunActions } from "../../http/admit/standing-rights.ts";

const { app, kit, team, outsider } = await runKit();
const admin = app.as();
const waits = workflow(node("wait", "eventwait", ["start"], params({ topic: "go" })));

const parts = { sql: app.sql, context: kit.context, bus: kit.bus, checkRights: allowsRunActions };
const round = () => workOnBulk(parts, new AbortController().signal);
const work = async () => {
  while ((await round()) > 0);
};

async function teamWithRuns(count: number) {
  const made = await team();
  await made.workflow("waits", waits);
  const ids: string[] = [];
  for (let n = 0; n < count; n++) ids.push((await made.submit("waits", { labels: { n: String(n) } })).id);
  const bulk = `${made.path}/workflowrun/bulk`;
  const statuses = async () => (await admin.get(`${made.path}/workflowrun/count`)).body.status;
  return { ...made, ids, bulk, statuses };
}

describe("an action on all runs that match", () => {
  test("applies to the runs that match at its start, each with an audit record", async () => {
    const { bulk, ids, submit, statuses, member, id: teamId } = await teamWithRuns(3);
    const editor = await member("editor");
    const { status, body } = await editor.post(bulk, { action: "cancel", filter: { statuses: ["waiting"] }, expected: 3 });
    expect(status).toBe(202);
    expect(body).toMatchObject({ action: "cancel", status: "running", total: 3, done: 0, failed: 0, left: 3 });
    await submit("waits");
    await work();
    expect(await statuses()).toMatchObject({ cancelled: 3, waiting: 1 });
    expect((await editor.get(`${bulk}/${body.id}`)).body).toMatchObject({
      status: "completed",
      done: 3,
      left: 0,
      endDate: expect.anything(),
    });
    const { content } = (await editor.get(`${bulk}/${body.id}/run`)).body;
    expect(content.map(({ workflowRunRef }: { workflowRunRef: string }) => workflowRunRef).sort()).toEqual(ids);
    const records = await app.sql`
      select object_id, principal_id from audit where team_id = ${teamId} and after->>'bulk' = ${body.id} and after->>'status' = 'cancelled'`;
    expect(records.length).toBe(3);
    expect(records.every((record) => record["principal_id"] === `user:${editor.userId}`)).toBe(true);
    expect((await admin.delete(`${bulk}/${body.id}/cancel`)).status).toBe(409);
  });

  test("records for each run why it failed, and which run it created", async () => {
    const { bulk, ids, path } = await teamWithRuns(3);
    await admin.delete(`${path}/workflowrun/${ids[0]}/cancel`);
    const { body } = await admin.post(bulk, { action: "retry", filter: { workflowruns: ids } });
    await work();
    expect((await admin.get(`${bulk}/${body.id}`)).body).toMatchObject({ status: "completed", done: 1, failed: 2 });
    const failed = (await admin.get(`${bulk}/${body.id}/run?outcomes=failed&limit=1`)).body;
    expect(failed).toMatchObject({ totalElements: 2, content: [{ outcome: "failed", message: expect.stringContaining("running") }] });
    const [done] = (await admin.get(`${bulk}/${body.id}/run?outcomes=done`)).body.content;
    const labels = { "millrace.dev/retry-of": ids[0], "millrace.dev/bulk": body.id };
    expect((await admin.get(`${path}/workflowrun/${done.newWorkflowRunRef}`)).body).toMatchObject({ retryOf: ids[0], labels });
    expect((await admin.get(`${path}/workflowrun/query?labels=millrace.dev%2Fbulk%3D${body.id}`)).body.totalElements).toBe(1);
    // A rerun of that one is not part of the action.
    await admin.delete(`${path}/workflowrun/${done.newWorkflowRunRef}/cancel`);
    const { body: single } = await admin.put(`${path}/workflowrun/${done.newWorkflowRunRef}/retry`);
    expect(single.labels).toEqual({ n: "0", "millrace.dev/retry-of": ids[0] });
    expect((await admin.get(`${bulk}?limit=5`)).body).toMatchObject({ totalElements: 1, content: [{ id: body.id }] });
  });

  test("is done once per run, despite crashes and concurrent workers", async () => {
    const { bulk, ids, statuses, path } = await teamWithRuns(4);
    for (const id of ids) await admin.delete(`${path}/workflowrun/${id}/cancel`);
    const { body } = await admin.post(bulk, { action: "retry", filter: {} });
    const dying = { ...parts, checkRights: () => Promise.reject(Object.assign(new Error("gone"), { code: "57P01" })) };
    await expect(workOnBulk(dying, new AbortController().signal)).rejects.toThrow("gone");
    await Promise.all([work(), work(), work()]);
    await work();
    expect((await admin.get(`${bulk}/${body.id}`)).body).toMatchObject({ status: "completed", done: 4, failed: 0 });
    expect((await statuses()).all).toBe(8);
  });

  test("that can't continue does not block others", async () => {
    const [one, other] = [await teamWithRuns(1), await teamWithRuns(1)];
    const stuck = (await admin.post(one.bulk, { action: "cancel", filter: {} })).body;
    await admin.post(other.bulk, { action: "cancel", filter: {} });
    const gone = () => Object.assign(new Error("gone"), { code: "57P01" });
    const failing: typeof parts = {
      ...parts,
      checkRights: (tx, caller, of) => (of.teamId === one.id ? Promise.reject(gone()) : allowsRunActions(tx, caller, of)),
    };
    await expect(workOnBulk(failing, new AbortController().signal)).rejects.toThrow("gone");
    expect(await other.statuses()).toMatchObject({ cancelled: 1 });
    expect((await admin.get(`${one.bulk}/${stuck.id}`)).body).toMatchObject({ status: "running", left: 1 });
    await work();
    expect(await one.statuses()).toMatchObject({ cancelled: 1 });
  });

  test("reruns them from a task with the latest version and other parameters, as planned", async () => {
    const made = await team();
    const city = {
      params: [
        { name: "city", type: "text", default: "Oslo" },
        { name: "key", type: "password" },
      ],
    };
    const sets = (value: string) =>
      workflow(
        node("one", "setwfproperty", ["start"], params({ output: "one", value: "1" })),
        node("two", "setwfproperty", ["one"], params({ output: "two", value })),
      );
    const workflowId = await made.workflow("sets", sets("$(params.city)"), city);
    for (let n = 0; n < 3; n++) await made.submit("sets");
    const bulk = `${made.path}/workflowrun/bulk`;
    const plan = async (rerun?: object) => (await admin.post(`${bulk}/plan`, { filter: {}, rerun })).body;
    expect(await plan()).toMatchObject({ total: 3, looked: 3, willRun: 0, nothing: 3, refused: 0, tasks: { reused: 6 } });
    await addVersion(app.sql, workflowId, sets("$(params.city)!"), city);
    const rerun = { version: "latest", params: [{ name: "city", value: "Rome" }] };
    expect(await plan(rerun)).toMatchObject({ willRun: 3, nothing: 0, tasks: { reused: 3, "definition-changed": 3 } });
    expect(await plan({ from: ["none"] })).toMatchObject({
      refused: 3,
      messages: [expect.stringContaining('"none"'), expect.anything(), expect.anything()],
    });
    expect(await plan({ params: [{ name: "key", value: "long-secret-one" }] })).toMatchObject({ refused: 3 });
    const { body } = await admin.post(bulk, { action: "rerun", filter: {}, rerun, expected: 3 });
    expect(body.rerun).toEqual(rerun);
    await work();
    await kit.settle();
    const { content } = (await admin.get(`${bulk}/${body.id}/run`)).body;
    const made1 = await made.run(content[0].newWorkflowRunRef);
    expect(made1).toMatchObject({
      status: "succeeded",
      workflowVersion: 2,
      rerunOf: { workflowRunRef: content[0].workflowRunRef, reused: 1 },
    });
    expect(made1.results).toMatchObject([{ value: "1" }, { value: "Rome!" }]);
    expect((await admin.post(bulk, { action: "cancel", filter: {}, rerun })).status).toBe(400);
  });

  test("is refused before it is recorded when it sets a secret of the runs, their version or the latest one", async () => {
    const made = await team();
    const declares = (type: string, value?: string) => ({ params: [{ name: "key", type, ...(value && { default: value }) }] });
    const workflowId = await made.workflow("opens", waits, declares("text"));
    const { id } = await made.submit("opens");
    await made.workflow("hides", waits, declares("password"));
    await made.submit("hides");
    await made.workflow("inherits", waits, declares("text"));
    const inherits = await made.submit("inherits");
    await app.sql`update run set params = '[{"name":"key","value":"Bearer ******"}]' where team_id = ${made.id} and id = ${inherits.id}`;
    const bulk = `${made.path}/workflowrun/bulk`;
    const rerun = { params: [{ name: "key", value: "sent-too-far" }] };
    const ask = (workflow: string) => admin.post(bulk, { action: "rerun", filter: { workflows: [workflow] }, rerun });
    const refused = { status: 400, body: { message: expect.stringContaining('parameter "key" is a secret') } };
    expect(await ask("hides")).toMatchObject(refused);
    expect(await ask("inherits")).toMatchObject(refused);
    expect((await ask("opens")).status).toBe(202);
    await addVersion(app.sql, workflowId, waits, declares("password"));
    expect(await admin.post(bulk, { action: "rerun", filter: { workflowruns: [id] }, rerun })).toMatchObject(refused);
    const [kept] = await app.sql`select count(*)::int as count from run_bulk where team_id = ${made.id}`;
    expect(kept?.["count"]).toBe(1);
    const [told] = await app.sql`
      select count(*)::int as count from audit where team_id = ${made.id} and object_name = 'bulk rerun'`;
    expect(told?.["count"]).toBe(1);
    await work();
  });

  test("ends when it is cancelled", async () => {
    const { bulk, statuses } = await teamWithRuns(2);
    const { body } = await admin.post(bulk, { action: "cancel", filter: {} });
    expect((await admin.delete(`${bulk}/${body.id}/cancel`)).body).toMatchObject({ status: "cancelled", left: 2 });
    await work();
    expect(await statuses()).toMatchObject({ waiting: 2 });
  });

  test("is limited to the permissions of its requester", async () => {
    const { bulk, statuses, member, path, id } = await teamWithRuns(2);
    const editor = await member("editor");
    const { body } = await editor.post(bulk, { action: "cancel", filter: {} });
    await app.sql`delete from team_member where team_id = ${id} and user_id = ${editor.userId}`;
    await work();
    expect((await admin.get(`${bulk}/${body.id}`)).body).toMatchObject({ status: "completed", done: 0, failed: 2 });
    expect(await statuses()).toMatchObject({ waiting: 2 });
    expect((await (await member("reader")).post(bulk, { action: "cancel", filter: {} })).status).toBe(403);
    expect((await (await member("reader")).get(`${bulk}/${body.id}`)).status).toBe(200);
    expect((await (await outsider()).get(`${bulk}/${body.id}`)).status).toBe(404);
    expect((await admin.get(`${(await team()).path}/workflowrun/bulk/${body.id}`)).status).toBe(404);
    expect((await app.as(null).get(`${path}/workflowrun/bulk`)).status).toBe(401);
  });

  test("is refused when something else is expected, and when there are too many", async () => {
    const { bulk } = await teamWithRuns(2);
    const refused = await admin.post(bulk, { action: "cancel", filter: {}, expected: 3 });
    expect(refused).toMatchObject({
      status: 409,
      body: { message: "2 runs match the filter now, not 3: check them, and send the request again" },
    });
    expect((await admin.post(bulk, { action: "explode", filter: {} })).status).toBe(400);
    expect((await admin.post(bulk, { action: "cancel" })).status).toBe(400);
    expect(await admin.post(bulk, { action: "cancel", filter: { statuses: ["failed"] } })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("no run matches it, so nothing was done") },
    });
    for (let n = 0; n < 5; n++) expect((await admin.post(bulk, { action: "cancel", filter: {} })).status).toBe(202);
    expect((await admin.post(bulk, { action: "cancel", filter: {} })).status).toBe(409);
    await work();
  });

  test("takes ten thousand runs within a second", async () => {
    const { bulk, id } = await teamWithRuns(1);
    await app.sql`
      insert into run (team_id, workflow_id, workflow_version_id, workflow_version, task_version_ids, status, phase, trigger, layers, task_count, started_at, ended_at)
      select team_id, workflow_id, workflow_version_id, 1, '{}', 'failed', 'completed', 'manual', '{}', 2, db_now(), db_now()
      from run, generate_series(1, 10000) where team_id = ${id}`;
    expect((await admin.post(`${bulk}/plan`, { filter: { statuses: ["failed"] } })).body).toMatchObject({ total: 10_000, looked: 100 });
    const startedAt = process.cpuUsage();
    const { body } = await admin.post(bulk, { action: "rerun", filter: { statuses: ["failed"] }, expected: 10_000 });
    expect(body).toMatchObject({ total: 10_000, left: 10_000 });
    const { user, system } = process.cpuUsage(startedAt);
    expect((user + system) / 1000).toBeLessThan(1_000);
    await admin.delete(`${bulk}/${body.id}/cancel`);
  });
});
