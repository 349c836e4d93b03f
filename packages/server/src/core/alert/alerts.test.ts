import { describe, expect, test } from "vitest";
import { alertHeadline, durationWords, lateRunMessage } from "./alert-words.ts";
import { type Deadline, deadlineAnnotation, deadlineFaults, parseDeadline } from "./deadline.ts";
import { missedTimes, type PlannedTime } from "./missed-times.ts";
import { queueChange } from "./queue-lateness.ts";
import { type AlertLimits, type LateLimit, needsUsualDuration, runLateness } from "./run-lateness.ts";

const limits: AlertLimits = { runPercent: 150, runMinutes: 10, queueMinutes: 20, scheduleMinutes: 5 };
const minuteMs = 60_000;
const at = (minutes: number) => new Date(Date.UTC(2026, 0, 1) + minutes * minuteMs);

describe("when a run is late", () => {
  interface Case {
    deadline?: Deadline;
    /** Minutes. */
    takes?: number;
    /** Minutes after its submission; null: it is queued. */
    startedAt: number | null;
    usual?: [minutes: number, runs: number];
    now: number;
    /** The minute at which it is checked again, or since which it is late. */
    expected: ["later" | LateLimit, minute: number] | ["never"];
  }

  test.each<[string, Case]>([
    ["before its deadline", { deadline: 120 * minuteMs, startedAt: 1, now: 119, expected: ["later", 120] }],
    ["at its deadline", { deadline: 120 * minuteMs, startedAt: 1, now: 120, expected: ["deadline", 120] }],
    ["at its deadline, in the queue", { deadline: 120 * minuteMs, startedAt: null, now: 130, expected: ["deadline", 120] }],
    [
      "a deadline replaces the usual duration",
      { deadline: 120 * minuteMs, startedAt: 1, usual: [2, 50], now: 60, expected: ["later", 120] },
    ],
    ["a short deadline has no minimum", { deadline: minuteMs, startedAt: 0, now: 2, expected: ["deadline", 1] }],
    ["without any deadline on purpose", { deadline: "none", startedAt: 0, usual: [1, 50], now: 999, expected: ["never"] }],
    ["beyond its expected duration", { takes: 4, startedAt: 3, usual: [60, 50], now: 8, expected: ["expected", 7] }],
    ["before its expected duration", { takes: 4, startedAt: 3, now: 5, expected: ["later", 7] }],
    ["expected, in the queue", { takes: 4, startedAt: null, now: 50, expected: ["later", 60] }],
    ["expected, in the queue with a deadline", { takes: 4, deadline: 90 * minuteMs, startedAt: null, now: 50, expected: ["later", 60] }],
    ["the deadline comes first", { takes: 40, deadline: 20 * minuteMs, startedAt: 3, now: 21, expected: ["deadline", 20] }],
    ["the expected duration comes first", { takes: 4, deadline: 20 * minuteMs, startedAt: 3, now: 21, expected: ["expected", 7] }],
    ["no deadline on purpose, beyond its expected duration", { takes: 4, deadline: "none", startedAt: 3, now: 50, expected: ["never"] }],
    ["in the queue without a deadline", { startedAt: null, now: 500, expected: ["later", 510] }],
    ["before the minimum", { startedAt: 3, usual: [1, 50], now: 12, expected: ["later", 13] }],
    ["after the minimum, usually shorter", { startedAt: 3, usual: [1, 50], now: 13, expected: ["usual", 13] }],
    ["before its share of the usual duration", { startedAt: 3, usual: [40, 50], now: 50, expected: ["later", 63] }],
    ["at its share of the usual duration", { startedAt: 3, usual: [40, 50], now: 63, expected: ["usual", 63] }],
    ["with too few runs before it", { startedAt: 0, usual: [1, 4], now: 10, expected: ["later", 20] }],
    ["with none before it, after long", { startedAt: 0, now: 300, expected: ["later", 600] }],
    ["with none before it, after days", { startedAt: 0, now: 9000, expected: ["later", 9000 + 1440] }],
  ])("%s", (_, { deadline, takes, startedAt, usual, now, expected }) => {
    const run = { createdAt: at(0), startedAt: startedAt === null ? null : at(startedAt), deadline, expectedMs: takes && takes * minuteMs };
    const found = runLateness(run, usual && { ms: usual[0] * minuteMs, runs: usual[1] }, limits, at(now));
    const [kind, minute = 0] = expected;
    if (kind === "never") expect(found).toEqual({ kind });
    else if (kind === "later") expect(found).toEqual({ kind, at: at(minute) });
    else expect(found).toEqual({ kind: "late", limit: kind, dueAt: at(minute) });
  });

  test("the usual duration is asked for only where it decides", () => {
    const run = { createdAt: at(0), startedAt: at(0), deadline: undefined, expectedMs: undefined };
    expect(needsUsualDuration(run, limits, at(9))).toBe(false);
    expect(needsUsualDuration(run, limits, at(10))).toBe(true);
    expect(needsUsualDuration({ ...run, deadline: 1 }, limits, at(10))).toBe(false);
    expect(needsUsualDuration({ ...run, expectedMs: 1 }, limits, at(10))).toBe(false);
    expect(needsUsualDuration({ ...run, startedAt: null }, limits, at(10))).toBe(false);
  });
});

test.each<[unknown, Deadline | undefined]>([
  ["2h", 120 * minuteMs],
  ["1h30m", 90 * minuteMs],
  ["1m", minuteMs],
  ["none", "none"],
  ["59s", undefined],
  ["8785h", undefined],
  ["2 hours", undefined],
  ["-1h", undefined],
  [120, undefined],
  ["", undefined],
  [{}, undefined],
])("a deadline of %j", (value, expected) => {
  expect(parseDeadline(value)).toBe(expected);
  const faults = deadlineFaults({ [deadlineAnnotation]: value });
  expect(faults).toHaveLength(expected === undefined ? 1 : 0);
  if (expected === undefined) expect(faults[0]).toMatchObject({ path: "/annotations/millrace.dev~1deadline" });
});

test("no annotations, or others, have no fault", () => {
  for (const annotations of [undefined, null, {}, { other: 1 }, { [deadlineAnnotation]: null }])
    expect(deadlineFaults(annotations)).toEqual([]);
});

test.each<[string, number | null, boolean, "late" | "recovered" | undefined]>([
  ["nothing waits", null, false, undefined],
  ["it waits for less than the limit", 19, false, undefined],
  ["it waits for the limit", 20, false, "late"],
  ["it was reported", 50, true, undefined],
  ["it waits for less than the limit, but not for much less", 10, true, undefined],
  ["it waits for less than half of the limit", 9, true, "recovered"],
  ["nothing waits any more", null, true, "recovered"],
])("a queue: %s", (_, waited, isLate, expected) => {
  expect(queueChange(waited === null ? null : at(100 - waited), isLate, limits.queueMinutes, at(100))).toBe(expected);
});

describe("planned times that deserve an alert", () => {
  const time = (minute: number, outcome: PlannedTime["outcome"], more: Partial<PlannedTime> = {}): PlannedTime => ({
    ...{ scheduledFor: at(minute), outcome, count: 1, message: outcome === "submitted" ? null : `it was ${outcome}` },
    ...more,
  });
  const alerts = (times: PlannedTime[], more: { jitterSeconds?: number; alertedFor?: Date } = {}) =>
    missedTimes(times, { now: at(100), scheduleMinutes: 5, jitterSeconds: 0, alertedFor: null, ...more }).map(
      ({ status, first, count, message }) => [status, first, count, message],
    );

  test.each<[string, PlannedTime[], unknown[]]>([
    ["a run in time", [time(96, "submitted")], []],
    ["a run too late", [time(95, "submitted")], [["schedule_missed", at(95), 1, "The service started its run late"]]],
    ["a refused run", [time(100, "refused")], [["schedule_missed", at(100), 1, "it was refused"]]],
    ["an open run", [time(100, "skipped")], [["schedule_skipped", at(100), 1, "it was skipped"]]],
    [
      "an outage with one run for all times is one alert",
      [time(10, "missed", { count: 8 }), time(90, "submitted")],
      [["schedule_missed", at(10), 9, "it was missed"]],
    ],
  ])("%s", (_, times, expected) => expect(alerts(times)).toEqual(expected));

  test("the jitter is not late", () => expect(alerts([time(94, "submitted")], { jitterSeconds: 120 })).toEqual([]));
  test("what was reported before is not reported again, but what follows is", () => {
    expect(alerts([time(90, "submitted")], { alertedFor: at(90) })).toEqual([]);
    expect(alerts([time(90, "missed", { count: 3 })], { alertedFor: at(90) })).toHaveLength(1);
  });
});

test("durations and headlines in words", () => {
  expect([0, 59_000, 61_000, 90 * minuteMs, 60 * minuteMs, 1500 * minuteMs].map(durationWords)).toEqual([
    ...["0 s", "59 s", "1 min", "1 h 30 min", "1 h", "1 d 1 h"],
  ]);
  const usual = { ms: 12 * minuteMs, runs: 9 };
  const message = lateRunMessage({ limit: "usual", elapsedMs: 42 * minuteMs, isQueued: false, deadlineMs: undefined, usual });
  expect(alertHeadline("run_late", { message }, "nightly")).toBe(
    "nightly is late: it has been running for 42 min, and usually takes up to 12 min",
  );
  expect(
    lateRunMessage({ limit: "deadline", elapsedMs: 121 * minuteMs, isQueued: true, deadlineMs: 120 * minuteMs, usual: undefined }),
  ).toBe("is late: it was submitted 2 h 1 min ago and is still in the queue, and its deadline is 2 h");
  expect(alertHeadline("schedule_missed", { name: "every hour", count: 3 }, "nightly")).toBe(
    "nightly: schedule every hour missed 3 scheduled times",
  );
  expect(alertHeadline("schedule_skipped", { name: "every hour", count: 1 }, "nightly")).toBe(
    "nightly: schedule every hour skipped a scheduled time",
  );
});
