import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { params, runKit, type TestTeam, taskOf } from "../../../test/kit/run-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";
import { createLog } from "../../base/process/log.ts";
import { hashToken, newTokenText } from "../../base/secret/token-text.ts";
import { ScheduleDriver } from "../../engine/schedule-driver.ts";
import { transaction } from "../../store/database/transaction.ts";
import { insertSession } from "../../store/identity/sessions.ts";

/** Nobody approves a run of their own by a token, by joining the approver group, or by voting twice. */

const { app, kit, team } = await runKit();
type Client = ReturnType<typeof app.as>;

const approve = (values: Record<string, unknown> = {}) => workflow(node("approve", "approval", ["start"], params(values)));

/** Like a person who has signed in in the browser. */
async function signedIn(userId: string): Promise<Client> {
  const text = newTokenText("mrs_");
  const session = { hash: hashToken(text), userId, createdBy: `user:${userId}`, lifetimeSeconds: 3600, idleSeconds: 3600 };
  await insertSession(app.sql, { ...session, clientAddress: "127.0.0.1", userAgent: null });
  return app.as(text);
}

async function person(made: TestTeam, role: "owner" | "editor" | "reader" = "editor") {
  const member = await made.member(role);
  return { ...(await signedIn(member.userId)), userId: member.userId, email: member.email, byToken: member as Client };
}

async function tokenOf(client: Client, fields: object): Promise<Client & { id: string }> {
  const { status, body } = await client.post("/api/v2/token", {
    type: "team",
    name: "t",
    permissions: ["**/read", "**/action"],
    ...fields,
  });
  expect(status).toBe(200);
  return { ...app.as(body.token), id: body.id };
}

async function submit(made: TestTeam, client: Client, name = "w"): Promise<{ runId: string; actionId: string }> {
  const { status, body } = await client.post(`${made.path}/workflow/${name}/submit?start=true`, {});
  expect(status).toBe(200);
  return { runId: body.id, actionId: await actionOf(body.id) };
}

async function actionOf(runId: string): Promise<string> {
  const [row] = await app.sql<{ id: string }[]>`select id from action where run_id = ${runId}`;
  return row?.id ?? "";
}

const vote = (made: TestTeam, client: Client, id: string, approved = true) => client.put(`${made.path}/action`, [{ id, approved }]);
const statusOf = async (made: TestTeam, id: string) => (await app.as().get(`${made.path}/action/${id}`)).body.status;
const mine = async (made: TestTeam, client: Client) =>
  (await client.get(`${made.path}/action/query?mine=true`)).body.content.map(({ id }: { id: string }) => id);

async function withWorkflow(values: Record<string, unknown> = {}) {
  const made = await team();
  await made.workflow("w", approve(values));
  return made;
}

describe("a token never votes on a run of the person who created it", () => {
  test("a team token, also one that another token of the same person has made, or that was deleted before the vote of the next", async () => {
    const made = await withWorkflow();
    const alice = await person(made, "owner");
    const first = await tokenOf(alice, { principal: made.id, permissions: ["**/read", "**/action", "**/write"] });
    const second = await tokenOf(first, { principal: made.id });
    const { actionId } = await submit(made, alice);
    for (const token of [first, second]) {
      expect(await mine(made, token)).toEqual([]);
      expect(await vote(made, token, actionId)).toMatchObject({
        status: 403,
        body: { reason: "PERMISSION_DENIED", message: expect.stringContaining("person behind this token") },
      });
    }
    await alice.delete(`/api/v2/token/${first.id}`);
    expect((await vote(made, second, actionId)).status).toBe(403);
    expect(await statusOf(made, actionId)).toBe("submitted");
  });

  test("a run that one of the person's tokens has started counts as that person's, also once the token is deleted", async () => {
    const made = await withWorkflow();
    const alice = await person(made, "owner");
    const starter = await tokenOf(alice, { principal: made.id });
    const voter = await tokenOf(alice, { principal: made.id });
    const { actionId } = await submit(made, starter);
    expect((await vote(made, starter, actionId)).status).toBe(403);
    await alice.delete(`/api/v2/token/${starter.id}`);
    expect((await vote(made, voter, actionId)).status).toBe(403);
    expect((await vote(made, alice.byToken, actionId)).status).toBe(403);
  });

  test("a user token, one's own or one that an administrator made for someone else; the person still may", async () => {
    const made = await withWorkflow();
    const alice = await person(made);
    const admin = await app.make.user({ type: "admin" });
    const administrator = await signedIn(admin.id);
    const own = await submit(made, alice);
    expect((await vote(made, alice.byToken, own.actionId)).status).toBe(403);
    const bob = await person(made);
    const forBob = await tokenOf(administrator, { type: "user", principal: bob.email });
    const admins = await submit(made, administrator);
    expect((await vote(made, forBob, admins.actionId)).status).toBe(403);
    expect((await vote(made, bob, admins.actionId)).status).toBe(204);
    expect((await vote(made, alice, own.actionId)).status).toBe(204);
  });

  test("a workflow token and a global token that acts as itself", async () => {
    const made = await withWorkflow();
    const admin = await app.make.user({ type: "admin" });
    const administrator = await signedIn(admin.id);
    const { actionId } = await submit(made, administrator);
    const global = await tokenOf(administrator, { type: "global" });
    expect((await vote(made, global, actionId)).status).toBe(403);
    const other = await submit(made, await person(made));
    expect((await vote(made, global, other.actionId)).status).toBe(204);
  });

  test("a rerun counts as a run of the person who asked for it, and a token of someone else votes", async () => {
    const made = await withWorkflow();
    const alice = await person(made, "owner");
    const bob = await person(made, "owner");
    const alices = await tokenOf(alice, { principal: made.id });
    const bobs = await tokenOf(bob, { principal: made.id });
    const first = await submit(made, alice);
    await vote(made, bob, first.actionId, false);
    const again = await bob.put(`${made.path}/workflowrun/${first.runId}/retry?start=true`, {});
    expect(again.status).toBe(200);
    const actionId = await actionOf(again.body.id);
    expect((await vote(made, bobs, actionId)).status).toBe(403);
    expect((await vote(made, alices, actionId)).status).toBe(204);
  });
});

describe("one person has one vote", () => {
  test("a person's own tokens do not add votes", async () => {
    const made = await withWorkflow({ numberOfApprovers: 3 });
    const { actionId } = await submit(made, await person(made));
    const alice = await person(made);
    const tokens = [await tokenOf(alice, { principal: made.id }), await tokenOf(alice, { principal: made.id })];
    expect((await vote(made, tokens[0]!, actionId)).status).toBe(204);
    for (const again of [tokens[1]!, alice, alice.byToken]) {
      expect(await vote(made, again, actionId)).toMatchObject({
        status: 409,
        body: { message: expect.stringContaining("voted on it already") },
      });
      expect(await mine(made, again)).toEqual([]);
    }
    expect(await statusOf(made, actionId)).toBe("submitted");
  });
});

describe("where the requester may not approve", () => {
  test("neither does the person whose token has started the run", async () => {
    const made = await withWorkflow({ requesterMayNotApprove: true });
    const alice = await person(made);
    const { actionId } = await submit(made, await tokenOf(alice, { principal: made.id }));
    expect(await mine(made, alice)).toEqual([]);
    expect((await vote(made, alice, actionId)).status).toBe(403);
    expect((await vote(made, await person(made), actionId)).status).toBe(204);
  });
});

describe("a queued run that someone starts with other parameters belongs to that person, too", () => {
  /** Alice submits, Bob starts it with a body. */
  async function amended(body: object, flow = approve({ requesterMayNotApprove: true })) {
    const made = await team();
    await made.workflow("w", flow);
    const [alice, bob, carol] = [await person(made), await person(made), await person(made)];
    const queued = (await alice.post(`${made.path}/workflow/w/submit`, { params: [{ name: "target", value: "staging" }] })).body;
    const by = async (client: Client) => expect((await client.put(`${made.path}/workflowrun/${queued.id}/start`, body)).status).toBe(200);
    return { made, alice, bob, carol, runId: queued.id as string, by };
  }

  const production = { params: [{ name: "target", value: "production" }] };

  async function expectBarred(made: TestTeam, clients: readonly Client[], actionId: string) {
    expect(actionId).not.toBe("");
    for (const client of clients) {
      expect(await mine(made, client)).toEqual([]);
      expect((await vote(made, client, actionId)).status).toBe(403);
    }
  }

  test("neither of them approves it, nor their tokens; a third person does", async () => {
    const { made, alice, bob, carol, runId, by } = await amended(production);
    await by(bob);
    const actionId = await actionOf(runId);
    await expectBarred(made, [alice, bob, await tokenOf(bob, { principal: made.id })], actionId);
    expect(await mine(made, carol)).toEqual([actionId]);
    expect((await vote(made, carol, actionId)).status).toBe(204);
  });

  test("also by a token, with a person behind it or none", async () => {
    const one = await amended(production);
    await one.by(await tokenOf(one.bob, { principal: one.made.id }));
    await expectBarred(one.made, [one.alice, one.bob], await actionOf(one.runId));
    const other = await amended(production);
    const token = await tokenOf(app.as(), { principal: other.made.id });
    await other.by(token);
    await expectBarred(other.made, [token], await actionOf(other.runId));
  });

  test("so do the runs that it starts, and those that run it again", async () => {
    const made = await amended(
      production,
      workflow(node("call", "runworkflow", ["start"], params({ workflowRef: "inner", wait: "true" }))),
    );
    await made.made.workflow("inner", approve({ requesterMayNotApprove: true }));
    await made.by(made.bob);
    await kit.settle();
    const childAction = async (parent: string) => {
      const [child] = await app.sql<{ id: string }[]>`select id from run where parent_run_id = ${parent}`;
      return actionOf(child?.id ?? "");
    };
    const actionId = await childAction(made.runId);
    await expectBarred(made.made, [made.alice, made.bob], actionId);
    expect((await vote(made.made, made.carol, actionId, false)).status).toBe(204);
    await kit.settle();
    const again = await made.carol.put(`${made.made.path}/workflowrun/${made.runId}/retry?start=true`, {});
    expect(again.status).toBe(200);
    await kit.settle();
    await expectBarred(made.made, [made.bob, made.carol], await childAction(again.body.id));
  });

  test("a rerun, which keeps the approvals of what ran before, takes no other parameters", async () => {
    const flow = workflow(
      node("approve", "approval", ["start"], params({ requesterMayNotApprove: true })),
      node("stop", "setwfstatus", ["approve"], params({ status: "$(params.target)" })),
    );
    const { made, bob, carol, runId, by } = await amended({ params: [{ name: "target", value: "nonsense" }] }, flow);
    await by(bob);
    expect((await vote(made, carol, await actionOf(runId))).status).toBe(204);
    await kit.settle();
    const again = (await bob.put(`${made.path}/workflowrun/${runId}/rerun`, {})).body;
    expect(taskOf(await made.run(again.id), "approve").status).toBe("succeeded");
    const start = (body: object) => bob.put(`${made.path}/workflowrun/${again.id}/start`, body);
    expect(await start(production)).toMatchObject({
      status: 400,
      body: { reason: "WORKFLOWRUN_INVALID_REQUIREMENT", message: expect.stringContaining("rerun") },
    });
    expect((await made.run(again.id)).params).toEqual([{ name: "target", value: "nonsense" }]);
    expect((await start({ labels: { why: "again" } })).status).toBe(200);
  });

  test("a start without changes keeps the owner", async () => {
    const { made, bob, runId, by } = await amended({ params: [], labels: {} });
    await by(bob);
    expect((await vote(made, bob, await actionOf(runId))).status).toBe(204);
  });
});

describe("a run that started by itself belongs to the people who arranged it", () => {
  /** Alice sets it up, Bob does not; deleting what she created changes nothing. */
  async function withTriggers() {
    const made = await withWorkflow({ requesterMayNotApprove: true });
    const triggers = '{"schedule": {"enabled": true, "conditions": []}, "webhook": {"enabled": true, "conditions": []}}';
    await app.sql`update workflow set triggers = ${triggers}::json where team_id = ${made.id}`;
    return { made, alice: await person(made), bob: await person(made) };
  }

  async function expectBarred({ made, alice, bob }: Awaited<ReturnType<typeof withTriggers>>, runId: string) {
    await kit.settle();
    const actionId = await actionOf(runId);
    expect(actionId).not.toBe("");
    expect(await mine(made, alice)).toEqual([]);
    expect((await vote(made, alice, actionId)).status).toBe(403);
    expect(await mine(made, bob)).toEqual([actionId]);
    expect((await vote(made, bob, actionId)).status).toBe(204);
  }

  test.each(["made", "changed"] as const)("a schedule that the person %s", async (how) => {
    const parts = await withTriggers();
    const { made, alice, bob } = parts;
    const body = { workflowRef: "w", type: "runOnce", timezone: "UTC", dateSchedule: new Date(Date.now() + 1_500).toISOString() };
    const carol = await person(made);
    const schedule = (await (how === "made" ? alice : carol).post(`${made.path}/schedule`, body)).body;
    if (how === "changed") expect((await alice.put(`${made.path}/schedule`, { id: schedule.id, description: "mine" })).status).toBe(200);
    const schedules = new ScheduleDriver({ sql: app.sql, context: kit.context, bus: kit.bus, log: createLog("silent") });
    const runs = () => app.sql<{ id: string }[]>`select id from run where initiated_by = ${`schedule:${schedule.id}`}`;
    const runsAfterTick = async () => {
      await schedules.tick();
      return (await runs()).length;
    };
    await expect.poll(runsAfterTick).toBe(1);
    expect((await app.as().delete(`${made.path}/schedule/${schedule.id}`)).status).toBe(204);
    await expectBarred({ made, alice, bob }, (await runs())[0]?.id ?? "");
  });

  test("a signed webhook whose secret the person created", async () => {
    const parts = await withTriggers();
    const { made, alice } = parts;
    const path = `${made.path}/workflow/w/webhook-secret`;
    const { secret } = (await alice.put(path, undefined)).body;
    const [{ id } = { id: "" }] = await app.sql<{ id: string }[]>`select id from workflow where team_id = ${made.id}`;
    const signature = `sha256=${createHmac("sha256", secret).update("{}").digest("hex")}`;
    const headers = { "content-type": "application/json", "x-signature-256": signature };
    const answer = await app.as(null).post(`/api/v2/webhook?ref=${id}`, "{}", headers);
    expect(answer).toMatchObject({ status: 200, body: { initiatedByRef: "webhook" } });
    expect((await alice.delete(path)).status).toBe(204);
    await expectBarred(parts, answer.body.id);
  });
});

describe("an approver group counts as it was when the action was opened", () => {
  async function withGroup(count: number, values: Record<string, unknown> = {}) {
    const made = await withWorkflow({ approverGroupId: "leads", ...values });
    const owner = await person(made, "owner");
    const leads = [];
    for (let index = 0; index < count; index++) leads.push(await person(made));
    const group = (...members: { userId: string }[]) =>
      owner.patch(made.path, { approverGroups: [{ name: "leads", approvers: members.map(({ userId }) => userId) }] });
    expect((await group(...leads)).status).toBe(200);
    return { made, owner, leads, group };
  }

  test("a person who joins later is not asked and can't vote on it, but votes on later actions", async () => {
    const { made, owner, leads, group } = await withGroup(1);
    const { actionId } = await submit(made, owner);
    const late = await person(made);
    await group(...leads, late);
    expect(await mine(made, late)).toEqual([]);
    expect(await vote(made, late, actionId)).toMatchObject({
      status: 403,
      body: { reason: "PERMISSION_DENIED", message: expect.stringContaining("after action") },
    });
    const next = await submit(made, owner);
    expect(await mine(made, late)).toEqual([next.actionId]);
    expect((await vote(made, late, next.actionId)).status).toBe(204);
    expect((await vote(made, leads[0]!, actionId)).status).toBe(204);
  });

  test("who joins later does not keep an approval open that those who were there can no longer reach", async () => {
    const { made, owner, leads, group } = await withGroup(2, { numberOfApprovers: 2 });
    const { actionId, runId } = await submit(made, owner);
    await group(...leads, await person(made), await person(made));
    await vote(made, leads[0]!, actionId, false);
    expect(await statusOf(made, actionId)).toBe("rejected");
    expect(taskOf(await made.run(runId), "approve").status).toBe("failed");
  });

  test("who has left does not vote, and the wait says how many still can; who comes back does", async () => {
    const { made, owner, leads, group } = await withGroup(2, { numberOfApprovers: 2 });
    const { actionId, runId } = await submit(made, owner);
    await group(leads[0]!, await person(made));
    expect((await vote(made, leads[1]!, actionId)).status).toBe(403);
    expect(taskOf(await made.run(runId), "approve").waitingFor).toContain("only 1 of its members can still vote");
    await group(...leads);
    expect((await vote(made, leads[1]!, actionId)).status).toBe(204);
    expect((await vote(made, leads[0]!, actionId)).status).toBe(204);
    expect(await statusOf(made, actionId)).toBe("approved");
  });

  test("a group that is deleted and created again, or renamed in another spelling, admits no new voter", async () => {
    const { made, owner, leads } = await withGroup(1);
    const { actionId } = await submit(made, owner);
    const late = await person(made);
    await owner.patch(made.path, { approverGroups: [{ name: "LEADS", approvers: [late.userId] }] });
    expect((await vote(made, late, actionId)).status).toBe(403);
    expect((await owner.delete(`${made.path}/approvers`, ["leads"])).status).toBe(409);
    await app.sql`delete from approver_group where team_id = ${made.id}`;
    await owner.patch(made.path, { approverGroups: [{ name: "leads", approvers: [late.userId, leads[0]!.userId] }] });
    for (const voter of [late, leads[0]!]) expect((await vote(made, voter, actionId)).body.reason).toBe("ACTION_INVALID_APPROVERGROUP");
  });

  test("a person who joins in the moment in which the action is opened is either counted or not, never in between", async () => {
    const { made, owner, leads, group } = await withGroup(1, { numberOfApprovers: 2 });
    const late = await person(made);
    for (let round = 0; round < 5; round++) {
      await group(...leads);
      const [answer, run] = await Promise.all([group(...leads, late), owner.post(`${made.path}/workflow/w/submit?start=true`, {})]);
      expect([answer.status, run.status]).toEqual([200, 200]);
      await kit.settle();
      const task = taskOf(await made.run(run.body.id), "approve");
      if (task.status === "failed") expect(task.reason).toBe("ApproverGroupTooSmall");
      else expect((await vote(made, late, await actionOf(run.body.id))).status).toBe(204);
    }
  });

  test("a person who joins and votes at once, against an opened action, is refused whichever comes first", async () => {
    const { made, owner, leads, group } = await withGroup(1);
    const late = await person(made);
    for (let round = 0; round < 5; round++) {
      await group(...leads);
      const { actionId } = await submit(made, owner);
      const [, ...votes] = await Promise.all([group(...leads, late), vote(made, late, actionId), vote(made, late, actionId)]);
      expect(votes.map(({ status }) => status)).toEqual([403, 403]);
      expect(await statusOf(made, actionId)).toBe("submitted");
    }
  });

  test("a membership that is not committed when the action opens does not count, even if it began earlier", async () => {
    const { made, owner, group, leads } = await withGroup(1);
    const late = await person(made);
    const [row] = await app.sql<{ id: string }[]>`select id from approver_group where team_id = ${made.id}`;
    let opened = { actionId: "", runId: "" };
    await transaction(app.sql, async (tx) => {
      await tx`insert into approver (team_id, group_id, user_id) values (${made.id}, ${row!.id}, ${late.userId})`;
      opened = await submit(made, owner);
    });
    expect((await vote(made, late, opened.actionId)).status).toBe(403);
    await group(...leads);
    expect((await vote(made, leads[0]!, opened.actionId)).status).toBe(204);
  });
});

describe("approver groups are changed by owners and administrators", () => {
  test("an editor neither makes one, nor changes or deletes one, nor does a token that an editor can make", async () => {
    const made = await team();
    const owner = await person(made, "owner");
    const editor = await person(made);
    const body = { approverGroups: [{ name: "leads", approvers: [editor.userId] }] };
    const token = await tokenOf(editor, { principal: made.id, permissions: ["**/read", "**/write", "**/action"] });
    for (const client of [editor, editor.byToken, token]) {
      expect(await client.patch(made.path, body)).toMatchObject({
        status: 403,
        body: { reason: "PERMISSION_DENIED", message: expect.stringContaining("team/grant") },
      });
    }
    expect((await owner.patch(made.path, body)).status).toBe(200);
    expect((await editor.delete(`${made.path}/approvers`, ["leads"])).status).toBe(403);
    expect((await editor.patch(made.path, { displayName: "Still theirs", approverGroups: [] })).status).toBe(200);
    const answer = await editor.post("/api/v2/token", { type: "team", name: "t", principal: made.id, permissions: ["team/grant"] });
    expect(answer.status).toBe(403);
  });

  test("an operator of the instance does not, an administrator and a token with the permission do", async () => {
    const made = await team();
    const body = { approverGroups: [{ name: "leads", approvers: [] }] };
    const operator = await signedIn((await app.make.user({ type: "operator" })).id);
    const admin = await signedIn((await app.make.user({ type: "admin" })).id);
    expect((await operator.patch(made.path, body)).status).toBe(403);
    expect((await admin.patch(made.path, body)).status).toBe(200);
    expect((await app.as(await app.make.teamToken(made.id, ["team/write"])).patch(made.path, body)).status).toBe(403);
    expect((await app.as(await app.make.teamToken(made.id, ["team/write", "team/grant"])).patch(made.path, body)).status).toBe(200);
    expect((await app.as(await app.make.teamToken(made.id, ["team/delete"])).delete(`${made.path}/approvers`, ["leads"])).status).toBe(403);
    expect((await app.as(await app.make.teamToken(made.id, ["team/grant"])).delete(`${made.path}/approvers`, ["leads"])).status).toBe(204);
  });
});
