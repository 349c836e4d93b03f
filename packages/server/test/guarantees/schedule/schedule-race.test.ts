import { afterAll, expect, test } from "vitest";
import { createLog } from "../../../src/base/process/log.ts";
import { changeSchedule, createSchedule } from "../../../src/domain/schedule/save-schedule.ts";
import { ScheduleDriver } from "../../../src/engine/schedule-driver.ts";
import { createPool } from "../../../src/store/database/database.ts";
import { transaction } from "../../../src/store/database/transaction.ts";
import { deleteSchedule } from "../../../src/store/schedule/schedules.ts";
import { setTestTime, testDatabase } from "../../kit/database.ts";
import { engineKit } from "../../kit/engine-kit.ts";
import { workflow } from "../../kit/run-simulator.ts";

/** Many processes on one database, each with its own pool: every time of every schedule fires once. */
const { sql, address } = await testDatabase();
const kit = engineKit(sql);
const drivers = Array.from({ length: 6 }, () => {
  const pool = createPool(address, { maxConnections: 6 });
  afterAll(() => pool.end({ timeout: 1 }));
  const { context, bus } = engineKit(pool, { context: kit.context });
  return new ScheduleDriver({ sql: pool, context, bus, log: createLog("silent") });
});
const start = Date.parse("2030-01-01T00:00:30Z");
const clock = (ms: number) => setTestTime(sql, ms - Date.now());

async function teamWithSchedules(count: number, more: Record<string, unknown> = {}) {
  const teamId = await kit.team();
  await kit.workflow(teamId, "tick", workflow());
  await sql`update workflow set triggers = '{"schedule": {"enabled": true, "conditions": []}}' where team_id = ${teamId}`;
  await clock(start);
  const context = { teamId, keyring: kit.context.keyring, author: { principal: "instance" } };
  const input = { workflowRef: "tick", cronSchedule: "* * * * *", timezone: "UTC", ...more };
  const made = await Promise.all(Array.from({ length: count }, () => transaction(sql, (tx) => createSchedule(tx, context, input))));
  return { teamId, context, ids: made.map(({ id }) => id) };
}

const countBySchedule = (teamId: string) => sql<{ id: string; runs: number; firings: number; distinct: number }[]>`
  select s.id, (select count(*)::int from run r where r.team_id = s.team_id and r.initiated_by = 'schedule:' || s.id) as runs,
    (select count(*)::int from schedule_firing f where f.team_id = s.team_id and f.schedule_id = s.id and f.outcome = 'submitted') as firings,
    (select count(distinct run_id)::int from schedule_firing f where f.team_id = s.team_id and f.schedule_id = s.id) as distinct
  from schedule s where s.team_id = ${teamId} order by s.id`;

const tickAll = () => Promise.all(drivers.flatMap((driver) => [driver.tick(), driver.tick()]));

test("of many concurrent engines, one fires each schedule, once for each time", async () => {
  const { teamId, ids } = await teamWithSchedules(40);
  for (let minute = 1; minute <= 5; minute++) {
    await clock(start + minute * 60_000 - 20_000);
    await tickAll();
  }
  const wanted = ids.toSorted().map((id) => ({ id, runs: 5, firings: 5, distinct: 5 }));
  expect(await countBySchedule(teamId)).toEqual(wanted);
  await sql`delete from schedule where team_id = ${teamId}`;
});

test("missed times are caught up once each, however many engines begin at once", async () => {
  const { teamId, ids } = await teamWithSchedules(3, { catchUpPolicy: "all" });
  await clock(start + 120 * 60_000);
  await tickAll();
  expect(await countBySchedule(teamId)).toEqual(ids.toSorted().map((id) => ({ id, runs: 120, firings: 120, distinct: 120 })));
  await sql`delete from schedule where team_id = ${teamId}`;
});

test("changes and deletions that come at the moment of firing neither double nor lose a time", async () => {
  const { teamId, context, ids } = await teamWithSchedules(30);
  await clock(start + 60_000 - 20_000);
  const [changed, deleted] = [ids.slice(0, 15), ids.slice(15)];
  await Promise.all([
    tickAll(),
    ...changed.map((id) => transaction(sql, (tx) => changeSchedule(tx, context, id, { name: "renamed", jitter: 0 }))),
    ...deleted.map((id) => deleteSchedule(sql, teamId, id)),
  ]);
  await tickAll();
  expect(await countBySchedule(teamId)).toEqual(changed.toSorted().map((id) => ({ id, runs: 1, firings: 1, distinct: 1 })));
  const [runs] = await sql`
    select max(count)::int as most from (select count(*) from run where team_id = ${teamId} group by initiated_by) as counted`;
  expect(runs?.["most"]).toBe(1);
});
