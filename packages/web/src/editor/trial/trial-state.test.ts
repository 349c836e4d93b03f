import { expect, test } from "vitest";
import type { TaskRun } from "../../api/queries/task/task-catalog.ts";
import type { TaskPin } from "../../api/queries/workflow/trials.ts";
import { draftOf } from "../draft/draft.ts";
import { changeTask, moveTasks, renameTask } from "../draft/graph-edits.ts";
import { outputsOf, pinsFor, type StartedTrial, stampsOf, trialMarks, valuesBefore } from "./trial-state.ts";

const draft = draftOf({
  name: "w",
  tasks: [
    { name: "start" },
    { name: "a", taskRef: "shell", dependencies: [{ taskRef: "start" }] },
    { name: "b", taskRef: "shell", dependencies: [{ taskRef: "a" }] },
    { name: "c", taskRef: "shell", dependencies: [{ taskRef: "start" }] },
  ],
});
const ran = (name: string, value: unknown, more: Partial<TaskRun> = {}) =>
  ({ name, status: "succeeded", results: [{ name: "out", value }], ...more }) as TaskRun;
const trial = (id: string, ...tasks: TaskRun[]) => ({
  started: { id, scope: {}, stamps: stampsOf(draft), isOfDraft: true } as StartedTrial,
  tasks,
});
const staleOf = (now: typeof draft) =>
  [...outputsOf(now, [trial("r1", ran("a", 1), ran("b", 2), ran("c", 3))])].filter(([, { isStale }]) => isStale).map(([name]) => name);

test("a change makes the output of the task and of all later tasks stale, and nothing else", () => {
  expect(staleOf(draft)).toEqual([]);
  expect(staleOf(changeTask(draft, "a", (task) => ({ ...task, timeout: 3 })))).toEqual(["a", "b"]);
  expect(staleOf(changeTask(draft, "b", (task) => ({ ...task, timeout: 3 })))).toEqual(["b"]);
});

test("moving a task on the canvas makes nothing stale", () => {
  expect(staleOf(moveTasks(draft, new Map([["a", { x: 900, y: 900 }]])))).toEqual([]);
});

test("the output comes from the last trial of the task, except if it was pinned there or still runs", () => {
  const outputs = outputsOf(draft, [
    trial("new", ran("a", 9, { pinned: true }), ran("b", 8), ran("c", 7, { status: "running" })),
    trial("old", ran("a", 1), ran("b", 2), ran("c", 3)),
  ]);
  expect([...outputs].map(([name, { run, task }]) => [name, run, task.results?.[0]?.value])).toEqual([
    ["b", "new", 8],
    ["a", "old", 1],
    ["c", "old", 3],
  ]);
});

const values = {
  pins: new Map([["a", { results: [{ name: "out", value: "pinned" }] }]]),
  outputs: outputsOf(draft, [trial("r", ran("a", 1), ran("b", 2, { decisionValue: "gold" }), ran("c", 3))]),
};

test("a single task is tried with pinned outputs of earlier tasks, or else their last ones, never with those of later tasks", () => {
  expect(pinsFor(draft, { only: "b" }, values)).toEqual({ a: values.pins.get("a") });
  expect(valuesBefore(draft, "b", { ...values, pins: new Map() })).toEqual({
    a: { status: "succeeded", results: [{ name: "out", value: 1 }] },
  });
});

test("a trial up to a task runs it and all earlier tasks that are not pinned; pins of removed tasks don't count", () => {
  const pins = new Map<string, TaskPin>([...values.pins, ["b", {}], ["gone", {}]]);
  expect(Object.keys(pinsFor(draft, { upTo: "b" }, { ...values, pins }))).toEqual(["a"]);
  expect(Object.keys(pinsFor(draft, {}, { ...values, pins }))).toEqual(["a", "b"]);
});

test("the canvas marks how the last trial ended, whether it is old, and what is pinned", () => {
  const now = changeTask(renameTask(draft, "c", "d"), "b", (task) => ({ ...task, timeout: 3 }));
  const outputs = outputsOf(now, [trial("r", ran("a", 1), ran("b", 2, { status: "failed" }))]);
  const { pins } = values;
  const marks = (stale: string[]) => [...trialMarks({ outputs, pins }, new Set(stale))];
  expect(marks([])).toEqual([
    ["a", "succeeded||pinned"],
    ["b", "failed|stale|"],
  ]);
  expect(marks(["a"])[0], "the pin is older than the task").toEqual(["a", "succeeded|stale|pinned"]);
});
