import { expect, onTestFinished, test } from "vitest";
import { leaveEndOfMonth, moveTime } from "../../../../test/kit/database.ts";
import { runKit, taskOf } from "../../../../test/kit/run-kit.ts";
import { makeTask } from "../../../../test/kit/workflow-factories.ts";
import { purgeDeletedWorkflows } from "../../../domain/workflow/delete-workflow.ts";
import { loadSaveContext } from "../../../domain/workflow/save-context.ts";
import { tryWorkflow } from "../../../domain/workflow/trial/try-workflow.ts";
import { transaction } from "../../../store/database/transaction.ts";
import { updateInsightTallies } from "../../../store/run/tallies/insight-tallies.ts";
import { updateRunTallies } from "../../../store/team/run-tallies.ts";
import { listTeamUsage } from "../../../store/team/teams.ts";
import { hideOldTries } from "../../../store/workflow/hidden-workflows.ts";

const { app, kit, team: makeTeam } = await runKit();
const team = await makeTeam();
const path = `${team.path}/workflow`;
const editor = await team.member("editor");
const reader = await team.member("reader");
await makeTask(app.sql, {
  ...{ name: "shell", type: "script", script: "echo" },
  params: [
    { name: "text", type: "text" },
    { name: "key", type: "password" },
  ],
});
await makeTask(app.sql, { name: "fill", type: "script", script: "echo", params: [{ name: "text", type: "text", required: true }] });
await makeTask(app.sql, { name: "switch", type: "decision", params: [{ name: "value", type: "text" }] });
await makeTask(app.sql, { name: "keep", type: "setwfproperty", params: [{ name: "output", type: "text" }] });
await makeTask(app.sql, { name: "ask", type: "approval" });

const params = (values: Record<string, unknown>) => Object.entries(values).map(([name, value]) => ({ name, value }));
const task = (name: string, taskRef: string, dependencies: (string | object)[], values: Record<string, unknown> = {}) => ({
  ...{ name, taskRef, params: params(values) },
  dependencies: dependencies.map((one) => (typeof one === "string" ? { taskRef: one } : one)),
});
/** fetch -> route -(premium)-> send -> note; otherwise reject. */
const draft = {
  displayName: "Orders",
  params: [
    { name: "city", type: "text", default: "Oslo" },
    { name: "secret", type: "password" },
  ],
  tasks: [
    task("fetch", "shell", ["start"], { text: "$(params.city)" }),
    task("route", "switch", ["fetch"], { value: "$(tasks.fetch.results.kind)" }),
    task("send", "shell", [{ taskRef: "route", decisionCondition: "premium" }], {
      text: "Hi $(tasks.fetch.results.name) of $(params.city)",
    }),
    task("reject", "ask", [{ taskRef: "route", decisionCondition: "" }]),
    task("note", "keep", ["send"], { output: "sent", value: "$(tasks.send.results.id)" }),
  ],
};
const sent = { results: [{ name: "id", value: 7 }] };
const fetched = {
  results: [
    { name: "kind", value: "premium" },
    { name: "name", value: "Ann" },
  ],
};
const attempt = (body: object, name = "orders", as: { post: typeof editor.post } = editor) => as.post(`${path}/${name}/try`, body);

async function ended(id: string) {
  await kit.settle();
  return team.run(id);
}
const statuses = (run: { tasks: { name: string; status: string }[] }) =>
  Object.fromEntries(run.tasks.map(({ name, status }) => [name, status]));

test("a draft of a workflow that does not exist runs, with pinned tasks", async () => {
  const tried = await attempt({ draft, pinned: { fetch: fetched, send: { results: [{ name: "id", value: 7 }] } } });
  expect(tried).toMatchObject({
    status: 200,
    body: { trial: { workflow: "orders", pinned: ["fetch", "send"] }, workflowDisplayName: "Trial of Orders" },
  });
  expect(tried.body.tasks).toBeUndefined();
  const run = await ended(tried.body.id);
  expect(run).toMatchObject({ status: "succeeded", results: [{ name: "sent", value: 7 }], trial: { workflow: "orders" } });
  expect(statuses(run)).toEqual({
    start: "succeeded",
    end: "succeeded",
    fetch: "succeeded",
    route: "succeeded",
    send: "succeeded",
    reject: "skipped",
    note: "succeeded",
  });
  expect(taskOf(run, "send")).toMatchObject({ pinned: true, reason: "Pinned", results: [{ name: "id", value: 7 }] });
  expect(taskOf(run, "note").pinned).toBeUndefined();
  expect((await editor.get(`${path}/orders`)).status).toBe(404);
});

test("pinned tasks end only when their turn comes, and may have failed or been skipped", async () => {
  const { body } = await attempt({
    draft,
    pinned: { fetch: { results: [{ name: "kind", value: "basic" }] }, send: {}, reject: { status: "failed" } },
  });
  expect(statuses(await ended(body.id))).toMatchObject({ send: "skipped", reject: "failed", note: "skipped" });
  const skipped = await attempt({ draft, pinned: { fetch: fetched, send: { status: "skipped" } } });
  expect(statuses(await ended(skipped.body.id))).toMatchObject({ send: "skipped", note: "skipped" });
});

test("a switch that is pinned takes the links of its decision, and needs one", async () => {
  const { body } = await attempt({ draft, pinned: { fetch: {}, route: { decision: "other" }, reject: {} } });
  expect(statuses(await ended(body.id))).toMatchObject({ send: "skipped", reject: "succeeded" });
  expect(await attempt({ draft, pinned: { route: {} } })).toMatchObject({ status: 400, body: { errors: [{ path: "/pinned/route" }] } });
});

test("up to a task, that task and all before it run, and nothing else; what comes after it may be unfinished", async () => {
  const tasks = [...draft.tasks.slice(0, 4), { name: "broken", taskRef: "there-is-no-such-task", dependencies: [{ taskRef: "send" }] }];
  const { body, status } = await attempt({ draft: { ...draft, tasks }, upTo: "route", pinned: { fetch: fetched } });
  expect({ status, trial: body.trial }).toMatchObject({ status: 200, trial: { upTo: "route" } });
  const run = await ended(body.id);
  expect(statuses(run)).toEqual({ start: "succeeded", fetch: "succeeded", route: "succeeded", end: "succeeded" });
  expect(taskOf(run, "route").decisionValue).toBe("premium");
});

test("only one task runs, with what is pinned for those that it refers to", async () => {
  const { body } = await attempt({ draft, only: "send", pinned: { fetch: fetched, note: {} }, params: params({ city: "Bergen" }) });
  await kit.settle();
  const run = await team.run(body.id);
  expect(statuses(run)).toEqual({ start: "succeeded", fetch: "succeeded", send: "ready", end: "notstarted" });
  expect(taskOf(run, "send").params).toContainEqual({ name: "text", value: "Hi Ann of Bergen" });
  expect(run.trial).toEqual({ workflow: "orders", only: "send", pinned: ["fetch"] });
  const failed = await attempt({ draft, only: "send", pinned: { fetch: { ...fetched, status: "failed" } } });
  expect(statuses(await ended(failed.body.id))).toMatchObject({ fetch: "failed", send: "ready" });
});

test("what is wrong with the only task is what the refusal says, and not what is missing in one that does not run", async () => {
  const first = { ...task("first", "fill", ["start"], { text: "a" }), results: [{ name: "id" }] };
  const second = task("second", "fill", ["first"], { text: "$(tasks.first.results.id) $(params.citty)" });
  const pinned = { first: { results: [{ name: "id", value: "a" }] } };
  const { status, body } = await attempt({ draft: { tasks: [first, second] }, only: "second", pinned });
  expect(status).toBe(400);
  expect(body.message).toContain("$(params.citty)");
  expect(body.errors).toEqual([{ path: "/tasks/1/params/0/value", message: expect.stringContaining("$(params.citty)") }]);
});

test("what is not pinned comes from a run, with its parameters; never secrets", async () => {
  const team = await makeTeam();
  const editor = await team.member("editor");
  const attempt = (body: object) => editor.post(`${team.path}/workflow/orders/try`, body);
  const worker = await kit.worker();
  const first = await attempt({ draft, upTo: "fetch", params: params({ city: "Bergen", secret: "s3cret-of-the-trial" }) });
  await kit.settle();
  await kit.end(await team.claim(worker), { results: fetched.results });
  const { body } = await attempt({ draft, only: "send", fromRun: first.body.id });
  await kit.settle();
  const run = await team.run(body.id);
  expect(taskOf(run, "send").params).toContainEqual({ name: "text", value: "Hi Ann of Bergen" });
  expect(run.params).toEqual([{ name: "city", value: "Bergen" }]);
  expect((await editor.get(`${team.path}/workflowrun/${first.body.id}`)).text).not.toContain("s3cret");
  const other = await attempt({ draft, only: "note", fromRun: first.body.id });
  expect(other).toMatchObject({ status: 400, body: { reason: "VALIDATION_FAILED", errors: [{ path: "/pinned/send" }] } });
  expect(other.body.message).toMatch(/\$\(tasks\.send\.results\.id\).*pin its results/);
});

test("without a draft the saved version runs; secrets that a draft leaves out are the stored ones", async () => {
  const keyed = { ...draft, tasks: [task("fetch", "shell", ["start"], { key: "s3cret-of-the-node" })] };
  await editor.put(path, { ...keyed, name: "saved" });
  await editor.put(path, { ...draft, name: "saved" });
  const run = (body: object) => attempt(body, "saved");
  const one = await ended((await run({ version: 1 })).body.id);
  expect(one.tasks.map(({ name }: { name: string }) => name).sort()).toEqual(["end", "fetch", "start"]);
  expect((await run({ version: 9 })).body.reason).toBe("WORKFLOW_REVISION_NOT_FOUND");
  expect((await run({ version: 1, draft })).body.errors[0].path).toBe("/version");
  const two = await run({ pinned: { fetch: fetched }, upTo: "route" });
  expect(two.body.trial).toMatchObject({ workflow: "saved", version: 2, upTo: "route" });
  const { body } = await editor.get(`${path}/saved?version=1`);
  await editor.put(path, { ...keyed, name: "kept" });
  const kept = await attempt({ draft: { ...body, name: "kept" } }, "kept");
  const [row] = await app.sql<{ same: boolean; text: string }[]>`
    select v.document::text as text, exists (select from workflow w join workflow_version s on s.workflow_id = w.id where w.name = 'kept'
      and s.document -> 'tasks' -> 0 -> 'params' -> 0 ->> 'value' = v.document -> 'tasks' -> 0 -> 'params' -> 0 ->> 'value') as same
    from run r join workflow_version v on v.id = r.workflow_version_id where r.id = ${kept.body.id}`;
  expect(row?.text).not.toContain("s3cret");
});

test("a draft has no version: the hidden one created for it is read only by its number", async () => {
  const { body } = await attempt({ draft }, "unborn");
  expect(body.trial.version).toBeUndefined();
  expect((await editor.get(`${path}/unborn`)).status).toBe(404);
  expect((await editor.get(`${path}/${body.workflowRef}`)).body.reason).toBe("WORKFLOW_INVALID_REFERENCE");
  expect((await editor.get(`${path}/${body.workflowName}`)).status).toBe(404);
  expect((await editor.get(`${path}/${body.workflowRef}/compose`)).status).toBe(404);
  expect((await editor.post(`${path}/${body.workflowRef}/duplicate`)).status).toBe(404);
  expect((await editor.get(`${path}/${body.workflowRef}?version=1`)).body.tasks).toHaveLength(7);
});

const yaml = `apiVersion: millrace.dev/v1
kind: Workflow
name: orders
tasks:
  - name: fetch
    taskRef: shell
`;

test("a draft may come as YAML, whose faults have their line", async () => {
  expect((await attempt({ draftDocument: yaml })).status).toBe(200);
  expect((await attempt({ draftDocument: yaml.replace("shell", "nothing-like-it") })).body.errors[0].message).toMatch(/line 6/);
  expect((await attempt({ draftDocument: yaml, draft })).body.errors[0].path).toBe("/draftDocument");
});

test.each([
  ["two choices", { only: "send", upTo: "send" }, "/upTo"],
  ["a task that there is not", { only: "sent" }, "/only"],
  ["the end", { upTo: "end" }, "/upTo"],
  ["a pin of no task", { pinned: { sent: {} } }, "/pinned/sent"],
  ["a status that no pin has", { pinned: { send: { status: "running" } } }, "/pinned/send/status"],
  ["a large result", { pinned: { send: { results: [{ name: "a", value: "x".repeat(1_100_000) }] } } }, "/pinned/send/results/0"],
  [
    "large results together",
    {
      pinned: Object.fromEntries(
        ["fetch", "send"].map((name) => [
          name,
          { results: Array.from({ length: 5 }, (_, at) => ({ name: `r${at}`, value: "x".repeat(790_000) })) },
        ]),
      ),
    },
    undefined,
  ],
])("%s is refused with its place", async (_, more, place) => {
  const refused = await attempt({
    draft: { ...draft, tasks: draft.tasks.map((one) => (one.name === "end" ? { ...one, type: "end" } : one)) },
    ...more,
  });
  if (place === undefined) expect(refused.status).toBeLessThan(500);
  else expect(refused).toMatchObject({ status: 400, body: { errors: expect.arrayContaining([expect.objectContaining({ path: place })]) } });
});

test("it follows the rules of a save, with the same problems and warnings", async () => {
  const tasks = [...draft.tasks, { name: "bad", taskRef: "there-is-no-such-task", dependencies: [] }];
  const refused = await attempt({ draft: { ...draft, tasks }, upTo: "bad" });
  expect(refused).toMatchObject({ status: 400, body: { reason: "WORKFLOW_INVALID_TASK_REF", errors: [{ path: "/tasks/5/taskRef" }] } });
  const warned = await attempt({
    draft: { ...draft, tasks: [task("fetch", "shell", []), task("choose", "switch", ["fetch"])] },
    upTo: "choose",
    pinned: { fetch: {} },
  });
  expect(warned.body.trial.warnings).toContainEqual(
    expect.objectContaining({ severity: "warning", node: "choose", path: "/tasks/1/params" }),
  );
});

test("it needs the permissions to run, to save for a draft, and to read the run that gives values", async () => {
  await editor.put(path, { ...draft, name: "allowed" });
  expect((await attempt({}, "allowed", reader)).status).toBe(403);
  const acts = app.as(await app.make.teamToken(team.id, ["workflow/action"]));
  expect((await attempt({}, "allowed", acts)).status).toBe(200);
  expect(await attempt({ draft }, "allowed", acts)).toMatchObject({ status: 403, body: { reason: "PERMISSION_DENIED" } });
  const { id } = (await attempt({}, "allowed")).body;
  expect((await attempt({ fromRun: id }, "allowed", acts)).status).toBe(403);
  expect((await attempt({ fromRun: id }, "allowed")).status).toBe(200);
  const other = await makeTeam();
  const outsider = await other.member("owner");
  expect((await attempt({}, "allowed", outsider)).status).toBe(404);
  expect((await outsider.post(`${other.path}/workflow/mine/try`, { draft, fromRun: id })).body.reason).toBe(
    "WORKFLOWRUN_INVALID_REFERENCE",
  );
  expect((await attempt({}, "nothing")).body.reason).toBe("WORKFLOW_INVALID_REFERENCE");
});

test("a caller who may run but not change a workflow can't skip tasks, or run an archived one", async () => {
  const owner = await team.member("owner");
  await editor.put(path, { ...draft, name: "guarded" });
  const acts = app.as(await app.make.teamToken(team.id, ["workflow/action"]));
  const refused = { status: 403, body: { reason: "PERMISSION_DENIED", message: expect.stringContaining("workflow/write") } };
  expect(await attempt({ pinned: { fetch: fetched } }, "guarded", acts)).toMatchObject(refused);
  expect(await attempt({ only: "fetch" }, "guarded", acts)).toMatchObject(refused);
  expect((await attempt({ upTo: "fetch" }, "guarded", acts)).status).toBe(200);
  await editor.put(path, { ...draft, name: "guarded", status: "inactive" });
  expect(await attempt({}, "guarded", acts)).toMatchObject({ status: 409, body: { reason: "WORKFLOW_NOT_ACTIVE" } });
  expect((await attempt({ pinned: { fetch: fetched } }, "guarded")).status).toBe(200);
  expect((await owner.put(`${path}/guarded/archive`)).status).toBe(204);
  for (const body of [{}, { draft }]) {
    expect(await attempt(body, "guarded")).toMatchObject({ status: 409, body: { reason: "WORKFLOW_ARCHIVED" } });
  }
});

test("it runs once, and can't be rerun", async () => {
  const { id } = (await attempt({ draft, only: "reject" })).body;
  await editor.delete(`${team.path}/workflowrun/${id}/cancel`);
  for (const mode of ["retry", "rerun"]) {
    expect(await editor.put(`${team.path}/workflowrun/${id}/${mode}`)).toMatchObject({
      ...{ status: 409, body: { message: expect.stringContaining("a trial, which runs once") } },
    });
  }
});

test("its hidden workflow can't be put away or scheduled by its ID", async () => {
  const { workflowRef } = (await attempt({ draft, only: "reject" })).body;
  const owner = await team.member("owner");
  expect((await owner.put(`${path}/${workflowRef}/archive`)).status).toBe(404);
  const schedule = { name: "daily", workflowRef, cronSchedule: "0 6 * * *", timezone: "UTC" };
  expect(await owner.post(`${team.path}/schedule`, schedule)).toMatchObject({
    ...{ status: 404, body: { message: expect.stringContaining("the team has no such workflow") } },
  });
});

test("it is in no statistics, and triggers nothing", async () => {
  const own = await makeTeam();
  const owner = await own.member("owner");
  await owner.put(`${own.path}/workflow`, { ...draft, name: "orders" });
  await owner.put(`${own.path}/workflow`, { name: "after", triggers: { workflow: { enabled: true } } });
  const events = async () => (await app.sql`select from change_event where team_id = ${own.id}`).length;
  const before = await events();
  const { body } = await owner.post(`${own.path}/workflow/orders/try`, { pinned: { fetch: fetched, send: sent } });
  await kit.settle();
  expect((await own.run(body.id)).status).toBe("succeeded");
  expect(await events()).toBe(before);
  const get = async (rest: string) => (await owner.get(`${own.path}${rest}`)).body;
  expect(await get("/workflowrun/query")).toMatchObject({ content: [], totalElements: 0 });
  expect((await get("/workflowrun/count")).status).toMatchObject({ all: 0 });
  expect(await get("/taskrun/query")).toMatchObject({ content: [], totalElements: 0 });
  expect((await get(`/taskrun/query?workflowruns=${body.id}`)).content.length).toBeGreaterThan(0);
  const insights = await owner.get(`${own.path}/insights`);
  expect(insights.text).not.toContain("Trial of Orders");
  expect(insights.body.totalRuns).toBe(0);
  expect((await get("/workflow/query?limit=10&page=0")).content.map(({ name }: { name: string }) => name).sort()).toEqual([
    "after",
    "orders",
  ]);
});

test("it does not count for insights or the monthly quota, but takes a slot like any run", async () => {
  const minutes = 20 * 60_000;
  const start = await leaveEndOfMonth(app.sql, 2 * minutes);
  onTestFinished(() => moveTime(app.sql, -start - minutes));
  const own = await makeTeam({ maxWorkflowRunMonthly: 1, maxConcurrentRuns: 1 });
  const owner = await own.member("owner");
  await owner.put(`${own.path}/workflow`, { ...draft, name: "orders" });
  const tries = (body: object) => owner.post(`${own.path}/workflow/orders/try`, body);
  const pinned = { fetch: fetched, send: sent };
  for (let count = 0; count < 3; count++) expect((await tries({ pinned })).status).toBe(200);
  await kit.settle();
  await moveTime(app.sql, minutes);
  const sizes = { most: 100, enough: 1, enoughOld: 1 };
  await updateInsightTallies(app.sql, undefined, sizes);
  await updateRunTallies(app.sql);
  const [packed] = await app.sql<
    { runs: number }[]
  >`select coalesce(sum(octet_length(data)), 0)::int as runs from insight_tally where team_id = ${own.id}`;
  expect(packed?.runs).toBe(0);
  expect((await owner.get(`${own.path}/insights`)).body.totalRuns).toBe(0);
  const usage = async () => (await listTeamUsage(app.sql, [own.id]))[0];
  expect(await usage()).toMatchObject({ runs: 0, concurrentRuns: 0 });
  const open = await tries({ only: "send", pinned: { fetch: fetched } });
  await kit.settle();
  expect((await own.run(open.body.id)).status).toBe("running");
  expect(await usage()).toMatchObject({ runs: 0, concurrentRuns: 1 });
  expect((await owner.post(`${own.path}/workflow/orders/submit?start=true`, {})).status).toBe(429);
  expect((await owner.post(`${own.path}/workflow/orders/submit`, {})).status).toBe(200);
  expect(await tries({ pinned })).toMatchObject({ status: 429, body: { reason: "QUOTA_EXCEEDED" } });
});

test("a pinned approval asks nobody", async () => {
  const asked = async (id: string) => (await app.sql`select from action where run_id = ${id}`).length;
  const basic = { results: [{ name: "kind", value: "basic" }] };
  const open = await attempt({ draft, pinned: { fetch: basic } });
  const pinned = await attempt({ draft, pinned: { fetch: basic, reject: {} } });
  await kit.settle();
  expect([await asked(open.body.id), await asked(pinned.body.id)]).toEqual([1, 0]);
});

test("it is removed an hour after its end, and can't be run again by its hidden workflow", async () => {
  const { body } = await attempt({ draft, pinned: { fetch: fetched, send: {} } });
  await kit.settle();
  expect((await editor.post(`${path}/${body.workflowRef}/submit`, {})).status).toBe(404);
  const isThere = async () => (await editor.get(`${team.path}/workflowrun/${body.id}`)).status === 200;
  await app.sql`update workflow set created_at = created_at - interval '3 hours' where starts_with(name, 'try~')`;
  await hideOldTries(app.sql);
  expect(await isThere()).toBe(true);
  await app.sql`update run set phase = 'completed', status = 'succeeded', ended_at = db_now() - interval '2 hours' where id = ${body.id}`;
  await hideOldTries(app.sql);
  expect(await isThere()).toBe(false);
  await app.sql`update workflow set deleted_at = deleted_at - interval '2 hours' where deleted_at is not null`;
  await purgeDeletedWorkflows(app.sql, 50);
  expect((await app.sql`select from workflow_version where id = ${body.workflowRevisionRef}`).length).toBe(0);
});

test("a process that dies before the commit leaves nothing", async () => {
  const counts = () => app.sql`
    select (select count(*)::int from workflow) as workflows, (select count(*)::int from run) as runs, (select count(*)::int from audit) as audited`;
  const before = await counts();
  const dies = transaction(app.sql, async (tx) => {
    const save = await loadSaveContext(tx, team.id, "author", app.keyring, app.context);
    const audit = () =>
      ({
        ...{ teamId: team.id, principalKind: "user", principalId: "u", principalName: "u", tokenId: null },
        ...{ action: "a", objectKind: "k", objectId: null, objectName: null, requestId: "r" },
      }) as never;
    const { run } = await tryWorkflow(tx, save, app.context, {
      workflow: "orders",
      draft: { name: "orders", ...draft } as never,
      request: {},
      mayChange: true,
      initiatedBy: null,
      audit,
    });
    expect(run.id).toBeDefined();
    throw new Error("killed");
  });
  await expect(dies).rejects.toThrow("killed");
  expect(await counts()).toEqual(before);
});

test("one that waits in vain ends within a day, and is removed like the others", async () => {
  const { body } = await attempt({ draft: { ...draft, timeout: 90_000 }, upTo: "fetch" });
  expect(body.timeout).toBe(1440);
  expect((await attempt({ draft: { ...draft, timeout: 5 }, upTo: "fetch" })).body.timeout).toBe(5);
});

test("it is recorded with its caller and the name of the workflow, and a repeated request is the same trial", async () => {
  const send = () => editor.post(`${path}/orders/try`, { draft, upTo: "fetch" }, { "idempotency-key": "try-of-orders" });
  const [one, two] = [await send(), await send()];
  expect(two.body.id).toBe(one.body.id);
  const rows = await app.sql`select action, object_name, after from audit where object_id = ${one.body.id}`;
  const after = { trialOf: "orders", upTo: "fetch" };
  expect(rows).toEqual([{ action: "workflow/action", object_name: "orders", after }]);
});
