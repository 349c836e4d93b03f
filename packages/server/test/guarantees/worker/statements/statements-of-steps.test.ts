import { afterAll, expect, test } from "vitest";
import { createLog } from "../../../../src/base/process/log.ts";
import { channels } from "../../../../src/domain/run/report-changes.ts";
import { AttemptCompleter } from "../../../../src/engine/attempt-finisher.ts";
import { ExecutorSet } from "../../../../src/engine/executor-set.ts";
import { prepareJobs } from "../../../../src/engine/prepare-jobs.ts";
import { Worker } from "../../../../src/engine/worker.ts";
import { testDatabase } from "../../../kit/database.ts";
import { engineKit } from "../../../kit/engine-kit.ts";
import { node, workflow } from "../../../kit/run-simulator.ts";
import { until } from "../../../kit/until.ts";
import { testExecutor } from "../../../kit/worker/test-executor.ts";

/** A worker of the service that looks for work only when it is woken. */
const statements: string[] = [];
const { sql } = await testDatabase({ onStatement: (text) => void statements.push(text) });
const kit = engineKit(sql);
const limits = { memoryBytes: 2 ** 28, processes: 64, outputBytes: 2 ** 20, resultBytes: 2 ** 20 };
const count = (name: string) => statements.filter((text) => text.includes(`${name}(`)).length;

/** @param afterwards runs after each statement that ends attempts, before the worker gets the response */
async function startWorker(slots: number, afterwards = async () => {}): Promise<void> {
  const executors = new ExecutorSet([testExecutor(async () => ({}))]);
  const completer = new AttemptCompleter({ sql, context: kit.context, bus: kit.bus, driver: kit.driver });
  const workerId = await kit.worker({ slots });
  const worker = new Worker({
    ...{ sql, bus: kit.bus, log: createLog("silent"), executors, workerId, slots, labels: [], graceMs: 10_000 },
    prepare: (claims) => prepareJobs(sql, kit.context, { executors, workspacesDir: "/nonexistent", limits }, claims),
    async complete(work, next) {
      const claims = await completer.complete(work, next);
      await afterwards();
      return claims;
    },
    claimed(claims) {
      for (const claim of claims) kit.context.states.claimed(claim, workerId);
    },
  });
  const ignore = kit.bus.onWake(channels.tasks, () => void worker.tick());
  stops.push(() => {
    ignore();
    return worker.close();
  });
}

const stops: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(stops.map((stop) => stop())));

async function makeChain(length: number) {
  const team = await kit.team();
  const steps = Array.from({ length }, (_, index) =>
    node(`step-${index}`, "script", [index === 0 ? "start" : `step-${index - 1}`], { params: [{ name: "script", value: ":" }] }),
  );
  await kit.workflow(team, "chain", workflow(...steps));
  const submit = async () => {
    const run = await kit.submit(team, "chain", { start: true });
    // The end of a step is computed from what the process has in memory.
    kit.context.states.put(run);
    kit.bus.wake(channels.tasks);
    return run.id;
  };
  const isOver = (id: string) => until(async () => (await kit.run(team, id)).phase === "completed", "the run has ended");
  return { submit, isOver };
}

test("one statement ends a step and claims the next one, without further queries", async () => {
  await startWorker(4);
  const { submit, isOver } = await makeChain(20);
  statements.length = 0;
  await isOver(await submit());
  // Fewer than 20: if the run is being changed at that moment, the step uses the variant that locks first.
  expect(count("complete_and_claim")).toBeGreaterThan(17);
  // These belong to the submission and the last end, not to each step.
  expect(count("claim_task_runs")).toBeLessThan(5);
  await stops.pop()?.();
});

test("work that becomes ready during the claim of a full worker does not wait", async () => {
  let later: Promise<string> | undefined;
  const { submit, isOver } = await makeChain(1);
  await startWorker(1, async () => {
    later ??= submit();
    await later;
    // The notification has arrived by then.
    await new Promise((resolve) => setImmediate(resolve));
  });
  await isOver(await submit());
  await until(() => later !== undefined, "the end of the first was recorded");
  await isOver((await later) as string);
});
