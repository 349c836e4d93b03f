import { beforeAll, describe, expect, test } from "vitest";
import { rowsRead, type SentStatement } from "../../../../test/kit/data/rows-read.ts";
import { testDatabase } from "../../../../test/kit/database.ts";
import { createFactories } from "../../../../test/kit/factories.ts";
import { indexRuns } from "../../../domain/run/lists/index-runs.ts";
import { transaction } from "../../database/transaction.ts";
import { purgeRuns } from "../../workflow/workflow-deletion.ts";
import type { RunFilter } from "../run-filter.ts";
import { countRunsByStatus, listRuns } from "../runs.ts";
import { findSearchState, noteMissingIndex, readSearchedRuns, takeNotes } from "./run-search.ts";
import { findRunsEverywhere } from "./runs-everywhere.ts";
import { listRunIds } from "./sorted-runs.ts";

let seen: SentStatement[] = [];
const { sql } = await testDatabase({ onStatement: (text, parameters) => void seen.push({ text, parameters }) });
const make = createFactories(sql);
let teamId = "";
let otherId = "";
let workflowId = "";

/** Runs that ended, each with an order of its own; every tenth failed. */
const addRuns = (team: string, count: number, from = 1) => sql`
  with added as (
  insert into run (team_id, workflow_id, workflow_version_id, workflow_version, task_version_ids, status, phase, trigger, initiated_by,
    layers, params, task_count, started_at, ended_at)
  select ${team}, ${workflowId}, new_id(), 1, '{}', case when n % 10 = 0 then 'failed' else 'succeeded' end, 'completed', 'manual', 'schedule:one', '{}',
    json_build_array(json_build_object('name', 'order', 'value', 'A-' || n)), 2, db_now(), db_now()
  from generate_series(${from}::int, ${from + count - 1}::int) n returning team_id, id)
  insert into run_search_due (team_id, run_id) select team_id, id from added`;

const index = async (limit = 500) => {
  let done = 0;
  for (let round = await indexRuns(sql, limit, 0); round.done > 0; round = await indexRuns(sql, limit, 0)) done += round.done;
  return done;
};
const list = (
  filter: RunFilter,
  page: { order: "ASC" | "DESC"; limit: number; offset: number } = { order: "DESC", limit: 20, offset: 0 },
) => listRuns(sql, teamId, filter, page);
const total = async (search: string) => (await list({ search })).total;

beforeAll(async () => {
  teamId = (await make.team()).id;
  otherId = (await make.team()).id;
  const [workflow] = await sql<{ id: string }[]>`
    insert into workflow (team_id, name, display_name, triggers, latest_version) values (${teamId}, 'w', 'W', '{}', 1) returning id`;
  workflowId = workflow!.id;
  await addRuns(teamId, 12_000);
  await addRuns(otherId, 3_000);
  expect(await index()).toBe(15_000);
  await sql.unsafe("vacuum (analyze) run_search");
}, 120_000);

describe("few rows of many are read", () => {
  const rowsOf = async (work: () => Promise<unknown>) => {
    await work();
    seen = [];
    await work();
    return rowsRead(sql, [...seen]);
  };

  test.each([
    ["of one run", () => list({ search: "A-11999" })],
    ["of some runs", () => list({ search: "A-1199" })],
    ["of some runs, by two digits", () => list({ search: "A-23" })],
    ["of none", () => list({ search: "nothing-like-it" })],
    [
      "of one run, with filters",
      () => list({ search: "A-11990", statuses: ["failed"], workflows: [workflowId], initiators: ["schedule:one"] }),
    ],
    ["of one run of all teams", () => findRunsEverywhere(sql, { teams: undefined, workflowId: undefined, search: "A-2999", limit: 10 })],
    ["of some teams", () => findRunsEverywhere(sql, { teams: [otherId], workflowId: undefined, search: "A-2999", limit: 10 })],
    ["of an id", () => findRunsEverywhere(sql, { teams: [otherId], workflowId: undefined, search: teamId, limit: 10 })],
  ])("%s", async (_, work) => {
    expect(await rowsOf(work)).toBeLessThan(1_000);
  });

  test("an order is found from its second digit on", async () => {
    expect(await total("A-23")).toBe(111);
    expect(await total("A-2")).toBe(1);
  });

  test("no table of runs is read from end to end", async () => {
    seen = [];
    await list({ search: "A-11" });
    await list({ search: "succeeded" });
    const plans = [];
    for (const { text, parameters } of seen.filter(({ text }) => text.includes("run_search"))) {
      const rows = await sql.unsafe(`explain ${text}`, parameters as never[]);
      plans.push(...rows.map((row) => String(row["QUERY PLAN"])));
    }
    expect(plans.length).toBeGreaterThan(0);
    expect(plans.filter((line) => /Seq Scan on (run|task_run|run_search)_/.test(line))).toEqual([]);
  });
});

describe("when very many runs match", () => {
  test("the total is a minimum, and every page is there", async () => {
    const newest = await list({ search: "succeeded" });
    expect(newest).toMatchObject({ total: 10_000, isMinimum: true });
    expect(newest.rows.map(({ params }) => params[0]!.value).slice(0, 3)).toEqual(["A-11999", "A-11998", "A-11997"]);
    const oldest = await list({ search: "succeeded" }, { order: "ASC", limit: 3, offset: 0 });
    expect(oldest.rows.map(({ params }) => params[0]!.value)).toEqual(["A-1", "A-2", "A-3"]);
    const last = await list({ search: "succeeded" }, { order: "DESC", limit: 10, offset: 10_795 });
    expect(last.rows.map(({ params }) => params[0]!.value)).toEqual(["A-5", "A-4", "A-3", "A-2", "A-1"]);
  });

  test("a filter that few runs have is exact, and says nothing of those that have only the words", async () => {
    expect(await list({ search: "A", statuses: ["running"] })).toMatchObject({ total: 0, isMinimum: false, rows: [] });
    const [run] = await sql<{ id: string }[]>`
      update run set labels = '{"stage": "rare"}'::jsonb where team_id = ${teamId} and params::text like '%A-123"%' returning id`;
    const found = await list({ search: "succeeded", labels: { stage: "rare" } });
    expect(found).toMatchObject({ total: 1, isMinimum: false });
    expect(found.rows[0]!.id).toBe(run!.id);
    const counts = await countRunsByStatus(sql, teamId, { search: "succeeded", labels: { stage: "rare" } });
    expect([...counts]).toEqual([["succeeded", 1]]);
    expect(await list({ search: "failed", labels: { stage: "rare" } })).toMatchObject({ total: 0, isMinimum: false });
    await sql`update run set labels = '{}'::jsonb where id = ${run!.id}`;
    await index();
  });

  test.each([
    ["page", () => list({ search: "succeeded" })],
    ["page of one status", () => list({ search: "A", statuses: ["succeeded"] })],
    ["count", () => countRunsByStatus(sql, teamId, { search: "succeeded" })],
    ["oldest", () => list({ search: "succeeded" }, { order: "ASC", limit: 20, offset: 40 })],
  ])("the index does not collect all of them: %s", async (_, work) => {
    await work();
    seen = [];
    await work();
    const plans: string[] = [];
    for (const { text, parameters } of seen.filter(({ text }) => text.includes("run_search"))) {
      const rows = await sql.unsafe(`explain (analyze) ${text}`, parameters as never[]);
      plans.push(...rows.map((row) => String(row["QUERY PLAN"])));
    }
    expect(plans.some((line) => /Index.* Scan.* on run_search_/.test(line))).toBe(true);
    expect(plans.filter((line) => line.includes("run_search") && line.includes("words_idx"))).toEqual([]);
  });

  test("also those that are all older than many others", async () => {
    await addRuns(teamId, 500, 20_000);
    await index();
    expect((await list({ search: "A", statuses: ["succeeded"] }, { order: "DESC", limit: 2, offset: 0 })).rows).toHaveLength(2);
  });
});

describe("the index", () => {
  test("has a run once, as it is now, however often and by how many it is indexed", async () => {
    const [run] = await sql<{ id: string }[]>`select id from run where team_id = ${teamId} order by id limit 1`;
    for (const word of ["first", "second"]) {
      await sql`update run set labels = ${JSON.stringify({ word })}::jsonb where team_id = ${teamId} and id = ${run!.id}`;
      await Promise.all([index(1), index(1), index(1)]);
      await index();
    }
    expect([await total("first"), await total("second")]).toEqual([0, 1]);
  });

  test("loses nothing when it is interrupted, and leaves out what was not committed", async () => {
    const failing = new Error("killed");
    await expect(
      transaction(sql, async (tx) => {
        await tx`update run set labels = '{"word": "undone"}'::jsonb where team_id = ${teamId} and params::text like '%A-77"%'`;
        throw failing;
      }),
    ).rejects.toBe(failing);
    await index();
    expect(await total("undone")).toBe(0);
    await sql`update run set labels = '{"word": "interrupted"}'::jsonb where team_id = ${teamId} and params::text like '%A-77"%'`;
    await expect(
      transaction(sql, async (tx) => {
        await tx`delete from run_search_due`;
        throw failing;
      }),
    ).rejects.toBe(failing);
    await index();
    expect(await total("interrupted")).toBe(1);
  });

  test("forgets removed runs, also one that is removed while it is indexed", async () => {
    const [run] = await sql<{ id: string }[]>`select id from run where team_id = ${teamId} and params::text like '%A-88"%'`;
    expect(await total("A-88 one")).toBe(0);
    await sql`update run set labels = '{"word": "leaving"}'::jsonb where team_id = ${teamId} and id = ${run!.id}`;
    await Promise.all([transaction(sql, (tx) => purgeRuns(tx, teamId, [run!.id])), index()]);
    await index();
    expect(await sql`select from run_search where id = ${run!.id}`).toHaveLength(0);
  });

  test("takes in what was there before it, the newest first, and new runs before those", async () => {
    await sql.unsafe("truncate run_search, run_search_due");
    await noteMissingIndex(sql);
    await indexRuns(sql, 100, 0);
    expect(await total("A-20499")).toBe(1);
    expect(await total("A-1")).toBe(0);
    await sql`update run set labels = '{"word": "old"}'::jsonb where team_id = ${teamId} and params::text like '%A-5"%'`;
    await indexRuns(sql, 100, 0);
    expect(await total("old")).toBe(1);
    await index(5_000);
    expect(await sql`select before_id as "id" from run_search_past`).toEqual([]);
    await noteMissingIndex(sql);
    expect(await sql`select before_id as "id" from run_search_past`).toEqual([]);
    const [counts] = await sql<{ runs: number; rows: number }[]>`
      select (select count(*)::int from run) as runs, (select count(*)::int from run_search) as rows`;
    expect(counts!.rows).toBe(counts!.runs);
  });

  test("takes in a run with values that can't be read, by its id", async () => {
    const [run] = await sql<{ id: string }[]>`
      update run set params = '{"no": "list"}'::json where team_id = ${teamId} and params::text like '%A-99"%' returning id`;
    await index();
    expect(await total(run!.id.slice(-8))).toBe(1);
    expect(await total("A-100")).toBeGreaterThan(0);
  });
});

describe("a batch", () => {
  test("has the runs that have waited longest, wherever their notes are, and says for how long", async () => {
    const note = (count: number, ageSeconds: number) => sql`
      insert into run_search_due (team_id, run_id, noted_at)
      select ${teamId}, new_id(), db_now() - make_interval(secs => ${ageSeconds}) from generate_series(1, ${count}::int)`;
    await sql.unsafe("truncate run_search_due");
    // As after vacuum: new notes are where old ones were.
    await note(1_200, 5);
    await note(100, 600);
    expect(Date.now() - (await findSearchState(sql)).waitsSince!.getTime()).toBeGreaterThan(590_000);
    const taken = await transaction(sql, (tx) => takeNotes(tx, 100, 0));
    expect(taken).toMatchObject({ taken: 100 });
    expect(taken.lateMs).toBeGreaterThan(599_000);
    expect((await transaction(sql, (tx) => takeNotes(tx, 100, 0))).lateMs).toBeLessThan(599_000);
    await sql.unsafe("truncate run_search_due");
  });

  test("takes no more of a run than is indexed, however much it has", async () => {
    const list = (prefix: string) => JSON.stringify(Array.from({ length: 150 }, (_, n) => ({ name: `n${n}`, value: prefix.repeat(500) })));
    const [run] = await sql<{ id: string }[]>`
      insert into run (team_id, workflow_id, workflow_version_id, workflow_version, task_version_ids, status, phase, trigger, initiated_by,
        layers, params, results, task_count, started_at, ended_at)
      values (${teamId}, ${workflowId}, new_id(), 1, '{}', 'succeeded', 'completed', 'manual', 'schedule:one', '{}', ${list("abc ")}::json,
        ${list("def ")}::json, 2, db_now(), db_now()) returning id`;
    const [read] = await transaction(sql, (tx) => readSearchedRuns(tx, [{ teamId, id: run!.id }], { perValue: 1_000, perRun: 8_000 }));
    expect(read!.texts).toHaveLength(8_000);
    expect(read!.texts.split("\n")[0]).toHaveLength(1_000);
    await sql`delete from run where id = ${run!.id}`;
  });
});

describe("among many more runs", () => {
  test("the newest are found without reading all that match", async () => {
    await addRuns(teamId, 5_000, 30_000);
    await index();
    await sql.unsafe("vacuum (analyze) run_search, run");
    for (const [limit, offset] of [
      [1_001, 0],
      [20, 8_995],
      [20, 13_000],
      [20, 15_700],
    ] as const) {
      const expected = await sql<{ id: string }[]>`
        select id from run_search where team_id = ${teamId} and words @@ 'succeeded' order by id desc limit ${limit} offset ${offset}`;
      const { rows } = await list({ search: "succeeded" }, { order: "DESC", limit, offset });
      expect(rows.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
    }
    seen = [];
    expect(await listRunIds(sql, teamId, { search: "succeeded" }, 1_001)).toHaveLength(1_001);
    const ofRuns = seen.filter(({ text }) => /from run r/.test(text));
    expect(await rowsRead(sql, ofRuns)).toBeLessThan(15_000);
    seen = [];
    const everywhere = await findRunsEverywhere(sql, { teams: undefined, workflowId: undefined, search: "succeeded", limit: 20 });
    expect(everywhere.map(({ id }) => id)).toEqual((await list({ search: "succeeded" })).rows.map(({ id }) => id));
    expect(await rowsRead(sql, [seen.find(({ text }) => text.includes("found"))!])).toBeLessThan(2_000);
  });

  test("each search is planned for its words, also the tenth of a connection", async () => {
    await transaction(sql, async (tx) => {
      const plans = async () => {
        const [row] = await tx<{ generic: number; custom: number }[]>`
          select sum(generic_plans)::int as generic, sum(custom_plans)::int as custom from pg_prepared_statements
          where statement like '%from run_' || 'search s%'`;
        return row!;
      };
      const search = async () => {
        await listRuns(tx, teamId, { search: "succeeded" }, { order: "DESC", limit: 20, offset: 0 });
        await findRunsEverywhere(tx, { teams: undefined, workflowId: undefined, search: "succeeded", limit: 10 });
      };
      await search();
      const before = await plans();
      for (let n = 0; n < 10; n++) await search();
      const after = await plans();
      expect(after.custom - before.custom).toBeGreaterThanOrEqual(20);
      expect(after.generic - before.generic).toBe(0);
    });
  });
});
