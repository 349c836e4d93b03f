import { beforeEach, expect, test } from "vitest";
import { testDatabase } from "../../../test/kit/database.ts";
import { engineKit } from "../../../test/kit/engine-kit.ts";
import { node, workflow } from "../../../test/kit/run-simulator.ts";
import { claimTaskRuns } from "./workers.ts";

/** What a worker can't run waits in the same queue. A claim passes over it without reading it, however much it is. */

// One connection, so that what it has read is counted as soon as it is asked to report.
const { sql } = await testDatabase({ maxConnections: 1 });
const kit = engineKit(sql);

beforeEach(async () => {
  await sql`truncate team cascade`;
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

test("of a queue that it can run a claim reads what it gets, whatever the statistics say", async () => {
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

test("nor does one for executors that it does not have, and behind it is what it can run", async () => {
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
