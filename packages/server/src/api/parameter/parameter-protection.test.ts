import { describe, expect, test } from "vitest";
import { randomName } from "../../../test/kit/factories.ts";
import { runKit } from "../../../test/kit/run-kit.ts";
import { externalAnnotations } from "../../../test/kit/worker/external-kit.ts";
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
const withoutName = ({ name: _, ...workflow }: { name: string; tasks: object[] }) => workflow;
const nesting = (name: string, script: string) => ({
  name,
  tasks: [{ name: "group", taskRef: "call", workflow: withoutName(document("inner", script)) }],
});

/** A protected secret of the instance with keys and one without, and a team of which `security` approves. */
async function guarded({ isProtected = true, hasGroup = true } = {}) {
  const made = await team();
  const [editor, approver, owner] = [await made.member("editor"), await made.member("editor"), await made.member("owner")];
  if (hasGroup) await setApproverGroup(app.sql, made.id, "Security", [approver.userId]);
  const [key, keys] = [randomName("key"), randomName("keys")];
  const parameters = [
    { name: key, type: "password", value: "correct horse" },
    { name: keys, type: "secret", value: { user: "battery", password: "staple" } },
  ];
  // Of this team alone, so that no other test finds them.
  for (const one of parameters) expect((await admin.post("/api/v2/parameters", { ...one, teams: [made.id] })).status).toBe(200);
  const protection = (name = key) => `/api/v2/parameters/${name}/protection`;
  const protect = (body: object = {}, name = key, by = admin) => by.put(protection(name), { approverGroup: "security", ...body });
  if (isProtected) for (const name of [key, keys]) expect((await protect({}, name)).status).toBe(200);
  const save = (body: object) => editor.put(`${made.path}/workflow`, body);
  const submit = (name: string, body: object = {}) => editor.post(`${made.path}/workflow/${name}/submit`, body);
  const vote = async (id: string, approved = true, by = approver) => (await by.put(`${made.path}/action`, [{ id, approved }])).status;
  const propose = async (body: object) => {
    const answer = await save(body);
    expect({ status: answer.status, reason: answer.body.reason }).toEqual({ status: 409, reason: "WORKFLOW_PROTECTED" });
    return answer.body.errors[0].message as string;
  };
  /** The secrets of the instance that a run gets. */
  const given = async (runId: string) => (await loadRunSecrets(app.sql, app.context.keyring, made.id, runId))?.global ?? {};
  const uses = `deploy $(global.params.${key})`;
  return { ...made, editor, approver, owner, key, keys, uses, protection, protect, save, submit, vote, propose, given };
}

interface Audited {
  action: string;
  object: { name: string };
}

const refused = { status: 409, body: { reason: "SECRET_PROTECTED" } };

describe("a protected secret of the instance", () => {
  test("reaches the runs of versions that the group of their team has approved, and no others", async () => {
    const of = await guarded();
    expect((await of.save(document("release", "echo"))).status).toBe(200);
    expect(await of.given((await of.submit("release")).body.id)).toEqual({});
    const id = await of.propose(document("release", of.uses));
    const asked = (await of.approver.get(`${of.path}/action/${id}`)).body;
    expect(asked).toMatchObject({ approverGroupName: "Security", instructions: expect.stringContaining(`protected secret ${of.key}`) });
    expect(await of.vote(id, true, of.editor)).toBe(403);
    expect(await of.vote(id)).toBe(204);
    expect(await of.given((await of.submit("release")).body.id)).toEqual({ [of.key]: "correct horse" });
    expect((await of.editor.get(`${of.path}/workflow/release/protection`)).body.secrets).toEqual([
      { name: of.key, approverGroupName: "security", approved: true },
    ]);
    const { content } = (await admin.get(`${of.path}/decision/query`)).body;
    expect(content).toMatchObject([{ decision: "approved", secrets: [of.key] }]);
    await of.propose(document("release", `${of.uses}; curl evil`));
  });

  test("reaches what is nested in an approved version", async () => {
    const of = await guarded();
    expect(await of.vote(await of.propose(nesting("release", of.uses)))).toBe(204);
    const { body } = await of.submit("release");
    await kit.settle();
    const [inner] = await app.sql<{ id: string }[]>`
      select r.id from run r join task_run t on t.team_id = r.team_id and t.id = r.parent_task_run_id
      where r.team_id = ${of.id} and t.run_id = ${body.id}`;
    expect(await of.given(inner?.id as string)).toEqual({ [of.key]: "correct horse" });
  });

  test("is for no new version of a team without the group, or with one that is too small", async () => {
    const of = await guarded({ hasGroup: false });
    const message = expect.stringMatching(/Approver group security has to approve it.*an owner of the team has to create it/);
    expect(await of.save(document("release", of.uses))).toMatchObject({ ...refused, body: { ...refused.body, message } });
    expect((await of.editor.post(`${of.path}/workflow`, document("posted", of.uses))).status).toBe(200);
    expect(await of.submit("posted")).toMatchObject(refused);
    await setApproverGroup(app.sql, of.id, "security", [of.approver.userId]);
    const id = await of.propose(document("posted", of.uses));
    expect((await of.protect({ approvalsRequired: 2 })).status).toBe(200);
    // It does not prevent a vote against.
    expect((await of.save(document("posted", `${of.uses} 2`))).body.message).toContain("has 1 member:");
    expect(await of.vote(id, false)).toBe(204);
    expect(await of.submit("posted")).toMatchObject(refused);
  });

  test("is in the list of them, which readers of parameters see, and not once it is no longer protected", async () => {
    const of = await guarded();
    const list = (by = admin) => by.get("/api/v2/parameters/protection");
    expect((await list()).body).toContainEqual({ name: of.key, approverGroupName: "security", approvalsRequired: 1 });
    expect((await admin.delete(of.protection())).status).toBe(204);
    expect((await list()).body.map(({ name }: { name: string }) => name)).not.toContain(of.key);
    expect((await list(of.owner)).status).toBe(403);
  });

  test("excludes versions published before, unless an administrator approves them", async () => {
    for (const approveCurrent of [false, true]) {
      const of = await guarded({ isProtected: false });
      expect((await of.save(document("release", of.uses))).status).toBe(200);
      const { name: teamName } = (await admin.get(of.path)).body;
      const used = { team: teamName, name: "release", version: 1 };
      expect((await admin.get(of.protection())).body).toMatchObject({ protected: false, workflows: [used] });
      expect((await of.protect({ approveCurrent })).body).toMatchObject({
        protected: true,
        workflows: [{ ...used, approved: approveCurrent }],
      });
      expect(await of.submit("release")).toMatchObject(approveCurrent ? { status: 200 } : refused);
    }
  });

  test("concerns no team that may not use it, and no parameter of that name of a team itself", async () => {
    const of = await guarded({ isProtected: false });
    const other = await team();
    const member = await other.member("editor");
    const open = (teams: string[]) => admin.put("/api/v2/parameters", { name: of.key, type: "password", value: "correct horse", teams });
    expect((await open([of.id, other.id])).status).toBe(200);
    expect((await member.put(`${other.path}/workflow`, document("was", of.uses))).status).toBe(200);
    const submit = () => member.post(`${other.path}/workflow/was/submit`, {});
    const secretsOf = async (runId: string) => (await loadRunSecrets(app.sql, app.context.keyring, other.id, runId))?.global;
    const before = (await submit()).body.id;
    expect(await secretsOf(before)).toEqual({ [of.key]: "correct horse" });
    await kit.settle();
    expect((await open([of.id])).status).toBe(200);
    expect((await of.protect()).status).toBe(200);
    // For that team the secret does not exist, protected or not; what a run had of it is withheld.
    const after = await submit();
    expect(after.status).toBe(200);
    expect((await secretsOf(after.body.id)) ?? {}).toEqual({});
    expect((await member.delete(`${other.path}/workflowrun/${before}/cancel`)).status).toBeLessThan(300);
    await kit.settle();
    const again = await member.put(`${other.path}/workflowrun/${before}/retry`);
    expect(again.status).toBe(200);
    expect((await secretsOf(again.body.id)) ?? {}).toEqual({});
    const parameters = [{ name: of.key, type: "text", value: "mine" }];
    expect((await of.owner.patch(of.path, { parameters })).status).toBe(200);
    expect((await of.save(document("own", `echo $(params.${of.key}) $(team.params.${of.key})`))).status).toBe(200);
    expect(await of.submit("own")).toMatchObject({ status: 200 });
    await of.propose(document("other", of.uses));
  });

  test("stays what it is until an administrator turns its protection off; then approvals end", async () => {
    const of = await guarded();
    expect(await of.vote(await of.propose(document("release", of.uses)))).toBe(204);
    const put = (body: object) => admin.put("/api/v2/parameters", { name: of.key, ...body });
    expect(await put({ type: "text", value: "x" })).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining("is protected") },
    });
    expect((await admin.delete(`/api/v2/parameters/${of.key}`)).status).toBe(409);
    expect((await put({ type: "password", value: "another value" })).status).toBe(200);
    for (const by of [of.owner, of.editor, app.as(await app.make.globalToken(["parameter/write", "parameter/read", "parameter/delete"]))]) {
      expect((await by.get(of.protection())).status).toBe(403);
      expect((await by.put(of.protection(), { approverGroup: "other" })).status).toBe(403);
      expect((await by.delete(of.protection())).status).toBe(403);
    }
    expect((await admin.delete(of.protection())).status).toBe(204);
    expect((await admin.delete(of.protection())).status).toBe(204);
    expect(await of.submit("release")).toMatchObject({ status: 200 });
    expect((await of.protect()).status).toBe(200);
    expect(await of.submit("release")).toMatchObject(refused);
    expect((await admin.delete(of.protection())).status).toBe(204);
    expect((await admin.delete(`/api/v2/parameters/${of.key}`)).status).toBe(204);
    const { content } = (await admin.get("/api/v2/audit/query?limit=200&page=0")).body as { content: Audited[] };
    const audited = content.filter(({ action, object }) => action === "parameter/protect" && object.name === of.key);
    expect(audited).toHaveLength(4);
  });

  test("is one of the instance, and a secret", async () => {
    const of = await guarded();
    const plain = randomName("plain");
    expect((await admin.post("/api/v2/parameters", { name: plain, type: "text", value: "hello" })).status).toBe(200);
    expect((await of.protect({}, "nothing")).status).toBe(404);
    expect((await admin.get(of.protection("nothing"))).status).toBe(404);
    expect(await of.protect({}, plain)).toMatchObject({ status: 400, body: { message: expect.stringContaining("type text") } });
    for (const body of [{ approverGroup: "" }, { approvalsRequired: 0 }, { approverGroup: 7 }])
      expect((await of.protect(body)).status).toBe(400);
  });
});

describe("an editor can't get it in any way", () => {
  const drafts: [string, (of: { key: string; keys: string; uses: string }) => object][] = [
    ["the layer", ({ uses }) => document("evil", uses)],
    ["the short form", ({ key }) => document("evil", `$(params.${key})`)],
    ["brackets", ({ key }) => document("evil", `$(global.params["${key}"])`)],
    [
      "the default of a parameter",
      ({ key }) => document("evil", "$(params.mine)", { params: [{ name: "mine", type: "text", default: `$(global.params.${key})` }] }),
    ],
    ["the environment of a step", () => ({ name: "evil", tasks: [{ name: "ship", taskRef: "own" }] })],
    ["a nested workflow", ({ uses }) => nesting("evil", uses)],
    ["a fan-out", ({ uses }) => ({ name: "evil", tasks: [{ ...document("evil", "echo").tasks[0], forEach: { items: [uses] } }] })],
    [
      "an external task",
      ({ uses }) => ({ name: "evil", tasks: [{ name: "ship", taskRef: "pack", params: [{ name: "script", value: uses }] }] }),
    ],
  ];

  test.each(drafts)("%s: saved, created, applied, tried, previewed", async (_, draftOf) => {
    const of = await guarded();
    const env = [{ name: "X", valueFrom: { secretKeyRef: { name: of.keys, key: "password" } } }];
    const step = { name: "s", image: "busybox", script: "env", env };
    expect((await of.editor.put(`${of.path}/task/own`, { spec: { steps: [step] } })).status).toBe(200);
    const pack = { name: "pack", type: "custom", annotations: externalAnnotations, spec: { params: [{ name: "script" }] } };
    expect((await of.editor.put(`${of.path}/task/pack`, pack)).status).toBe(200);
    const draft = draftOf(of);
    expect(await of.editor.post(`${of.path}/workflow/evil/try`, { draft })).toMatchObject(refused);
    expect((await of.editor.post(`${of.path}/workflow`, { ...draft, name: "posted" })).status).toBe(200);
    expect(await of.submit("posted")).toMatchObject(refused);
    const { documents } = (await of.editor.post(`${of.path}/apply`, [{ kind: "Workflow", ...draft, name: "applied" }])).body;
    expect(documents).toMatchObject([{ action: "proposed" }]);
    expect(await of.submit("applied")).toMatchObject(refused);
    await of.propose(draft);
    const values = [`$(global.params.${of.key})`];
    const preview = await of.editor.post(`${of.path}/workflow/evil/preview`, { draft, task: "ship", values });
    expect(preview.text).not.toMatch(/correct horse|staple/);
  });

  test("a try of a task, a copy, a replaced task, another workflow of that name", async () => {
    const of = await guarded();
    const spec = (script: string) => ({ spec: { script } });
    expect((await of.editor.put(`${of.path}/task/own`, spec(of.uses))).status).toBe(200);
    expect(await of.editor.post(`${of.path}/task/own/try`, {})).toMatchObject(refused);
    expect(await of.vote(await of.propose({ name: "release", tasks: [{ name: "ship", taskRef: "own" }] }))).toBe(204);
    expect((await of.editor.put(`${of.path}/task/own?replace=true`, spec(`${of.uses}; evil`))).status).toBe(409);
    const { name } = (await of.editor.post(`${of.path}/workflow/release/duplicate`)).body;
    expect(await of.submit(name)).toMatchObject(refused);
    expect((await of.owner.delete(`${of.path}/workflow/release`)).status).toBe(204);
    await of.propose(document("release", `${of.uses}; evil`));
    expect(await of.submit("release")).toMatchObject(refused);
  });

  test("values of a run, which are text; a name that is only known when the step runs", async () => {
    const of = await guarded();
    expect((await of.save(document("open", "echo $(params.mine)", { params: [{ name: "mine", type: "text" }] }))).status).toBe(200);
    const { body } = await of.submit("open", { params: [{ name: "mine", value: `$(global.params.${of.key})` }] });
    await kit.settle();
    expect(await of.given(body.id)).toEqual({});
    expect(JSON.stringify(await of.run(body.id))).not.toContain("correct horse");
    const env = [{ name: "X", valueFrom: { secretKeyRef: { name: "$(params.which)", key: "password" } } }];
    const sly = { spec: { params: [{ name: "which", type: "string" }], steps: [{ name: "s", image: "busybox", script: "env", env }] } };
    expect((await of.editor.put(`${of.path}/task/sly`, sly)).status).toBe(200);
    await of.propose({
      name: "sly",
      tasks: [{ name: "a", taskRef: "sly", params: [{ name: "which", value: "$(params.w)" }] }],
      params: [{ name: "w", type: "text" }],
    });
  });

  test("an earlier run: a rerun does not get it, and is refused if it uses it", async () => {
    const of = await guarded({ isProtected: false });
    expect((await of.save(document("release", of.uses))).status).toBe(200);
    expect((await of.save(document("other", "echo"))).status).toBe(200);
    const [used, other] = [(await of.submit("release")).body.id, (await of.submit("other")).body.id];
    expect(await of.given(other)).toHaveProperty([of.key]);
    for (const id of [used, other]) expect((await of.editor.delete(`${of.path}/workflowrun/${id}/cancel`)).status).toBeLessThan(300);
    await kit.settle();
    await of.protect();
    const again = (id: string) => of.editor.put(`${of.path}/workflowrun/${id}/retry`);
    expect(await again(used)).toMatchObject(refused);
    const retried = await again(other);
    expect(retried.status).toBe(200);
    expect(await of.given(retried.body.id)).not.toHaveProperty([of.key]);
    expect(await of.given(retried.body.id)).toHaveProperty([of.keys]);
  });
});
