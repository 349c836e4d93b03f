import { mkdtempSync, rmSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLog } from "../../../src/base/process/log.ts";
import { createPool, type Database } from "../../../src/store/database/database.ts";
import { migrate } from "../../../src/store/database/schema/migrate.ts";
import { EmbeddedServer } from "../../../src/store/embedded/embedded.ts";
import { type EngineKit, engineKit } from "../../kit/engine-kit.ts";
import { type EngineNode, engineNode } from "../../kit/run/engine-node.ts";
import { node, workflow } from "../../kit/run-simulator.ts";
import { until } from "../../kit/until.ts";
import { testExecutor } from "../../kit/worker/test-executor.ts";

// A database server for this file alone is stopped without a clean shutdown, also during recovery; a supervisor restarts it, as in
// production.

const folder = mkdtempSync("/tmp/millrace-outage-");
const played = new Map<string, number>();
const executor = testExecutor(async (job, _script, print) => {
  const key = `${job.taskRunId} ${job.attempt}`;
  played.set(key, (played.get(key) ?? 0) + 1);
  print("working");
  await pause(10);
  return {};
});
let server: EmbeddedServer;
let sql: Database;
let kit: EngineKit;
let nodes: EngineNode[];

beforeAll(async () => {
  server = await EmbeddedServer.start({ folder: `${folder}/postgres`, log: createLog("silent"), settings: { fsync: "on" } });
  sql = createPool(server.address, { maxConnections: 4 });
  await migrate(sql);
  kit = engineKit(sql);
  nodes = [0, 1].map(() => engineNode(server.address, { executor, slots: 4, leaseSeconds: 6 }));
  for (const one of nodes) await one.start();
}, 120_000);

afterAll(async () => {
  for (const one of nodes ?? []) await one.stop();
  await sql?.end({ timeout: 1 });
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

/** Like a power cut, except that what the kernel has not yet written to disk is not lost. */
function stopImmediately(): void {
  if (server.processId !== undefined) process.kill(server.processId, "SIGQUIT");
}

/** Polls until the server responds again. */
async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  let answer: { value: T } | undefined;
  await until(async () => {
    answer = await ask().then(
      (value) => ({ value }),
      () => undefined,
    );
    return answer !== undefined;
  }, "the database answers");
  return (answer as unknown as { value: T }).value;
}

test("engine and worker continue by themselves after the database was stopped, also during its recovery", {
  timeout: 120_000,
}, async () => {
  const script = { params: [{ name: "script", value: "true" }] };
  const names = ["a", "b", "c", "d"];
  const team = await kit.team({ maxConcurrentRuns: 4 });
  const fan = workflow(
    ...names.map((name) => node(name, "script", ["start"], script)),
    node("nap", "sleep", names, { params: [{ name: "duration", value: 20 }] }),
    node("last", "script", ["nap"], script),
  );
  await kit.workflow(team, "fan", fan);
  const accepted: string[] = [];
  for (let index = 0; index < 30; index++) accepted.push((await kit.submit(team, "fan")).id);
  for (const one of nodes) one.bus.wake("engine");
  const countOver = async () =>
    (await sql<{ count: number }[]>`select count(*)::int as count from run where phase = 'completed'`)[0]?.count ?? 0;
  for (const goal of [3, 8, 13]) {
    await until(async () => (await patiently(countOver)) >= goal, `${goal} runs are over`);
    const before = server.processId;
    stopImmediately();
    await until(() => server.processId !== before && server.processId !== undefined, "the server is started again");
    // The server is now recovering, or has just finished.
    if (goal === 8) stopImmediately();
    accepted.push((await patiently(() => kit.submit(team, "fan"))).id);
  }
  await until(async () => (await patiently(countOver)) >= accepted.length, "every run is over");
  const rows = await sql<{ id: string; status: string }[]>`select id, status from run where id = any(${accepted})`;
  expect(rows.map(({ status }) => status)).toEqual(accepted.map(() => "succeeded"));
  const records = await sql<
    { id: string; attempt: number; status: string }[]
  >`select task_run_id as id, attempt, status from task_run_attempt`;
  expect(new Set(records.map(({ id, attempt }) => `${id} ${attempt}`)).size).toBe(records.length);
  for (const { id, attempt, status } of records) {
    const times = played.get(`${id} ${attempt}`) ?? 0;
    expect(times, `attempt ${attempt} of ${id} (${status})`).toBe(status === "lost" ? Math.min(times, 1) : 1);
  }
});

test("a process can be stopped although its database does not come back", { timeout: 60_000 }, async () => {
  const team = await kit.team();
  await kit.workflow(team, "long", workflow(node("a", "script", ["start"], { params: [{ name: "script", value: "true" }] })));
  let hasBegun = false;
  const long = testExecutor(async (_job, _script, print, stopped) => {
    print("working");
    hasBegun = true;
    await stopped;
    return {};
  });
  for (const one of nodes.splice(0)) await one.stop();
  const one = engineNode(server.address, { executor: long, slots: 1, graceMs: 10 });
  await one.start();
  await kit.submit(team, "long", { start: true });
  one.bus.wake("tasks");
  await until(() => hasBegun, "the job has begun");
  await server.stop();
  await one.stop();
});
