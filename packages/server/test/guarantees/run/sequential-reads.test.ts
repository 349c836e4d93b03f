import { expect, test } from "vitest";
import { params, runKit } from "../../kit/run-kit.ts";
import { node, workflow } from "../../kit/run-simulator.ts";

/**
 * Waiting runs cost other teams nothing: no statement for another team's run reads the tables of runs from end to end. This is decided in
 * the first minutes of a database, when its statistics don't include any rows and the cached plans were made for empty tables.
 */
const asleep = 2_000;

// One connection, so that its reads appear in the statistics as soon as it is asked to report.
const { app, kit, team } = await runKit({ database: { maxConnections: 1 } });
const admin = app.as();

const made = await team();
await made.workflow("pure", workflow(node("set", "setwfproperty", ["start"], params({ output: "a", value: "1" }))));
await made.workflow("script", workflow(node("work", "script", ["start"], params({ script: "true" }))));
await made.workflow("ask", workflow(node("ask", "approval", ["start"], params({ numberOfApprovers: 1 }))));
const worker = await kit.worker();
const submit = async (name: string, query = "") => (await admin.post(`${made.path}/workflow/${name}/submit${query}`, {})).body;
const runs = `${made.path}/workflowrun`;

const uses: Record<string, () => Promise<unknown>> = {
  "a start": () => submit("pure", "?start=true"),
  "a run through the queue": async () => {
    await submit("pure");
    await kit.settle();
  },
  "a script to its end": async () => {
    await submit("script");
    await kit.settle();
    await kit.end(await kit.claim(worker, made.id));
  },
  "a cancel": async () => admin.delete(`${runs}/${(await submit("script", "?start=true")).id}/cancel`),
  "an approval": async () => {
    await submit("ask", "?start=true");
    const { content } = (await admin.get(`${made.path}/action/query?statuses=submitted`)).body;
    await admin.put(`${made.path}/action`, [{ id: content[0].id, approved: true }]);
    await kit.settle();
  },
  "reading a run": async () => admin.get(`${runs}/${(await submit("script")).id}`),
  "a page of runs": () => admin.get(`${runs}/query?limit=20`),
  "the team with its quotas": () => admin.get(made.path),
  "a look of an idle engine": () => kit.driver.tick(),
};

async function sequentialReads(): Promise<number> {
  await app.sql`select pg_stat_force_next_flush()`;
  const [row] = await app.sql<{ rows: number }[]>`
    select coalesce(sum(s.seq_tup_read), 0)::float8 as rows from pg_stat_user_tables s
    join pg_inherits i on i.inhrelid = s.relid where i.inhparent in ('run'::regclass, 'task_run'::regclass, 'action'::regclass)`;
  return row!.rows;
}

test("beside many runs that sleep, nothing reads the tables of runs from end to end", async () => {
  // The plans are made now, on empty tables.
  for (let round = 0; round < 6; round += 1) for (const use of Object.values(uses)) await use();
  const other = await team();
  await other.workflow("sleeper", workflow(node("nap", "sleep", ["start"], params({ duration: 86_400_000 }))));
  for (let run = 0; run < asleep; run += 1) await kit.submit(other.id, "sleeper", { start: true });

  const found: Record<string, number> = {};
  for (const [name, use] of Object.entries(uses)) {
    const before = await sequentialReads();
    await use();
    found[name] = (await sequentialReads()) - before;
  }
  const large = Object.fromEntries(Object.entries(found).filter(([, rows]) => rows > 1_000));
  expect(large, JSON.stringify(found)).toEqual({});
}, 120_000);
