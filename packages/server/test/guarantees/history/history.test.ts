import { beforeEach, expect, test } from "vitest";
import { nothingRemoved } from "../../../src/domain/history/removal.ts";
import { testDatabase } from "../../kit/database.ts";
import { historyKit, noOrphans } from "../../kit/history/history-kit.ts";

/** The removal of old history, over several months: what is deleted, and what stays. */
const { sql } = await testDatabase();
const { empty, world, remove, oldest, orphans, incomplete } = historyKit(sql);
beforeEach(empty);

/** @param everyHours there is a row: the oldest one that stays may be so much younger than the turn of a month */
const monthOver =
  (days: number, everyHours = 24) =>
  (age: number) =>
    age >= days - everyHours / 24 && age < days + 32;

test("history older than its retention is removed with its month, and everything that belongs to it", async () => {
  await world();
  const removed = await remove();
  const ages = await oldest();
  for (const table of ["run", "task_run", "attempt", "action", "run_event"] as const) expect(ages[table], table).toSatisfy(monthOver(180));
  expect(ages.log).toSatisfy(monthOver(30));
  expect(ages.change_event).toSatisfy(monthOver(30));
  expect(ages.audit).toSatisfy(monthOver(400));
  expect(ages.delivery).toBe(29);
  expect(removed.partitions.filter((name) => name.startsWith("run_")).length).toBeGreaterThanOrEqual(7);
  expect(removed.runs, "only runs near the turn of a month go one by one").toBeLessThan(30);
  expect(await orphans()).toEqual(noOrphans);
  expect(await remove(), "the second time there is nothing to do").toEqual({ ...nothingRemoved(), busy: [] });
});

test.each([
  ["open", "update run set status = 'waiting', phase = 'running', ended_at = null where id = $1"],
  ["labelled keep", `update run set labels = '{"keep": "true"}' where id = $1`],
])("a run that is %s stays with all that belongs to it, and no other", async (_, hold) => {
  await world();
  const [old] = await sql<{ id: string }[]>`select id from run where created_at < now() - interval '300 days' order by id desc limit 1`;
  await sql.unsafe(hold, [old!.id]);
  const removed = await remove();
  expect(await sql`select id from run where created_at < now() - interval '220 days'`).toEqual([{ id: old!.id }]);
  expect(
    await sql`select distinct t.run_id as id from log_chunk c join task_run t on t.id = c.task_run_id where t.created_at < now() - interval '70 days'`,
  ).toEqual([{ id: old!.id }]);
  expect([await orphans(), await incomplete()]).toEqual([noOrphans, 0]);
  expect(removed.runs).toBeGreaterThan(25);

  await sql`update run set labels = '{"keep": "false"}', phase = 'completed', status = 'succeeded', ended_at = now() - interval '181 days' where id = ${old!.id}`;
  expect((await remove()).runs).toBeLessThanOrEqual(1);
  expect((await oldest()).run).toBeLessThan(212);
  expect((await oldest()).log).toBeLessThan(62);
});

test("a partition with kept runs is emptied in batches, and dropped when the last one is gone", async () => {
  await world();
  const [old] = await sql<{ id: string; month: string }[]>`
    update run set labels = '{"keep": ""}' where id = (select id from run where created_at < now() - interval '300 days' order by id desc limit 1)
    returning id, to_char(created_at at time zone 'UTC', 'YYYYMM') as month`;
  expect((await remove()).partitions).not.toContain(`run_${old!.month}`);
  await sql`update run set labels = '{}' where id = ${old!.id}`;
  expect((await remove()).partitions).toEqual(expect.arrayContaining([`run_${old!.month}`, `log_chunk_${old!.month}`]));
});

test("logs in the log store are removed with their retention or the month of their run, and their objects are marked as unused", async () => {
  await world();
  await sql`
    insert into log_object (team_id, task_run_id, attempt, key, bytes, sha256, lines, chunks)
    select team_id, id, 1, 'logs/' || id, 1, '', 1, '' from task_run`;
  const before = await sql`select key from log_object`;
  const removed = await remove({ logs: 0 });
  const [row] = await sql<{ kept: number; unused: number }[]>`
    select (select count(*)::int from log_object) as kept, (select count(*)::int from log_object_unused where due_at <= now()) as unused`;
  expect([row!.kept + row!.unused, await orphans(), removed.logObjects]).toEqual([before.length, noOrphans, 0]);
  expect(row!.unused).toBeGreaterThan(200);
  expect((await remove({ logs: 30 })).logObjects).toBeGreaterThan(100);
  expect(
    await sql`
    select from log_object o join task_run t on t.id = o.task_run_id join run r on r.id = t.run_id where r.ended_at < now() - interval '30 days'`,
  ).toEqual([]);
});

test("a run that took half a year is kept as long as any other after its end, with its whole log", async () => {
  await world();
  const [old] = await sql<{ id: string }[]>`
    update run set ended_at = now() - interval '10 days' where id = (select id from run where created_at < now() - interval '250 days' order by id desc limit 1) returning id`;
  await remove();
  expect(await sql`select id from run where created_at < now() - interval '220 days'`).toEqual([{ id: old!.id }]);
  expect(await sql`select from log_chunk c join task_run t on t.id = c.task_run_id where t.run_id = ${old!.id}`).toHaveLength(2);
  await sql`update run set ended_at = now() - interval '31 days' where id = ${old!.id}`;
  await remove();
  expect(await sql`select from log_chunk c join task_run t on t.id = c.task_run_id where t.run_id = ${old!.id}`).toHaveLength(0);
  expect([await orphans(), await incomplete()]).toEqual([noOrphans, 0]);
});

test("a shorter retention of a team applies to the day, and only to that team", async () => {
  const [short, other] = [await world(), await world()];
  await sql`update team set retention = '{"runs": 60, "logs": 7, "deliveries": 5}' where id = ${short.teamId}`;
  await remove();
  expect(await oldest(short.teamId)).toMatchObject({ run: 59, task_run: 59, action: 59, log: 6, delivery: 4 });
  expect((await oldest(other.teamId)).run).toBeGreaterThanOrEqual(179);
  expect((await oldest(other.teamId)).log).toBeGreaterThanOrEqual(29);
  expect([await orphans(), await incomplete()]).toEqual([noOrphans, 0]);
});

test("runs of this calendar month stay, which the monthly quota counts", async () => {
  const { teamId } = await world(12);
  const thisMonth = () =>
    sql`select count(*)::int as count from run where created_at >= date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'`;
  const before = await thisMonth();
  await sql`update team set retention = '{"runs": 1}' where id = ${teamId}`;
  await remove({ runs: 2 });
  expect(await thisMonth()).toEqual(before);
  expect((await oldest()).run).toBeLessThan(32);
});

test("0 keeps history forever, unless a team sets less", async () => {
  const [short, other] = [await world(48), await world(48)];
  await sql`update team set retention = '{"logs": 7}' where id = ${short.teamId}`;
  expect((await remove({ runs: 0, logs: 0, deliveries: 0, audit: 0 })).partitions).toEqual([]);
  expect((await oldest(short.teamId)).log).toBeLessThan(9);
  expect((await oldest(other.teamId)).log).toBeGreaterThan(430);
  expect((await oldest()).run).toBeGreaterThan(430);
});

test("rows outside of all partitions are removed one by one", async () => {
  const partitions = await sql<{ name: string }[]>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where c.relname ~ '^(run|task_run|task_run_attempt|log_chunk|audit|change_event)_[0-9]{6}$' and to_date(right(c.relname, 6), 'YYYYMM') < date_trunc('month', now())`;
  for (const { name } of partitions) await sql.unsafe(`drop table ${name}`);
  await world(24);
  const removed = await remove();
  expect(removed).toMatchObject({ partitions: [], busy: [] });
  expect(await oldest()).toMatchObject({ run: 179, log: 29, delivery: 29, change_event: 29, audit: 399 });
  expect([await orphans(), await incomplete()]).toEqual([noOrphans, 0]);
});

test("a deleted team's history is removed like any other", async () => {
  const { teamId } = await world(48);
  await sql`update team set deleted_at = now() where id = ${teamId}`;
  await remove();
  expect((await oldest(teamId)).run).toSatisfy(monthOver(180, 48));
  expect([await orphans(), await incomplete()]).toEqual([noOrphans, 0]);
});

/** A run whose ID was generated just after the turn of a month, and the ID of its task just before it. */
async function runAtTheTurn(monthsAgo: number) {
  const { teamId, workflowId } = await world(24);
  const [ids] = await sql<{ runId: string; taskRunId: string; turn: Date }[]>`
    with turn as (select (date_trunc('month', now() at time zone 'UTC') - make_interval(months => ${monthsAgo})) at time zone 'UTC' as at)
    select id_floor(at + interval '2 ms') as "runId", id_floor(at - interval '2 ms') as "taskRunId", at as turn from turn`;
  const { runId, taskRunId, turn } = ids!;
  await sql`
    insert into run (id, team_id, workflow_id, workflow_version_id, workflow_version, task_version_ids, status, phase, trigger, layers, task_count,
      created_at, started_at, ended_at)
    values (${runId}, ${teamId}, ${workflowId}, new_id(), 1, '{}', 'succeeded', 'completed', 'manual', '{}', 1, ${turn}, ${turn}, ${turn})`;
  await sql`
    insert into task_run (id, team_id, run_id, node, name, type, status, phase, ended_at)
    values (${taskRunId}, ${teamId}, ${runId}, 0, 'first', 'script', 'succeeded', 'completed', ${turn})`;
  const rows = async () => [await sql`select id from run where id = ${runId}`, await sql`select id from task_run where id = ${taskRunId}`];
  return { runId, taskRunId, rows };
}

test("a run at the turn of a month keeps a task run created just before it", async () => {
  const { runId, taskRunId, rows } = await runAtTheTurn(7);
  await sql`update run set labels = '{"keep": "true"}' where id = ${runId}`;
  await remove();
  expect(await rows()).toEqual([[{ id: runId }], [{ id: taskRunId }]]);
});

test.each([
  ["month before", 20],
  ["month", -10],
])("a run at the turn of a month is removed as a whole when its %s stays", async (_, days) => {
  const { runId, rows } = await runAtTheTurn(8);
  await sql`
    update run set labels = '{"keep": "true"}'
    where id = (select id from run where id < (select id_floor(id_date(${runId}::uuid) - make_interval(days => ${days}))) order by id desc limit 1)`;
  await remove();
  expect(await rows()).toEqual([[], []]);
  expect(await orphans()).toEqual(noOrphans);
});

test("users still can't approve what they have started, even when the run that started it was removed", async () => {
  const { teamId } = await world(24);
  const [user] = await sql<{ id: string }[]>`insert into app_user (email) values ('ann@example.com') returning id`;
  const [parent] = await sql<{ id: string }[]>`
    update run set initiated_by = ${`user:${user!.id}`} where id = (select id from run where created_at < now() - interval '250 days' order by id desc limit 1) returning id`;
  const child = async (cause: string, retryOf: string | null) => {
    const [row] = await sql<{ id: string }[]>`
      insert into run (team_id, workflow_id, workflow_version_id, workflow_version, task_version_ids, status, phase, trigger, layers, task_count, started_at, initiated_by, retry_of)
      select team_id, workflow_id, new_id(), 1, '{}', 'waiting', 'running', 'workflow', '{}', 0, now(), ${`run:${cause}`}, ${retryOf}
      from run where id = ${cause} or id = ${retryOf} limit 1 returning id`;
    return row!.id;
  };
  const first = await child(parent!.id, null);
  const grandchild = await child(first, null);
  await remove();
  expect(await sql`select from run where id = ${parent!.id}`).toEqual([]);
  const retry = await child(parent!.id, first);
  for (const id of [first, grandchild, retry]) {
    const [row] = await sql`select requester_of_run(${teamId}, ${id}) as requester, people_of_run(${teamId}, ${id}) as people`;
    expect(row).toEqual({ requester: `user:${user!.id}`, people: [user!.id] });
  }
});

test("actions about versions of workflows are removed like runs, with their drafts; open and newer ones stay", async () => {
  const { teamId, workflowId } = await world(24 * 400);
  const propose = async (status: string, daysAgo: number | null) => {
    const [row] = await sql<{ id: string }[]>`
      insert into action (team_id, workflow_id, type, title, bars_requester, proposer, approvers_wanted, status, created_at, decided_at)
      values (${teamId}, ${workflowId}, 'publish', 't', true, 'user:x', 1, ${status}, now() - interval '300 days',
        now() - make_interval(days => ${daysAgo}::int)) returning id`;
    await sql`
      insert into workflow_proposal (team_id, action_id, workflow_id, base_version, head, document, used, author, reason)
      values (${teamId}, ${row!.id}, ${workflowId}, 1, '{}', '{}', '[]', 'x', 'x')`;
    return row!.id;
  };
  const [open, young] = [await propose("submitted", null), await propose("approved", 170)];
  for (const status of ["approved", "rejected", "cancelled"]) await propose(status, 181);
  await remove();
  const left = await sql<{ id: string }[]>`select action_id as id from workflow_proposal where team_id = ${teamId}`;
  expect(left.map(({ id }) => id).sort()).toEqual([open, young].sort());
  await sql`update team set retention = '{"runs": 100}' where id = ${teamId}`;
  await remove();
  expect(await sql`select id from action where team_id = ${teamId} and run_id is null`).toEqual([{ id: open }]);
});
