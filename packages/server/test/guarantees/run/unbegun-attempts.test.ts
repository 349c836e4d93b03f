import { expect, test } from "vitest";
import { createLog } from "../../../src/base/process/log.ts";
import { AttemptCompleter } from "../../../src/engine/attempt-finisher.ts";
import type { Job } from "../../../src/engine/executor.ts";
import { ExecutorSet } from "../../../src/engine/executor-set.ts";
import { prepareJobs } from "../../../src/engine/prepare-jobs.ts";
import { Worker } from "../../../src/engine/worker.ts";
import type { Claim } from "../../../src/store/worker/workers.ts";
import { testDatabase } from "../../kit/database.ts";
import { engineKit } from "../../kit/engine-kit.ts";
import { node, workflow } from "../../kit/run-simulator.ts";
import { until } from "../../kit/until.ts";
import { testExecutor } from "../../kit/worker/test-executor.ts";

/**
 * Attempts that reach a worker and can't start there. A report of an end claims the next task run in the same statement, so an attempt may
 * reach a worker that has closed by then; and if a response is lost, the worker never learns of the attempt. The node has `onLost: fail`.
 */
const { sql } = await testDatabase();
const kit = engineKit(sql);
const log = createLog("silent");

const limits = { memoryBytes: 2 ** 28, processes: 64, outputBytes: 2 ** 20, resultBytes: 2 ** 20 };

/** @param complete replaces the handling of reported ends, and gets the usual handling */
async function makeWorker(complete: (usual: () => Promise<Claim[] | undefined>) => Promise<Claim[] | undefined> = (usual) => usual()) {
  /** Numbers of attempts. */
  const begun: number[] = [];
  const play = async ({ attempt }: Job) => {
    begun.push(attempt);
    return {};
  };
  const executors = new ExecutorSet([testExecutor(play)]);
  const completer = new AttemptCompleter({ sql, context: kit.context, bus: kit.bus, driver: kit.driver });
  const workerId = await kit.worker({ slots: 1 });
  const worker = new Worker({
    ...{ sql, bus: kit.bus, log, executors, workerId, slots: 1, labels: [], graceMs: 10_000 },
    prepare: (claims) => prepareJobs(sql, kit.context, { executors, workspacesDir: "/nonexistent", limits }, claims),
    complete: (work, next) => complete(() => completer.complete(work, next)),
    claimed: (claims) => {
      for (const claim of claims) kit.context.states.claimed(claim, workerId);
    },
  });
  return { worker, workerId, begun };
}

async function submit(runs: number) {
  const team = await kit.team();
  const more = { onLost: "fail" as const, params: [{ name: "script", value: "true" }] };
  await kit.workflow(team, "one", workflow(node("a", "script", ["start"], more)));
  // A report computes its change from what the process has in memory.
  for (let n = 0; n < runs; n++) kit.context.states.put(await kit.submit(team, "one", { start: true }));
  await kit.settle();
  return team;
}

async function stateOf(team: string) {
  const tasks = await sql<{ status: string }[]>`select status from task_run where team_id = ${team} and name = 'a' order by status`;
  const attempts = await sql<{ status: string }[]>`select status from task_run_attempt where team_id = ${team} order by id`;
  return { tasks: tasks.map(({ status }) => status), attempts: attempts.map(({ status }) => status) };
}

/** Two runs on a worker with one slot. @param close is called between the statement that claims the second task and its response */
async function claimWhileClosing(close: (worker: Worker) => Promise<void>) {
  let closing: Promise<void> | undefined;
  const { worker, begun } = await makeWorker(async (usual) => {
    const claims = await usual();
    closing ??= close(worker);
    return claims;
  });
  const team = await submit(2);
  await worker.tick();
  await until(() => closing !== undefined, "an end was reported");
  await closing;
  return { begun: begun.length, ...(await stateOf(team)) };
}

test("task runs claimed during a shutdown run within the grace period", async () => {
  const closed = await claimWhileClosing((worker) => worker.close());
  expect(closed).toEqual({ begun: 2, tasks: ["succeeded", "succeeded"], attempts: ["succeeded", "succeeded"] });
});

test("tasks that it can no longer start are returned, and do not fail", async () => {
  const closed = await claimWhileClosing((worker) => {
    worker.abandonAll();
    return worker.close(0);
  });
  expect(closed).toEqual({ begun: 1, tasks: ["ready", "succeeded"], attempts: ["succeeded", "lost"] });
});

test("a task claimed for a worker that never learned of it is returned, and does not fail", async () => {
  const { worker, workerId, begun } = await makeWorker();
  const team = await submit(1);
  await worker.releaseUnknown([await kit.claim(workerId, team)]);
  expect({ begun, ...(await stateOf(team)) }).toEqual({ begun: [], tasks: ["ready"], attempts: ["lost"] });
});

test("a late response starts nothing", async () => {
  const { worker, begun } = await makeWorker(async (usual) => {
    const claims = await usual();
    void worker.releaseUnknown((claims ?? []).filter(({ attempt }) => attempt === 1));
    return claims;
  });
  const team = await submit(2);
  await worker.tick();
  await until(async () => (await stateOf(team)).attempts.includes("lost"), "the second task was given back");
  await worker.close();
  expect(begun.filter((attempt) => attempt === 1)).toHaveLength(1);
});
