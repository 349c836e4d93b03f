import { afterAll, beforeAll, expect, test } from "vitest";
import { requestBulk } from "../../../src/domain/run/lists/bulk-runs.ts";
import { transaction } from "../../../src/store/database/transaction.ts";
import { testDatabase } from "../../kit/database.ts";
import { engineKit } from "../../kit/engine-kit.ts";
import { countLeft, KilledEngines, nothingLeft, randomFrom } from "../../kit/faults/killed-engines.ts";
import { node, workflow } from "../../kit/run-simulator.ts";

// Compensations, slots and bulk reruns in a series of processes, each killed before or after one of its commits: everything is done once
// and in order, and no slot stays in use. MILLRACE_FUZZ_SEED repeats a run.

const { sql, address } = await testDatabase();
const kit = engineKit(sql);
const seed = Number(process.env["MILLRACE_FUZZ_SEED"] ?? 20_261_128);
let engines: KilledEngines;

beforeAll(async () => {
  engines = await KilledEngines.start(address, randomFrom(seed));
}, 60_000);
afterAll(() => engines.stop());

const script = { params: [{ name: "script", value: "true" }] };
const pays = [
  ...workflow(
    node("reserve", "script", ["start"], { ...script, compensatedBy: "release" }),
    node("pay", "script", ["reserve"], { ...script, compensatedBy: "refund" }),
    node("check", "script", ["pay"], script),
  ),
  node("release", "script", [], script),
  node("refund", "script", [], script),
  node("clean", "script", [], { ...script, handler: "finally" }),
];
const done = ["reserve", "pay", "refund", "release", "clean"];
const limits = { params: [{ name: "customer", type: "text" }], concurrency: { key: "$(params.customer)", max: 1 } };
const runCount = 9;
const kills = 8;

test("failed runs are undone once and in reverse order, and each key has one run at a time", { timeout: 400_000 }, async () => {
  const team = await kit.team();
  await kit.workflow(team, "pays", pays, limits);
  for (let index = 0; index < runCount; index++)
    await kit.submit(team, "pays", { request: { params: [{ name: "customer", value: `c${index % 3}` }] } });
  await engines.end(async () => (await countOpen(team)) === 0, { kills });
  await expectDoneOnce(team);
  await expectOneAtATime(team);
  expect(await countLeft(kit, team), `seed ${seed}`).toEqual(nothingLeft);

  const caller = { kind: "user", id: "user:1", name: "Ann" };
  await transaction(sql, (tx) =>
    requestBulk(tx, {
      ...{ teamId: team, action: "rerun", filter: {}, requestId: "request", caller, expected: runCount, matching: {} },
      rerun: { from: ["pay"], params: [{ name: "customer", value: "again" }] },
    }),
  );
  const isBulkOver = async () => (await sql`select 1 from run_bulk where team_id = ${team} and status = 'running'`).length === 0;
  await engines.end(async () => (await isBulkOver()) && (await countOpen(team)) === 0, { kills });
  expect(engines.killed, `seed ${seed}`).toBeGreaterThanOrEqual(4);
  const [bulk] = await sql`select status, total, done, failed from run_bulk where team_id = ${team}`;
  expect(bulk, `seed ${seed}`).toEqual({ status: "completed", total: runCount, done: runCount, failed: 0 });
  const [made] = await sql<{ runs: number; named: number; sources: number }[]>`
    select (select count(*)::int from run where team_id = ${team}) as runs,
      (select count(distinct new_run_id)::int from run_bulk_item where team_id = ${team}) as named,
      (select count(distinct run_id)::int from run_bulk_item where team_id = ${team}) as sources`;
  expect(made, `seed ${seed}`).toEqual({ runs: 2 * runCount, named: runCount, sources: runCount });
  await expectDoneOnce(team);
  await expectOneAtATime(team);
  expect(await countLeft(kit, team), `seed ${seed}`).toEqual(nothingLeft);
});

async function countOpen(team: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*)::int as count from run where team_id = ${team} and phase <> 'completed'`;
  return row?.count ?? 0;
}

/** Each task that did something has one success, each attempt started at most once, and later tasks were compensated first. */
async function expectDoneOnce(team: string): Promise<void> {
  const tasks = await sql<{ runId: string; name: string; status: string; successes: number; startedAt: Date; endedAt: Date }[]>`
    select t.run_id as "runId", t.name, t.status, t.started_at as "startedAt", t.ended_at as "endedAt",
      (select count(*)::int from task_run_attempt a where a.team_id = t.team_id and a.task_run_id = t.id and a.status = 'succeeded') as successes
    from task_run t where t.team_id = ${team} and t.type = 'script'`;
  const isKept = (name: string, successes: number) => name === "reserve" && successes === 0;
  const wrong = tasks.filter(({ name, status, successes }) =>
    done.includes(name) ? status !== "succeeded" || (successes !== 1 && !isKept(name, successes)) : status !== "failed",
  );
  expect(wrong, `seed ${seed}`).toEqual([]);
  for (const { runId, endedAt } of tasks.filter(({ name }) => name === "refund")) {
    const release = tasks.find((task) => task.runId === runId && task.name === "release");
    expect(release?.startedAt.getTime(), `seed ${seed}: ${runId}`).toBeGreaterThanOrEqual(endedAt.getTime());
  }
  const begun = engines.begun();
  expect(new Set(begun).size, `seed ${seed}: attempts that began twice`).toBe(begun.length);
}

/** A run holds the slot of its key from its first task to its end. */
async function expectOneAtATime(team: string): Promise<void> {
  const both = await sql`
    select a.id, b.id from run a join run b on b.team_id = a.team_id and b.slot_key = a.slot_key and b.id > a.id
    where a.team_id = ${team} and a.started_at < b.ended_at and b.started_at < a.ended_at`;
  expect(both, `seed ${seed}`).toEqual([]);
  const [keyed] = await sql<{ count: number }[]>`select count(*)::int as count from run where team_id = ${team} and slot_key is null`;
  expect(keyed?.count).toBe(0);
}
