import { expect, test } from "vitest";
import { createLog } from "../../../src/base/process/log.ts";
import { createReminderService } from "../../../src/services/engine-services.ts";
import { insertActionNote } from "../../../src/store/action/action-notes.ts";
import { remindOfActions } from "../../../src/store/action/due-reminders.ts";
import { createPool } from "../../../src/store/database/database.ts";
import { moveTime, testDatabase } from "../../kit/database.ts";
import { engineKit } from "../../kit/engine-kit.ts";
import { params } from "../../kit/run-kit.ts";
import { node, workflow } from "../../kit/run-simulator.ts";

/** A change event reminds of an action that waits, each time its interval has passed. */
const { sql, address } = await testDatabase();
const kit = engineKit(sql);
const service = createReminderService(sql, createLog("silent"));
const minuteMs = 60_000;

async function waiting(terms: Record<string, unknown>) {
  const teamId = await kit.team();
  await kit.workflow(teamId, "ask", workflow(node("ask", "manual", ["start"], params({ instructions: "Look", ...terms }))));
  await sql`insert into subscription (team_id, name, channel, target) values (${teamId}, 'all', 'webhook', '{}')`;
  await kit.submit(teamId, "ask", { start: true });
  const events = async () =>
    (await sql<{ status: string }[]>`select status from change_event where team_id = ${teamId} and kind = 'action' order by seq`).map(
      ({ status }) => status,
    );
  const after = async (minutes: number) => {
    await moveTime(sql, minutes * minuteMs);
    await service.tick();
    return events();
  };
  return { teamId, events, after };
}

test("a reminder comes each time that its minutes have passed, and not before", async () => {
  const { after } = await waiting({ reminder: 20 });
  expect(await after(19)).toEqual(["submitted"]);
  expect(await after(2)).toEqual(["submitted", "reminder"]);
  expect(await after(1)).toEqual(["submitted", "reminder"]);
  expect(await after(18)).toEqual(["submitted", "reminder", "reminder"]);
});

test("missed reminders are sent as one, and the next comes at its time", async () => {
  const { after, teamId } = await waiting({ reminder: 10 });
  expect(await after(35)).toEqual(["submitted", "reminder"]);
  const [event] = await sql`select data from change_event where team_id = ${teamId} and status = 'reminder'`;
  expect(event!["data"]).toMatchObject({ reminderCount: 3, status: "submitted", instructions: "Look", taskName: "ask" });
  expect(await after(4)).toEqual(["submitted", "reminder"]);
  expect(await after(2)).toEqual(["submitted", "reminder", "reminder"]);
});

test("none comes after the action is over, none at or after its deadline, and none without a reminder", async () => {
  const decided = await waiting({ reminder: 10 });
  await sql`update action set status = 'approved', decided_at = db_now() where team_id = ${decided.teamId}`;
  const late = await waiting({ reminder: 10, deadline: 20 });
  const never = await waiting({});
  await moveTime(sql, 15 * minuteMs);
  await service.tick();
  await moveTime(sql, 60 * minuteMs);
  await service.tick();
  expect(await decided.events()).toEqual(["submitted", "approved"]);
  expect(await late.events()).toEqual(["submitted", "reminder"]);
  expect(await never.events()).toEqual(["submitted"]);
});

test("of many concurrent processes, one reminds", async () => {
  const made = await Promise.all(Array.from({ length: 8 }, () => waiting({ reminder: 5 })));
  const pools = Array.from({ length: 4 }, () => createPool(address, { maxConnections: 2 }));
  await moveTime(sql, 6 * minuteMs);
  await Promise.all(pools.flatMap((pool) => [remindOfActions(pool, 100), remindOfActions(pool, 3)]));
  await service.tick();
  for (const { events } of made) expect(await events()).toEqual(["submitted", "reminder"]);
  await Promise.all(pools.map((pool) => pool.end({ timeout: 1 })));
});

test("an action with a vote in progress is left to the next round", async () => {
  const { events, teamId } = await waiting({ reminder: 5 });
  await moveTime(sql, 6 * minuteMs);
  await sql.begin(async (tx) => {
    await tx`select 1 from action where team_id = ${teamId} for update`;
    await service.tick();
    await tx`update action set status = 'rejected', decided_at = db_now() where team_id = ${teamId}`;
  });
  await service.tick();
  expect(await events()).toEqual(["submitted", "rejected"]);
});

test("comments and delegations are events, in the order in which they happened", async () => {
  const { teamId, events } = await waiting({ title: "Look at it" });
  const [action] = await sql<{ id: string }[]>`select id from action where team_id = ${teamId}`;
  const by = { principal: "user:01900000-0000-7000-8000-000000000001", name: "Ada", email: null };
  const nobody = { delegateName: null, delegateGroupId: null, delegateIds: null };
  await insertActionNote(sql, teamId, action!.id, { ...by, ...nobody, kind: "comment", comments: "Which region?" });
  const delegate = { delegateName: "Bob", delegateGroupId: null, delegateIds: ["01900000-0000-7000-8000-000000000002"] };
  await insertActionNote(sql, teamId, action!.id, { ...by, ...delegate, kind: "delegation", comments: null });
  expect(await events()).toEqual(["submitted", "commented", "delegated"]);
  const [comment, delegation] =
    await sql`select data from change_event where team_id = ${teamId} and status in ('commented', 'delegated') order by seq`;
  expect(comment!["data"]).toMatchObject({
    id: action!.id,
    title: "Look at it",
    instructions: "Look",
    by: "Ada",
    comments: "Which region?",
  });
  expect(delegation!["data"]).toMatchObject({ delegatedTo: "Bob", delegateRefs: delegate.delegateIds });
});
