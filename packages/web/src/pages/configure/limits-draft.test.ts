import { describe, expect, test } from "vitest";
import { newCollect, newConcurrency, newRate, readLimits, writeLimits } from "./limits-draft.ts";

const nothing = { concurrency: undefined, rate: undefined, collect: undefined, priority: 5 };

describe("the limits of a workflow in their form", () => {
  test.each([
    {},
    { priority: 5 },
    { priority: 9 },
    { concurrency: { max: 3 } },
    { concurrency: { max: 1, key: "$(params.customer)", onLimit: "queue" as const } },
    { concurrency: { max: 1, onLimit: "skip" as const }, rate: { limit: 2, period: "1m" } },
    { rate: { limit: 2, period: 90, key: "$(params.region)" } },
    { debounce: { period: "10s" } },
    { debounce: { period: 10, maxWait: 60, key: "$(params.customer)" } },
    { batch: { size: 50, period: "1m", param: "events", key: "$(params.customer)" } },
  ])("are written as they were read: %j", (part) => {
    expect(JSON.parse(JSON.stringify(writeLimits(readLimits(part), part)))).toEqual(part);
  });

  test("are removed with null, since members that a write leaves out stay unchanged", () => {
    const before = { concurrency: { max: 3 }, rate: { limit: 1, period: 1 } };
    expect(writeLimits({ ...nothing }, before)).toEqual({ concurrency: null, rate: null });
  });

  test("are incomplete while a number is empty", () => {
    expect(
      writeLimits({ concurrency: { ...newConcurrency, max: "" }, rate: undefined, collect: undefined, priority: 5 }, {}),
    ).toBeUndefined();
    expect(writeLimits({ ...nothing, rate: { ...newRate, period: " " } }, {})).toBeUndefined();
    expect(writeLimits({ ...nothing, priority: "" }, {})).toBeUndefined();
  });

  test("go from a debounce to a batch as one change", () => {
    const before = { debounce: { period: 10 } };
    const collect = { ...newCollect, kind: "batch" as const, param: "events" };
    const after = { debounce: null, batch: { size: 100, period: "10s", param: "events" } };
    expect(writeLimits({ ...nothing, collect }, before)).toMatchObject(after);
    expect(writeLimits({ ...nothing, collect: { ...collect, param: "" } }, before)).toBeUndefined();
    expect(writeLimits({ ...nothing, collect: { ...collect, size: "" } }, before)).toBeUndefined();
  });
});
