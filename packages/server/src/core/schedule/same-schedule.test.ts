import { expect, test } from "vitest";
import { isSameSchedule } from "./same-schedule.ts";
import type { ScheduleFields } from "./schedule-fields.ts";

const current: ScheduleFields = {
  name: "s",
  description: null,
  type: "cron",
  status: "active",
  labels: { a: "b" },
  cron: "0 3 * * *",
  dateAt: null,
  timezone: "UTC",
  overlapPolicy: "queue",
  catchUpPolicy: "one",
  catchUpWindowMinutes: null,
  jitterSeconds: 0,
  exclusions: [],
  statusMessage: null,
  params: [{ name: "p", value: 1 }],
  nextAt: new Date(0),
  fireAt: new Date(0),
};

test("a schedule is the same whatever follows from the clock, and another with any other setting", () => {
  expect(isSameSchedule({ ...current }, { ...current, nextAt: null, fireAt: null, statusMessage: "x" }, true)).toBe(true);
  const changes: Partial<ScheduleFields>[] = [
    ...[
      { name: "t" },
      { description: "d" },
      { type: "advancedCron" as const },
      { labels: {} },
      { cron: "1 3 * * *" },
      { dateAt: new Date(1) },
    ],
    ...[{ timezone: "Europe/Oslo" }, { overlapPolicy: "skip" as const }, { catchUpPolicy: "all" as const }, { catchUpWindowMinutes: 1 }],
    ...[{ jitterSeconds: 1 }, { exclusions: ["2030-01-01"] }, { params: [] }, { status: "inactive" as const }],
  ];
  for (const change of changes) expect([change, isSameSchedule({ ...current, ...change }, current, true)]).toEqual([change, false]);
});

test.each<[string, ScheduleFields["status"], ScheduleFields["status"], boolean, boolean]>([
  ["it waits for the trigger of its workflow", "active", "trigger_disabled", false, true],
  ["its trigger is on again", "active", "trigger_disabled", true, false],
  ["its only time has passed", "active", "completed", true, true],
  ["it has failed", "active", "error", true, false],
  ["it is to rest", "inactive", "active", true, false],
  ["it is to rest and is over", "inactive", "completed", true, false],
])("the status where %s", (_when, wanted, status, isTriggerEnabled, expected) => {
  expect(isSameSchedule({ ...current, status: wanted }, { ...current, status }, isTriggerEnabled)).toBe(expected);
});
