import { describe, expect, test } from "vitest";
import { newConcurrency, newRate, readLimits, writeLimits } from "./limits-draft.ts";

describe("the limits of a workflow in their form", () => {
  test.each([
    {},
    { priority: 5 },
    { priority: 9 },
    { concurrency: { max: 3 } },
    { concurrency: { max: 1, key: "$(params.customer)", onLimit: "queue" as const } },
    { concurrency: { max: 1, onLimit: "skip" as const }, rate: { limit: 2, period: "1m" } },
    { rate: { limit: 2, period: 90, key: "$(params.region)" } },
  ])("are written as they were read: %j", (part) => {
    expect(JSON.parse(JSON.stringify(writeLimits(readLimits(part), part)))).toEqual(part);
  });

  test("are removed by null, since a write leaves out what does not change", () => {
    const before = { concurrency: { max: 3 }, rate: { limit: 1, period: 1 } };
    expect(writeLimits({ concurrency: undefined, rate: undefined, priority: 5 }, before)).toEqual({ concurrency: null, rate: null });
  });

  test("can't be said while a number is empty", () => {
    expect(writeLimits({ concurrency: { ...newConcurrency, max: "" }, rate: undefined, priority: 5 }, {})).toBeUndefined();
    expect(writeLimits({ concurrency: undefined, rate: { ...newRate, period: " " }, priority: 5 }, {})).toBeUndefined();
    expect(writeLimits({ concurrency: undefined, rate: undefined, priority: "" }, {})).toBeUndefined();
  });
});
