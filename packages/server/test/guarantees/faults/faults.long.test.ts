import { inflateRawSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { decodeLines } from "../../../src/core/log/log-lines.ts";
import type { DocumentNode } from "../../../src/core/workflow/plan.ts";
import { channels } from "../../../src/domain/run/report-changes.ts";
import type { Executor } from "../../../src/engine/executor.ts";
import { listLogChunks } from "../../../src/store/log/log-chunks.ts";
import { pruneIdle } from "../../../src/store/run/queue/engine-upkeep.ts";
import { type Fault, FaultProxy } from "../../fakes/fault-proxy.ts";
import { testDatabase } from "../../kit/database.ts";
import { engineKit } from "../../kit/engine-kit.ts";
import { engineNode } from "../../kit/run/engine-node.ts";
import { node, workflow } from "../../kit/run-simulator.ts";
import { until } from "../../kit/until.ts";
import { testExecutor } from "../../kit/worker/test-executor.ts";

// Faults on real connections: a proxy cuts them at chosen statements, the server ends sessions, triggers raise errors of a busy server.

const { sql, address } = await testDatabase();
const kit = engineKit(sql);
const value = (name: string, given: unknown) => ({ name, value: given });
const script = { params: [value("script", "true")] };

/** One task of each kind that the engine runs itself. */
const everything: DocumentNode[] = workflow(
  node("lock", "acquirelock", ["start"], { params: [value("key", "shared")] }),
  node("first", "script", ["lock"], script),
  node("wide", "script", ["first"], { ...script, forEach: { items: [1, 2, 3], parallel: 2 } }),
  node("rounds", "script", ["first"], { ...script, loop: { while: { value: "$(loop.index)", matches: "0|1|2" } } }),
  node("retried", "script", ["first"], { ...script, retry: { count: 1, backoffMs: 1 } }),
  node("call", "runworkflow", ["first"], { params: [value("workflowRef", "child"), value("wait", "true")] }),
  node("nap", "sleep", ["first"], { params: [value("duration", 1)] }),
  node("join", "setwfproperty", ["wide", "rounds", "retried", "call", "nap"], { params: [value("output", "joined"), value("value", "1")] }),
  node("free", "releaselock", ["join"], { params: [value("key", "shared")] }),
  node("last", "script", ["free"], script),
);
const child = workflow(node("inner", "script", ["start"], script));

/** How often each attempt was played. */
const played = new Map<string, number>();
const executor = testExecutor(async (job, _script, print) => {
  const key = `${job.taskRunId} ${job.attempt}`;
  played.set(key, (played.get(key) ?? 0) + 1);
  print(`attempt ${job.attempt}, line 1`);
  print(`attempt ${job.attempt}, line 2`);
  await new Promise((resolve) => setImmediate(resolve));
  return job.name === "retried" && job.attempt === 1 ? { status: "failed", reason: "ExitCode" } : {};
});

async function prepare(): Promise<string> {
  const team = await kit.team({ maxConcurrentRuns: 3 });
  await kit.workflow(team, "child", child);
  await kit.workflow(team, "everything", everything);
  return team;
}

async function allOver(team: string, runs: number): Promise<void> {
  await until(async () => {
    const [row] = await sql<{ over: number }[]>`
      select count(*) filter (where phase = 'completed')::int as over from run where team_id = ${team} and parent_run_id is null`;
    return row?.over === runs;
  }, "every run is over");
}

/** Every run succeeded, each thing happened once, and nothing is left behind. */
async function expectRight(team: string, runs: number): Promise<void> {
  const statuses =
    await sql`select status, parent_run_id is null as top, count(*)::int as count from run where team_id = ${team} group by 1, 2 order by 2`;
  expect(statuses).toEqual([
    { status: "succeeded", top: false, count: runs },
    { status: "succeeded", top: true, count: runs },
  ]);
  const wrong = await sql`
    select name, status, attempt from task_run t where team_id = ${team} and (status <> 'succeeded' or worker_id is not null
      or attempt <> case when type = 'script' and not (name in ('wide', 'rounds') and item is null)
                    then (select count(*) from task_run_attempt a where a.team_id = t.team_id and a.task_run_id = t.id) else 1 end)`;
  expect(wrong).toEqual([]);
  const attempts = await sql<{ id: string; attempt: number; status: string; name: string }[]>`
    select a.task_run_id as id, a.attempt, a.status, t.name from task_run_attempt a join task_run t on t.team_id = a.team_id and t.id = a.task_run_id
    where a.team_id = ${team}`;
  expect(new Set(attempts.map(({ id, attempt }) => `${id} ${attempt}`)).size).toBe(attempts.length);
  for (const { id, attempt, status, name } of attempts) {
    const times = played.get(`${id} ${attempt}`) ?? 0;
    if (status === "lost") expect(times).toBeLessThanOrEqual(1);
    else expect({ name, attempt, times }).toEqual({ name, attempt, times: 1 });
    if (status !== "lost") expect(await linesOf(team, id, attempt)).toEqual([`attempt ${attempt}, line 1`, `attempt ${attempt}, line 2`]);
  }
  const [left] = await sql`
    select (select count(*)::int from task_lock where team_id = ${team}) as locks, (select count(*)::int from run_signal where team_id = ${team}) as signals`;
  expect(left).toEqual({ locks: 0, signals: 0 });
}

async function linesOf(team: string, taskRunId: string, attempt: number): Promise<string[]> {
  const chunks = await listLogChunks(sql, team, taskRunId, { attempt, seq: -1 }, { chunks: 100, bytes: Number.MAX_SAFE_INTEGER });
  const own = chunks.filter((chunk) => chunk.attempt === attempt);
  return own.flatMap(({ data }) => decodeLines(inflateRawSync(data).toString())).map((line) => line.text);
}

describe("connections that break", () => {
  const statements = {
    claim: /claim_task_runs/,
    "end and claim": /complete_and_claim/,
    change: /apply_run_changes/,
    "start of queued runs": /claim_active_runs/,
    commit: /^commit/i,
    log: /insert into log_chunk/,
    news: /with clock as/,
    lease: /update worker set lease_until/,
    jobs: /from run where|from task_run/,
  };

  test.each(["after", "before"] as const)("%s the server has executed any statement do no harm", { timeout: 90_000 }, async (how) => {
    const team = await prepare();
    const proxy = await FaultProxy.start(address);
    const nodes = [0, 1].map(() => engineNode(proxy.address, { executor, leaseSeconds: 6, slots: 4 }));
    onTestFinished(() => proxy.stop());
    for (const one of nodes) await one.start();
    const runs = 12;
    proxy.faults.push(...Object.values(statements).map((statement): Fault => ({ statement, how, times: 2 })));
    for (let index = 0; index < runs; index++) await kit.submit(team, "everything");
    nodes[0]?.bus.wake("engine");
    await allOver(team, runs);
    for (const one of nodes) await one.stop();
    const missed = proxy.faults.filter(({ times }) => times === 2).map(({ statement }) => statement.source);
    expect(missed).toEqual([]);
    await expectRight(team, runs);
  });

  test("all at once, repeatedly, cost only time", { timeout: 90_000 }, async () => {
    const team = await prepare();
    const proxy = await FaultProxy.start(address);
    const nodes = [0, 1].map(() => engineNode(proxy.address, { executor, leaseSeconds: 6, slots: 4 }));
    onTestFinished(() => proxy.stop());
    for (const one of nodes) await one.start();
    const runs = 12;
    const cuts = setInterval(() => proxy.cutAll(), 150);
    for (let index = 0; index < runs; index++) await kit.submit(team, "everything");
    nodes[0]?.bus.wake("engine");
    await new Promise((resolve) => setTimeout(resolve, 2000));
    clearInterval(cuts);
    await allOver(team, runs);
    for (const one of nodes) await one.stop();
    await expectRight(team, runs);
  });

  // An unhandled rejection makes the whole test run fail, because it would also end the process.
  test("during a worker's check for lost tasks delay the check, and end nothing", async () => {
    const proxy = await FaultProxy.start(address);
    let stopped = 0;
    const endless = testExecutor(async (_job, _script, _print, isStopped) => {
      await isStopped;
      stopped++;
      return {};
    });
    const one = engineNode(proxy.address, { executor: endless, ignoresNotifications: true });
    onTestFinished(async () => {
      await one.stop();
      await proxy.stop();
    });
    await one.start();
    const team = await kit.team();
    await kit.workflow(team, "endless", child);
    const { id } = await kit.submit(team, "endless");
    one.bus.wake("engine");
    await until(async () => (await kit.tasks(team, id)).some(({ name, status }) => name === "inner" && status === "running"), "it runs");
    await kit.driver.advance([{ teamId: team, id, events: [{ kind: "cancel", message: "Cancelled by another process" }] }]);
    proxy.faults.push({ statement: /update worker set lease_until .* executors/s, how: "before", times: 1 });
    one.bus.deliver(channels.attempts, undefined);
    await until(() => proxy.happened.length === 1, "the look met the fault");
    one.bus.deliver(channels.attempts, undefined);
    await until(() => stopped === 1, "the attempt is stopped");
  });

  test("because the server ends their sessions at random do no harm", { timeout: 90_000 }, async () => {
    const team = await prepare();
    const nodes = [0, 1].map(() => engineNode(address, { executor, leaseSeconds: 6, slots: 4, pool: { applicationName: "victim" } }));
    for (const one of nodes) await one.start();
    const runs = 12;
    for (let index = 0; index < runs; index++) await kit.submit(team, "everything");
    nodes[0]?.bus.wake("engine");
    for (let kills = 0; kills < 40; kills++) {
      await sql`
        select pg_terminate_backend(pid) from (select pid from pg_stat_activity
          where application_name in ('victim', 'millrace listen') and datname = current_database() order by random() limit 2) v`;
    }
    await allOver(team, runs);
    for (const one of nodes) await one.stop();
    await expectRight(team, runs);
  });
});

test("deadlocks, serialization failures and slow statements are retried until they succeed", {
  timeout: 90_000,
}, async () => {
  await sql.unsafe(`
    create sequence fault_number;
    create function raise_now_and_then() returns trigger language plpgsql as $$
    declare number bigint := nextval('fault_number');
    begin
      if number % 19 = 0 then raise exception 'as if' using errcode = '40P01'; end if;
      if number % 23 = 0 then raise exception 'as if' using errcode = '40001'; end if;
      if number % 29 = 0 then raise exception 'as if' using errcode = '57014'; end if;
      return new;
    end $$;
    create trigger faults before update on run for each row execute function raise_now_and_then();
    create trigger faults before update on task_run for each row execute function raise_now_and_then();
    create trigger faults before insert on log_chunk for each row execute function raise_now_and_then();`);
  onTestFinished(async () => {
    await sql.unsafe("drop function raise_now_and_then cascade; drop sequence fault_number");
  });
  const team = await prepare();
  const nodes = [0, 1].map(() => engineNode(address, { executor, leaseSeconds: 6, slots: 4 }));
  for (const one of nodes) await one.start();
  for (let index = 0; index < 8; index++) await kit.submit(team, "everything");
  nodes[0]?.bus.wake("engine");
  await allOver(team, 8);
  for (const one of nodes) await one.stop();
  await expectRight(team, 8);
});

describe("what the engine can't deal with", () => {
  const simple = workflow(node("a", "script", ["start"], script));

  async function expectOthersGoOn(): Promise<void> {
    const team = await kit.team();
    await kit.workflow(team, "simple", simple);
    const { id } = await kit.submit(team, "simple");
    await until(async () => (await kit.run(team, id)).status === "succeeded", "the run of someone else is over");
  }

  async function startNode(play = executor) {
    const one = engineNode(address, { executor: play, slots: 2 });
    await one.start();
    onTestFinished(() => one.stop());
    return one;
  }

  test("a report that the database refuses ends its run, and does not block other reports", async () => {
    const one = await startNode(testExecutor(async (job) => (job.name === "poison" ? { message: "a \u0000 b" } : {})));
    const team = await kit.team();
    await kit.workflow(team, "poison", workflow(node("poison", "script", ["start"], script)));
    const { id } = await kit.submit(team, "poison");
    one.bus.wake("engine");
    await until(async () => (await kit.run(team, id)).phase === "completed", "the poisoned run is over");
    await expectOthersGoOn();
  });

  test("an executor that throws loses the attempt, not the process", async () => {
    let started = 0;
    const start: Executor["start"] = (job, onLine) => {
      started++;
      if (started === 1) throw new Error("as if the executor had a bug");
      return started === 2 ? { done: Promise.reject(new Error("as if")), stop: () => undefined } : executor.start(job, onLine);
    };
    const one = await startNode({ ...executor, start });
    const team = await kit.team();
    await kit.workflow(team, "simple", simple);
    const { id } = await kit.submit(team, "simple");
    one.bus.wake("engine");
    await until(async () => (await kit.run(team, id)).status === "succeeded", "the third attempt succeeded");
    expect(started).toBe(3);
  });

  test("a signal to a deleted run is removed", async () => {
    const team = await kit.team();
    await sql`insert into run_signal (team_id, run_id, kind) values (${team}, ${team}, 'cancel')`;
    await kit.settle();
    await pruneIdle(sql);
    expect(await sql`select 1 from run_signal where team_id = ${team}`).toEqual([]);
  });

  test("an automatic retry that is refused is not tried forever", async () => {
    const team = await kit.team();
    await kit.workflow(team, "fails", workflow(node("s", "setwfstatus", ["start"], { params: [value("status", "failed")] })), {
      retries: 1,
    });
    await kit.submit(team, "fails", { start: true });
    await sql`update team set status = 'inactive' where id = ${team}`;
    await startNode();
    await until(async () => (await sql`select 1 from run_signal where team_id = ${team}`).length === 0, "the retry is given up");
    await expectOthersGoOn();
  });

  test("a run with a broken workflow ends as invalid", async () => {
    const team = await kit.team();
    await kit.workflow(team, "broken", simple);
    const queued = await kit.submit(team, "broken");
    await sql`update workflow_version set document = '{"tasks":[{"name":"x","type":"script","dependencies":[{"taskRef":"nowhere"}]}]}' where team_id = ${team}`;
    const one = await startNode();
    one.bus.wake("engine");
    await until(async () => (await kit.run(team, queued.id)).status === "invalid", "the broken run is over");
    await expectOthersGoOn();
  });
});
