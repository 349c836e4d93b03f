import { expect, test } from "vitest";
import { testDatabase } from "../../../test/kit/database.ts";
import { until } from "../../../test/kit/until.ts";
import type { Transaction } from "../database/database.ts";
import { transaction } from "../database/transaction.ts";
import { claimDeliveries, finishDeliveries, insertDeliveries, lockLanes, promoteStuckLanes } from "./deliveries.ts";

const { sql } = await testDatabase();

const receiverId = "00000000-0000-7000-8000-000000000001";
const laneId = "00000000-0000-7000-8000-000000000002";

/** Adds the next event of the lane, as the dispatcher does. */
async function queueNext(tx: Transaction): Promise<void> {
  const [event] = await tx<{ id: string; seq: number }[]>`
    insert into change_event (kind, status, object_id, lane_id, data, dispatched_at)
    values ('workflowrun', 'running', ${laneId}, ${laneId}, '{}', db_now()) returning id, seq`;
  await insertDeliveries(tx, [
    { event: { ...event!, teamId: null, laneId }, channel: "codehost", subscriptionId: null, target: {}, receiverId },
  ]);
}

async function claimOne() {
  const [claimed, ...others] = await claimDeliveries(sql, { count: 10, perReceiver: 10, rooms: [], leaseMs: 60_000 });
  expect(others).toEqual([]);
  return claimed;
}

type Claimed = NonNullable<Awaited<ReturnType<typeof claimOne>>>;

function deliver(tx: Transaction, { id, attempt }: Claimed): Promise<Set<string>> {
  const report = { status: 204, answer: null, error: null };
  return finishDeliveries(tx, [{ id, attempt, receiverId, laneId, outcome: "delivered", delayMs: 0, ...report }]);
}

/** Opens a transaction and keeps it open after its work until it is released. */
function held(work: (tx: Transaction) => Promise<unknown>) {
  let commit = (): void => {};
  const gate = new Promise<void>((resolve) => {
    commit = resolve;
  });
  let worked = (): void => {};
  const isWorked = new Promise<void>((resolve) => {
    worked = resolve;
  });
  const done = transaction(sql, async (tx) => {
    await work(tx);
    worked();
    await gate;
  });
  return { isWorked, done, commit };
}

async function countWaiters(): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return row!.count;
}

const statuses = async () => (await sql<{ status: string }[]>`select status from delivery order by event_seq`).map(({ status }) => status);

test("a delivery that is added while the one before it ends is sent, however long the transaction that adds it stays open", async () => {
  await transaction(sql, async (tx) => {
    await queueNext(tx);
    await queueNext(tx);
  });
  const first = await claimOne();
  // The first one ends, and the second is pending after the commit.
  const ending = held((tx) => deliver(tx, first!));
  await ending.isWorked;
  // The dispatcher has begun to add the third one before that commit.
  const adding = held(queueNext);
  await until(async () => (await countWaiters()) > 0, "the dispatcher waits for the lane");
  ending.commit();
  await ending.done;
  await adding.isWorked;
  // The second one is sent and ends before the dispatcher has committed.
  const second = await claimOne();
  let isOver = false;
  const finished = transaction(sql, (tx) => deliver(tx, second!)).then(() => {
    isOver = true;
  });
  await until(async () => isOver || (await countWaiters()) > 0, "the end of the second delivery");
  adding.commit();
  await Promise.all([adding.done, finished]);
  expect(await statuses()).toEqual(["delivered", "delivered", "pending"]);
  await transaction(sql, async (tx) => deliver(tx, (await claimOne())!));
});

test("a delivery that waits behind none is found and promoted, lane by lane", async () => {
  await sql`truncate delivery`;
  await transaction(sql, async (tx) => {
    await queueNext(tx);
    await queueNext(tx);
  });
  await sql`update delivery set status = 'dead', due_at = null, ended_at = db_now() where status = 'pending'`;
  expect(await statuses()).toEqual(["dead", "waiting"]);
  expect(await transaction(sql, promoteStuckLanes)).toBe(1);
  expect(await statuses()).toEqual(["dead", "pending"]);
  expect(await transaction(sql, promoteStuckLanes)).toBe(0);
});

test("two transactions that take several lanes in different orders don't wait for each other in a circle", async () => {
  const lanes = Array.from({ length: 50 }, (_, index) => `lane-${index}`);
  const rounds = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? lanes : [...lanes].reverse()));
  await Promise.all(rounds.map((order) => transaction(sql, (tx) => lockLanes(tx, order))));
});
