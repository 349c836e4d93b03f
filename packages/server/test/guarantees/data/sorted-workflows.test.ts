import { beforeAll, expect, test } from "vitest";
import { listSortedWorkflows } from "../../../src/store/workflow/sorted-workflows.ts";
import { testApp } from "../../kit/app.ts";
import { plansOf } from "../../kit/data/explain.ts";
import { fillDatabase } from "../../kit/data/fill-database.ts";
import { expectElapsed } from "../../kit/processor-ms.ts";

/** Ten thousand workflows in one team, each with three runs: sorting the list covers all of them within a limited time. */
const app = await testApp();
const team = await app.make.team({ name: "large" });
const count = 10_000;

beforeAll(async () => {
  await fillDatabase(app.sql, [team.id], { workflows: count, runs: 100, tasks: 10, actions: 10, others: 100 });
  for (let round = 0; round < 3; round += 1)
    await app.sql`
      insert into run (team_id, workflow_id, workflow_version_id, workflow_version, task_version_ids, status, phase, trigger, layers, task_count,
        started_at, ended_at)
      select w.team_id, w.id, new_id(), 1, '{}', (array['succeeded', 'failed', 'succeeded', 'cancelled'])[1 + floor(random() * 4)::int], 'completed',
        'manual', '{}', 1, db_now(), db_now()
      from workflow w where w.team_id = ${team.id} order by random()`;
  await app.sql`vacuum (analyze) run`;
}, 120_000);

const list = async (rest: string) => {
  const { status, body, text } = await app.as().get(`/api/v2/team/large/workflow/query?withTasks=false&${rest}`);
  expect([status, status === 200 ? "" : text.slice(0, 200)]).toEqual([200, ""]);
  return body as { totalElements: number; content: { name: string; latestRuns: { id: string }[] }[] };
};

test.each([
  ["name", "ASC"],
  ["lastRun", "DESC"],
  ["lastRun", "ASC"],
  ["successRate", "ASC"],
])("sorted by %s (%s) pages neither repeat nor skip a workflow", { timeout: 120_000 }, async (by, order) => {
  const names: string[] = [];
  for (let page = 0; page * 1000 < count; page += 1)
    names.push(...(await list(`sortBy=${by}&sort=${order}&limit=1000&page=${page}`)).content.map(({ name }) => name));
  expect(new Set(names).size).toBe(count);
});

test("the newest runs of all are those of the first page", async () => {
  const { content } = await list("sortBy=lastRun&sort=DESC&limit=50&page=0&withRuns=1");
  const newest = await app.sql<{ id: string }[]>`select id from run where team_id = ${team.id} order by id desc limit 50`;
  expect(content.map(({ latestRuns }) => latestRuns[0]?.id)).toEqual(newest.map(({ id }) => id));
});

test.each(["name", "lastRun", "successRate"] as const)("by %s it looks at the runs of each workflow by an index", async (by) => {
  const filter = { labels: {}, statuses: [], refs: undefined };
  const plans = await plansOf(app.sql, (db) => listSortedWorkflows(db, team.id, filter, { by, order: "DESC", limit: 50, offset: 9_900 }));
  expect(plans).toHaveLength(1);
  // Partitions of future months are empty, and reading them costs nothing.
  const [{ partition } = { partition: "" }] = await app.sql<
    { partition: string }[]
  >`select tableoid::regclass::text as partition from run limit 1`;
  expect(plans[0]).not.toContain(`Seq Scan on ${partition}`);
  const begin = performance.now();
  await list(`sortBy=${by}&sort=DESC&limit=50&page=198&withRuns=20`);
  const took = performance.now() - begin;
  process.stdout.write(`sorted by ${by}: ${Math.round(took)} ms\n`);
  expectElapsed(took, 5_000);
});
