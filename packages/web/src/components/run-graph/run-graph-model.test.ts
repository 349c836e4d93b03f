import type { Status, TaskType } from "@millrace/contract/status.ts";
import { expect, test } from "vitest";
import type { TaskRun } from "../../api/queries/task/task-catalog.ts";
import { rankLayout } from "./rank-layout.ts";
import { countStatuses, itemCounts, runGraph } from "./run-graph-model.ts";

const task = (name: string, status: Status, more: Partial<TaskRun> = {}): TaskRun => ({ name, status, type: "script", ...more }) as TaskRun;
const node = (name: string, from?: string, condition?: object, type: TaskType = "script") => ({
  name,
  type,
  ...(from !== undefined && { dependencies: [{ taskRef: from, ...condition }] }),
});

test.each([
  ["always", "failed", "succeeded", "taken"],
  ["success", "succeeded", "running", "taken"],
  ["success", "failed", "skipped", "refused"],
  ["failure", "timedout", "running", "taken"],
  ["failure", "succeeded", "skipped", "refused"],
  ["always", "skipped", "skipped", "refused"],
  ["success", "running", "notstarted", "open"],
] as const)("a link that asks for %s, from a task that is %s to one that is %s, is %s", (executionCondition, from, to, state) => {
  const graph = runGraph([node("a"), node("b", "a", { executionCondition })], [task("a", from), task("b", to)]);
  expect(graph.edges).toMatchObject([{ from: "a", to: "b", state }]);
});

test("of a switch the way to what was not skipped is taken, and each way says its patterns", () => {
  const graph = runGraph(
    [node("which", undefined, {}, "decision"), node("gold", "which", { decisionCondition: "gold\nsilver" }), node("rest", "which")],
    [task("which", "succeeded", { type: "decision", decisionValue: "gold" }), task("gold", "running"), task("rest", "skipped")],
  );
  expect(graph.edges.map(({ label, state }) => [label, state])).toEqual([
    ["gold or silver", "taken"],
    ["otherwise", "refused"],
  ]);
});

test("the items of a list are counted at their task, and with all tasks, once each", () => {
  const each = task("each", "waiting", { items: { total: 4, statuses: { succeeded: 1, failed: 1, running: 1, ready: 1 } } });
  expect(itemCounts(each)).toEqual({ all: 4, over: 2, running: 1, failed: 1 });
  expect(itemCounts(task("plain", "running"))).toBeUndefined();
  const all = [task("start", "succeeded"), each, task("each[3]", "failed", { item: 3 })];
  expect([...countStatuses(all)]).toEqual([
    ["succeeded", 2],
    ["waiting", 1],
    ["failed", 1],
    ["running", 1],
    ["ready", 1],
  ]);
});

test("a large graph is laid out in columns by the longest path", () => {
  const sized = ["a", "b", "c", "d"].map((id) => ({ id, width: 100, height: 40 }));
  const points = rankLayout(sized, [
    { from: "a", to: "b" },
    { from: "b", to: "c" },
    { from: "a", to: "c" },
    { from: "a", to: "d" },
  ]);
  expect(["a", "b", "c", "d"].map((id) => points.get(id)?.x)).toEqual([0, 172, 344, 172]);
  expect(points.get("b")?.y).not.toBe(points.get("d")?.y);
});
