import type { WorkflowSchedule } from "@millrace/contract/schedule.ts";
import { describe, expect, test } from "vitest";
import { draftOf, fieldOfRefusal, inputOf, newDraft, scheduleFaults } from "./schedule-draft.ts";

const schedule: WorkflowSchedule = {
  id: "one",
  workflowRef: "nightly",
  workflowDisplayName: "Every night",
  name: "Mornings",
  creationDate: "2031-01-01T00:00:00.000Z",
  type: "runOnce",
  status: "active",
  labels: { kind: "report" },
  dateSchedule: "2031-07-01T06:00:00.000Z",
  timezone: "Europe/Berlin",
  params: [{ name: "city", value: "Lyon" }],
  overlapPolicy: "skip",
  catchUpPolicy: "all",
  catchUpWindow: 60,
  jitter: 30,
  exclusions: ["2031-12-25"],
};

describe("a schedule that is changed", () => {
  test("is sent unchanged if nothing was edited, with its date in its time zone", () => {
    const { creationDate: _, status: __, workflowDisplayName: ___, ...rest } = schedule;
    expect(inputOf(draftOf(schedule))).toEqual({ ...rest, description: null, cronSchedule: null, dateSchedule: "2031-07-01T08:00" });
  });

  test("clears the date when it repeats, and the window when that is empty", () => {
    const draft = { ...draftOf(schedule), type: "cron" as const, cron: " 0 8 * * * ", catchUpWindow: "" as const };
    expect(inputOf(draft)).toMatchObject({ cronSchedule: "0 8 * * *", dateSchedule: null, catchUpWindow: null });
  });
});

test("labels are pairs, and parameters that nobody filled in are left out", () => {
  const draft = { ...newDraft("UTC", "nightly"), labels: ["a=b=c", "alone"], params: { city: "Lyon", day: undefined } };
  expect(inputOf(draft)).toMatchObject({ labels: { a: "b=c", alone: "" }, params: [{ name: "city", value: "Lyon" }] });
});

test.each([
  ["SCHEDULE_INVALID_CRON", "anything", "cron"],
  ["SCHEDULE_INVALID_RUNONCE", "anything", "date"],
  ["SCHEDULE_INVALID_REQ", 'The schedule is invalid: There is no time zone "Mars"', "timezone"],
  ["SCHEDULE_INVALID_REQ", 'The schedule is invalid: exclusion "x" is neither a day', "exclusions"],
  ["SCHEDULE_INVALID_REQ", "The schedule is invalid: parameter city is required", "params"],
  ["SCHEDULE_INVALID_REQ", 'The schedule is invalid: parameter "city" is required', "params.city"],
  ["QUOTA_EXCEEDED", "no more", undefined],
])("a refusal %s %s is about %s", (reason, message, field) => {
  expect(fieldOfRefusal({ path: "", reason, message }, newDraft("UTC"), [{ name: "city" }])).toBe(field);
});

test.each([
  ["/params/0/value", "params.city"],
  ["/labels/a", "labels"],
  ["/exclusions/0", "exclusions"],
  ["/status", undefined],
])("what the service refuses at %s stands at %s", (path, field) => {
  const draft = { ...newDraft("UTC"), params: { day: undefined, city: "Lyon" } };
  expect(fieldOfRefusal({ path, reason: "VALIDATION_FAILED", message: "wrong" }, draft, [{ name: "day" }, { name: "city" }])).toBe(field);
});

test("before sending, each field shows what is missing, but not fields of the other kind of schedule", () => {
  const params = [
    { name: "city", required: true },
    { name: "key", type: "password", required: true },
  ];
  const draft = { ...newDraft("UTC"), cron: " " };
  expect(scheduleFaults(draft, params)).toEqual({
    workflow: "Select a workflow.",
    cron: "Enter a cron expression.",
    "params.city": "Enter a value.",
    "params.key": "Enter a value.",
  });
  expect(scheduleFaults({ ...draft, workflow: "nightly", type: "runOnce" }, [])).toEqual({ date: "Enter a date and time." });
  // The secret of an existing schedule is kept.
  expect(scheduleFaults({ ...draftOf(schedule), params: { city: "Lyon" } }, params)).toEqual({});
});
