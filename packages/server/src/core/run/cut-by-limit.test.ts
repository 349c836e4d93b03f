import type { TaskType } from "@millrace/contract/status.ts";
import { expect, test } from "vitest";
import { cutByLimit } from "./cut-by-limit.ts";

const limits = { maxTaskTimeoutMinutes: 90, maxActiveMinutes: 1440 };
const paths = new Map([["a", "/tasks/0"]]);
const task = (type: TaskType, timeout: number | null, params: Record<string, unknown> = {}) => ({
  name: "a",
  type,
  timeout,
  params: Object.entries(params).map(([name, value]) => ({ name, value })),
});

test.each([
  [
    "a script longer than an attempt may take",
    {},
    task("script", 100),
    limits,
    "/tasks/0/timeout",
    /task\/default.timeout ends .* 90 minutes/,
  ],
  [
    "a script longer than a run may be active",
    {},
    task("script", 70),
    { ...limits, maxActiveMinutes: 60 },
    "/tasks/0/timeout",
    /maxWorkflowRunDuration .* 60 active/,
  ],
  [
    "a task longer than its workflow",
    { timeout: 30 },
    task("script", 31),
    limits,
    "/tasks/0/timeout",
    /timeout of the workflow ends the run after 30 minutes/,
  ],
  [
    "a sleep longer than its workflow",
    { timeout: 30 },
    task("sleep", null, { duration: "3600000" }),
    limits,
    "/tasks/0/params/0/value",
    /asks for 60 minutes/,
  ],
  [
    "an approval longer than its workflow",
    { timeout: 60 },
    task("approval", 0, { deadline: 4320 }),
    limits,
    "/tasks/0/params/0/value",
    /asks for 4320 minutes/,
  ],
  [
    "an approval longer than its own task",
    {},
    task("approval", 60, { deadline: 4320 }),
    limits,
    "/tasks/0/params/0/value",
    /timeout of the task ends it after 60 minutes/,
  ],
  ["an event longer than its workflow", { timeout: 60 }, task("eventwait", 90), limits, "/tasks/0/timeout", /workflow .* after 60 minutes/],
  [
    "a lock longer than its workflow",
    { timeout: 5 },
    task("acquirelock", 0, { timeout: 600 }),
    limits,
    "/tasks/0/params/0/value",
    /asks for 10/,
  ],
  [
    "a workflow longer than a run may be active",
    { timeout: 10_000 },
    task("script", 0),
    limits,
    "/timeout",
    /is 10000 .* after 1440 active/,
  ],
] as const)("%s is reported with the number that counts", (_, workflow, node, by, path, message) => {
  expect(cutByLimit({ ...workflow, tasks: [node] }, by, paths)).toEqual([{ path, message: expect.stringMatching(message) }]);
});

test.each([
  ["an approval of three days in a workflow without a timeout", {}, task("approval", 4320, { deadline: 4320 })],
  ["a sleep of a year", { timeout: 0 }, task("sleep", null, { duration: 31_536_000_000 })],
  ["a script that asks for nothing", { timeout: 5 }, task("script", 0)],
  ["a duration that only a run knows", { timeout: 5 }, task("sleep", null, { duration: "$(params.long)" })],
] as const)("nothing is reported for %s", (_, workflow, node) => {
  expect(cutByLimit({ ...workflow, tasks: [node] }, limits, paths)).toEqual([]);
});
