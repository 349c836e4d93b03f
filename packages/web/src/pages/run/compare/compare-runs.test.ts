import { expect, test } from "vitest";
import type { TaskRun } from "../../../api/queries/task/task-catalog.ts";
import { compareTasks, compareValues, partedAt, withTwoLogs } from "./compare-runs.ts";

test("values are compared by name; secrets are never shown, and count as equal", () => {
  const mine = [
    { name: "order", value: "A-2345" },
    { name: "sizes", value: [1, 2] },
    { name: "token", hiddenValue: true },
    { name: "dry", value: false },
  ];
  const others = [
    { name: "order", value: "A-2344" },
    { name: "sizes", value: [1, 2] },
    { name: "token", hiddenValue: true },
    { name: "city", value: "Oslo" },
  ];
  expect(compareValues(mine, others, "hidden").map(({ name, change, thisText, otherText }) => [name, change, thisText, otherText])).toEqual(
    [
      ["order", "changed", "A-2345", "A-2344"],
      ["sizes", "same", "[\n  1,\n  2\n]", "[\n  1,\n  2\n]"],
      ["token", "same", "hidden", "hidden"],
      ["dry", "onlyThis", "false", undefined],
      ["city", "onlyOther", undefined, "Oslo"],
    ],
  );
});

const task = (name: string, status: TaskRun["status"], duration: number, more: Partial<TaskRun> = {}): TaskRun =>
  ({ name, status, duration, startTime: "2026-05-04T06:00:00.000Z", ...more }) as TaskRun;

test("a task has changed if its status, its decision or noticeably its duration differs", () => {
  const mine = [
    task("load", "succeeded", 9_000),
    task("check", "failed", 100),
    task("choose", "succeeded", 5, { decisionValue: "north" }),
    task("count", "succeeded", 1_200),
    task("new", "succeeded", 1),
    task("load[1]", "failed", 1, { item: 0 }),
  ];
  const others = [
    task("load", "succeeded", 3_000),
    task("check", "succeeded", 100),
    task("choose", "succeeded", 5, { decisionValue: "south" }),
    task("count", "succeeded", 900),
    task("old", "succeeded", 1),
  ];
  const compared = compareTasks(mine, others);
  expect(Object.fromEntries(compared.map(({ name, change }) => [name, change]))).toEqual({
    load: "changed",
    check: "changed",
    choose: "changed",
    count: "same",
    new: "onlyThis",
    old: "onlyOther",
  });
  expect(compared.find(({ name }) => name === "load")?.slowerMs).toBe(6_000);
});

test("runs diverge at the task that only one of them ran", () => {
  const skipped = { startTime: undefined } as Partial<TaskRun>;
  const compared = compareTasks(
    [task("a", "succeeded", 1), task("north", "succeeded", 1), task("south", "skipped", 0, skipped)],
    [task("a", "succeeded", 1), task("north", "skipped", 0, skipped), task("south", "succeeded", 1)],
  );
  expect(partedAt(compared).map(({ name }) => name)).toEqual(["north", "south"]);
});

test("logs are compared for tasks that wrote one in both runs: newly failed tasks first, then other changes", () => {
  const script = { type: "script" as const };
  const mine = [
    task("same", "succeeded", 10, script),
    task("slower", "succeeded", 9_000, script),
    task("bad", "failed", 10, script),
    task("route", "succeeded", 0, { type: "decision" }),
    task("new", "succeeded", 10, script),
  ];
  const others = [
    ...[task("same", "succeeded", 10, script), task("slower", "succeeded", 10, script), task("bad", "succeeded", 10, script)],
    task("route", "succeeded", 0, { type: "decision" }),
  ];
  expect(withTwoLogs(compareTasks(mine, others)).map(({ name }) => name)).toEqual(["bad", "slower", "same"]);
});
