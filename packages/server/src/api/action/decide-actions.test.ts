import { describe, expect, test } from "vitest";
import { params, runKit, type TestTeam, taskOf } from "../../../test/kit/run-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";
import { setApproverGroup } from "../../store/team/members.ts";

const { app, kit, team, outsider } = await runKit();
const admin = app.as();

const keep = node(
  "keep",
  "setwfproperty",
  [{ from: "approve", on: "success" }],
  params({ output: "by", value: "$(tasks.approve.results.approvalUserName)" }),
);
const reject = node(
  "reject",
  "setwfproperty",
  [{ from: "approve", on: "failure" }],
  params({ output: "why", value: "$(tasks.approve.results.approvalComments)" }),
);

/** A run that waits for an approval. */
async function approval(values: Record<string, unknown> = {}, prepare?: (team: TestTeam) => Promise<unknown>) {
  const made = await team();
  await prepare?.(made);
  await made.workflow("release", workflow(node("approve", "approval", ["start"], params(values)), keep, reject));
  const { id: runId } = await made.submit("release");
  const actionOf = async (run = runId) => {
    const [row] = await app.sql<{ id: string }[]>`select id from action where run_id = ${run} order by created_at desc, id desc limit 1`;
    return row?.id ?? "";
  };
  const actionId = await actionOf();
  const vote = (client: typeof admin, approved?: boolean, comments?: string, id = actionId) =>
    client.put(`${made.path}/action`, [{ id, approved, comments }]);
  const action = async (id = actionId) => (await admin.get(`${made.path}/action/${id}`)).body;
  return { ...made, runId, actionId, actionOf, vote, action };
}

const groupOf = async (made: TestTeam, name: string, count: number) => {
  const members = [];
  for (let index = 0; index < count; index++) members.push(await made.member("editor"));
  await setApproverGroup(
    app.sql,
    made.id,
    name,
    members.map(({ userId }) => userId),
  );
  return members;
};

describe("a vote", () => {
  test("approves: the task succeeds with its five results and the action, and the run continues", async () => {
    const { vote, run, runId, member, action, actionId } = await approval();
    expect(await run(runId)).toMatchObject({ status: "running", awaitingApproval: true });
    const editor = await member("editor");
    expect(await vote(editor, true, "Looks good")).toMatchObject({ status: 204, text: "" });
    const over = await run(runId);
    const name = editor.email.split("@")[0];
    expect(over).toMatchObject({ status: "succeeded", awaitingApproval: false, results: [{ name: "by", value: name }] });
    const results = Object.fromEntries(
      taskOf(over, "approve").results.map((result: { name: string; value: unknown }) => [result.name, result.value]),
    );
    expect(results).toEqual({
      approvalStatus: "approved",
      approvalDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      approvalUserName: name,
      approvalUserEmail: editor.email,
      approvalComments: "Looks good",
      actionRef: actionId,
    });
    expect(taskOf(over, "approve").statusMessage).toBe(`Approved by ${name}: Looks good`);
    expect(await action()).toMatchObject({
      status: "approved",
      numberOfApprovals: 1,
      actioners: [
        {
          approverId: editor.userId,
          approverName: name,
          approverEmail: editor.email,
          comments: "Looks good",
          approved: true,
          date: results["approvalDate"],
        },
      ],
    });
  });

  test("rejects: the task fails, and links for failure are followed", async () => {
    const { vote, run, runId, action } = await approval();
    expect((await vote(admin, false, "Not today")).status).toBe(204);
    const over = await run(runId);
    expect(over).toMatchObject({ status: "succeeded", results: [{ name: "why", value: "Not today" }] });
    expect(taskOf(over, "approve")).toMatchObject({
      status: "failed",
      reason: "Rejected",
      statusMessage: "Rejected by admin token: Not today",
    });
    expect(await action()).toMatchObject({
      status: "rejected",
      actioners: [{ approverId: "token:admin", approverName: "admin token", approved: false }],
    });
  });

  test("without `approved` counts as a rejection, as in the published API", async () => {
    const { vote, action } = await approval();
    expect((await vote(admin)).status).toBe(204);
    expect((await action()).status).toBe("rejected");
  });

  test("on an action that is over is refused, and so is a second one of the same person", async () => {
    const { vote, member, action } = await approval({ numberOfApprovers: 2 });
    const editor = await member("editor");
    expect((await vote(editor, true)).status).toBe(204);
    expect(await vote(editor, true)).toMatchObject({
      status: 409,
      body: { code: 1603, reason: "ACTION_UNABLE_TO_ACTION", errors: [{ path: "0" }] },
    });
    expect(await action()).toMatchObject({ status: "submitted", numberOfApprovals: 1, approvalsRequired: 2, numberOfApprovers: 2 });
    expect((await vote(admin, true)).status).toBe(204);
    expect(await vote(await member("owner"), false)).toMatchObject({
      status: 409,
      body: { code: 1603, message: expect.stringContaining("approved already") },
    });
  });

  test("on an action of a run that was cancelled is refused", async () => {
    const { vote, path, runId } = await approval();
    await admin.delete(`${path}/workflowrun/${runId}/cancel`);
    expect(await vote(admin, true)).toMatchObject({ status: 409, body: { message: expect.stringContaining("cancelled already") } });
  });

  test("confirms a manual task", async () => {
    const made = await team();
    await made.workflow("chore", workflow(node("do", "manual", ["start"], params({ instructions: "Count the boxes" }))));
    const { id } = await made.submit("chore");
    const { body: page } = await admin.get(`${made.path}/action/query`);
    expect(page.content).toMatchObject([
      { type: "manual", status: "submitted", instructions: "Count the boxes", taskName: "do", workflowName: "chore", workflowRunRef: id },
    ]);
    expect((await admin.put(`${made.path}/action`, [{ id: page.content[0].id, approved: true }])).status).toBe(204);
    expect(taskOf(await made.run(id), "do")).toMatchObject({
      status: "succeeded",
      results: [{ name: "actionRef", value: page.content[0].id }],
    });
  });

  test("is in the audit record", async () => {
    const { vote, id, actionId } = await approval();
    await vote(admin, true, "ok");
    const [record] =
      await app.sql`select object_kind, object_name, action, after from audit where team_id = ${id} and object_id = ${actionId}`;
    expect(record).toEqual({
      object_kind: "action",
      object_name: "approve",
      action: "action/action",
      after: { approved: true, comments: "ok", status: "approved" },
    });
  });
});

describe("without a group", () => {
  test("the required number of approvals approves, and one rejection rejects", async () => {
    const approved = await approval({ numberOfApprovers: "2" });
    await approved.vote(await approved.member("editor"), true);
    expect((await approved.action()).status).toBe("submitted");
    await approved.vote(await approved.member("editor"), true);
    expect((await approved.run(approved.runId)).status).toBe("succeeded");
    const rejected = await approval({ numberOfApprovals: 3 });
    await rejected.vote(await rejected.member("editor"), true);
    await rejected.vote(await rejected.member("editor"), false);
    expect((await rejected.action()).status).toBe("rejected");
  });
});

describe("with an approver group", () => {
  test("only its members may vote, whatever permissions others have", async () => {
    let members: Awaited<ReturnType<typeof groupOf>> = [];
    const { vote, member, action, id } = await approval({ approverGroupId: "RELEASE managers" }, async (made) => {
      members = await groupOf(made, "Release Managers", 2);
    });
    expect((await action()).approverGroupName).toBe("Release Managers");
    for (const client of [admin, await member("owner"), app.as(await app.make.teamToken(id))]) {
      expect(await vote(client, true)).toMatchObject({ status: 403, body: { reason: "PERMISSION_DENIED", errors: [{ path: "0" }] } });
    }
    expect((await vote(members[1]!, true)).status).toBe(204);
    expect((await action()).status).toBe("approved");
  });

  test("approves at the number wanted, named by the group's id too", async () => {
    let members: Awaited<ReturnType<typeof groupOf>> = [];
    let groupId = "";
    const made = await team();
    members = await groupOf(made, "three", 3);
    groupId = (await app.sql`select id from approver_group where team_id = ${made.id}`)[0]?.["id"];
    await made.workflow("w", workflow(node("approve", "approval", ["start"], params({ approverGroupId: groupId, numberOfApprovers: 2 }))));
    const { id } = await made.submit("w");
    const [{ id: actionId }] = (await admin.get(`${made.path}/action/query`)).body.content;
    const cast = (index: number, approved: boolean) => members[index]!.put(`${made.path}/action`, [{ id: actionId, approved }]);
    await cast(0, true);
    await cast(1, false);
    expect((await made.run(id)).status).toBe("running");
    await cast(2, true);
    expect((await made.run(id)).status).toBe("succeeded");
  });

  test("rejects as soon as the rest can no longer reach it", async () => {
    let members: Awaited<ReturnType<typeof groupOf>> = [];
    const { vote, action } = await approval({ approverGroupId: "three", numberOfApprovers: 2 }, async (made) => {
      members = await groupOf(made, "three", 3);
    });
    await vote(members[0]!, false);
    expect((await action()).status).toBe("submitted");
    await vote(members[1]!, false, "No");
    expect((await action()).status).toBe("rejected");
  });

  test("that does not exist, or has too few people, fails the task at once with the reason", async () => {
    const unknown = await approval({ approverGroupId: "nobody" });
    expect(taskOf(await unknown.run(unknown.runId), "approve")).toMatchObject({
      status: "failed",
      reason: "UnknownApproverGroup",
      statusMessage: expect.stringContaining('"nobody"'),
    });
    const foreign = await team();
    await groupOf(foreign, "foreign", 1);
    const other = await approval({ approverGroupId: "foreign" });
    expect(taskOf(await other.run(other.runId), "approve").reason).toBe("UnknownApproverGroup");
    const small = await approval({ approverGroupId: "two", numberOfApprovers: 3 }, (made) => groupOf(made, "two", 2));
    expect(taskOf(await small.run(small.runId), "approve")).toMatchObject({
      reason: "ApproverGroupTooSmall",
      statusMessage: expect.stringContaining("2 members"),
    });
  });

  test("that was deleted meanwhile lets nobody vote, and the wait says why", async () => {
    const { vote, id, run, runId } = await approval({ approverGroupId: "gone" }, (made) => groupOf(made, "gone", 1));
    await app.sql`delete from approver_group where team_id = ${id}`;
    expect(await vote(admin, true)).toMatchObject({ status: 400, body: { code: 1602, reason: "ACTION_INVALID_APPROVERGROUP" } });
    expect(taskOf(await run(runId), "approve").waitingFor).toContain("was deleted");
  });
});

describe("a list of votes", () => {
  test("is cast as a whole, over several runs", async () => {
    const { path, id, submit, actionOf, actionId, run, runId } = await approval();
    const second = await submit("release");
    const ids = [actionId, await actionOf(second.id)];
    expect(
      (
        await admin.put(
          `${path}/action`,
          ids.map((one) => ({ id: one, approved: true })),
        )
      ).status,
    ).toBe(204);
    expect([(await run(runId)).status, (await run(second.id)).status]).toEqual(["succeeded", "succeeded"]);
    const [votes] = await app.sql`select count(*)::int as count from action_vote where team_id = ${id}`;
    expect(votes?.["count"]).toBe(2);
  });

  test("with two actions of one run ends both tasks", async () => {
    const made = await team();
    await made.workflow("two", workflow(node("a", "approval", ["start"]), node("b", "manual", ["start"])));
    const { id } = await made.submit("two");
    const { content } = (await admin.get(`${made.path}/action/query`)).body;
    expect(
      (
        await admin.put(
          `${made.path}/action`,
          content.map((action: { id: string }) => ({ id: action.id, approved: true })),
        )
      ).status,
    ).toBe(204);
    expect((await made.run(id)).status).toBe("succeeded");
  });

  test("is refused as a whole with the status of the first bad one and an entry for each", async () => {
    const { path, actionId, action, id } = await approval();
    const elsewhere = await approval();
    const nobody = "01890000-0000-7000-8000-000000000000";
    const answer = await admin.put(`${path}/action`, [
      { id: actionId, approved: true },
      { id: nobody, approved: true },
      { id: actionId.toUpperCase(), approved: false },
      { id: elsewhere.actionId, approved: true },
      { id: "nonsense" },
    ]);
    expect(answer).toMatchObject({ status: 404, body: { code: 1601, reason: "ACTION_INVALID_REF" } });
    expect(answer.body.errors.map(({ path: at }: { path: string }) => at)).toEqual(["1", "2", "3", "4"]);
    expect(answer.body.errors[1].message).toContain("voted on it already");
    expect(await action()).toMatchObject({ status: "submitted", actioners: [] });
    const [votes] = await app.sql`select count(*)::int as count from action_vote where team_id = ${id}`;
    expect(votes?.["count"]).toBe(0);
  });

  test("that is empty changes nothing; one that does not match the schema is a 400", async () => {
    const { path } = await approval();
    expect((await admin.put(`${path}/action`, [])).status).toBe(204);
    for (const body of [{}, [1], [{}], [{ id: 1 }], [{ id: "x", approved: "yes" }], [{ id: "x", comments: 5 }], "[", null]) {
      expect((await admin.put(`${path}/action`, body)).status, JSON.stringify(body)).toBe(400);
    }
    expect((await admin.send("PUT", `${path}/action`)).status).toBe(400);
  });
});

describe("voting is for", () => {
  test("callers with the permission to act on actions of the team", async () => {
    const { path, actionId, member, id, workflow: make } = await approval();
    const votes = [{ id: actionId, approved: true }];
    const at = `${path}/action`;
    expect((await app.as(null).put(at, votes)).status).toBe(401);
    expect(await (await outsider()).put(at, votes)).toMatchObject({ status: 404, body: { reason: "TEAM_INVALID_REF" } });
    expect((await (await member("reader")).put(at, votes)).status).toBe(403);
    expect((await app.as(await app.make.workflowToken(id, await make("w", workflow()))).put(at, votes)).status).toBe(403);
    expect((await admin.put(`${(await team()).path}/action`, votes)).status).toBe(404);
    expect((await app.as(await app.make.teamToken(id, ["action/action"])).put(at, votes)).status).toBe(204);
  });
});

describe("a reader", () => {
  test("votes on the actions of the member's approver group, and on no other", async () => {
    const made = await team();
    const reader = await made.member("reader");
    await setApproverGroup(app.sql, made.id, "readers", [reader.userId]);
    await made.workflow(
      "w",
      workflow(
        node("group", "approval", ["start"], params({ approverGroupId: "readers" })),
        node("open", "approval", ["start"]),
        node("chore", "manual", ["start"]),
      ),
    );
    const { id } = await made.submit("w");
    const { content } = (await reader.get(`${made.path}/action/query`)).body;
    const idOf = (name: string) => content.find(({ taskName }: { taskName: string }) => taskName === name).id;
    const at = `${made.path}/action`;
    for (const name of ["open", "chore"]) {
      expect(await reader.put(at, [{ id: idOf(name), approved: true }])).toMatchObject({
        status: 403,
        body: { reason: "PERMISSION_DENIED", message: expect.stringContaining("action/action") },
      });
    }
    const both = ["group", "open"].map((name) => ({ id: idOf(name), approved: true }));
    expect(await reader.put(at, both)).toMatchObject({ status: 403, body: { errors: [{ path: "1" }] } });
    expect((await (await made.member("reader")).put(at, [{ id: idOf("group"), approved: true }])).status).toBe(403);
    expect((await reader.put(at, [{ id: idOf("group"), approved: true }])).status).toBe(204);
    expect(taskOf(await made.run(id), "group").status).toBe("succeeded");
  });

  test("does not vote with a token that was narrowed to reading, nor does a token of the team that only reads", async () => {
    let members: Awaited<ReturnType<typeof groupOf>> = [];
    const { vote, id, action } = await approval({ approverGroupId: "one" }, async (made) => {
      members = await groupOf(made, "one", 1);
    });
    const narrow = app.as(await app.make.userToken(members[0]!.userId, ["**/read"]));
    expect(await vote(narrow, true)).toMatchObject({ status: 403, body: { reason: "PERMISSION_DENIED" } });
    expect((await vote(app.as(await app.make.teamToken(id, ["**/read"])), true)).status).toBe(403);
    expect((await action()).actioners).toEqual([]);
  });
});

describe("votes at the same time", () => {
  test("are counted one after the other: the last wanted one decides, those after it are refused", async () => {
    for (let round = 0; round < 3; round++) {
      let members: Awaited<ReturnType<typeof groupOf>> = [];
      const { vote, action, run, runId } = await approval({ approverGroupId: "six", numberOfApprovers: 4 }, async (made) => {
        members = await groupOf(made, "six", 6);
      });
      const answers = await Promise.all(members.map((member) => vote(member, true)));
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 204, 204, 204, 409, 409]);
      expect(await action()).toMatchObject({ status: "approved", numberOfApprovals: 4 });
      expect((await run(runId)).status).toBe("succeeded");
    }
  });

  test("of one person are one vote", async () => {
    const { vote, action } = await approval({ numberOfApprovers: 2 });
    const answers = await Promise.all([1, 2, 3, 4].map(() => vote(admin, true)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409, 409, 409]);
    expect(await action()).toMatchObject({ status: "submitted", numberOfApprovals: 1 });
  });

  test("and a cancellation leave one of the two, never both", async () => {
    for (let round = 0; round < 5; round++) {
      const { vote, path, runId, action, run } = await approval();
      const [voted, cancelled] = await Promise.all([vote(admin, true), admin.delete(`${path}/workflowrun/${runId}/cancel`)]);
      const isApproved = (await action()).status === "approved";
      expect([voted.status, cancelled.status]).toEqual(isApproved ? [204, 409] : [409, 200]);
      expect((await run(runId)).status).toBe(isApproved ? "succeeded" : "cancelled");
    }
  });
});

test("an approval that timed out and is tried again opens a new action, and the old one is cancelled", async () => {
  const made = await team();
  await made.workflow("w", workflow(node("approve", "approval", ["start"], { timeout: 1, retry: { count: 1, backoffMs: 0 } })));
  const { id } = await made.submit("w");
  const [old] = (await admin.get(`${made.path}/action/query`)).body.content;
  await app.sql`update task_run set due_at = db_now() - interval '2 minutes', deadline_at = db_now() - interval '2 minutes' where team_id = ${made.id} and wait_kind = 'action'`;
  await kit.settle();
  await app.sql`update task_run set due_at = db_now() where team_id = ${made.id} and wait_kind = 'retry'`;
  await kit.settle();
  const actions = (await admin.get(`${made.path}/action/query?order=ASC`)).body.content;
  expect(actions.map(({ status }: { status: string }) => status)).toEqual(["cancelled", "submitted"]);
  expect((await admin.put(`${made.path}/action`, [{ id: old.id, approved: true }])).status).toBe(409);
  expect((await admin.put(`${made.path}/action`, [{ id: actions[1].id, approved: true }])).status).toBe(204);
  expect((await made.run(id)).status).toBe("succeeded");
});
