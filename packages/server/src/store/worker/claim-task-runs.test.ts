import { beforeEach, expect, test } from "vitest";
import { testDatabase } from "../../../test/kit/database.ts";
import { engineKit } from "../../../test/kit/engine-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";
import { type Claim, claimTaskRuns } from "./workers.ts";

/** What a worker can't run waits in the same queue. A claim passes over it without reading it, however much it is. */

// One connection, so that what it has read is counted as soon as it is asked to report.
const { sql } = await testDatabase({ maxConnections: 1 });
const kit = engineKit(sql);

beforeEach(async () => {
  await sql`truncate team, task_run cascade`;
  await sql`truncate worker cascade`;
});

/** Task runs that wait for a worker with these labels. */
async function queue(team: string, count: number, runsOn?: string): Promise<string> {
  const annotations = runsOn === undefined ? {} : { "millrace.dev/runs-on": runsOn };
  const more = { params: [{ name: "script", value: ":" }], annotations };
  const name = `queue-${Math.random()}`;
  await kit.workflow(team, name, workflow(...Array.from({ length: count }, (_, index) => node(`n${index}`, "script", ["start"], more))));
  const { id } = await kit.submit(team, name);
  await kit.settle();
  return id;
}

async function rowsRead(act: () => Promise<unknown>): Promise<number> {
  const count = async () => {
    await sql`select pg_stat_force_next_flush()`;
    const [row] = await sql<{ count: number }[]>`
      select sum(idx_tup_read)::int + (select sum(seq_tup_read)::int from pg_stat_user_tables where relname like 'task_run%') as count
      from pg_stat_user_indexes where relname like 'task_run%'`;
    return row!.count;
  };
  const before = await count();
  await act();
  return (await count()) - before;
}

test("a queue for labels that the worker does not have costs its claims nothing", async () => {
  const workerId = await kit.worker();
  await queue(await kit.team(), 300, "gpu");
  expect(await rowsRead(() => claimTaskRuns(sql, workerId, 4, ["process"], []))).toBeLessThan(20);
  const run = await queue(await kit.team(), 1);
  const claims = await claimTaskRuns(sql, workerId, 4, ["process"], []);
  expect(claims.map(({ runId }) => runId)).toEqual([run]);
});

test("a claim reads only the rows that it gets, whatever the statistics say", async () => {
  const workerId = await kit.worker();
  const team = await kit.team();
  await queue(team, 600);
  await queue(team, 3, "gpu");
  for (const _ of ["as it is", "with what the database knows of it"]) {
    expect(await rowsRead(() => claimTaskRuns(sql, workerId, 4, ["process"], []))).toBeLessThan(30);
    await sql`vacuum analyze task_run`;
    // The plans that it has are made again.
    await sql`discard plans`;
  }
});

test("nor does one for executors that it does not have, and work behind it is found", async () => {
  const workerId = await kit.worker();
  const team = await kit.team();
  const stuck = await queue(team, 300);
  await sql`update task_run set executor = 'container' where run_id = ${stuck} and executor = 'process'`;
  const run = await queue(team, 1);
  expect(await rowsRead(() => claimTaskRuns(sql, workerId, 2, ["kubernetes"], []))).toBeLessThan(20);
  const claims = await claimTaskRuns(sql, workerId, 4, ["process"], []);
  expect(claims.map(({ runId }) => runId)).toEqual([run]);
});

test.each([
  ["two labels", ["gpu", "linux"]],
  ["three labels", ["gpu", "linux", "ssd"]],
])("a worker with %s gets what asks for some of them or for none, the oldest queue first", async (_, labels) => {
  const workerId = await kit.worker({ labels });
  const team = await kit.team();
  await queue(team, 5, "tpu");
  const runs = [];
  for (const runsOn of ["linux, gpu", undefined, "linux", "gpu, linux"]) runs.push(await queue(team, 1, runsOn));
  await queue(team, 5, "gpu, tpu");
  const claims = [];
  for (let turn = 0; turn < 5; turn++) claims.push(...(await claimTaskRuns(sql, workerId, 1, ["process"], labels)));
  expect(claims.map(({ runId }) => runId)).toEqual(runs);
});

/** Teams with one task run each that waits for a GPU. */
async function teamsThatWait(count: number): Promise<void> {
  for (let team = 0; team < count; team++) await queue(await kit.team(), 1, "gpu");
}

test("many teams that each wait for a worker that isn't there cost a claim no more than one of them", async () => {
  const workerId = await kit.worker();
  await teamsThatWait(40);
  expect(await rowsRead(() => claimTaskRuns(sql, workerId, 4, ["process"], []))).toBeLessThan(15);
  const lastEnd = () =>
    sql`select * from complete_and_claim('{"runs": [], "tasks": []}', ${workerId}, 4, '{process}', '{}', at_once => true)`;
  expect(await rowsRead(lastEnd)).toBeLessThan(15);
});

test("behind them each team with work has its turn, the one that was served longest ago first", async () => {
  const workerId = await kit.worker();
  await teamsThatWait(40);
  const runs: string[] = [];
  for (let team = 0; team < 3; team++) runs.push(await queue(await kit.team(), 2));
  await sql`
    update ready_team set last_claim_at = '2020-01-01'::timestamptz + served.turn * interval '1 day'
    from (select t.team_id, u.turn from task_run t join unnest(${runs}::uuid[]) with ordinality as u(run_id, turn) on t.run_id = u.run_id) served
    where served.team_id = ready_team.team_id`;
  const claims: Claim[] = [];
  const reads = await rowsRead(async () => {
    for (let turn = 0; turn < 6; turn++) claims.push(...(await claimTaskRuns(sql, workerId, 1, ["process"], [])));
  });
  expect(claims.map(({ runId }) => runId)).toEqual([...runs, ...runs]);
  expect(reads).toBeLessThan(6 * 40);
  expect(await claimTaskRuns(sql, workerId, 4, ["process"], [])).toEqual([]);
});

test("and so they have where hundreds of teams have work", async () => {
  const workerId = await kit.worker();
  await teamsThatWait(9);
  await sql`
    with more as (
      insert into team (name, display_name) select 'more-' || i, 'More' from generate_series(1, 600) i returning id, substr(name, 6)::int as number),
    known as (insert into ready_team (team_id, last_claim_at) select id, '2020-01-01'::timestamptz + number % 6 * interval '1 day' from more)
    insert into task_run (team_id, run_id, node, name, type, status, phase, executor, ready_at, claimable_at)
    select id, new_id(), 0, 'n', 'script', 'ready', 'queued', 'process', db_now(), db_now() from more`;
  const claims = await claimTaskRuns(sql, workerId, 60, ["process"], []);
  expect(new Set(claims.map(({ teamId }) => teamId)).size).toBe(60);
  const [left] = await sql<{ count: number }[]>`select count(*)::int as count from ready_team where last_claim_at = '2020-01-01'`;
  expect(left!.count).toBe(40);
});
