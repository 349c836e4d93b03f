import { expect, test } from "vitest";
import type { TaskRun } from "../../api/queries/task/task-catalog.ts";
import { barsOf, rangeOf, ticksOf } from "./timeline-bars.ts";

const at = (ms: number) => new Date(ms).toISOString();
const task = (more: Partial<TaskRun>): TaskRun =>
  ({ name: "work", type: "script", status: "succeeded", attempt: 1, duration: 0, ...more }) as TaskRun;
const shape = (of: TaskRun, now = 10_000) => barsOf(of, now).map(({ kind, from, to, status }) => [kind, from, to, status]);

test("an attempt shows its queue, what it waited for, and its run", () => {
  const attempts = [
    { attempt: 1, status: "succeeded" as const, startTime: at(2_000), endTime: at(5_000), waits: { queue: 500, imagePull: 1_000 } },
  ];
  expect(shape(task({ startTime: at(2_000), duration: 3_000, attempts }))).toEqual([
    ["queue", 1_500, 2_000, "ready"],
    ["wait", 2_000, 3_000, "waiting"],
    ["run", 3_000, 5_000, "succeeded"],
  ]);
});

test("pauses are shown between attempts, and the newest attempt lasts until now", () => {
  const attempts = [{ attempt: 1, status: "failed" as const, startTime: at(1_000), endTime: at(2_000) }];
  expect(shape(task({ status: "running", attempt: 2, startTime: at(4_000), attempts }))).toEqual([
    ["run", 1_000, 2_000, "failed"],
    ["run", 4_000, 10_000, "running"],
  ]);
  expect(shape(task({ status: "waiting", attempt: 1, startTime: at(1_000), attempts }))).toEqual([
    ["run", 1_000, 2_000, "failed"],
    ["wait", 2_000, 10_000, "waiting"],
  ]);
});

test("a task that waits for people is shown as waiting, and one that has not started is not shown", () => {
  expect(shape(task({ type: "approval", status: "succeeded", startTime: at(1_000), duration: 4_000 }))).toEqual([
    ["wait", 1_000, 5_000, "succeeded"],
  ]);
  expect(shape(task({ status: "notstarted", attempt: 0 }))).toEqual([]);
});

test("the range holds all bars, the ticks are round", () => {
  const range = rangeOf([task({ startTime: at(1_000), duration: 59_000 })], 500, 10_000);
  expect(range).toEqual({ from: 500, to: 60_000 });
  expect(ticksOf(range, 5).map(({ ms }) => ms)).toEqual([0, 15_000, 30_000, 45_000]);
});

test.each([
  [300, 5, ["0", "100 ms", "200 ms", "300 ms"]],
  [12_000, 24, ["0", "500 ms", "1.0 s", "1.5 s", "2.0 s"]],
  [1_300, 20, ["0", "100 ms", "200 ms", "300 ms", "400 ms"]],
  [3_720_000, 300, ["0", "15 s", "30 s", "45 s", "1 min"]],
  [3 * 86_400_000, 5, ["0", "1 d", "2 d", "3 d"]],
])("the labels of an axis of %d ms in %d parts begin with %j, and none is there twice", (to, count, begin) => {
  const labels = ticksOf({ from: 0, to }, count).map(({ label }) => label);
  expect(labels.slice(0, 5)).toEqual(begin);
  expect(new Set(labels).size).toBe(labels.length);
});

test("no label appears twice on an axis, whatever its length", () => {
  for (let to = 100; to < 40 * 86_400_000; to = Math.round(to * 1.7))
    for (const count of [1, 3, 8, 40, 320]) {
      const labels = ticksOf({ from: 0, to }, count).map(({ label }) => label);
      expect([to, count, new Set(labels).size]).toEqual([to, count, labels.length]);
      expect(labels.length).toBeLessThanOrEqual(count + 1);
    }
});
