import { expect, test } from "vitest";
import { createBuckets } from "./token-buckets.ts";

function bucketsAt(rates = { requestsPerSecond: 10, burst: 3 }) {
  const clock = { ms: 0 };
  return {
    clock,
    rates,
    buckets: createBuckets(
      "test-buckets",
      () => rates,
      () => clock.ms,
    ),
  };
}

test("a burst goes through at once, then as many as the rate allows", () => {
  const { clock, buckets } = bucketsAt();
  expect([1, 2, 3].map(() => buckets.take("a"))).toEqual([0, 0, 0]);
  expect(buckets.take("a")).toBeCloseTo(0.1);
  clock.ms += 100;
  expect(buckets.take("a")).toBe(0);
  expect(buckets.take("a")).toBeGreaterThan(0);
  clock.ms += 60_000;
  expect([1, 2, 3, 4].map(() => buckets.take("a") === 0)).toEqual([true, true, true, false]);
});

test("each key has its own, and a look takes nothing", () => {
  const { buckets } = bucketsAt({ requestsPerSecond: 1, burst: 1 });
  expect([buckets.has("a"), buckets.take("a"), buckets.has("a")]).toEqual([false, 0, true]);
  expect([1, 2, 3].map(() => buckets.secondsUntilOne("b"))).toEqual([0, 0, 0]);
  expect(buckets.secondsUntilOne("a")).toBeCloseTo(1);
  expect(buckets.take("b")).toBe(0);
});

test("a changed rate counts at once", () => {
  const { clock, rates, buckets } = bucketsAt();
  for (let n = 0; n < 4; n++) buckets.take("a");
  rates.requestsPerSecond = 1;
  clock.ms += 500;
  expect(buckets.take("a")).toBeCloseTo(0.5);
});

test("the number of keys is bounded, and those asked for the longest ago go first", () => {
  const { clock, buckets } = bucketsAt();
  for (let n = 0; n < 20_000; n++) buckets.take(`old-${n}`);
  clock.ms += 1_000;
  for (let n = 0; n < 3; n++) buckets.take("busy");
  expect(buckets.has("old-0")).toBe(false);
  expect(buckets.take("busy")).toBeGreaterThan(0);
  for (let n = 0; n < 25_000; n++) buckets.take(`new-${n}`);
  expect(buckets.has("new-0")).toBe(false);
  expect(buckets.has("new-24999")).toBe(true);
});
