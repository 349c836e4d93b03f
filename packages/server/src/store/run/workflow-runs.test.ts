import { beforeAll, describe, expect, test } from "vitest";
import { rowsRead, type SentStatement } from "../../../test/kit/data/rows-read.ts";
import { testDatabase } from "../../../test/kit/database.ts";
import { createFactories } from "../../../test/kit/factories.ts";
import { listFailedTasks, listGridCells, listGridRuns, listMeasuredRuns } from "./workflow-runs.ts";

let seen: SentStatement[] = [];
const { sql } = await testDatabase({ onStatement: (text, parameters) => void seen.push({ text, parameters }) });
const make = createFactories(sql);
let teamId = "";
const ids: Record<string, string> = {};

const rowsOf = async (work: () => Promise<unknown>) => {
  seen = [];
  await work();
  return rowsRead(sql, [...seen]);
};

/** Each run has a task with 40 items, and three other tasks. */
beforeAll(async () => {
  teamId = (await make.team()).id;
  for (const name of ["busy", "rare"]) {
    const [workflow] = await sql<{ id: string }[]>`
      insert into workflow (team_id, name, display_name, triggers, latest_version) values (${teamId}, ${name}, ${name}, '{}', 1) returning id`;
    ids[name] = workflow!.id;
  }
  const add = (workflowId: string, count: number, apart: string) => sql`
    insert into run (id, team_id, workflow_id, workflow_version_id, workflow_version, task_version_ids, status, phase, trigger, layers, task_count,
      created_at, started_at, ended_at)
    select overlay(id_floor(at)::text placing right(gen_random_uuid()::text, 12) from 25)::uuid, ${teamId}, ${workflowId}, new_id(), 1, '{}',
      case when n % 10 = 0 then 'failed' else 'succeeded' end, 'completed', 'manual', '{}', 4, at, at, at + interval '2 seconds'
    from generate_series(1, ${count}::int) n, lateral (select db_now() - interval '10 minutes' - n * ${apart}::interval as at) as moment`;
  await add(ids["busy"]!, 20_000, "10 milliseconds");
  await add(ids["rare"]!, 40, "5 seconds");
  await sql`
    insert into task_run (id, team_id, run_id, node, item, name, type, status, phase, executor, started_at, ended_at)
    select overlay(id_floor(r.started_at)::text placing right(gen_random_uuid()::text, 12) from 25)::uuid, r.team_id, r.id, node,
      case when node = 2 and item > 0 then item end, 'task ' || node, 'script', r.status, 'completed', 'process', r.started_at, r.ended_at
    from (select * from run where team_id = ${teamId} order by id desc limit 400) r, generate_series(0, 3) node, generate_series(0, 40) item
    where node = 2 or item = 0`;
  await sql.unsafe("vacuum (analyze) run");
  await sql.unsafe("vacuum (analyze) task_run");
}, 120_000);

describe("the latest runs of a workflow are read without its history", () => {
  test.each(["busy", "rare"])("of a %s one", async (name) => {
    const runs = await listGridRuns(sql, teamId, ids[name]!, 30);
    expect(runs).toHaveLength(30);
    expect(await rowsOf(() => listGridRuns(sql, teamId, ids[name]!, 30))).toBeLessThan(200);
    expect(await rowsOf(() => listMeasuredRuns(sql, teamId, ids[name]!, 200))).toBeLessThan(300);
  });

  test("a task with items costs as one without", async () => {
    const runs = await listGridRuns(sql, teamId, ids["busy"]!, 30);
    const wanted = runs.map(({ id }) => ({ runId: id, nodes: [0, 1, 2, 3] }));
    expect(await listGridCells(sql, teamId, wanted)).toHaveLength(120);
    expect(await rowsOf(() => listGridCells(sql, teamId, wanted))).toBeLessThan(400);
    expect(await listGridCells(sql, teamId, [{ ...wanted[0]!, nodes: [3, 7] }])).toMatchObject([{ name: "task 3" }]);
  });

  test("the failed task of a failed run is found", async () => {
    const failed = (await listMeasuredRuns(sql, teamId, ids["busy"]!, 200)).filter(({ status }) => status === "failed").slice(0, 3);
    const runIds = failed.map(({ id }) => id);
    expect(await listFailedTasks(sql, teamId, runIds)).toHaveLength(3);
    expect(await rowsOf(() => listFailedTasks(sql, teamId, runIds))).toBeLessThan(300);
  });
});
