import { describe, expect, test } from "vitest";
import { params, runKit } from "../../../test/kit/run-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";
import { until } from "../../../test/kit/until.ts";
import { makeTask } from "../../../test/kit/workflow-factories.ts";
import { setApproverGroup } from "../../store/team/members.ts";

const { app, team } = await runKit();
const admin = app.as();
await makeTask(app.sql, { name: "shell", params: [{ name: "script" }] });

const document = (name: string, script: string) => ({
  name,
  tasks: [{ name: "ship", taskRef: "shell", params: [{ name: "script", value: script }] }],
});

/** A workflow that is protected by a group, an editor who changes it, and the members of the group. */
async function guarded({ approvers = 1, approvalsRequired = 1 } = {}) {
  const made = await team();
  const editor = await made.member("editor");
  const group = [];
  for (let index = 0; index < approvers; index++) group.push(await made.member("editor"));
  await setApproverGroup(
    app.sql,
    made.id,
    "releasers",
    [...group, editor].map(({ userId }) => userId),
  );
  expect((await editor.put(`${made.path}/workflow`, document("release", "echo 1"))).status).toBe(200);
  const at = `${made.path}/workflow/release`;
  expect((await admin.put(`${at}/protection`, { approverGroup: "releasers", approvalsRequired })).status).toBe(200);
  const propose = async (script = "echo 2", by = editor) => {
    const { status, body } = await by.put(`${made.path}/workflow`, document("release", script));
    expect({ status, reason: body.reason }).toEqual({ status: 409, reason: "WORKFLOW_PROTECTED" });
    return body.errors[0].message as string;
  };
  const vote = (by: { put: typeof admin.put }, id: string, approved = true, comments = "") =>
    by.put(`${made.path}/action`, [{ id, approved, comments }]);
  const published = async () => {
    const { version, tasks } = (await editor.get(at)).body;
    return { version, script: tasks.find(({ name }: { name: string }) => name === "ship").params[0].value };
  };
  const proposals = async () => (await editor.get(`${at}/proposal`)).body;
  return { ...made, editor, group, at, propose, vote, published, proposals };
}

describe("a save of a protected workflow", () => {
  test("waits for an approval: 409 with the action, and the workflow does not change until the group approves", async () => {
    const { editor, group, at, path, propose, vote, published, proposals } = await guarded();
    const id = await propose();
    expect(await published()).toEqual({ version: 1, script: "echo 1" });
    expect((await editor.get(`${at}?version=2`)).status).toBe(409);
    const [approver] = group;
    const waiting = (await approver!.get(`${path}/action/query?mine=true`)).body.content;
    expect(waiting).toMatchObject([
      { id, type: "publish", title: "Publish version 2 of release", workflowRunRef: "", workflowName: "release" },
    ]);
    const action = (await approver!.get(`${path}/action/${id}`)).body;
    expect(action.attachments[1].text).toMatch(/-.*echo 1[\s\S]*\+.*echo 2/);
    const draft = (await approver!.get(`${at}/proposal/${id}`)).body;
    expect(draft).toMatchObject({ status: "submitted", version: 2, workflow: { name: "release", version: 2 } });
    expect((await vote(approver!, id)).status).toBe(204);
    expect(await published()).toEqual({ version: 2, script: "echo 2" });
    expect(await proposals()).toMatchObject([{ actionRef: id, status: "approved", version: 2 }]);
    const { content } = (await admin.get(`${path}/decision/query`)).body;
    expect(content).toMatchObject([
      { action: id, type: "publish", decision: "approved", run: null, workflow: { name: "release", version: 2 } },
    ]);
    expect((await admin.get(`${path}/decision/verify`)).body.valid).toBe(true);
  });

  test("stays a draft with the comment when it is rejected", async () => {
    const { group, at, path, propose, vote, published, editor } = await guarded();
    const id = await propose();
    expect((await vote(group[0]!, id, false, "Not on a Friday")).status).toBe(204);
    expect(await published()).toEqual({ version: 1, script: "echo 1" });
    expect((await editor.get(`${at}/proposal/${id}`)).body).toMatchObject({ status: "rejected", workflow: { tasks: expect.any(Array) } });
    expect((await editor.get(`${path}/action/${id}`)).body.actioners).toMatchObject([{ comments: "Not on a Friday", approved: false }]);
  });

  test("can't be approved by the one who proposes it, and needs as many as are set", async () => {
    const { editor, group, propose, vote, published } = await guarded({ approvers: 2, approvalsRequired: 2 });
    const id = await propose();
    expect((await vote(editor, id)).status).toBe(403);
    expect((await vote(admin, id)).status).toBe(403);
    expect((await vote(group[0]!, id)).status).toBe(204);
    expect((await published()).version).toBe(1);
    expect((await vote(group[1]!, id)).status).toBe(204);
    expect((await published()).version).toBe(2);
  });

  test("that changes nothing is no proposal; the same twice is one; another one takes its place", async () => {
    const { editor, path, propose, vote, group, proposals } = await guarded();
    expect((await editor.put(`${path}/workflow`, document("release", "echo 1"))).status).toBe(200);
    const id = await propose();
    expect(await propose()).toBe(id);
    const next = await propose("echo 3");
    expect(next).not.toBe(id);
    expect((await vote(group[0]!, id)).status).toBe(409);
    expect(await proposals()).toMatchObject([
      { actionRef: next, status: "submitted" },
      { actionRef: id, status: "cancelled", note: "A newer version of the same person took its place" },
    ]);
  });

  test("of two people are two proposals; when one is published, the other one is outdated", async () => {
    const { group, propose, vote, published, proposals } = await guarded({ approvers: 2 });
    const [first, second] = [await propose("echo 2"), await propose("echo 3", group[0]!)];
    expect((await vote(group[1]!, second)).status).toBe(204);
    expect(await published()).toEqual({ version: 2, script: "echo 3" });
    expect((await vote(group[1]!, first)).status).toBe(409);
    expect((await proposals())[1]).toMatchObject({ actionRef: first, status: "cancelled", note: expect.stringContaining("was published") });
  });

  test("two approvals at once publish one version", async () => {
    const { group, propose, vote, published } = await guarded({ approvers: 2 });
    const id = await propose();
    const answers = await Promise.all(group.map((by) => vote(by, id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
    expect((await published()).version).toBe(2);
  });

  test("can be withdrawn, and ends when the protection is turned off or moved to others", async () => {
    const { editor, at, path, propose, vote, group, proposals } = await guarded();
    const first = await propose();
    expect((await editor.delete(`${at}/proposal/${first}`)).status).toBe(204);
    expect((await vote(group[0]!, first)).status).toBe(409);
    const second = await propose();
    expect((await admin.delete(`${at}/protection`)).status).toBe(204);
    expect((await vote(group[0]!, second)).status).toBe(409);
    expect((await proposals())[0].note).toContain("not protected any more");
    expect((await editor.put(`${path}/workflow`, document("release", "echo 4"))).body.version).toBe(2);
  });

  test("is refused at its approval when its task was replaced since", async () => {
    const { editor, path, vote, group, published } = await guarded();
    const definition = (script: string) => ({ spec: { script } });
    expect((await editor.put(`${path}/task/own`, definition("a"))).status).toBe(200);
    const next = { name: "release", tasks: [{ name: "ship", taskRef: "own" }] };
    const id = (await editor.put(`${path}/workflow`, next)).body.errors[0].message;
    expect((await editor.put(`${path}/task/own?replace=true`, definition("b"))).status).toBe(200);
    const answer = await vote(group[0]!, id);
    expect({ status: answer.status, message: answer.body.message }).toMatchObject({ status: 409, message: expect.stringContaining("own") });
    expect((await published()).version).toBe(1);
  });
});

describe("of the open proposals", () => {
  /** A token of the team that this person creates. */
  async function tokenOf({ post }: { post: typeof admin.post }, principal: string) {
    const body = { type: "team", name: "ci", principal, permissions: ["workflow/read", "workflow/write"] };
    const answer = await post("/api/v2/token", body);
    expect(answer.status, answer.text).toBe(200);
    return app.as(answer.body.token);
  }

  test("one is withdrawn by its author, with any token, or by an owner, and by nobody else", async () => {
    const { editor, group, at, propose, member, proposals, id: team } = await guarded({ approvers: 2 });
    const id = await propose();
    const refused = await group[0]!.delete(`${at}/proposal/${id}`);
    expect(refused).toMatchObject({ status: 403, body: { message: expect.stringContaining("owner") } });
    expect(await proposals()).toMatchObject([{ status: "submitted", canWithdraw: true }]);
    const [owner, reader] = [await member("owner"), await member("reader")];
    for (const [by, canWithdraw] of [
      [owner, true],
      [group[0]!, false],
      [reader, false],
      [await tokenOf(editor, team), true],
    ] as const) {
      expect((await by.get(`${at}/proposal`)).body).toMatchObject([{ canWithdraw }]);
      expect((await by.get(`${at}/proposal/${id}`)).body).toMatchObject({ canWithdraw });
    }
    expect((await owner.delete(`${at}/proposal/${id}`)).status).toBe(204);
    const own = await propose();
    expect((await (await tokenOf(editor, team)).delete(`${at}/proposal/${own}`)).status).toBe(204);
    expect(await proposals()).toMatchObject([{ note: expect.stringContaining("Withdrawn by") }, { status: "cancelled" }]);
    // Closed already, so it can't be withdrawn.
    expect(await proposals()).toMatchObject([{ canWithdraw: false }, { canWithdraw: false }]);
    expect((await group[0]!.delete(`${at}/proposal/${own}`)).status).toBe(204);
  });

  test("what is proposed twice is recorded once, whichever way it is saved", async () => {
    const { at, editor, path, propose } = await guarded();
    const id = await propose();
    expect(await propose()).toBe(id);
    const applied = await editor.post(`${path}/apply`, [{ kind: "Workflow", ...document("release", "echo 2") }]);
    expect(applied.body.documents).toMatchObject([{ action: "proposed", actionRef: id }]);
    await propose("echo 3");
    const { content } = (await admin.get(`${path}/audit/query?limit=100&page=0`)).body as {
      content: { action: string; object: unknown }[];
    };
    const { id: workflowId } = (await editor.get(at)).body;
    const ofWorkflow = content.filter(
      ({ object }) => JSON.stringify(object).includes(workflowId) || JSON.stringify(object).includes("release"),
    );
    expect(ofWorkflow.map(({ action }) => action).filter((action) => action === "workflow/propose")).toHaveLength(2);
    expect(content.filter(({ action }) => action.startsWith("apply"))).toEqual([]);
  });

  test("a person has one, whichever tokens it comes by", async () => {
    const { editor, propose, proposals, id: team } = await guarded();
    await propose("echo 2");
    for (const name of ["one", "two"]) {
      await propose(`echo ${name}`, { ...editor, ...(await tokenOf(editor, team)) });
    }
    expect((await proposals()).map(({ status }: { status: string }) => status)).toEqual(["submitted", "cancelled", "cancelled"]);
  });

  test("as many are listed as are asked for", async () => {
    const { editor, propose, at } = await guarded();
    await propose("echo 2");
    const last = await propose("echo 3");
    expect((await editor.get(`${at}/proposal?limit=1`)).body).toMatchObject([{ actionRef: last }]);
    for (const limit of ["x", "0", "101", "-1", "1.5"])
      expect(await editor.get(`${at}/proposal?limit=${limit}`)).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining(limit) },
      });
  });
});

test("while a version is published, other decisions of the team don't wait for it", async () => {
  const { editor, path, propose, vote, group, workflow: add, submit } = await guarded();
  await add("ask", workflow(node("approve", "approval", ["start"], params({ instructions: "Go?" }))));
  const { id: run } = await submit("ask");
  const [asked] = await app.sql<{ id: string }[]>`select id from action where run_id = ${run}`;
  const id = await propose();
  let publishing: ReturnType<typeof vote> | undefined;
  await app.sql.begin(async (tx) => {
    await tx`select id from task where name = 'shell' for update`;
    publishing = vote(group[0]!, id);
    await until(async () => (await app.sql`select from pg_locks where not granted`).length > 0, "the publication");
    expect((await vote(editor, asked!.id)).status).toBe(204);
  });
  expect((await publishing)?.status).toBe(204);
  expect((await admin.get(`${path}/decision/verify`)).body).toMatchObject({ valid: true, checked: 2 });
});

describe("an editor can't bypass it", async () => {
  type Guarded = Awaited<ReturnType<typeof guarded>>;
  const doors: [string, (of: Guarded) => Promise<{ status: number }>, number][] = [
    ["PUT", ({ editor, path }) => editor.put(`${path}/workflow`, document("release", "echo evil")), 409],
    ["PUT that replaces", ({ editor, path }) => editor.put(`${path}/workflow?replace=true`, document("release", "echo evil")), 409],
    ["POST", ({ editor, path }) => editor.post(`${path}/workflow`, document("release", "echo evil")), 422],
    [
      "the canvas",
      async ({ editor, at }) => {
        const { body } = await editor.get(`${at}/compose`);
        body.nodes.find(({ data }: { data: { name: string } }) => data.name === "ship").data.params[0].value = "echo evil";
        return editor.put(`${at}/compose`, body);
      },
      409,
    ],
    ["the canvas that replaces", async ({ editor, at }) => editor.put(`${at}/compose?replace=true`, { nodes: [], edges: [] }), 409],
    ["apply", ({ editor, path }) => editor.post(`${path}/apply`, { kind: "Workflow", ...document("release", "echo evil") }), 200],
    [
      "triggers",
      ({ editor, path }) => editor.put(`${path}/workflow`, { ...document("release", "echo 1"), triggers: { event: { enabled: true } } }),
      409,
    ],
    ["turning it off", ({ editor, at }) => editor.delete(`${at}/protection`), 403],
    ["another group", ({ editor, at }) => editor.put(`${at}/protection`, { approverGroup: "releasers" }), 403],
    ["deleting it, even as an owner", ({ at }) => admin.delete(at), 409],
    ["deleting the group, even as an owner", ({ path }) => admin.delete(`${path}/approvers`, ["releasers"]), 409],
  ];

  test.each(doors)("%s", async (_door, open, status) => {
    const of = await guarded();
    const answer = await open(of);
    expect({ status: answer.status, answer }).toMatchObject({ status });
    expect(await of.published()).toEqual({ version: 1, script: "echo 1" });
    expect((await of.editor.get(`${of.at}/protection`)).body).toMatchObject({ protected: true, approverGroupName: "releasers" });
  });

  test("apply says what waits, and a dry run proposes nothing", async () => {
    const { editor, path, proposals } = await guarded();
    const set = [{ kind: "Workflow", ...document("release", "echo 2") }];
    expect((await editor.post(`${path}/apply?dryRun=true`, set)).body.documents).toMatchObject([{ action: "proposed" }]);
    expect(await proposals()).toEqual([]);
    const { documents } = (await editor.post(`${path}/apply`, set)).body;
    expect(documents).toMatchObject([{ action: "proposed", actionRef: expect.any(String), name: "release" }]);
    expect(await proposals()).toMatchObject([{ actionRef: documents[0].actionRef }]);
  });

  test("the copy is protected, too", async () => {
    const { editor, at, path } = await guarded();
    const { name } = (await editor.post(`${at}/duplicate`)).body;
    expect((await editor.get(`${path}/workflow/${name}/protection`)).body.protected).toBe(true);
    expect((await editor.put(`${path}/workflow`, document(name, "echo evil"))).status).toBe(409);
  });

  test("the copy of one that is not active is not active", async () => {
    const { editor, at, path, vote, group } = await guarded();
    const id = (await editor.put(`${path}/workflow`, { ...document("release", "echo 1"), status: "inactive" })).body.errors[0].message;
    expect((await vote(group[0]!, id)).status).toBe(204);
    const { name, status } = (await editor.post(`${at}/duplicate`)).body;
    expect(status).toBe("inactive");
    expect((await editor.post(`${path}/workflow/${name}/submit`, {})).status).toBe(409);
    expect((await admin.put(`${at}/archive`)).status).toBe(204);
    expect((await editor.post(`${at}/duplicate`)).body.status).toBe("inactive");
  });

  test("a task that it uses is not replaced under it; a new version of the task is not used", async () => {
    const of = await guarded();
    const definition = (script: string) => ({ spec: { script } });
    expect((await of.editor.put(`${of.path}/task/own`, definition("a"))).status).toBe(200);
    await admin.delete(`${of.at}/protection`);
    expect((await of.editor.put(`${of.path}/workflow`, { name: "release", tasks: [{ name: "ship", taskRef: "own" }] })).status).toBe(200);
    await admin.put(`${of.at}/protection`, { approverGroup: "releasers" });
    const replaced = await of.editor.put(`${of.path}/task/own?replace=true`, definition("evil"));
    expect({ status: replaced.status, message: replaced.body.message }).toMatchObject({
      status: 409,
      message: expect.stringContaining("protected workflows (release)"),
    });
    expect((await of.editor.put(`${of.path}/task/own`, definition("b"))).status).toBe(200);
    expect((await of.editor.get(of.at)).body.tasks.find(({ name }: { name: string }) => name === "ship").taskVersion).toBe(1);
  });

  test("a trial has none of its secrets", async () => {
    const { editor, at, path, id } = await guarded();
    await admin.delete(`${at}/protection`);
    const declared = (value: object) => [{ name: "key", type: "password", ...value }];
    const secret = { ...document("release", "echo $(params.key)"), params: declared({ defaultValue: "s3cret" }) };
    expect((await editor.put(`${path}/workflow`, secret)).status).toBe(200);
    const sealedOfTrials = async () => {
      expect((await editor.post(`${at}/try`, { workflow: { ...secret, params: declared({ defaultValue: "" }) } })).status).toBe(200);
      const [row] = await app.sql<{ count: number }[]>`
        select cardinality(sealed_keys(document::text, 'document')) as count from workflow_version
        where team_id = ${id} and trial is not null order by id desc limit 1`;
      return row?.count;
    };
    expect(await sealedOfTrials()).toBe(1);
    await admin.put(`${at}/protection`, { approverGroup: "releasers" });
    expect(await sealedOfTrials()).toBe(0);
  });
});
