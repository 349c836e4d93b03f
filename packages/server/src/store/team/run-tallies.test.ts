import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { rowsRead, type SentStatement } from "../../../test/kit/data/rows-read.ts";
import { moveTime, setTestTime, testDatabase } from "../../../test/kit/database.ts";
import { createFactories } from "../../../test/kit/factories.ts";
import { updateRunTallies } from "./run-tallies.ts";
import { listRunDurations, listTeamUsage } from "./teams.ts";

let seen: SentStatement[] = [];
const { sql } = await testDatabase({ onStatement: (text, parameters) => void seen.push({ text, parameters }) });
const make = createFactories(sql);
const minuteMs = 60_000;

/** In the middle of a month, so that tests may go some hours in both directions. */
const middle = () => {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 15, 12) - now.getTime();
};
beforeEach(async () => {
  await sql`delete from run_tally`;
  await sql`delete from run`;
  await setTestTime(sql, middle());
});

/** Like `new_id()`, by the clock of the test. */
const newId = () => sql`overlay(id_floor(db_now())::text placing right(gen_random_uuid()::text, 12) from 25)::uuid`;

async function teamWithWorkflow() {
  const { id } = await make.team();
  const [workflow] = await sql`
    insert into workflow (team_id, name, display_name, triggers, latest_version) values (${id}, 'w', 'W', '{}', 1) returning id`;
  return { id, workflowId: workflow!["id"] as string };
}

type TestTeam = Awaited<ReturnType<typeof teamWithWorkflow>>;

/** Runs that end now, with these durations in milliseconds. */
const endRuns = ({ id, workflowId }: TestTeam, durationsMs: readonly number[]) => sql`
  insert into run (id, team_id, workflow_id, workflow_version_id, workflow_version, task_version_ids, status, phase, trigger, layers, task_count,
    started_at, ended_at)
  select ${newId()}, ${id}, ${workflowId}, new_id(), 1, '{}', 'succeeded', 'completed', 'manual', '{}', 2, at - ms * interval '1 millisecond', at
  from (select db_now() as at) as moment, unnest(${[...durationsMs]}::bigint[]) as ms`;

const submitRuns = ({ id, workflowId }: TestTeam, count: number) => sql`
  insert into run (id, team_id, workflow_id, workflow_version_id, workflow_version, task_version_ids, status, phase, trigger, layers, task_count)
  select ${newId()}, ${id}, ${workflowId}, new_id(), 1, '{}', 'ready', 'pending', 'manual', '{}', 2 from generate_series(1, ${count}::int)`;

/** From `listTeamUsage` and `listRunDurations`, and from all runs of the month. */
async function figures(teamId: string) {
  const [usage] = await listTeamUsage(sql, [teamId]);
  const [durations] = await listRunDurations(sql, [teamId]);
  const [plain] = await sql<{ runs: number; total: number; median: number }[]>`
    select count(*)::int as runs, coalesce(sum(ms), 0)::float8 as total, round(coalesce(percentile_cont(0.5) within group (order by ms), 0)) as median
    from (select date_part('epoch', ended_at - started_at) * 1000 as ms from run
          where team_id = ${teamId} and id >= id_floor(date_trunc('month', db_now() at time zone 'UTC') at time zone 'UTC')) as all_runs`;
  return { said: { runs: usage!.runs, total: durations!.totalDurationMs, median: durations!.medianDurationMs }, plain };
}

const kept = (teamId: string) => sql<{ runs: number; ended: number }[]>`
  select runs, cardinality(durations_ms) as ended from run_tally where team_id = ${teamId}`;

const many = (count: number, ms = (n: number) => (n * 7919) % 60_000) => Array.from({ length: count }, (_, n) => ms(n));

describe("stored tallies of a month plus later runs equal a count of all runs", () => {
  test("before and after they are stored, and while runs continue", async () => {
    const team = await teamWithWorkflow();
    await endRuns(team, many(1_500));
    await submitRuns(team, 10);
    await moveTime(sql, 11 * minuteMs);
    await endRuns(team, [1, 2, 90_000_000_000]);
    expect(await updateRunTallies(sql)).toBe(1);
    expect(await kept(team.id)).toEqual([{ runs: 1_510, ended: 1_500 }]);
    const { said, plain } = await figures(team.id);
    expect(said).toEqual(plain);
    expect(said.runs).toBe(1_513);
    await endRuns(
      team,
      many(501, (n) => n),
    );
    await sql`update run set phase = 'completed', status = 'succeeded', started_at = created_at, ended_at = db_now()
      where team_id = ${team.id} and phase = 'pending'`;
    const later = await figures(team.id);
    expect(later.said).toEqual(later.plain);
    expect(later.said.runs).toBe(2_014);
  });

  test("for any durations, kept in any portions", { timeout: 60_000 }, async () => {
    const portion = fc.array(fc.oneof(fc.nat(5), fc.nat(3_000_000_000)), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(portion, portion, async (early, late) => {
        const sorted = (list: number[]) => [...list].sort((a, b) => a - b);
        const [row] = await sql<{ ours: number | null; theirs: number | null }[]>`
          select median_of_both(${sorted(early)}::bigint[], ${sorted(late)}::bigint[]) as ours,
            (select percentile_cont(0.5) within group (order by ms) from unnest(${[...early, ...late]}::bigint[]) as ms) as theirs`;
        expect(row!.ours).toBe(row!.theirs);
      }),
      { numRuns: 200 },
    );
  });

  test("when two processes keep it at once", async () => {
    const team = await teamWithWorkflow();
    await endRuns(team, many(1_200));
    await moveTime(sql, 11 * minuteMs);
    await Promise.all([updateRunTallies(sql), updateRunTallies(sql)]);
    expect(await kept(team.id)).toEqual([{ runs: 1_200, ended: 1_200 }]);
    const { said, plain } = await figures(team.id);
    expect(said).toEqual(plain);
  });

  test("in the next month, which starts at zero", async () => {
    const team = await teamWithWorkflow();
    await endRuns(team, many(1_200));
    await moveTime(sql, 11 * minuteMs);
    await updateRunTallies(sql);
    await moveTime(sql, 31 * 24 * 60 * minuteMs);
    expect((await figures(team.id)).said).toEqual({ runs: 0, total: 0, median: 0 });
    await endRuns(team, many(1_100));
    await moveTime(sql, 11 * minuteMs);
    await updateRunTallies(sql);
    expect(await kept(team.id)).toEqual([{ runs: 1_100, ended: 1_100 }]);
    const { said, plain } = await figures(team.id);
    expect(said).toEqual(plain);
  });
});

test("only what is older than any transaction is kept: a run that ends or is submitted late by its clock is not left out", async () => {
  const team = await teamWithWorkflow();
  await endRuns(team, many(1_200));
  await moveTime(sql, 9 * minuteMs);
  expect(await updateRunTallies(sql)).toBe(0);
  await moveTime(sql, 2 * minuteMs);
  expect(await updateRunTallies(sql)).toBe(1);
  const [row] = await sql<{ minutes: number }[]>`
    select round(extract(epoch from db_now() - until) / 60)::int as minutes from run_tally where team_id = ${team.id}`;
  expect(row!.minutes).toBe(10);
});

test("a team with few runs is not kept, nor again before many have come since, and a deleted one not at all", async () => {
  const [few, busy, gone] = [await teamWithWorkflow(), await teamWithWorkflow(), await teamWithWorkflow()];
  await endRuns(few, many(1_000));
  await endRuns(busy, many(1_001));
  await endRuns(gone, many(1_001));
  await sql`update team set deleted_at = db_now() where id = ${gone.id}`;
  await moveTime(sql, 11 * minuteMs);
  expect(await updateRunTallies(sql)).toBe(1);
  expect([await kept(few.id), await kept(gone.id)]).toEqual([[], []]);
  await endRuns(busy, many(500));
  await moveTime(sql, 11 * minuteMs);
  expect(await updateRunTallies(sql)).toBe(0);
});

const rowsOf = async (work: () => Promise<unknown>) => {
  seen = [];
  await work();
  return rowsRead(sql, [...seen]);
};

test("a list of teams reads few rows, however many runs one of them has this month", { timeout: 120_000 }, async () => {
  const team = await teamWithWorkflow();
  const others = await Promise.all(Array.from({ length: 50 }, () => teamWithWorkflow()));
  for (const other of others) await endRuns(other, [1, 2, 3]);
  const ids = [team, ...others].map(({ id }) => id);
  const read = async () => {
    await listTeamUsage(sql, ids);
    await listRunDurations(sql, ids);
  };
  await endRuns(team, many(10));
  await sql.unsafe("vacuum (analyze) run");
  const few = await rowsOf(read);
  for (let n = 0; n < 4; n++) await endRuns(team, many(10_000));
  await moveTime(sql, 11 * minuteMs);
  await updateRunTallies(sql);
  await endRuns(team, many(100));
  const afterwards = await rowsOf(read);
  expect((await listRunDurations(sql, [team.id]))[0]!.totalDurationMs).toBe(
    4 * many(10_000).reduce((sum, ms) => sum + ms) + many(100).reduce((sum, ms) => sum + ms) + many(10).reduce((sum, ms) => sum + ms),
  );
  // The later runs, for their number and for their durations.
  expect(afterwards - few).toBeLessThan(300);
});
