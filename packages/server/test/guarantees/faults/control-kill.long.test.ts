import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requestBulk } from "../../../src/domain/run/lists/bulk-runs.ts";
import { transaction } from "../../../src/store/database/transaction.ts";
import { FaultProxy } from "../../fakes/fault-proxy.ts";
import { buildProgram } from "../../kit/build-program.ts";
import { testDatabase } from "../../kit/database.ts";
import { engineKit } from "../../kit/engine-kit.ts";
import { node, workflow } from "../../kit/run-simulator.ts";
import { until } from "../../kit/until.ts";

// Compensations, slots and bulk reruns in processes that are killed hard before or after one of their commits, one process after the other:
// what is to be done is done once, in its order, and no slot stays taken. MILLRACE_FUZZ_SEED plays one again.

const { sql, address } = await testDatabase();
const kit = engineKit(sql);
const proxy = await FaultProxy.start(address);
const folder = mkdtempSync(join(tmpdir(), "millrace-control-"));
const effects = join(folder, "effects");
const seed = Number(process.env["MILLRACE_FUZZ_SEED"] ?? 20_261_128);
const random = randomFrom(seed);
let program = "";
let child: ChildProcess | undefined;
/** By a fault. */
let killed = 0;

beforeAll(async () => {
  writeFileSync(effects, "");
  program = await buildProgram(fileURLToPath(new URL("../../processes/control-program.ts", import.meta.url)));
}, 60_000);
afterAll(async () => {
  child?.kill("SIGKILL");
  await proxy.stop();
  rmSync(folder, { recursive: true, force: true });
});

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

test("what failed is undone once and backwards, and each key has one run at a time", { timeout: 400_000 }, async () => {
  const team = await kit.team();
  await kit.workflow(team, "pays", pays, limits);
  for (let index = 0; index < runCount; index++)
    await kit.submit(team, "pays", { request: { params: [{ name: "customer", value: `c${index % 3}` }] } });
  await endUnderKills(async () => (await countOpen(team)) === 0);
  await expectDoneOnce(team);
  await expectOneAtATime(team);
  await expectNothingLeft(team);

  const caller = { kind: "user", id: "user:1", name: "Ann" };
  await transaction(sql, (tx) =>
    requestBulk(tx, {
      ...{ teamId: team, action: "rerun", filter: {}, requestId: "request", caller, expected: runCount, matching: {} },
      rerun: { from: ["pay"], params: [{ name: "customer", value: "again" }] },
    }),
  );
  const isBulkOver = async () => (await sql`select 1 from run_bulk where team_id = ${team} and status = 'running'`).length === 0;
  await endUnderKills(async () => (await isBulkOver()) && (await countOpen(team)) === 0);
  expect(killed, `seed ${seed}`).toBeGreaterThanOrEqual(4);
  const [bulk] = await sql`select status, total, done, failed from run_bulk where team_id = ${team}`;
  expect(bulk, `seed ${seed}`).toEqual({ status: "completed", total: runCount, done: runCount, failed: 0 });
  const [made] = await sql<{ runs: number; named: number; sources: number }[]>`
    select (select count(*)::int from run where team_id = ${team}) as runs,
      (select count(distinct new_run_id)::int from run_bulk_item where team_id = ${team}) as named,
      (select count(distinct run_id)::int from run_bulk_item where team_id = ${team}) as sources`;
  expect(made, `seed ${seed}`).toEqual({ runs: 2 * runCount, named: runCount, sources: runCount });
  await expectDoneOnce(team);
  await expectOneAtATime(team);
  await expectNothingLeft(team);
});

async function countOpen(team: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*)::int as count from run where team_id = ${team} and phase <> 'completed'`;
  return row?.count ?? 0;
}

/** Each process is killed at one of its next commits; the last one is left alone. */
async function endUnderKills(isOver: () => Promise<boolean>): Promise<void> {
  for (let kill = 0; kill < kills && !(await isOver()); kill++) {
    const victim = await startProcess();
    const exit = once(victim, "exit");
    proxy.onFault = () => {
      killed += 1;
      victim.kill("SIGKILL");
    };
    const fault = { statement: /^commit/i, how: kill % 2 === 0 ? "before" : "after", skip: Math.floor(random() * 6), times: 1 } as const;
    proxy.faults.splice(0, proxy.faults.length, { ...fault });
    await Promise.race([exit, until(isOver, "all is over", 30_000)]);
    victim.kill("SIGKILL");
    await exit;
  }
  proxy.faults.splice(0);
  proxy.onFault = () => undefined;
  child = await startProcess();
  await until(isOver, `all is over (seed ${seed})`, 60_000);
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}

async function startProcess(): Promise<ChildProcess> {
  const settings = JSON.stringify({ address: proxy.address, effects, leaseSeconds: 2 });
  child = spawn(process.execPath, [program, settings], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout as NodeJS.ReadableStream, "data");
  return child;
}

/** Each task that did something has one success, each attempt began at most once, and the later task was undone first. */
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
  const begun = readFileSync(effects, "utf8").trim().split("\n");
  expect(new Set(begun).size, `seed ${seed}: attempts that began twice`).toBe(begun.length);
}

/** From its first task to its end a run has the slot of its key. */
async function expectOneAtATime(team: string): Promise<void> {
  const both = await sql`
    select a.id, b.id from run a join run b on b.team_id = a.team_id and b.slot_key = a.slot_key and b.id > a.id
    where a.team_id = ${team} and a.started_at < b.ended_at and b.started_at < a.ended_at`;
  expect(both, `seed ${seed}`).toEqual([]);
  const [keyed] = await sql<{ count: number }[]>`select count(*)::int as count from run where team_id = ${team} and slot_key is null`;
  expect(keyed?.count).toBe(0);
}

async function expectNothingLeft(team: string): Promise<void> {
  await kit.settle();
  const [left] = await sql`
    select (select count(*)::int from run_slot where team_id = ${team}) as slots,
      (select count(*)::int from run_waiting where team_id = ${team}) as waiting,
      (select count(*)::int from run_wake where team_id = ${team} and due_at <= db_now()) as wakes,
      (select count(*)::int from run_signal where team_id = ${team}) as signals,
      (select count(*)::int from task_run where team_id = ${team} and (worker_id is not null or due_at is not null or phase <> 'completed')) as open`;
  expect(left, `seed ${seed}`).toEqual({ slots: 0, waiting: 0, wakes: 0, signals: 0, open: 0 });
}

/** Mulberry32. */
function randomFrom(start: number): () => number {
  let state = start | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
