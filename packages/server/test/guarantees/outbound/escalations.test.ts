import { expect, test } from "vitest";
import { createLog } from "../../../src/base/process/log.ts";
import { createReminderService } from "../../../src/services/engine-services.ts";
import { escalateActions } from "../../../src/store/action/due-escalations.ts";
import { createPool } from "../../../src/store/database/database.ts";
import { listEmailsOfVoters } from "../../../src/store/outbound/email-recipients.ts";
import { setApproverGroup } from "../../../src/store/team/members.ts";
import { moveTime } from "../../kit/database.ts";
import { params, runKit, taskOf } from "../../kit/run-kit.ts";
import { node, workflow } from "../../kit/run-simulator.ts";

/** If nobody has decided in time, the members of another approver group can vote too. This happens once, however many processes check. */
const { app, team } = await runKit();
const { sql } = app;
const admin = app.as();
const service = createReminderService(sql, createLog("silent"));
const minuteMs = 60_000;

async function after(minutes: number) {
  await moveTime(sql, minutes * minuteMs);
  await service.tick();
}

/** A run that waits for approval; the members of the groups "first" and "second" are readers of the team. */
async function waiting(terms: Record<string, unknown>, type: "approval" | "manual" = "approval") {
  const made = await team();
  const [first, second] = [await made.member("reader"), await made.member("reader")];
  await setApproverGroup(sql, made.id, "first", [first.userId]);
  await setApproverGroup(sql, made.id, "second", [second.userId]);
  const group = type === "approval" ? { approverGroupId: "first" } : { instructions: "Look" };
  await made.workflow("w", workflow(node("ask", type, ["start"], params({ ...group, ...terms }))));
  await sql`insert into subscription (team_id, name, channel, target) values (${made.id}, 'all', 'webhook', '{}')`;
  const { id: runId } = await made.submit("w");
  const [listed] = (await admin.get(`${made.path}/action/query`)).body.content;
  const events = async () =>
    (
      await sql<{ status: string; data: Record<string, unknown> }[]>`
        select status, data from change_event where team_id = ${made.id} and kind = 'action' order by seq`
    ).map(({ status, data }) => ({ status, data }));
  return {
    ...{ made, first, second, events },
    id: listed?.id as string,
    action: async () => (await admin.get(`${made.path}/action/${listed.id}`)).body,
    vote: async (client: typeof admin, approved = true) => (await client.put(`${made.path}/action`, [{ id: listed.id, approved }])).status,
    mine: async (client: typeof admin) => (await client.get(`${made.path}/action/query?mine=true`)).body.totalElements,
    ask: async () => taskOf(await made.run(runId), "ask"),
    statuses: async () => (await events()).map(({ status }) => status),
  };
}

test("the record of the decision names the group that it was escalated to; who leaves that group votes no more", async () => {
  const { vote, second, made, id, mine } = await waiting({ escalateAfter: 20, escalateTo: "Second" });
  const third = await made.member("reader");
  await setApproverGroup(sql, made.id, "second", [second.userId, third.userId]);
  await after(21);
  expect([await mine(second), await mine(third)]).toEqual([1, 1]);
  await setApproverGroup(sql, made.id, "second", [third.userId]);
  expect([await vote(second), await mine(third)]).toEqual([403, 1]);
  expect(await vote(third)).toBe(204);
  const { content } = (await admin.get(`${made.path}/decision/query?action=${id}`)).body;
  expect(content).toMatchObject([{ approverGroup: { name: "first" }, escalatedTo: { name: "second" } }]);
});

test("the other group can vote from then on, gets an event, and the history says so; the first group still can", async () => {
  const { action, vote, mine, ask, first, second, events, statuses, made, id } = await waiting({ escalateAfter: 20, escalateTo: "Second" });
  const open = await action();
  expect(open).toMatchObject({ escalateAfter: 20, escalateToName: "second", escalated: false, delegateRefs: [] });
  expect(Date.parse(open.escalationDate) - Date.parse(open.creationDate)).toBe(20 * minuteMs);
  await after(19);
  expect([await statuses(), await vote(second), await mine(second)]).toEqual([["submitted"], 403, 0]);
  await after(2);
  await after(30);
  expect(await statuses()).toEqual(["submitted", "escalated"]);
  expect((await events())[1]!.data).toMatchObject({ status: "submitted", escalateToName: "second", delegateRefs: [second.userId] });
  expect(await listEmailsOfVoters(sql, made.id, id, ["owner"])).toEqual([first.email, second.email].sort());
  const late = await action();
  expect(late).toMatchObject({ escalated: true, escalateToRef: open.escalateToRef, delegateRefs: [second.userId] });
  expect(late.history).toMatchObject([{ kind: "opened" }, { kind: "escalation", escalatedTo: "second", date: late.escalationDate }]);
  expect((await ask()).waitingFor).toContain('by approver group "first" or "second"');
  expect([await mine(first), await mine(second)]).toEqual([1, 1]);
  expect(await vote(second)).toBe(204);
  expect((await action()).status).toBe("approved");
});

test("the first group can decide afterwards, and a manual task is escalated too", async () => {
  const approval = await waiting({ escalateAfter: 5, escalateTo: "second", reminder: 5 });
  const manual = await waiting({ escalateAfter: 5, escalateTo: "second" }, "manual");
  await after(6);
  expect(await approval.statuses()).toEqual(["submitted", "escalated", "reminder"]);
  expect([await approval.vote(approval.first), await manual.vote(manual.first), await manual.vote(manual.second)]).toEqual([204, 403, 204]);
});

test("none happens after the action has ended, or at or after a deadline of the run", async () => {
  const decided = await waiting({ escalateAfter: 10, escalateTo: "second" });
  expect(await decided.vote(decided.first, false)).toBe(204);
  const made = await team();
  await setApproverGroup(sql, made.id, "second", [(await made.member("reader")).userId]);
  await made.workflow(
    "short",
    workflow(
      node("ask", "manual", ["start"], {
        ...params({ instructions: "Look", escalateAfter: 10, escalateTo: "second" }),
        timeout: 10,
      }),
    ),
  );
  await made.submit("short");
  expect((await admin.get(`${made.path}/action/query?workflows=short`)).body.content[0]).toMatchObject({
    escalateAfter: 10,
    escalationDate: null,
  });
  expect(await decided.action()).toMatchObject({ status: "rejected", escalated: false, escalationDate: null });
  await after(11);
  expect(await decided.statuses()).toEqual(["submitted", "rejected"]);
});

test("people who delegated their vote, or started a run that they may not decide, get no vote by it", async () => {
  const made = await team();
  const [boss, starter, spare] = [await made.member("editor"), await made.member("editor"), await made.member("editor")];
  await setApproverGroup(sql, made.id, "first", [boss.userId]);
  await setApproverGroup(sql, made.id, "second", [boss.userId, starter.userId, spare.userId]);
  const terms = { approverGroupId: "first", escalateAfter: 5, escalateTo: "second", requesterMayNotApprove: true };
  await made.workflow("w", workflow(node("ask", "approval", ["start"], params(terms))));
  await starter.post(`${made.path}/workflow/w/submit?start=true`, {});
  const [{ id }] = (await admin.get(`${made.path}/action/query`)).body.content;
  const outsider = await made.member("editor");
  expect((await boss.post(`${made.path}/action/${id}/delegate`, { user: outsider.userId })).status).toBe(200);
  await after(6);
  const vote = async (client: typeof admin) => (await client.put(`${made.path}/action`, [{ id, approved: true }])).status;
  const { body } = await admin.get(`${made.path}/action/${id}`);
  expect(body.delegateRefs.toSorted()).toEqual([outsider.userId, starter.userId, spare.userId].sort());
  expect([await vote(boss), await vote(starter), await vote(spare)]).toEqual([409, 403, 204]);
});

test("of many concurrent processes, one escalates", async () => {
  const made = await Promise.all(Array.from({ length: 4 }, () => waiting({ escalateAfter: 5, escalateTo: "second" })));
  const pools = Array.from({ length: 4 }, () => createPool(app.address, { maxConnections: 2 }));
  await moveTime(sql, 6 * minuteMs);
  await Promise.all(pools.flatMap((pool) => [escalateActions(pool, 100), escalateActions(pool, 3)]));
  await service.tick();
  for (const { statuses } of made) expect(await statuses()).toEqual(["submitted", "escalated"]);
  await Promise.all(pools.map((pool) => pool.end({ timeout: 1 })));
});

test("an action with a vote in progress is left to the next round, and the other group can't be deleted", async () => {
  const { statuses, made } = await waiting({ escalateAfter: 5, escalateTo: "second" });
  expect(await admin.delete(`${made.path}/approvers`, ["second"])).toMatchObject({ status: 409 });
  await moveTime(sql, 6 * minuteMs);
  await sql.begin(async (tx) => {
    await tx`select 1 from action where team_id = ${made.id} for update`;
    await service.tick();
    await tx`update action set status = 'rejected', decided_at = db_now() where team_id = ${made.id}`;
  });
  await service.tick();
  expect(await statuses()).toEqual(["submitted", "rejected"]);
});

test.each([
  [{ escalateAfter: 0, escalateTo: "second" }, "InvalidParameter", '"escalateAfter" must be a whole number of minutes'],
  [{ escalateAfter: 5 }, "InvalidParameter", '"escalateAfter" and "escalateTo" must be given together'],
  [{ escalateTo: "second" }, "InvalidParameter", '"escalateAfter" and "escalateTo" must be given together'],
  [{ escalateAfter: 30, escalateTo: "second", deadline: 30 }, "InvalidParameter", 'must be less than "deadline", which is 30'],
  [{ escalateAfter: 5, escalateTo: "first" }, "InvalidParameter", 'another group than "approverGroupId"'],
  [{ escalateAfter: 5, escalateTo: "nobody" }, "UnknownApproverGroup", 'no approver group "nobody"; parameter "escalateTo"'],
])("%j fails the task and says why", async (terms, reason, message) => {
  const { ask } = await waiting(terms);
  expect(await ask()).toMatchObject({ status: "failed", reason, statusMessage: expect.stringContaining(message) });
});
