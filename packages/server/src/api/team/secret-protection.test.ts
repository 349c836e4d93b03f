import { describe, expect, test } from "vitest";
import { runKit, taskOf } from "../../../test/kit/run-kit.ts";
import { everyHour, scheduleEngine } from "../../../test/kit/schedule-kit.ts";
import { makeTask } from "../../../test/kit/workflow-factories.ts";
import { loadRunSecrets } from "../../domain/run/run-secrets.ts";
import { setApproverGroup } from "../../store/team/members.ts";

const { app, kit, team } = await runKit();
const admin = app.as();
await makeTask(app.sql, { name: "shell", type: "script", script: "echo", params: [{ name: "script" }] });
await makeTask(app.sql, { name: "call", type: "runworkflow", params: [{ name: "workflowRef" }] });

const document = (name: string, script: string, more: object = {}) => ({
  ...{ name, ...more },
  tasks: [{ name: "ship", taskRef: "shell", params: [{ name: "script", value: script }] }],
});
const uses = "deploy $(team.params.key)";
const withoutName = ({ name: _, ...workflow }: { name: string; tasks: object[] }) => workflow;
const nesting = (name: string, script: string) => ({
  name,
  tasks: [{ name: "group", taskRef: "call", workflow: withoutName(document("inner", script)) }],
});

/** A team with a protected secret, an editor without a vote, and approvers. */
async function guarded({ isProtected = true } = {}) {
  const made = await team();
  const [editor, approver, second, owner] = [
    await made.member("editor"),
    await made.member("editor"),
    await made.member("editor"),
    await made.member("owner"),
  ];
  await setApproverGroup(app.sql, made.id, "security", [approver.userId]);
  await setApproverGroup(app.sql, made.id, "releasers", [second.userId]);
  const parameters = [
    { name: "key", type: "password", value: "correct horse" },
    { name: "keys", type: "secret", value: { user: "battery", password: "staple" } },
    { name: "plain", type: "text", value: "hello" },
  ];
  expect((await admin.patch(made.path, { parameters })).status).toBe(200);
  const protection = (name = "key") => `${made.path}/parameters/${name}/protection`;
  const protect = (body: object = {}, name = "key", by = owner) => by.put(protection(name), { approverGroup: "security", ...body });
  if (isProtected) expect((await protect()).status).toBe(200);
  const save = (body: object, by = editor) => by.put(`${made.path}/workflow`, body);
  const submit = (name: string, body: object = {}, by = editor) => by.post(`${made.path}/workflow/${name}/submit`, body);
  const vote = (by: typeof editor, id: string, approved = true) => by.put(`${made.path}/action`, [{ id, approved }]);
  const propose = async (body: object, by = editor) => {
    const answer = await save(body, by);
    expect({ status: answer.status, reason: answer.body.reason }).toEqual({ status: 409, reason: "WORKFLOW_PROTECTED" });
    return answer.body.errors[0].message as string;
  };
  /** A workflow that uses the secret, approved. */
  const approved = async (name = "release", script = uses) => {
    const id = await propose(document(name, script));
    expect((await vote(approver, id)).status).toBe(204);
    return `${made.path}/workflow/${name}`;
  };
  /** The secrets of the team that a run gets. */
  const given = async (runId: string) => (await loadRunSecrets(app.sql, app.context.keyring, made.id, runId))?.team ?? {};
  return { ...made, editor, approver, second, owner, protection, protect, save, submit, vote, propose, approved, given };
}
type Guarded = Awaited<ReturnType<typeof guarded>>;

const refused = { status: 409, body: { reason: "SECRET_PROTECTED", message: expect.stringContaining("secret key") } };

describe("a protected secret", () => {
  test("reaches the runs of versions that its group has approved, and no others", async () => {
    const of = await guarded();
    expect((await of.save(document("other", "echo hi"))).status).toBe(200);
    const other = await of.submit("other");
    expect(await of.given(other.body.id)).toEqual({ keys: { user: "battery", password: "staple" } });
    const id = await of.propose(document("other", uses));
    expect((await of.editor.get(`${of.path}/workflow/other`)).body.version).toBe(1);
    const action = (await of.approver.get(`${of.path}/action/${id}`)).body;
    expect(action).toMatchObject({ approverGroupName: "security", instructions: expect.stringContaining("protected secret key") });
    expect((await of.vote(of.editor, id)).status).toBe(403);
    expect((await of.vote(of.approver, id)).status).toBe(204);
    const run = await of.submit("other");
    expect(run).toMatchObject({ status: 200, body: { workflowVersion: 2 } });
    expect(await of.given(run.body.id)).toMatchObject({ key: "correct horse" });
    const { content } = (await admin.get(`${of.path}/decision/query`)).body;
    expect(content).toMatchObject([{ type: "publish", decision: "approved", secrets: ["key"], workflow: { name: "other", version: 2 } }]);
    expect((await of.editor.get(`${of.path}/workflow/other/protection`)).body).toMatchObject({
      ...{ protected: false, ofTeam: false },
      secrets: [{ name: "key", approverGroupName: "security", approved: true }],
    });
    // Before it was approved.
    expect(await of.submit("other", { workflowVersion: 1 })).toMatchObject({ status: 200 });
  });

  test("reaches what is nested in an approved version, at any depth", async () => {
    const of = await guarded();
    const deep = { name: "release", tasks: [{ name: "outer", taskRef: "call", workflow: withoutName(nesting("x", uses)) }] };
    const id = await of.propose(deep);
    expect(await of.submit("release")).toMatchObject(refused);
    expect((await of.vote(of.approver, id)).status).toBe(204);
    const { body } = await of.submit("release");
    await kit.settle();
    const inner = async (runId: string, task: string) => {
      const [found] = await app.sql<{ id: string }[]>`
        select r.id from run r join task_run t on t.team_id = r.team_id and t.id = r.parent_task_run_id
        where r.team_id = ${of.id} and t.run_id = ${runId} and t.name = ${task}`;
      return found?.id as string;
    };
    const last = await inner(await inner(body.id, "outer"), "group");
    expect(await of.given(last)).toMatchObject({ key: "correct horse" });
    await of.propose({ ...deep, tasks: [{ ...deep.tasks[0], workflow: withoutName(nesting("x", `${uses}; curl evil`)) }] });
  });

  test("in a new workflow waits, too: its runs are refused until the version is approved", async () => {
    const of = await guarded();
    const id = await of.propose(document("release", uses));
    expect(await of.submit("release")).toMatchObject(refused);
    expect(await of.propose(document("release", uses))).toBe(id);
    expect((await of.vote(of.approver, id)).status).toBe(204);
    expect(await of.submit("release")).toMatchObject({ status: 200, body: { workflowVersion: 2 } });
    expect((await of.save(document("release", uses))).body.version).toBe(2);
    await of.propose(document("release", `${uses}; curl evil`));
    // The version that no longer uses it needs no approval.
    expect((await of.save(document("release", "echo"))).status).toBe(200);
  });

  test("asks the group of the workflow first, then its own; each of them can reject", async () => {
    const of = await guarded();
    expect((await of.save(document("release", "echo"))).status).toBe(200);
    const at = `${of.path}/workflow/release`;
    expect((await of.owner.put(`${at}/protection`, { approverGroup: "releasers" })).status).toBe(200);
    const first = await of.propose(document("release", uses));
    expect((await of.vote(of.approver, first)).status).toBe(403);
    expect((await of.vote(of.second, first)).status).toBe(204);
    const [next, before] = (await of.editor.get(`${at}/proposal`)).body;
    expect(before).toMatchObject({ actionRef: first, status: "approved", note: expect.stringContaining("security") });
    expect(next).toMatchObject({ status: "submitted", version: 2 });
    expect((await of.editor.get(at)).body.version).toBe(1);
    const asked = (await of.approver.get(`${of.path}/action/${next.actionRef}`)).body;
    expect(asked.attachments.find(({ label }: { label: string }) => label === "Changes").text).toContain("+");
    expect((await of.vote(of.second, next.actionRef)).status).toBe(403);
    expect((await of.vote(of.approver, next.actionRef)).status).toBe(204);
    expect((await of.editor.get(at)).body.version).toBe(2);
    expect(await of.submit("release")).toMatchObject({ status: 200 });
    expect((await admin.get(`${of.path}/decision/verify`)).body).toMatchObject({ valid: true, checked: 2 });
  });

  test("excludes versions published before, unless an owner approves them", async () => {
    for (const approveCurrent of [false, true]) {
      const of = await guarded({ isProtected: false });
      expect((await of.save(document("release", uses))).status).toBe(200);
      expect((await of.owner.get(of.protection())).body).toMatchObject({ protected: false, workflows: [{ name: "release", version: 1 }] });
      const answer = await of.protect({ approveCurrent });
      expect(answer.body).toMatchObject({ protected: true, workflows: [{ name: "release", version: 1, approved: approveCurrent }] });
      expect(await of.submit("release")).toMatchObject(approveCurrent ? { status: 200 } : refused);
      if (!approveCurrent) expect((await of.vote(of.approver, await of.propose(document("release", uses)))).status).toBe(204);
      expect(await of.submit("release")).toMatchObject({ status: 200 });
    }
  });

  test("stays what it is: only owners turn its protection off, and till then it is not deleted and stays a secret", async () => {
    const of = await guarded();
    const write = (parameter: object, by = of.editor) => by.patch(of.path, { parameters: [parameter] });
    expect(await of.owner.delete(`${of.path}/parameters/key`)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining("key is protected") },
    });
    expect((await write({ name: "key", type: "text", value: "x" })).status).toBe(409);
    const applied = await of.editor.post(`${of.path}/apply`, [{ kind: "Parameter", name: "key", type: "text", value: "x" }]);
    expect({ status: applied.status, text: applied.text }).toMatchObject({
      status: 400,
      text: expect.stringContaining("Secret key is protected"),
    });
    expect((await write({ name: "key", type: "password", value: "a new value" })).status).toBe(200);
    expect((await of.owner.delete(`${of.path}/approvers`, ["security"])).body.message).toContain("secret key");
    for (const by of [of.editor, of.approver]) {
      expect((await by.delete(of.protection())).status).toBe(403);
      expect((await of.protect({ approverGroup: "releasers" }, "key", by)).status).toBe(403);
    }
    await of.approved();
    expect((await of.owner.delete(of.protection())).status).toBe(204);
    expect((await of.owner.delete(of.protection())).status).toBe(204);
    expect((await of.owner.delete(`${of.path}/parameters/key`)).status).toBe(204);
    expect((await write({ name: "key", type: "password", value: "another one" })).status).toBe(200);
    expect((await of.submit("release")).status).toBe(200);
    // Approvals ended with the protection.
    expect((await of.protect()).status).toBe(200);
    expect(await of.submit("release")).toMatchObject(refused);
    const actions = (await admin.get(`/api/v2/team/${of.id}/audit/query?limit=50&page=0`)).body.content.map(
      ({ action }: { action: string }) => action,
    );
    expect(actions.filter((action: string) => action === "parameter/protect")).toHaveLength(3);
  });

  test("is one of the team, and a secret", async () => {
    const of = await guarded();
    expect((await of.protect({}, "nothing")).status).toBe(404);
    expect(await of.protect({}, "plain")).toMatchObject({ status: 400, body: { message: expect.stringContaining("type text") } });
    expect(await of.protect({ approverGroup: "nobody" })).toMatchObject({ status: 400 });
    expect(await of.protect({ approvalsRequired: 2 })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("1 members") },
    });
    expect((await of.protect({}, "keys")).status).toBe(200);
    const outsider = app.as((await app.make.member((await app.make.team()).id, "owner")).token);
    for (const call of [
      outsider.get(of.protection()),
      outsider.put(of.protection(), { approverGroup: "security" }),
      outsider.delete(of.protection()),
    ])
      expect([403, 404]).toContain((await call).status);
    expect((await of.editor.get(`${of.path}/protection`)).body).toMatchObject({
      protected: false,
      secrets: [{ name: "key", approverGroupName: "security", approvalsRequired: 1 }, { name: "keys" }],
    });
  });
});

describe("an editor can't get it in any way", async () => {
  const drafts: [string, object][] = [
    ["the short form", document("evil", "$(params.key)")],
    ["brackets", document("evil", `$(team.params["key"])`)],
    [
      "the default of a parameter",
      document("evil", "$(params.mine)", { params: [{ name: "mine", type: "text", default: "$(params.key)" }] }),
    ],
    [
      "the environment of a step",
      {
        name: "evil",
        tasks: [{ name: "ship", taskRef: "own" }],
      },
    ],
    ["a task of the team", { name: "evil", tasks: [{ name: "ship", taskRef: "reading" }] }],
    ["a nested workflow", nesting("evil", "echo $(params.key)")],
    [
      "a nested workflow in a nested one",
      { name: "evil", tasks: [{ name: "outer", taskRef: "call", workflow: withoutName(nesting("x", uses)) }] },
    ],
    ["a fan-out", { name: "evil", tasks: [{ ...document("evil", "echo").tasks[0], forEach: { items: ["$(params.key)"] } }] }],
  ];
  const define = async (of: Guarded) => {
    const step = { name: "s", image: "busybox", script: "env" };
    const env = [{ name: "X", valueFrom: { secretKeyRef: { name: "keys", key: "password" } } }];
    expect((await of.protect({}, "keys")).status).toBe(200);
    expect((await of.editor.put(`${of.path}/task/own`, { spec: { steps: [{ ...step, env }] } })).status).toBe(200);
    const reading = {
      spec: { params: [{ name: "p", type: "string", default: "$(params.key)" }], steps: [{ ...step, script: "echo $(params.p)" }] },
    };
    expect((await of.editor.put(`${of.path}/task/reading`, reading)).status).toBe(200);
  };
  const message = expect.stringMatching(/protected secret keys?\b/);

  test.each(drafts)("%s: saved, created, applied, tried", async (_, draft) => {
    const of = await guarded();
    await define(of);
    expect(await of.editor.post(`${of.path}/workflow/evil/try`, { draft })).toMatchObject({ status: 409, body: { message } });
    expect((await of.editor.post(`${of.path}/workflow`, { ...draft, name: "posted" })).status).toBe(200);
    expect(await of.submit("posted")).toMatchObject({ status: 409, body: { reason: "SECRET_PROTECTED", message } });
    const { documents } = (await of.editor.post(`${of.path}/apply`, [{ kind: "Workflow", ...draft, name: "applied" }])).body;
    expect(documents).toMatchObject([{ action: "proposed", actionRef: expect.any(String) }]);
    expect(await of.submit("applied")).toMatchObject({ status: 409, body: { reason: "SECRET_PROTECTED", message } });
    await of.propose(draft);
    const preview = await of.editor.post(`${of.path}/workflow/evil/preview`, { draft, task: "ship", values: ["$(team.params.key)"] });
    expect(preview.text).not.toMatch(/correct horse|staple/);
  });

  test("values of a run, which are text", async () => {
    const of = await guarded();
    expect((await of.save(document("open", "echo $(params.mine)", { params: [{ name: "mine", type: "text" }] }))).status).toBe(200);
    const { body } = await of.submit("open", { params: [{ name: "mine", value: "$(team.params.key)" }] });
    await kit.settle();
    const run = await of.run(body.id);
    expect(JSON.stringify(run)).not.toContain("correct horse");
    expect(taskOf(run, "ship").params[0].value).toContain("$(team.params.key)");
  });

  test("a name that is only known when the step runs", async () => {
    const of = await guarded();
    await of.protect({}, "keys");
    const env = [{ name: "X", valueFrom: { secretKeyRef: { name: "$(params.which)", key: "password" } } }];
    const task = { spec: { params: [{ name: "which", type: "string" }], steps: [{ name: "s", image: "busybox", script: "env", env }] } };
    expect((await of.editor.put(`${of.path}/task/sly`, task)).status).toBe(200);
    await of.propose({
      name: "sly",
      tasks: [{ name: "a", taskRef: "sly", params: [{ name: "which", value: "$(params.w)" }] }],
      params: [{ name: "w", type: "text" }],
    });
  });

  test("a copy, and a new version of a task; a task that is used is not replaced", async () => {
    const of = await guarded();
    const spec = (script: string) => ({ spec: { script } });
    expect((await of.editor.put(`${of.path}/task/own`, spec(uses))).status).toBe(200);
    const id = await of.propose({ name: "release", tasks: [{ name: "ship", taskRef: "own" }] });
    expect((await of.vote(of.approver, id)).status).toBe(204);
    const replaced = await of.editor.put(`${of.path}/task/own?replace=true`, spec(`${uses}; evil`));
    expect(replaced).toMatchObject({ status: 409, body: { message: expect.stringContaining("release") } });
    expect((await of.editor.put(`${of.path}/task/own`, spec(`${uses}; evil`))).status).toBe(200);
    expect((await of.submit("release")).status).toBe(200);
    const { name } = (await of.editor.post(`${of.path}/workflow/release/duplicate`)).body;
    expect(await of.submit(name)).toMatchObject(refused);
    expect(await of.editor.post(`${of.path}/task/own/try`, {})).toMatchObject(refused);
  });

  test("deleting the workflow and making another one of its name", async () => {
    const of = await guarded();
    const at = await of.approved();
    expect((await of.owner.delete(at)).status).toBe(204);
    await of.propose(document("release", `${uses}; evil`));
    expect(await of.submit("release")).toMatchObject(refused);
  });

  test("an earlier run: a rerun does not get it, and is refused if it uses it", async () => {
    const of = await guarded({ isProtected: false });
    expect((await of.save(document("release", uses))).status).toBe(200);
    expect((await of.save(document("other", "echo"))).status).toBe(200);
    const [used, other] = [(await of.submit("release")).body.id, (await of.submit("other")).body.id];
    expect(await of.given(other)).toHaveProperty("key");
    for (const id of [used, other]) expect((await of.editor.delete(`${of.path}/workflowrun/${id}/cancel`)).status).toBeLessThan(300);
    await kit.settle();
    await of.protect();
    const again = (id: string, how: string, body?: object) => of.editor.put(`${of.path}/workflowrun/${id}/${how}`, body);
    expect(await again(used, "retry")).toMatchObject(refused);
    const retried = await again(other, "retry");
    expect(retried.status).toBe(200);
    expect(await of.given(retried.body.id)).not.toHaveProperty("key");
  });

  test("a schedule, which says why it started nothing; a workflow that runs it fails with the reason", async () => {
    const of = await guarded({ isProtected: false });
    expect((await of.save({ ...document("nightly", uses), triggers: { schedule: { enabled: true } } })).status).toBe(200);
    const made = await of.editor.post(`${of.path}/schedule`, everyHour);
    expect(made.status).toBe(200);
    const caller = { name: "caller", tasks: [{ name: "go", taskRef: "call", params: [{ name: "workflowRef", value: "nightly" }] }] };
    expect((await of.save(caller)).status).toBe(200);
    await of.protect();
    const { body } = await of.submit("caller", {}, of.editor);
    await kit.settle();
    const { status, statusMessage } = taskOf(await of.run(body.id), "go");
    expect({ status, statusMessage }).toMatchObject({ status: "failed", statusMessage: expect.stringContaining("protected secret key") });
    const engine = scheduleEngine(app);
    await engine.at("2090-01-31T09:00:01.000Z");
    const { content } = (await of.editor.get(`${of.path}/schedule/${made.body.id}/firings?limit=10`)).body;
    expect(content[0]).toMatchObject({ outcome: "refused", message: expect.stringContaining("protected secret key") });
  });
});
