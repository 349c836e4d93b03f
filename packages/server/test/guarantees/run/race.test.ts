import { afterAll, describe, expect, test } from "vitest";
import type { RunEvent } from "../../../src/core/run/advance.ts";
import type { RunWork } from "../../../src/domain/run/advance-runs.ts";
import { deliverCallback } from "../../../src/domain/run/callbacks.ts";
import { AttemptCompleter } from "../../../src/engine/attempt-finisher.ts";
import { createPool } from "../../../src/store/database/database.ts";
import { transaction } from "../../../src/store/database/transaction.ts";
import type { NextClaims } from "../../../src/store/run/run-changes.ts";
import { type Claim, claimTaskRuns, insertWorker } from "../../../src/store/worker/workers.ts";
import { testDatabase } from "../../kit/database.ts";
import { type EngineKit, engineKit } from "../../kit/engine-kit.ts";
import { engineNode } from "../../kit/run/engine-node.ts";
import { node, workflow } from "../../kit/run-simulator.ts";
import { until } from "../../kit/until.ts";
import { testExecutor } from "../../kit/worker/test-executor.ts";

// Races on real parallel connections: every engine has its own pool, as a process would.

const { sql, address } = await testDatabase();
const kit = engineKit(sql);
const engines = Array.from({ length: 4 }, () => startEngine());
const script = { params: [{ name: "script", value: "true" }] };

function startEngine() {
  const pool = createPool(address, { maxConnections: 12, steersPlanner: true });
  afterAll(() => pool.end({ timeout: 1 }));
  const own = engineKit(pool);
  return { ...own, completer: new AttemptCompleter({ sql: pool, context: own.context, bus: own.bus, driver: own.driver }) };
}

type Engine = (typeof engines)[number];

const engineAt = (index: number): Engine => engines[index % engines.length] as Engine;

const newWorker = () =>
  insertWorker(sql, {
    host: "race",
    pid: 1,
    roles: [],
    executors: ["process"],
    configured: ["process"],
    labels: [],
    slots: 1,
    leaseSeconds: 600,
  });
const noClaims = (workerId: string): NextClaims => ({ workerId, wanted: 0, needs: ["process"], labels: [] });

/** Claims everything that is ready. */
async function claimAll(workerId: string, engine: EngineKit = kit): Promise<Claim[]> {
  const claims: Claim[] = [];
  for (;;) {
    const more = await claimTaskRuns(engine.sql, workerId, 500, ["process"], []);
    if (more.length === 0) return claims;
    claims.push(...more);
  }
}

function ended(claim: Claim, status: "succeeded" | "failed" = "succeeded"): RunWork {
  const outcome = { status, reason: status, message: "", results: [] };
  const event: RunEvent = { kind: "ended", taskRunId: claim.id, attempt: claim.attempt, outcome };
  return { teamId: claim.teamId, id: claim.runId, events: [event] };
}

async function countRuns(team: string): Promise<Record<string, number>> {
  const rows = await sql<
    { status: string; count: number }[]
  >`select status, count(*)::int as count from run where team_id = ${team} group by status`;
  return Object.fromEntries(rows.map((row) => [row.status, row.count]));
}

/** States that must never occur, whatever happened before. */
async function expectSound(team: string): Promise<void> {
  const openInOver = await sql`
    select t.name, t.status from task_run t join run r on r.team_id = t.team_id and r.id = t.run_id
    where r.team_id = ${team} and r.phase = 'completed' and (t.phase <> 'completed' or t.worker_id is not null or t.due_at is not null)`;
  expect(openInOver).toEqual([]);
  const endedTwice = await sql`
    select task_run_id, attempt from task_run_attempt where team_id = ${team} group by task_run_id, attempt having count(*) > 1`;
  expect(endedTwice).toEqual([]);
  const unrecorded = await sql`
    select t.name, t.attempt from task_run t
    where t.team_id = ${team} and t.type = 'script' and t.phase = 'completed'
      and t.attempt <> (select count(*) from task_run_attempt a where a.team_id = t.team_id and a.task_run_id = t.id)`;
  expect(unrecorded).toEqual([]);
}

describe("the quota of concurrent runs", () => {
  test("holds against 24 claimers and 24 submissions at once", async () => {
    const team = await kit.team({ maxConcurrentRuns: 5 });
    await kit.workflow(team, "holds", workflow(node("z", "script", ["start"], script)));
    await Promise.all(Array.from({ length: 24 }, () => kit.submit(team, "holds")));
    const claims = Array.from({ length: 24 }, (_, index) => engineAt(index).driver.givePlaces());
    const starts = Array.from({ length: 24 }, (_, index) => engineAt(index).submit(team, "holds", { start: true }));
    await Promise.allSettled([...claims, ...starts]);
    expect((await countRuns(team)).running).toBe(5);
  });

  test("holds while runs end and others take their slots, and every slot is reused", async () => {
    const team = await kit.team({ maxConcurrentRuns: 5 });
    await kit.workflow(team, "one", workflow(node("a", "script", ["start"], script)));
    const open = new Map<string, number>();
    let most = 0;
    const executor = testExecutor(async (job) => {
      if (job.teamId !== team) return {};
      open.set(job.runId, 1);
      most = Math.max(most, open.size);
      await new Promise((resolve) => setImmediate(resolve));
      open.delete(job.runId);
      return {};
    });
    const nodes = Array.from({ length: 3 }, () => engineNode(address, { executor }));
    await Promise.all(Array.from({ length: 60 }, () => kit.submit(team, "one")));
    for (const one of nodes) await one.start();
    await until(async () => (await countRuns(team)).succeeded === 60, "all 60 runs are over");
    for (const one of nodes) await one.stop();
    expect(most).toBeLessThanOrEqual(5);
    await expectSound(team);
  });
});

describe("a join", () => {
  const width = 4;
  const names = Array.from({ length: width }, (_, index) => `n${index}`);
  const join = workflow(
    ...names.map((name) => node(name, "script", ["start"], script)),
    node("join", "setwfproperty", names, {
      params: [
        { name: "output", value: "joined" },
        { name: "value", value: "1" },
      ],
    }),
    node("after", "script", ["join"], script),
  );

  test.each(["slow", "fast", "mixed"] as const)(
    "whose dependencies all end at the same moment starts once and is never forgotten (%s way)",
    async (way) => {
      const runs = Number(process.env["MILLRACE_FUZZ_RUNS"] ?? 60);
      const team = await kit.team();
      await kit.workflow(team, "join", join);
      const worker = await newWorker();
      for (let index = 0; index < runs; index++) await kit.submit(team, "join", { start: true });
      const claims = await claimAll(worker);
      expect(claims).toHaveLength(runs * width);
      // The finishers know each run as it stood before any of its attempts ended, so all but the first are stale.
      if (way !== "slow") await Promise.all(engines.map((engine) => warm(engine, claims)));
      const finishers = claims.map((claim, index) => async () => {
        const engine = engineAt(claim.node + index);
        const isFast = way === "fast" || (way === "mixed" && index % 2 === 0);
        if (isFast) await engine.completer.complete([ended(claim)], noClaims(worker));
        else await engine.driver.advance([ended(claim)]);
      });
      await inParallel(byRun(claims, finishers), 8);
      const next = await claimAll(worker);
      expect(next).toHaveLength(runs);
      await inParallel(
        next.map((claim, index) => [() => engineAt(index).driver.advance([ended(claim)])]),
        8,
      );
      expect(await countRuns(team)).toEqual({ succeeded: runs });
      await expectSound(team);
      const [joins] = await sql<{ count: number }[]>`
      select count(*)::int as count from task_run where team_id = ${team} and name = 'join' and status = 'succeeded' and attempt = 1`;
      expect(joins?.count).toBe(runs);
    },
  );

  /** Every engine has the runs in memory, as if it had claimed the attempts itself. */
  async function warm(engine: Engine, claims: readonly Claim[]): Promise<void> {
    const runs = [...new Map(claims.map(({ runId, teamId }) => [runId, teamId]))];
    await engine.driver.advance(runs.map(([id, teamId]) => ({ teamId, id, events: [{ kind: "look" as const }] })));
    expect(engine.context.states.get(runs[0]?.[0] as string)).toBeDefined();
  }
});

/** Groups actions by run. */
function byRun<T>(claims: readonly Claim[], actions: readonly T[]): T[][] {
  const groups = new Map<string, T[]>();
  for (const [index, { runId }] of claims.entries()) groups.set(runId, [...(groups.get(runId) ?? []), actions[index] as T]);
  return [...groups.values()];
}

/** Runs all actions of a group at once, `width` groups in parallel. */
async function inParallel(groups: readonly (readonly (() => Promise<unknown>)[])[], width: number): Promise<void> {
  let next = 0;
  const lane = async () => {
    for (let group = groups[next++]; group; group = groups[next++]) await Promise.all(group.map((action) => action()));
  };
  await Promise.all(Array.from({ length: width }, lane));
}

describe("two finishers of the same attempt", () => {
  test.each([
    ["slow", "slow"],
    ["fast", "slow"],
    ["fast", "fast"],
  ])("record one end, whichever comes first (%s against %s)", async (one, other) => {
    const team = await kit.team();
    await kit.workflow(team, "one", workflow(node("a", "script", ["start"], script), node("b", "script", ["a"], script)));
    const worker = await newWorker();
    for (let index = 0; index < 40; index++) await kit.submit(team, "one", { start: true });
    const claims = await claimAll(worker);
    for (const engine of engines)
      await engine.driver.advance(claims.map(({ teamId, runId }) => ({ teamId, id: runId, events: [{ kind: "look" }] })));
    const finish = (way: string, engine: Engine, work: RunWork) =>
      way === "fast" ? engine.completer.complete([work], noClaims(worker)) : engine.driver.advance([work]);
    await inParallel(
      claims.map((claim, index) => [
        () => finish(one, engineAt(index), ended(claim, "succeeded")),
        () => finish(other, engineAt(index + 1), ended(claim, "failed")),
      ]),
      5,
    );
    const rows = await sql<{ status: string; record: string; after: string }[]>`
      select t.status, a.status as record, b.status as after
      from task_run t join task_run_attempt a on a.team_id = t.team_id and a.task_run_id = t.id
      join task_run b on b.team_id = t.team_id and b.run_id = t.run_id and b.name = 'b'
      where t.team_id = ${team} and t.name = 'a'`;
    expect(rows).toHaveLength(40);
    for (const row of rows) expect(row).toMatchObject({ status: row.record, after: "ready" });
    await expectSound(team);
  });

  test("an attempt that was reclaimed can no longer end anything", async () => {
    const team = await kit.team();
    await kit.workflow(team, "one", workflow(node("a", "script", ["start"], script)));
    const [first, second] = [await newWorker(), await newWorker()];
    await kit.submit(team, "one", { start: true });
    const [old] = (await claimAll(first)) as [Claim];
    await kit.driver.advance([{ teamId: team, id: old.runId, events: [{ kind: "lost", taskRunId: old.id, attempt: old.attempt }] }]);
    const [current] = (await claimAll(second)) as [Claim];
    await Promise.all([
      engineAt(0).driver.advance([ended(old, "failed")]),
      engineAt(1).completer.complete([ended(old, "failed")], noClaims(first)),
    ]);
    expect((await kit.tasks(team, old.runId)).find((task) => task.name === "a")).toMatchObject({
      status: "running",
      attempt: 2,
      workerId: second,
    });
    await kit.driver.advance([ended(current)]);
    expect((await kit.run(team, old.runId)).status).toBe("succeeded");
  });
});

test("ends that are reported together all count, also where this process did not know of each claim", async () => {
  const team = await kit.team();
  await kit.workflow(team, "pair", workflow(node("a", "script", ["start"], script), node("b", "script", ["start"], script)));
  const worker = await newWorker();
  const { id } = await kit.submit(team, "pair", { start: true });
  const engine = engineAt(0);
  await engine.driver.advance([{ teamId: team, id, events: [{ kind: "look" }] }]);
  const [first, second] = (await claimAll(worker)) as [Claim, Claim];
  engine.context.states.claimed(first, worker);
  await engine.completer.complete([{ teamId: team, id, events: [...ended(first).events, ...ended(second).events] }], noClaims(worker));
  expect((await kit.run(team, id)).status).toBe("succeeded");
});

test("cancel, claim and end at the same moment leave a run that is over, with all its attempts recorded", async () => {
  const team = await kit.team();
  const pair = workflow(
    node("a", "script", ["start"], script),
    node("b", "script", ["start"], script),
    node("c", "script", ["a", "b"], script),
  );
  await kit.workflow(team, "pair", pair);
  const worker = await newWorker();
  const runs = [];
  for (let index = 0; index < 100; index++) runs.push(await kit.submit(team, "pair", { start: true }));
  const cancel = runs.map(
    ({ id }, index) =>
      () =>
        engineAt(index).driver.advance([{ teamId: team, id, events: [{ kind: "cancel", message: "stop" }] }]),
  );
  const claimAndEnd = Array.from({ length: 60 }, (_, index) => async () => {
    const engine = engineAt(index);
    const claims = await claimTaskRuns(engine.sql, worker, 3, ["process"], []);
    for (const claim of claims) engine.context.states.claimed(claim, worker);
    for (const claim of claims) await engine.completer.complete([ended(claim)], noClaims(worker));
  });
  await Promise.all([
    inParallel(
      cancel.map((one) => [one]),
      6,
    ),
    inParallel(
      claimAndEnd.map((one) => [one]),
      6,
    ),
  ]);
  for (const claim of await claimAll(worker)) await kit.driver.advance([ended(claim)]);
  const counts = await countRuns(team);
  expect((counts.cancelled ?? 0) + (counts.succeeded ?? 0)).toBe(100);
  await expectSound(team);
});

test("a callback and the wait for it that come at the same moment always meet", async () => {
  const team = await kit.team();
  const hears = workflow(
    node("a", "script", ["start"], script),
    node("hear", "eventwait", ["a"], { params: [{ name: "topic", value: "go" }] }),
  );
  await kit.workflow(team, "hears", hears);
  const worker = await newWorker();
  for (let index = 0; index < 80; index++) await kit.submit(team, "hears", { start: true });
  const claims = await claimAll(worker);
  await Promise.all(
    engines.map((engine) => engine.driver.advance(claims.map(({ teamId, runId }) => ({ teamId, id: runId, events: [{ kind: "look" }] })))),
  );
  const callback = (engine: Engine, runId: string) =>
    transaction(engine.sql, (tx) =>
      deliverCallback(tx, engine.context, { teamId: team, runId, topic: "go", status: "succeeded", payload: 1 }),
    );
  await inParallel(
    claims.map((claim, index) => [
      () => engineAt(index).completer.complete([ended(claim)], noClaims(worker)),
      () => callback(engineAt(index + 1), claim.runId),
    ]),
    6,
  );
  expect(await countRuns(team)).toEqual({ succeeded: 80 });
});

test("two engines with the same runs submit each child, take each lock and wake each sleep once", async () => {
  const team = await kit.team();
  const value = (name: string, text: unknown) => ({ name, value: text });
  await kit.workflow(
    team,
    "child",
    workflow(node("r", "setwfproperty", ["start"], { params: [value("output", "r"), value("value", "1")] })),
    { params: [] },
  );
  const both = workflow(
    node("lock", "acquirelock", ["start"], { params: [value("key", "one")] }),
    node("nap", "sleep", ["lock"], { params: [value("duration", 1)] }),
    node("call", "runworkflow", ["nap"], { params: [value("workflowRef", "child"), value("wait", "true")] }),
    node("free", "releaselock", ["call"], { params: [value("key", "one")] }),
  );
  await kit.workflow(team, "both", both);
  const runs = 16;
  await Promise.all(Array.from({ length: runs }, (_, index) => engineAt(index).submit(team, "both")));
  const isOver = async () => (await countRuns(team)).succeeded === 2 * runs;
  await until(async () => {
    await Promise.all(engines.map((engine) => engine.driver.tick()));
    return isOver();
  }, "all runs and their children are over");
  const [row] = await sql<{ children: number; parents: number; twice: number; locks: number; signals: number }[]>`
    select (select count(*)::int from run where team_id = ${team} and parent_run_id is not null) as children,
           (select count(distinct parent_run_id)::int from run where team_id = ${team}) as parents,
           (select count(*)::int from task_run where team_id = ${team} and attempt <> 1) as twice,
           (select count(*)::int from task_lock where team_id = ${team}) as locks,
           (select count(*)::int from run_signal where team_id = ${team}) as signals`;
  expect(row).toEqual({ children: runs, parents: runs, twice: 0, locks: 0, signals: 0 });
});

describe("a worker", () => {
  test("whose lease is over claims nothing: nobody would notice that it was lost", async () => {
    const team = await kit.team();
    await kit.workflow(team, "one", workflow(node("a", "script", ["start"], script)));
    const { id } = await kit.submit(team, "one", { start: true });
    const worker = await newWorker();
    await sql`update worker set lease_until = db_now() where id = ${worker}`;
    const change: RunWork = { teamId: team, id, events: [{ kind: "look" }] };
    expect(await claimTaskRuns(sql, worker, 1, ["process"], [])).toEqual([]);
    expect((await engineAt(0).completer.complete([change], { ...noClaims(worker), wanted: 1 })) ?? []).toEqual([]);
    await kit.driver.advance([{ teamId: team, id, events: [{ kind: "cancel", message: "over" }] }]);
  });

  test("never runs more than its slots, with any overlap of claims", async () => {
    const team = await kit.team();
    const wide = Array.from({ length: 40 }, (_, index) => node(`n${index}`, "script", ["start"], script));
    await kit.workflow(team, "wide", workflow(...wide));
    let open = 0;
    let most = 0;
    const executor = testExecutor(async () => {
      open += 1;
      most = Math.max(most, open);
      for (let turns = 0; turns < 3; turns++) await new Promise((resolve) => setImmediate(resolve));
      open -= 1;
      return {};
    });
    const one = engineNode(address, { executor, slots: 4 });
    await one.start();
    for (let index = 0; index < 2; index++) await kit.submit(team, "wide", { start: true });
    const poke = setInterval(() => one.bus.wake("tasks"), 3);
    await until(async () => (await countRuns(team)).succeeded === 2, "all runs are over");
    clearInterval(poke);
    expect(await sql`select name from task_run where team_id = ${team} and attempt > 1`).toEqual([]);
    await one.stop();
    expect(most).toBeLessThanOrEqual(4);
    await expectSound(team);
  });

  test("that stops during a claim returns the claimed task runs", async () => {
    const team = await kit.team();
    await kit.workflow(team, "one", workflow(node("a", "script", ["start"], script)));
    for (let round = 0; round < 10; round++) {
      const one = engineNode(address, { executor: testExecutor((_job, _script, _print, stopped) => stopped.then(() => ({}))), graceMs: 1 });
      await one.start();
      await kit.submit(team, "one", { start: true });
      one.bus.wake("tasks");
      for (let turns = 0; turns < round * 3; turns++) await new Promise((resolve) => setImmediate(resolve));
      await one.stop();
      const held = await sql`select name from task_run where team_id = ${team} and status = 'running'`;
      expect(held).toEqual([]);
    }
    await expectSound(team);
  });
});
