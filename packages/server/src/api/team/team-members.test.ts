import { expect, test } from "vitest";
import { params, runKit } from "../../../test/kit/run-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";
import { until } from "../../../test/kit/until.ts";
import { transaction } from "../../store/database/transaction.ts";
import { findApproverGroup } from "../../store/team/members.ts";

const { app, kit, team } = await runKit();

async function withGroups(...names: string[]) {
  const made = await team();
  const owner = await made.member("owner");
  await owner.patch(made.path, { approverGroups: names.map((name) => ({ name, approvers: [owner.userId] })) });
  const groups = async () => (await owner.get(made.path)).body.approverGroups.map(({ name }: { name: string }) => name);
  const submit = async (group: string, name = "w") => {
    await made.workflow(name, workflow(node("ask", "approval", ["start"], params({ approverGroupId: group }))));
    const { id } = await made.submit(name);
    await kit.settle();
    return id;
  };
  return { ...made, owner, groups, submit, remove: (...named: string[]) => owner.delete(`${made.path}/approvers`, named) };
}

test("a group that has open actions to decide stays, and so do those named with it, until the actions are over", async () => {
  const { owner, path, groups, submit, remove } = await withGroups("Leads", "Others");
  await submit("leads");
  const runId = await submit("leads", "second");
  const answer = await remove("others", "leads");
  expect(answer).toMatchObject({ status: 409, body: { reason: "CONFLICT", message: expect.stringContaining("Leads (2)") } });
  expect(await groups()).toEqual(["Leads", "Others"]);
  await owner.delete(`${path}/workflowrun/${runId}/cancel`);
  await kit.settle();
  expect((await remove("leads")).body.message).toContain("Leads (1)");
  const [action] = (await owner.get(`${path}/action/query?statuses=submitted`)).body.content;
  await owner.put(`${path}/action`, [{ id: action.id, approved: true }]);
  expect((await remove("leads")).status).toBe(204);
  expect(await groups()).toEqual(["Others"]);
});

test("an action that is opened for a group while that is deleted keeps the group", async () => {
  const { id, groups, submit, remove } = await withGroups("Leads", "Others");
  const runId = await submit("others");
  const { answer } = await transaction(app.sql, async (tx) => {
    const group = await findApproverGroup(tx, id, "leads", runId);
    const answer = remove("leads");
    await until(async () => (await waiting()) > 0, "the deletion waits for the opening");
    await tx`update action set approver_group_id = ${group!.id} where team_id = ${id} and run_id = ${runId}`;
    return { answer };
  });
  expect((await answer).status).toBe(409);
  expect(await groups()).toEqual(["Leads", "Others"]);
});

async function waiting(): Promise<number> {
  const [row] = await app.sql<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return row!.count;
}

test("the audit tells which groups there were, with their approvers, and nothing where nothing was deleted", async () => {
  const { id, owner, remove } = await withGroups("Leads");
  const records = () => app.sql`select before from audit where team_id = ${id} and action = 'team/grant'`;
  expect((await remove("unknown")).status).toBe(204);
  expect(await records()).toEqual([]);
  await remove("LEADS", "unknown");
  expect(await records()).toEqual([
    {
      before: {
        approverGroups: [expect.objectContaining({ name: "Leads", approvers: [expect.objectContaining({ email: owner.email })] })],
      },
    },
  ]);
});

test("an owner who was only added by address does not count: the last owner who signed in can't leave or step down", async () => {
  const made = await team();
  const owner = await made.member("owner");
  const email = `invited-${owner.userId}@example.com`;
  await owner.patch(made.path, { members: [{ email, role: "owner" }] });
  expect(await owner.delete(`${made.path}/leave`)).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining("signed in at least once") },
  });
  expect((await owner.patch(made.path, { members: [{ id: owner.userId, role: "editor" }] })).status).toBe(409);
  const both = [
    { id: owner.userId, role: "editor" },
    { email: `second-${email}`, role: "owner" },
  ];
  expect((await owner.patch(made.path, { members: both })).status).toBe(409);
  await app.sql`update app_user set status = 'active', is_invited = false where email = ${email}`;
  expect((await owner.delete(`${made.path}/leave`)).status).toBe(204);
});

test("an approver who was only added by address does not count for an approval that opens before they come", async () => {
  const made = await withGroups("Leads");
  const email = `invited-${made.owner.userId}@example.com`;
  await made.owner.patch(made.path, {
    members: [{ email, role: "editor" }],
    approverGroups: [{ name: "Leads", approvers: [made.owner.userId, email] }],
  });
  await made.submit("leads");
  const [action] = (await made.owner.get(`${made.path}/action/query?statuses=submitted`)).body.content;
  expect(action.approverRefs).toEqual([made.owner.userId]);
});
