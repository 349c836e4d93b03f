import { expect, test } from "vitest";
import { activeDeadline, activityOf, wallDeadline, withActivity } from "./run-activity.ts";
import type { TaskState } from "./run-state.ts";

const task = (patch: Partial<TaskState>) => ({ status: "waiting", waitKind: "action", executor: null, ...patch }) as TaskState;

test.each([
  ["nothing at all", [], "none"],
  ["an approval", [task({})], "none"],
  ["an approval beside a task that runs", [task({}), task({ status: "running", waitKind: null })], "active"],
  ["a task that a worker may claim", [task({ status: "ready", waitKind: null, executor: "process" })], "active"],
  ["a task that is held back", [task({ status: "ready", waitKind: "quota", waitKey: "process" })], "wanted"],
  ["a retry that waits for its time", [task({ waitKind: "retry" })], "none"],
  ["tasks that are over or have not begun", [task({ status: "succeeded" }), task({ status: "notstarted" })], "none"],
] as const)("the activity of a run with %s", (_, tasks, activity) => {
  expect(activityOf(tasks)).toBe(activity);
});

test("only active time is counted", () => {
  const started = withActivity({ activity: "none", activeSince: null, activeMs: 0 }, "active", 1000);
  const waits = withActivity(started, "none", 4000);
  const wanted = withActivity(waits, "wanted", 90_000);
  const again = withActivity(wanted, "active", 100_000);
  expect(withActivity(again, "none", 101_000)).toEqual({ activity: "none", activeSince: null, activeMs: 4000 });
  expect(withActivity(again, "active", 105_000), "staying active begins nothing again").toEqual(again);
});

test("the limit of active time ends a run only while it is active, the timeout at its hour", () => {
  const active = { activity: "active", activeSince: 600_000, activeMs: 60_000, maxActiveMinutes: 2 } as const;
  expect(activeDeadline(active)).toBe(660_000);
  expect(activeDeadline({ ...active, activity: "none", activeSince: null })).toBeNull();
  expect(activeDeadline({ ...active, maxActiveMinutes: null })).toBeNull();
  expect(wallDeadline({ startedAt: 1000, timeoutMinutes: 1 })).toBe(61_000);
  expect(wallDeadline({ startedAt: 1000, timeoutMinutes: null })).toBeNull();
});
