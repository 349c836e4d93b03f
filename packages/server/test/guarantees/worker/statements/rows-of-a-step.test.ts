import { expect, test } from "vitest";
import { params, runKit } from "../../../kit/run-kit.ts";
import { node, workflow } from "../../../kit/run-simulator.ts";

/**
 * The cost of a step does not grow with the task runs of its team. This is decided in the first minutes of a database, when the cached
 * plans are made for nearly empty tables.
 */
const others = 1_000;

// One connection, so that its reads appear in the statistics as soon as it is asked to report.
const { app, kit, team } = await runKit({ database: { maxConnections: 1 } });

async function rowsRead(): Promise<number> {
  await app.sql`select pg_stat_force_next_flush()`;
  const [row] = await app.sql<{ rows: number }[]>`
    select coalesce(sum(s.seq_tup_read + coalesce(s.idx_tup_fetch, 0)), 0)::float8 as rows from pg_stat_user_tables s
    join pg_inherits i on i.inhrelid = s.relid where i.inhparent in ('run'::regclass, 'task_run'::regclass)`;
  return row!.rows;
}

test("a step reads only its own rows, however many task runs its team has", async () => {
  const made = await team();
  const work = (name: string, after: string) => node(name, "script", [after], params({ script: "true" }));
  await made.workflow("steps", workflow(work("one", "start"), work("two", "one"), work("three", "two")));
  await made.workflow("sleeper", workflow(node("nap", "sleep", ["start"], params({ duration: 86_400_000 }))));
  const worker = await kit.worker();
  const rowsOfSteps = async () => {
    await kit.submit(made.id, "steps", { start: true });
    const rows: number[] = [];
    for (let step = 0; step < 3; step++) {
      const before = await rowsRead();
      await kit.end(await kit.claim(worker, made.id));
      rows.push((await rowsRead()) - before);
    }
    return rows;
  };
  // The plans are made now.
  for (let round = 0; round < 6; round++) await rowsOfSteps();
  for (let run = 0; run < others; run++) await kit.submit(made.id, "sleeper", { start: true });
  for (const rows of await rowsOfSteps()) expect(rows).toBeLessThan(100);
}, 120_000);
