import { afterAll, beforeAll, expect, test } from "vitest";
import { seedCatalog } from "../../../src/services/seed-catalog.ts";
import { countLeft, KilledEngines, nothingLeft, randomFrom } from "../../kit/faults/killed-engines.ts";
import { params, runKit } from "../../kit/run-kit.ts";

// Nested workflows for each item, in a loop and in one another, in a series of processes that are each killed around one of their
// statements: each nested run exists once, results keep their order, and nothing is left over. MILLRACE_FUZZ_SEED repeats a run.

const { app, kit, team: makeTeam } = await runKit();
const { sql } = app;
const seed = Number(process.env["MILLRACE_FUZZ_SEED"] ?? 20_261_129);
let engines: KilledEngines;

beforeAll(async () => {
  await seedCatalog(sql);
  engines = await KilledEngines.start(app.address, randomFrom(seed));
}, 60_000);
afterAll(() => engines.stop());

const set = (output: string, value: string, after: string) => ({
  ...{ name: `set-${output}`, taskRef: "set-result-parameter", ...params({ output, value }) },
  dependencies: [{ taskRef: after, executionCondition: "success" }],
});
const work = { name: "work", taskRef: "execute-shell", ...params({ script: "true" }) };
const input = (...names: string[]) => ({ params: names.map((name) => ({ name, type: "text" })) });

/** The workflow that each item runs: a loop of three rounds, each of which appends its number to the result of the round before. */
const rounds = {
  ...{ name: "rounds", ...params({ item: "$(params.item)", before: "$(loop.previous.results.trace)", round: "$(loop.index)" }) },
  loop: { until: { value: "$(loop.index)", matches: "3" } },
  workflow: { ...input("item", "before", "round"), tasks: [work, set("trace", "$(params.before)$(params.round)", "work")] },
};
const items = Array.from({ length: 8 }, (_, index) => `i${index}`);
const document = {
  name: "nested",
  tasks: [
    {
      ...{ name: "each", forEach: { items, parallel: 3 }, ...params({ item: "$(params.item)" }) },
      workflow: { ...input("item"), tasks: [rounds, set("line", "$(params.item):$(tasks.rounds.results.trace)", "rounds")] },
    },
    set("lines", "$(tasks.each.results.line)", "each"),
  ],
};
const lines = items.map((item) => `${item}:012`);
const runCount = 4;
/** For each run: its items, and the three rounds of each. */
const nestedCount = items.length * (1 + 3);
const statement = /^commit|apply_run_changes|complete_and_claim|insert_runs/i;

test("each nested run is there once and in its place, however often a process dies", { timeout: 400_000 }, async () => {
  const { id: team, path } = await makeTeam();
  const saved = await app.as().post(`${path}/workflow`, document);
  expect([saved.status, saved.body.errors ?? []]).toEqual([200, []]);
  const submitted = await Promise.all(Array.from({ length: runCount }, () => kit.submit(team, "nested")));
  const isOver = async () => (await sql`select 1 from run where team_id = ${team} and phase <> 'completed' limit 1`).length === 0;
  await engines.end(isOver, { kills: 12, statement, spread: 40 });
  expect(engines.killed, `seed ${seed}`).toBeGreaterThanOrEqual(7);

  for (const { id } of submitted) {
    const { status, results } = await kit.run(team, id);
    const [found] = results;
    expect([status, found?.name, JSON.parse(String(found?.value))], `seed ${seed}: ${id}`).toEqual(["succeeded", "lines", lines]);
  }
  expect(await countNested(team), `seed ${seed}`).toEqual({
    runs: runCount * nestedCount,
    places: runCount * nestedCount,
    succeeded: true,
  });
  await expectWorkedOnce(team);
  expect(await countLeft(kit, team), `seed ${seed}`).toEqual(nothingLeft);
});

/** A place is the task run that waited for it. */
async function countNested(team: string) {
  const [row] = await sql`
    select count(*)::int as runs, count(distinct parent_task_run_id)::int as places, bool_and(status = 'succeeded') as succeeded
    from run where team_id = ${team} and parent_task_run_id is not null`;
  return row;
}

/** An attempt that was running in a killed process is lost; apart from lost ones, each task run has exactly one attempt. */
async function expectWorkedOnce(team: string): Promise<void> {
  const attempts = await sql<{ id: string; ended: number }[]>`
    select t.id, count(*) filter (where a.status = 'succeeded')::int as ended
    from task_run t left join task_run_attempt a on a.team_id = t.team_id and a.task_run_id = t.id
    where t.team_id = ${team} and t.type = 'script' group by t.id`;
  expect(attempts).toHaveLength(runCount * items.length * 3);
  expect(
    attempts.filter(({ ended }) => ended !== 1),
    `seed ${seed}`,
  ).toEqual([]);
  const begun = engines.begun();
  expect(new Set(begun).size, `seed ${seed}: attempts that began twice`).toBe(begun.length);
}
