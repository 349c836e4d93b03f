import { describe, expect, test } from "vitest";
import { moveTime } from "../../../test/kit/database.ts";
import { params, runKit, type TestTeam, taskOf } from "../../../test/kit/run-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";
import { setApproverGroup } from "../../store/team/members.ts";

const { app, kit, team } = await runKit();
const admin = app.as();
const minuteMs = 60_000;

/** A run that waits for a decision; started by the administrator's token unless another caller is given. */
async function waiting(
  values: Record<string, unknown>,
  more: { type?: "approval" | "manual"; node?: object; run?: object; made?: TestTeam } = {},
) {
  const made = more.made ?? (await team());
  await made.workflow("w", workflow(node("ask", more.type ?? "approval", ["start"], { ...params(values), ...more.node })));
  const { id: runId } = await made.submit("w", more.run);
  const action = async () => (await admin.get(`${made.path}/action/query`)).body.content[0];
  return { ...made, runId, action, ask: async () => taskOf(await made.run(runId), "ask") };
}

const gapMs = (action: { creationDate: string }, until: string) => Date.parse(until) - Date.parse(action.creationDate);

describe("the deadline of an action", () => {
  test.each(["approval", "manual"] as const)("of %s ends the task as timed out, and the action is cancelled", async (type) => {
    const { action, ask, path } = await waiting({ deadline: "30", instructions: "Look" }, { type });
    const open = await action();
    expect(Math.abs(gapMs(open, open.deadline) - 30 * minuteMs)).toBeLessThan(2000);
    await moveTime(app.sql, 31 * minuteMs);
    await kit.settle();
    expect(await ask()).toMatchObject({ status: "timedout", statusMessage: "There was no decision within 30 minutes" });
    expect(await action()).toMatchObject({ status: "cancelled", deadline: open.deadline });
    expect((await admin.put(`${path}/action`, [{ id: open.id, approved: true }])).status).toBe(409);
  });

  test("is the earliest of its own, the task's and the run's", async () => {
    const own = await (await waiting({ deadline: 30 }, { node: { timeout: 60 } })).action();
    expect(Math.round(gapMs(own, own.deadline) / minuteMs)).toBe(30);
    const ofTask = await (await waiting({ deadline: 90 }, { node: { timeout: 60 } })).action();
    expect(Math.round(gapMs(ofTask, ofTask.deadline) / minuteMs)).toBe(60);
    const ofRun = await (await waiting({}, { run: { timeout: 120 } })).action();
    expect(Math.round(gapMs(ofRun, ofRun.deadline) / minuteMs)).toBe(120);
    expect((await (await waiting({})).action()).deadline, "no quota bounds a wait").toBeNull();
  });

  test("starts over when the task is tried again", async () => {
    const { action } = await waiting({ deadline: 10 }, { node: { retry: { count: 1, backoffMs: 0, on: ["timedout"] } } });
    const first = await action();
    await moveTime(app.sql, 11 * minuteMs);
    await kit.settle();
    await moveTime(app.sql, 1000);
    await kit.settle();
    const second = await action();
    expect(second.id).not.toBe(first.id);
    expect(Math.round(gapMs(second, second.deadline) / minuteMs)).toBe(10);
  });
});

describe("reminders", () => {
  test("come due again and again until the action is over, and overdue actions are found", async () => {
    const { action, path } = await waiting({ reminder: 20 });
    const found = async (overdue: boolean) => (await admin.get(`${path}/action/query?overdue=${overdue}`)).body.totalElements;
    const fresh = await action();
    expect(fresh).toMatchObject({ reminder: 20, reminderCount: 0 });
    expect(gapMs(fresh, fresh.reminderDate)).toBe(20 * minuteMs);
    expect([await found(true), await found(false)]).toEqual([0, 1]);
    await moveTime(app.sql, 45 * minuteMs);
    const late = await action();
    expect(late.reminderCount).toBe(2);
    expect(gapMs(late, late.reminderDate)).toBe(60 * minuteMs);
    expect([await found(true), await found(false)]).toEqual([1, 0]);
    await admin.put(`${path}/action`, [{ id: fresh.id, approved: true }]);
    await moveTime(app.sql, 45 * minuteMs);
    expect(await action()).toMatchObject({ status: "approved", reminder: 20, reminderCount: 2, reminderDate: null });
    expect(await found(true)).toBe(0);
  });

  test("that would come after the deadline do not come", async () => {
    const { action } = await waiting({ reminder: 20, deadline: 10 });
    expect(await action()).toMatchObject({ reminder: 20, reminderCount: 0, reminderDate: null });
  });

  test("are not sent unless they are configured", async () => {
    const { action } = await waiting({});
    expect(await action()).toMatchObject({ reminder: null, reminderDate: null, reminderCount: 0, requesterMayNotApprove: false });
  });
});

describe("requesterMayNotApprove", () => {
  test.each(["approval", "manual"] as const)(
    "refuses the vote of the person who started the run on %s, and accepts votes of others",
    async (type) => {
      const made = await team();
      const [requester, other] = [await made.member("owner"), await made.member("editor")];
      await made.workflow("w", workflow(node("ask", type, ["start"], params({ requesterMayNotApprove: "true" }))));
      await requester.post(`${made.path}/workflow/w/submit?start=true`, {});
      const [action] = (await admin.get(`${made.path}/action/query`)).body.content;
      expect(action.requesterMayNotApprove).toBe(true);
      for (const approved of [true, false]) {
        expect(await requester.put(`${made.path}/action`, [{ id: action.id, approved }])).toMatchObject({
          status: 403,
          body: { reason: "PERMISSION_DENIED", message: expect.stringContaining("started the run"), errors: [{ path: "0" }] },
        });
      }
      expect((await other.put(`${made.path}/action`, [{ id: action.id, approved: true }])).status).toBe(204);
    },
  );

  test("means the person who started the outermost run, and after a retry the person who retried", async () => {
    const made = await team();
    const [requester, other] = [await made.member("owner"), await made.member("editor")];
    await made.workflow("inner", workflow(node("ask", "approval", ["start"], params({ requesterMayNotApprove: true }))));
    await made.workflow("outer", workflow(node("call", "runworkflow", ["start"], params({ workflowRef: "inner", wait: true }))));
    const vote = async (client: typeof admin, approved: boolean) => {
      const [action] = (await admin.get(`${made.path}/action/query`)).body.content;
      return (await client.put(`${made.path}/action`, [{ id: action.id, approved }])).status;
    };
    await requester.post(`${made.path}/workflow/outer/submit?start=true`, {});
    expect(await vote(requester, true)).toBe(403);
    expect(await vote(other, false)).toBe(204);
    await kit.settle();
    const { body } = await admin.get(`${made.path}/workflowrun/query?limit=10&page=0`);
    const inner = body.content.find(({ workflowName }: { workflowName: string }) => workflowName === "inner");
    expect((await other.put(`${made.path}/workflowrun/${inner.id}/retry?start=true`)).status).toBe(200);
    expect(await vote(other, true)).toBe(403);
    expect(await vote(requester, true)).toBe(204);
  });

  test("counts when it is asked whether the group can still reach the number", async () => {
    const made = await team();
    const members = [await made.member("owner"), await made.member("editor"), await made.member("editor")];
    const ids = members.map(({ userId }) => userId);
    await setApproverGroup(app.sql, made.id, "three", ids);
    await setApproverGroup(app.sql, made.id, "two", ids.slice(0, 2));
    const values = (group: string) => params({ approverGroupId: group, numberOfApprovers: 2, requesterMayNotApprove: true });
    await made.workflow("enough", workflow(node("ask", "approval", ["start"], values("three"))));
    await made.workflow("few", workflow(node("ask", "approval", ["start"], values("two"))));
    const few = await members[0]!.post(`${made.path}/workflow/few/submit?start=true`, {});
    expect(taskOf(await made.run(few.body.id), "ask")).toMatchObject({
      reason: "ApproverGroupTooSmall",
      statusMessage: expect.stringContaining("2 members of whom 1 did not start the run"),
    });
    await members[0]!.post(`${made.path}/workflow/enough/submit?start=true`, {});
    const [action] = (await admin.get(`${made.path}/action/query`)).body.content;
    expect((await members[1]!.put(`${made.path}/action`, [{ id: action.id, approved: false }])).status).toBe(204);
    expect((await admin.get(`${made.path}/action/${action.id}`)).body.status).toBe("rejected");
  });
});

test.each([
  [{ deadline: 0 }, '"deadline" must be a whole number of minutes'],
  [{ deadline: "soon" }, '"deadline" must be a whole number of minutes'],
  [{ reminder: 1.5 }, '"reminder" must be a whole number of minutes'],
  [{ reminder: 525_601 }, '"reminder" must be a whole number of minutes'],
  [{ requesterMayNotApprove: "perhaps" }, '"requesterMayNotApprove" must be true or false'],
])("%j fails the task and says why", async (values, message) => {
  const { ask } = await waiting(values);
  expect(await ask()).toMatchObject({ status: "failed", reason: "InvalidParameter", statusMessage: expect.stringContaining(message) });
});
