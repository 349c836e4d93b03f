import { expect, test } from "vitest";
import { type ScheduleClock, whyScheduleWaits } from "./why-schedule-waits.ts";

const at = (time: string) => new Date(`2030-01-01T${time}Z`);
const usual: ScheduleClock = { status: "active", createdAt: at("00:00:00"), nextAt: at("03:00:00"), firedAhead: null, now: at("02:30:00") };

test("a schedule that has fired for a time that the clock has not reached says so, and when it continues", () => {
  expect(whyScheduleWaits({ ...usual, firedAhead: at("02:00:00"), now: at("00:30:00") })).toBe(
    "The clock of the database went back: it shows 2030-01-01T00:30:00.000Z, and the time 2030-01-01T02:00:00.000Z has fired already. No time fires twice, so the schedule continues at 2030-01-01T03:00:00.000Z",
  );
});

test("so does one that has never fired, and was created at a time that is still to come", () => {
  expect(whyScheduleWaits({ ...usual, createdAt: at("02:20:00"), now: at("01:00:00") })).toContain(
    "the schedule was created at 2030-01-01T02:20",
  );
});

test("one that was saved meanwhile passes over what has fired", () => {
  const saved = { ...usual, nextAt: at("01:00:00"), firedAhead: at("02:00:00"), now: at("00:30:00") };
  expect(whyScheduleWaits(saved)).toContain("continues after 2030-01-01T02:00");
});

test.each<[string, Partial<ScheduleClock>]>([
  ["as usual", {}],
  ["paused", { status: "inactive", nextAt: null, firedAhead: at("04:00:00") }],
  ["without a next time", { nextAt: null, firedAhead: at("04:00:00") }],
  ["a moment back", { firedAhead: at("02:30:04") }],
])("%s it says nothing", (_, change) => expect(whyScheduleWaits({ ...usual, ...change })).toBeUndefined());
