import { afterEach, describe, expect, test } from "vitest";
import { fireSchedules } from "../../../src/domain/schedule/fire-schedule.ts";
import { transaction } from "../../../src/store/database/transaction.ts";
import { admitWaiting } from "../../../src/store/run/limits/run-slots.ts";
import { claimDueSchedules } from "../../../src/store/schedule/due-schedules.ts";
import { testApp } from "../../kit/app.ts";
import { scheduleEngine, scheduleTeam } from "../../kit/schedule-kit.ts";

/**
 * Schedules that are due at the same moment share statements. What one of them may do must not depend on that. Nothing starts the runs here:
 * they stay open in the queue.
 */
const app = await testApp();
const { clock, at, service } = scheduleEngine(app);

afterEach(async () => {
  await app.sql`delete from schedule`;
});

/** So many schedules of one workflow, all due at 01:00. */
async function due(team: Awaited<ReturnType<typeof scheduleTeam>>, count: number, body: Record<string, unknown> = {}): Promise<string[]> {
  await clock("2030-01-01T00:30:00Z");
  const ids: string[] = [];
  for (let made = 0; made < count; made++) ids.push((await team.schedule(body)).id);
  return ids;
}

async function outcomes(team: Awaited<ReturnType<typeof scheduleTeam>>, ids: readonly string[]) {
  const all = await Promise.all(ids.map((id) => team.firings(id)));
  const counts: Record<string, number> = {};
  for (const { outcome } of all.flat()) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

test("forty of a team are recorded by a few statements, each with its run", async () => {
  const team = await scheduleTeam(app);
  const ids = await due(team, 40);
  await at("2030-01-01T01:00:00Z");
  expect(await outcomes(team, ids)).toEqual({ submitted: 40 });
  const [found] = await app.sql<{ runs: number; statements: number; initiators: number }[]>`
    select count(*)::int as runs, count(distinct (xmin::text, cmin::text))::int as statements, count(distinct initiated_by)::int as initiators
    from run where team_id = ${team.id}`;
  expect(found).toMatchObject({ runs: 40, initiators: 40 });
  // Four connections take fifty each.
  expect(found?.statements).toBeLessThanOrEqual(4);
});

test("one transaction starts only as many tasks as it can keep in memory; the rest stay due", async () => {
  const team = await scheduleTeam(app);
  const ids = await due(team, 10);
  await clock("2030-01-01T01:00:00Z");
  const counts = await transaction(app.sql, async (tx) => {
    const claimed = await claimDueSchedules(tx, 10);
    // Each run has two: its start and its end.
    const { schedules } = await fireSchedules(tx, app.context, claimed, 5);
    return [claimed.length, schedules.length];
  });
  expect([counts, await outcomes(team, ids)]).toEqual([[10, 3], { submitted: 3 }]);
  await service.tick();
  expect(await outcomes(team, ids)).toEqual({ submitted: 10 });
});

test("those of several teams and workflows each start their own", async () => {
  const teams = [await scheduleTeam(app), await scheduleTeam(app), await scheduleTeam(app)];
  const ids = [];
  for (const team of teams) ids.push(await due(team, 5));
  await at("2030-01-01T01:00:00Z");
  for (const [index, team] of teams.entries()) {
    expect(await outcomes(team, ids[index]!)).toEqual({ submitted: 5 });
    expect(await team.runs()).toHaveLength(5);
  }
});

describe("a limit holds for all of them", () => {
  test("of runs a month", async () => {
    const team = await scheduleTeam(app);
    await app.as().patch(team.base, { quotas: { maxWorkflowRunMonthly: 3 } });
    const ids = await due(team, 10);
    // The month of a run is that of its ID, which the clock of the tests does not move.
    await clock(new Date().toISOString());
    await app.sql`update schedule set next_at = now() - interval '1 second', fire_at = now() - interval '1 second' where team_id = ${team.id}`;
    await service.tick();
    expect(await outcomes(team, ids)).toEqual({ submitted: 3, refused: 7 });
    expect(await team.runs()).toHaveLength(3);
  });

  test("of runs that wait", async () => {
    const team = await scheduleTeam(app);
    await app.as().patch(team.base, { quotas: { maxWaitingRuns: 0 } });
    const ids = await due(team, 6);
    await at("2030-01-01T01:00:00Z");
    expect(await outcomes(team, ids)).toEqual({ refused: 6 });
  });

  test("of runs of a workflow at once", async () => {
    const team = await scheduleTeam(app, { concurrency: { max: 2, onLimit: "skip" } });
    const ids = await due(team, 8);
    await at("2030-01-01T01:00:00Z");
    expect(await outcomes(team, ids)).toEqual({ submitted: 8 });
    // Submissions of two transactions that meet at the limit leave the decision to the engine.
    await admitWaiting(app.sql, 100);
    const skipped = await app.sql`
      select 1 from run r where r.team_id = ${team.id} and (r.status = 'cancelled' or exists (
        select from run_signal s where s.team_id = r.team_id and s.run_id = r.id and s.kind = 'cancel'))`;
    expect(skipped).toHaveLength(6);
  });
});

test("times that are caught up all see the runs before them", async () => {
  const team = await scheduleTeam(app);
  const body = { cronSchedule: "*/10 * * * *", catchUpPolicy: "all" };
  const [skipping] = await due(team, 1, { ...body, overlapPolicy: "skip" });
  const [replacing] = await due(team, 1, { ...body, overlapPolicy: "cancel" });
  await at("2030-01-01T01:05:00Z");
  expect(await outcomes(team, [skipping!])).toEqual({ submitted: 1, skipped: 2 });
  expect(await outcomes(team, [replacing!])).toEqual({ submitted: 3 });
  const signals = await app.sql`
    select 1 from run_signal s join run r on r.team_id = s.team_id and r.id = s.run_id
    where s.team_id = ${team.id} and r.initiated_by = ${`schedule:${replacing!}`} and s.kind = 'cancel'`;
  expect(signals.length).toBeGreaterThanOrEqual(2);
});
