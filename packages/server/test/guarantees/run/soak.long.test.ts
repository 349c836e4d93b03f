import { expect, test } from "vitest";
import { testDatabase } from "../../kit/database.ts";
import { engineKit } from "../../kit/engine-kit.ts";
import { node, workflow } from "../../kit/run-simulator.ts";

// A fresh database has no statistics, and plans that are good for ten rows are bad for ten thousand: submissions must not become slower.

const { sql } = await testDatabase();
const kit = engineKit(sql);
const result = (output: string) => ({
  params: [
    { name: "output", value: output },
    { name: "value", value: "1" },
  ],
});

const parts = 8;
const runsAPart = 400;

test("thousands of runs later, a run takes as long as at first", { timeout: 120_000 }, async () => {
  const team = await kit.team({ maxConcurrentRuns: 1_000_000 });
  const chain = workflow(
    node("a", "setwfproperty", ["start"], result("x")),
    node("b", "setwfproperty", ["a"], result("y")),
    node("c", "setwfproperty", ["b"], result("z")),
  );
  await kit.workflow(team, "chain", chain);
  const wait = workflow(node("w", "eventwait", ["start"], { params: [{ name: "topic", value: "never" }] }));
  await kit.workflow(team, "wait", wait);
  await measure(team, 100);
  const p95: number[] = [];
  const queued: number[] = [];
  for (let part = 0; part < parts; part++) {
    p95.push(await measure(team, runsAPart));
    queued.push(await drive(team, 100));
    // A bad plan would read all open runs again and again.
    await Promise.all(Array.from({ length: 50 }, () => kit.submit(team, "wait", { start: true })));
  }
  const [direct, driven] = [growth(p95), growth(queued)];
  console.log(
    `p95 of submit to end, by ${runsAPart} runs: ${p95.map((ms) => ms.toFixed(1)).join(", ")} ms; ratio of the last to the first half ${direct.toFixed(2)}`,
  );
  console.log(`100 queued runs: ${queued.map((ms) => ms.toFixed(0)).join(", ")} ms; ratio ${driven.toFixed(2)}`);
  // Other programs of the machine slow down single parts; a plan that reads all rows makes every later part slower than the one before.
  expect(direct).toBeLessThan(4);
  expect(driven).toBeLessThan(4);
});

/** @returns the time, in ms, within which 95 of 100 runs went from submission to end */
async function measure(team: string, runs: number): Promise<number> {
  const times: number[] = [];
  let left = runs;
  const lane = async () => {
    while (left-- > 0) {
      const startedAt = performance.now();
      await kit.submit(team, "chain", { start: true });
      times.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: 4 }, lane));
  return times.sort((one, other) => one - other)[Math.floor(times.length * 0.95)] as number;
}

/** @returns how long, in ms, the engine takes for this many queued runs */
async function drive(team: string, runs: number): Promise<number> {
  await Promise.all(Array.from({ length: runs }, () => kit.submit(team, "chain")));
  const startedAt = performance.now();
  await kit.settle();
  return performance.now() - startedAt;
}

/** Compares the best of the later half with the best of the earlier one, which leaves out random delays. */
function growth(values: readonly number[]): number {
  const half = values.length / 2;
  return Math.min(...values.slice(half)) / Math.min(...values.slice(0, half));
}
