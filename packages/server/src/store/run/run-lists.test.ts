import { beforeAll, describe, expect, test } from "vitest";
import { rowsRead, type SentStatement } from "../../../test/kit/data/rows-read.ts";
import { testDatabase } from "../../../test/kit/database.ts";
import { createFactories } from "../../../test/kit/factories.ts";
import type { RunFilter } from "./run-filter.ts";
import { countRunsByStatus, listRuns } from "./runs.ts";

let seen: SentStatement[] = [];
const { sql } = await testDatabase({ onStatement: (text, parameters) => void seen.push({ text, parameters }) });
const make = createFactories(sql);
let teamId = "";
let workflowId = "";

/** Runs that ended an hour ago: half of them failed, and a person started every hundredth. */
const addRuns = (count: number) => sql`
  insert into run (id, team_id, workflow_id, workflow_version_id, workflow_version, task_version_ids, status, phase, trigger, initiated_by,
    layers, task_count, started_at, ended_at)
  select overlay(id_floor(at)::text placing right(gen_random_uuid()::text, 12) from 25)::uuid, ${teamId}, ${workflowId}, new_id(), 1, '{}', case when n % 2 = 0 then 'failed' else 'succeeded' end, 'completed', 'manual',
    case when n % 100 = 0 then 'user:ada' else 'schedule:one' end, '{}', 2, at, at
  from generate_series(1, ${count}::int) n, (select db_now() - interval '1 hour' as at) as moment`;

beforeAll(async () => {
  teamId = (await make.team()).id;
  const [workflow] = await sql<{ id: string }[]>`
    insert into workflow (team_id, name, display_name, triggers, latest_version) values (${teamId}, 'w', 'W', '{}', 1) returning id`;
  workflowId = workflow!.id;
  for (let n = 0; n < 3; n++) await addRuns(10_000);
  await sql.unsafe("vacuum (analyze) run");
}, 120_000);

const total = async (filter: RunFilter) => (await listRuns(sql, teamId, filter, { order: "DESC", limit: 20, offset: 0 })).total;

describe("the total of runs by their status is true", () => {
  const add = async (status: string, phase: string) => {
    const [run] = await sql<{ id: string }[]>`
      insert into run (team_id, workflow_id, workflow_version_id, workflow_version, task_version_ids, status, phase, trigger, layers, task_count,
        started_at, ended_at)
      select ${teamId}, ${workflowId}, new_id(), 1, '{}', ${status}, ${phase}, 'manual', '{}', 2, case when ${phase} <> 'pending' then db_now() end,
        case when ${phase} = 'completed' then db_now() end
      returning id`;
    return run!.id;
  };

  test("while runs begin and end, from one list to the next", async () => {
    const before = [await total({ statuses: ["succeeded"] }), await total({ statuses: ["failed", "ready"] })];
    expect(before).toEqual([15_000, 15_000]);
    const id = await add("ready", "pending");
    await add("succeeded", "completed");
    expect([await total({ statuses: ["succeeded"] }), await total({ statuses: ["failed", "ready"] })]).toEqual([15_001, 15_001]);
    await sql`update run set status = 'succeeded', phase = 'completed', started_at = db_now(), ended_at = db_now() where team_id = ${teamId} and id = ${id}`;
    expect([await total({ statuses: ["succeeded"] }), await total({ statuses: ["failed", "ready"] })]).toEqual([15_002, 15_000]);
    expect(await total({ statuses: ["succeeded"], phases: ["completed"] })).toBe(15_002);
    expect(Object.fromEntries(await countRunsByStatus(sql, teamId, {}))).toEqual({ succeeded: 15_002, failed: 15_000 });
    await sql`delete from run where team_id = ${teamId} and initiated_by is null`;
  });

  test("when a deleted workflow takes its runs along", async () => {
    expect(await total({ statuses: ["succeeded"] })).toBeGreaterThan(14_000);
    await sql`update workflow set deleted_at = db_now() where team_id = ${teamId}`;
    expect(await total({ statuses: ["succeeded"] })).toBe(0);
    await sql`update workflow set deleted_at = null where team_id = ${teamId}`;
  });
});

describe("few of many runs are read", () => {
  /** The second time, because once a minute the first one counts everything. */
  const rowsOf = async (work: () => Promise<unknown>) => {
    await work();
    seen = [];
    await work();
    return rowsRead(sql, [...seen]);
  };
  const list = (filter: RunFilter) => () => listRuns(sql, teamId, filter, { order: "DESC", limit: 20, offset: 0 });

  test.each([
    ["of a status", list({ statuses: ["succeeded"] })],
    ["of several statuses", list({ statuses: ["succeeded", "failed", "running"] })],
    ["of a status that none has", list({ statuses: ["timedout"] })],
    ["that many were started by", list({ initiators: ["schedule:one"] })],
    ["that few were started by", list({ initiators: ["user:ada"] })],
    ["that none was started by", list({ initiators: ["user:nobody"] })],
    ["counted by status", () => countRunsByStatus(sql, teamId, {})],
  ])("%s", async (_, work) => {
    expect(await rowsOf(work)).toBeLessThan(1_000);
  });
});
