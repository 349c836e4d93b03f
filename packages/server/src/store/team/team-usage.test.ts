import { expect, test } from "vitest";
import { testDatabase } from "../../../test/kit/database.ts";
import { createFactories } from "../../../test/kit/factories.ts";
import { makeRun } from "../../../test/kit/workflow-factories.ts";
import { listRunDurations, listTeamUsage } from "./teams.ts";

const { sql } = await testDatabase();
const make = createFactories(sql);

async function teamWithWorkflow() {
  const { id } = await make.team();
  const [workflow] = await sql`
    insert into workflow (team_id, name, display_name, triggers, latest_version) values (${id}, 'w', 'W', '{}', 1) returning id`;
  return { id, workflowId: workflow!["id"] as string };
}

/** Ended runs of one second each, of a realistic size. */
const addRuns = ({ id, workflowId }: { id: string; workflowId: string }, count: number) => sql`
  insert into run (team_id, workflow_id, workflow_version_id, workflow_version, task_version_ids, status, phase, trigger, layers, task_count,
    started_at, ended_at)
  select ${id}, ${workflowId}, new_id(), 1, '{}', 'succeeded', 'completed', 'manual', json_build_object('a', repeat('x', 1000)), 2, at,
    at + interval '1 second' from (select db_now() as at) as moment, generate_series(1, ${count}::int)`;

test("each team has its own counts, runs of earlier months do not count, durations are those of ended runs", async () => {
  const [busy, idle] = [await teamWithWorkflow(), await make.team()];
  await makeRun(sql, busy.id, busy.workflowId, "pending");
  await makeRun(sql, busy.id, busy.workflowId, "running");
  for (const seconds of [1, 2, 30]) {
    const run = await makeRun(sql, busy.id, busy.workflowId, "completed");
    await sql`update run set ended_at = started_at + ${seconds} * interval '1 second' where team_id = ${busy.id} and id = ${run}`;
  }
  const old = await makeRun(sql, busy.id, busy.workflowId, "running");
  await sql`update run set id = id_floor(clock_timestamp() - interval '40 days') where team_id = ${busy.id} and id = ${old}`;
  const usage = new Map((await listTeamUsage(sql, [busy.id, idle.id])).map((row) => [row.teamId, row]));
  expect(usage.get(busy.id)).toMatchObject({ workflowCount: 1, runs: 5, concurrentRuns: 2 });
  expect(usage.get(idle.id)).toMatchObject({ workflowCount: 0, runs: 0, concurrentRuns: 0 });
  const { resetsAt } = usage.get(idle.id)!;
  expect([resetsAt.getUTCDate(), resetsAt.getUTCHours(), resetsAt > new Date()]).toEqual([1, 0, true]);
  const durations = new Map((await listRunDurations(sql, [busy.id, idle.id])).map(({ teamId, ...row }) => [teamId, row]));
  expect(durations.get(busy.id)).toEqual({ totalDurationMs: 33_000, medianDurationMs: 2000 });
  expect(durations.get(idle.id)).toEqual({ totalDurationMs: 0, medianDurationMs: 0 });
});

test("a run that only waits takes no place, as in the quota", async () => {
  const team = await teamWithWorkflow();
  await makeRun(sql, team.id, team.workflowId, "running");
  for (const activity of ["none", "wanted"]) {
    const waiting = await makeRun(sql, team.id, team.workflowId, "running");
    await sql`update run set activity = ${activity}, active_since = null where team_id = ${team.id} and id = ${waiting}`;
  }
  expect((await listTeamUsage(sql, [team.id]))[0]).toMatchObject({ runs: 3, concurrentRuns: 1, waitingRuns: 1 });
});

test("the key alone is enough to count the runs of a month: their rows are not read", async () => {
  const team = await teamWithWorkflow();
  await addRuns(team, 20_000);
  await sql`vacuum (analyze) run`;
  const [row] = await sql<{ "QUERY PLAN": object[] }[]>`
    explain (format json) select count(*) from run where team_id = ${team.id} and id >= id_floor(date_trunc('month', (select db_now())))`;
  expect(JSON.stringify(row!["QUERY PLAN"])).toContain("Index Only Scan");
  expect((await listTeamUsage(sql, [team.id]))[0]?.runs).toBe(20_000);
});
