import { beforeEach, expect, test } from "vitest";
import { createPool } from "../../../src/store/database/database.ts";
import { transaction } from "../../../src/store/database/transaction.ts";
import { closeMonth, isRunLeaving } from "../../../src/store/history/history-removal.ts";
import { FaultProxy } from "../../fakes/fault-proxy.ts";
import { testDatabase } from "../../kit/database.ts";
import { historyKit, noOrphans } from "../../kit/history/history-kit.ts";
import { startClock } from "../../kit/processor-ms.ts";
import { describeOpenWork } from "../../kit/suite/open-work.ts";

/** Removes history while processes die, and while others work. */
const { sql, address } = await testDatabase();
const { empty, world, remove, oldest, orphans, incomplete } = historyKit(sql);
beforeEach(empty);

/** Creating fifteen months of partitions and rows takes half a minute on a busy machine. */
const fillMs = 120_000;

/** None of these takes long: if one does, it hangs, and the error names the statement. */
const limitMs = 60_000;

async function inTime<T>(what: string, work: Promise<T>, proxy: FaultProxy): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(async () => {
      const sessions = await describeOpenWork(address, ["sessions"]);
      reject(
        new Error(`${what} is not over after ${limitMs} ms; the last statement through the proxy: ${proxy.lastStatement}\n${sessions}`),
      );
    }, limitMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

test("wherever a process that removes history dies, no row is left without its run, and the next process continues", {
  timeout: 300_000,
}, async () => {
  await world(60);
  // Rows of a month that something locks are deleted one by one; other months are dropped.
  await sql`update run set labels = '{"keep": "true"}' where id = (select id from run where created_at < now() - interval '300 days' order by id desc limit 1)`;
  const proxy = await FaultProxy.start(address);
  let deaths = 0;
  for (let skip = 0; ; skip += 1 + Math.floor(skip / 20)) {
    const pool = createPool(proxy.address, { maxConnections: 1 });
    proxy.faults.splice(0, proxy.faults.length, { statement: /./, how: skip % 2 === 0 ? "before" : "after", times: 1, skip });
    const before = proxy.happened.length;
    const removal = remove({}, pool).catch(() => deaths++);
    await inTime(`the removal that dies after ${skip} statements`, removal, proxy);
    const hasDied = proxy.happened.length > before;
    proxy.faults.length = 0;
    await inTime(`the end of the pool after ${skip} statements`, pool.end({ timeout: 0 }), proxy);
    const left = Promise.all([orphans(), incomplete()]);
    expect(await inTime(`the look after ${skip} statements`, left, proxy), `after ${skip} statements`).toEqual([noOrphans, 0]);
    if (!hasDied) break;
  }
  await proxy.stop();
  expect(deaths).toBeGreaterThan(20);
  expect((await oldest()).delivery).toBeLessThan(30);
  expect(await sql`select from run where created_at < now() - interval '212 days'`).toHaveLength(1);
});

test("two processes that remove history at once have the same result as one", { timeout: fillMs }, async () => {
  await world();
  await sql`update run set labels = '{"keep": "true"}' where id = (select id from run where created_at < now() - interval '300 days' order by id desc limit 1)`;
  const both = await Promise.all([remove(), remove()]);
  const { busy } = await remove();
  expect(busy).toEqual([]);
  expect([await orphans(), await incomplete()]).toEqual([noOrphans, 0]);
  expect(await sql`select from run where created_at < now() - interval '212 days'`).toHaveLength(1);
  expect(both[0].runs + both[1].runs).toBeGreaterThan(25);
});

test("a partition in use is left complete for the next time, and blocks others only for a moment", { timeout: fillMs }, async () => {
  await world(48);
  const reader = await sql.reserve();
  await reader`begin`;
  await reader`select from log_chunk limit 1`;
  const expectWithin = startClock();
  const removing = remove();
  await sql`select count(*) from run`;
  expectWithin(2000);
  const { busy, partitions } = await removing;
  await reader`commit`;
  reader.release();
  expect(busy.length).toBeGreaterThan(0);
  expect(partitions.filter((name) => /^(run|task_run|task_run_attempt|log_chunk)_/.test(name))).toEqual([]);
  expect(await orphans()).toEqual(noOrphans);
  expect((await remove()).busy).toEqual([]);
  expect((await oldest()).run).toBeLessThan(212);
});

test("removal of a month waits for a concurrent 'keep run', and afterwards none is possible", { timeout: fillMs }, async () => {
  const { teamId } = await world(48);
  const [old] = await sql<{ id: string; month: string }[]>`
    select id, to_char(created_at at time zone 'UTC', 'YYYYMM') as month from run where created_at < now() - interval '300 days' order by id desc limit 1`;
  let closing: Promise<void> | undefined;
  let isClosed = false;
  await transaction(sql, async (tx) => {
    expect(await isRunLeaving(tx, old!.id)).toBe(false);
    await sql`insert into history_removal (due_at) values (now()) on conflict do nothing`;
  });
  await transaction(sql, async (tx) => {
    expect(await isRunLeaving(tx, old!.id)).toBe(false);
    closing = closeMonth(sql, old!.month).then(() => {
      isClosed = true;
    });
    await tx`update run set labels = '{"keep": "true"}' where team_id = ${teamId} and id = ${old!.id}`;
    expect(isClosed).toBe(false);
  });
  await closing;
  expect(await transaction(sql, (tx) => isRunLeaving(tx, old!.id))).toBe(true);
});
