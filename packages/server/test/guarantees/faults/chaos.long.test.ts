import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pruneIdle } from "../../../src/store/run/queue/engine-upkeep.ts";
import { FaultProxy } from "../../fakes/fault-proxy.ts";
import { buildProgram } from "../../kit/build-program.ts";
import { moveTime, testDatabase } from "../../kit/database.ts";
import { engineKit } from "../../kit/engine-kit.ts";
import { expectDelivered, receiveDeliveries } from "../../kit/faults/chaos-deliveries.ts";
import { node, workflow } from "../../kit/run-simulator.ts";
import { until } from "../../kit/until.ts";

// Real processes that are randomly killed, restarted cleanly, or stopped for longer than their lease, while wide graphs run and readers of
// their logs stay connected without reading. MILLRACE_FUZZ_SEED repeats a run.

const { sql, address } = await testDatabase();
const kit = engineKit(sql);
const folder = mkdtempSync(join(tmpdir(), "millrace-chaos-"));
/** For the current round: the file of effects, and the store of workspaces, if there is one. */
let effects = "";
let store: string | undefined;
/** Between the processes and the database. */
let proxy: FaultProxy | undefined;
const leaseSeconds = 2;
const seed = Number(process.env["MILLRACE_FUZZ_SEED"] ?? 20_261_120);
const random = randomFrom(seed);
const processes: ChildProcess[] = [];
/** The workspace folder of each process. */
const folders = new Map<ChildProcess, string>();
let program = "";

beforeAll(async () => {
  program = await buildProgram(fileURLToPath(new URL("../../processes/chaos-program.ts", import.meta.url)), ["tar-stream"]);
});

afterAll(() => {
  for (const child of processes) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

async function startProcess(workspaces: string): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    [program, JSON.stringify({ address: proxy?.address ?? address, effects, leaseSeconds, workspaces, store })],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  processes.push(child);
  folders.set(child, workspaces);
  await once(child.stdout as NodeJS.ReadableStream, "data");
  return child;
}

const script = { params: [{ name: "script", value: "true" }] };
const many = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}${index}`);
const wide = workflow(
  node("lock", "acquirelock", ["start"], { params: [{ name: "key", value: "$(params.key)" }] }),
  ...many("a", 8).map((name) => node(name, "script", ["lock"], script)),
  node("join", "setwfproperty", many("a", 8), {
    params: [
      { name: "output", value: "joined" },
      { name: "value", value: "1" },
    ],
  }),
  node("each", "script", ["join"], { ...script, forEach: { items: [1, 2, 3, 4, 5, 6], parallel: 3 } }),
  node("once", "script", ["join"], { ...script, onLost: "fail" }),
  ...many("b", 4).map((name) => node(name, "script", ["join"], script)),
  node("last", "script", ["each", "once", ...many("b", 4)], script),
);

/** Later tasks find the files that the first ones left, whichever process was killed: its successor gets the same folder. */
const workspace = { name: "workflowrun", type: "workflowrun" };

test.each([
  ["processes that are killed and stopped at random lose time, and nothing else", "local"],
  ["with a store of workspaces they lose no more when their disks are lost, too", "stored"],
  ["connections that are cut, rows that are held and disks that are full cost no more, either", "faulty"],
])("%s", { timeout: 140_000 }, async (_, name) => {
  console.log(`chaos seed ${seed}`);
  effects = join(folder, `effects-${name}`);
  store = name === "stored" ? join(folder, "store") : undefined;
  proxy = name === "faulty" ? await FaultProxy.start(address) : undefined;
  writeFileSync(effects, "");
  const team = await kit.team({ maxConcurrentRuns: 5 });
  const receiver = await receiveDeliveries(sql, team, random);
  await kit.workflow(team, "wide", wide, { params: [{ name: "key", type: "text", default: "none" }] });
  await kit.workflow(team, "sharing", wide, { params: [{ name: "key", type: "text", default: "none" }], workspaces: [workspace] });
  await Promise.all([1, 2, 3].map((index) => startProcess(join(folder, `${name}-${index}`))));
  const runs = 24;
  for (let index = 0; index < runs; index++) {
    await kit.submit(team, index % 2 === 0 ? "wide" : "sharing", { request: { params: [{ name: "key", value: `lock-${index % 4}` }] } });
  }
  await disturb(team, 12_000);
  const isOver = async () => (await sql`select 1 from run where team_id = ${team} and phase <> 'completed' limit 1`).length === 0;
  await until(isOver, `every run is over (seed ${seed})`, 60_000).catch(async (error: Error) => {
    throw new Error(`${error.message}\n${await whatIsOpen(team)}`, { cause: error });
  });
  await endGently();
  await proxy?.stop();
  await expectHonest(team);
  await expectOnce(team);
  await expectDelivered(kit, team, receiver, `seed ${seed}`);
  await expectNothingLeft(team);
});

/**
 * Until the time is up or nothing is left to disturb: kills a process and starts another with the same folder, or with a new one where
 * there is a store; or restarts one cleanly; or stops one for longer than its lease; or, in the round with faults, does what
 * `injectFaultsAround` does.
 */
async function disturb(team: string, forMs: number): Promise<void> {
  const end = performance.now() + forMs;
  const stopped: Promise<void>[] = [];
  while (performance.now() < end) {
    await pause(200 + random() * 500);
    const alive = processes.filter((child) => child.exitCode === null && child.signalCode === null);
    const victim = alive[Math.floor(random() * alive.length)] as ChildProcess;
    if (proxy !== undefined && random() < 0.7) stopped.push(injectFaultsAround(team, proxy, folders.get(victim) as string));
    else if (random() < 0.25) await restart(victim);
    else if (random() < 0.65) {
      victim.kill("SIGKILL");
      const former = folders.get(victim) as string;
      if (store !== undefined && random() < 0.5) {
        await once(victim, "exit");
        rmSync(former, { recursive: true, force: true });
        await startProcess(`${former}+`);
      } else await startProcess(former);
    } else if (stopped.length < 4) {
      victim.kill("SIGSTOP");
      stopped.push(pause(leaseSeconds * 1000 + 1000).then(() => void victim.kill("SIGCONT")));
    }
    if ((await sql`select 1 from run where team_id = ${team} and phase <> 'completed' limit 1`).length === 0) break;
  }
  await Promise.all(stopped);
}

/** For a second or two, cuts the connections of all processes, locks rows that they need, or fills the disk of one. */
async function injectFaultsAround(team: string, proxy: FaultProxy, workspaces: string): Promise<void> {
  const choice = random();
  const forMs = 500 + random() * 1500;
  if (choice < 0.4) return proxy.cutAll();
  if (choice < 0.7) {
    const full = join(workspaces, "full");
    writeFileSync(full, "");
    await pause(forMs);
    return rmSync(full, { force: true });
  }
  await sql.begin(async (tx) => {
    await tx`select from run where team_id = ${team} and phase <> 'completed' limit 1 for update skip locked`;
    await tx`select from delivery where team_id = ${team} and status = 'pending' limit 3 for update skip locked`;
    await tx`select from task_run where team_id = ${team} and phase <> 'completed' limit 3 for update skip locked`;
    await pause(forMs);
  });
}

/** Restarts a process as an update does. Its tasks are returned to the queue, and connected log readers do not delay it. */
async function restart(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit", { signal: AbortSignal.timeout(30_000) });
  child.kill("SIGTERM");
  expect(await ended, `seed ${seed}: a process that is asked to stop ends`).toEqual([0, null]);
  await startProcess(folders.get(child) as string);
}

/** Helps to find out why a run does not end: processes that are still busy, or work that no process claims. */
async function whatIsOpen(team: string): Promise<string> {
  const looks = await Promise.all([
    sql`select phase, status, count(*)::int from run where team_id = ${team} group by 1, 2`,
    sql`select name, type, phase, status, reason, worker_id, place, wait_kind, attempt, due_at, db_now() - claimable_at as claimable,
          db_now() - started_at as runs from task_run
        where team_id = ${team} and phase <> 'completed' and status <> 'notstarted' limit 40`,
    sql`select id, pid, executors, faults, place, lease_until - db_now() as rest from worker`,
    sql`select pid, state, wait_event_type, wait_event, now() - xact_start as since, left(query, 120) as query
        from pg_stat_activity where datname = current_database() and state <> 'idle'`,
    sql`select run_id, count(*)::int from run_signal where team_id = ${team} group by 1`,
  ]);
  const children = processes.map(({ pid, exitCode, signalCode }) => `${pid}: ${exitCode ?? signalCode ?? "runs"}`);
  return [...looks.map((rows) => JSON.stringify([...rows], null, 1)), children.join(", ")].join("\n");
}

async function endGently(): Promise<void> {
  const alive = processes.filter((child) => child.exitCode === null && child.signalCode === null);
  const ends = alive.map((child) => once(child, "exit"));
  for (const child of alive) child.kill("SIGTERM");
  await Promise.all(ends);
}

/** A run fails only if a task reports that its worker was lost: too often, or once where one loss is the limit. */
async function expectHonest(team: string): Promise<void> {
  const dishonest = await sql`
    select r.id, r.status, r.status_message from run r where r.team_id = ${team} and r.status <> 'succeeded'
      and not exists (select from task_run t where t.team_id = r.team_id and t.run_id = r.id and t.status = 'failed' and t.reason in ('WorkerLost', 'ItemFailed'))`;
  expect(dishonest, `seed ${seed}`).toEqual([]);
}

/** Each attempt was played at most once; a task that was played twice has its losses recorded; each task that ended was played. */
async function expectOnce(team: string): Promise<void> {
  const records = await sql<{ id: string; attempt: number; status: string; name: string; item: number | null }[]>`
    select a.task_run_id as id, a.attempt, a.status, t.name, t.item from task_run_attempt a
    join task_run t on t.team_id = a.team_id and t.id = a.task_run_id where a.team_id = ${team} order by 1, 2`;
  const recorded = new Map(records.map((record) => [`${record.id} ${record.attempt}`, record]));
  expect(recorded.size, `seed ${seed}: ends recorded twice`).toBe(records.length);
  const lines = readFileSync(effects, "utf8").trim().split("\n");
  const begun = lines.filter((line) => line.startsWith("begin ")).map((line) => line.slice(6));
  expect(new Set(begun).size, `seed ${seed}: attempts played twice`).toBe(begun.length);
  expect(
    begun.filter((key) => !recorded.has(key)),
    `seed ${seed}: attempts without a record`,
  ).toEqual([]);
  const ended = new Set(lines.filter((line) => line.startsWith("end ")).map((line) => line.slice(4)));
  const succeeded = records.filter(({ status }) => status === "succeeded");
  expect(
    succeeded.filter(({ id, attempt }) => !ended.has(`${id} ${attempt}`)),
    `seed ${seed}: success without an end`,
  ).toEqual([]);
  expect(new Set(succeeded.map(({ id }) => id)).size, `seed ${seed}: succeeded twice`).toBe(succeeded.length);
  const onceBegun = begun.filter((key) => recorded.get(key)?.name === "once").map((key) => key.split(" ")[0]);
  expect(new Set(onceBegun).size, `seed ${seed}: onLost fail ran again`).toBe(onceBegun.length);
  const miscounted = await sql`
    select t.name, t.status, t.attempt from task_run t where t.team_id = ${team} and t.type = 'script' and t.status in ('succeeded', 'failed')
      and not (t.name = 'each' and t.item is null)
      and t.attempt <> (select count(*) from task_run_attempt a where a.team_id = t.team_id and a.task_run_id = t.id)`;
  expect(miscounted, `seed ${seed}`).toEqual([]);
  console.log(`${begun.length} attempts played, ${records.filter(({ status }) => status === "lost").length} lost`);
}

async function expectNothingLeft(team: string): Promise<void> {
  await kit.settle();
  await moveTime(sql, 120_000);
  await pruneIdle(sql);
  const [left] = await sql`
    select (select count(*)::int from task_lock where team_id = ${team}) as locks,
           (select count(*)::int from run_signal where team_id = ${team}) as signals,
           (select count(*)::int from run where team_id = ${team} and phase = 'running') as running,
           (select count(*)::int from task_run where team_id = ${team} and (worker_id is not null or due_at is not null or phase <> 'completed')) as open,
           (select count(*)::int from worker) as workers`;
  expect(left, `seed ${seed}`).toEqual({ locks: 0, signals: 0, running: 0, open: 0, workers: 0 });
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
