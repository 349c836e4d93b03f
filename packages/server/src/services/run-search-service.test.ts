import { expect, test } from "vitest";
import { pauseAfter } from "./run-search-service.ts";

test("of a busy process the search takes a ninth of the time, and half of an idle one", () => {
  expect(pauseAfter({ tookMs: 100, lateMs: 2_000, busyShare: 0.9 })).toBe(800);
  expect(pauseAfter({ tookMs: 100, lateMs: 2_000, busyShare: 0.1 })).toBe(100);
  expect(pauseAfter({ tookMs: 5_000, lateMs: 2_000, busyShare: 0.9 })).toBe(4_000);
});

test("the later it is, the less it rests, and not at all from one minute on", () => {
  const rest = (lateMs: number) => pauseAfter({ tookMs: 100, lateMs, busyShare: 1 });
  expect([20_000, 40_000, 50_000, 60_000, 3_600_000].map(rest)).toEqual([800, 400, 200, 0, 0]);
  expect(pauseAfter({ tookMs: 10_000, lateMs: 60_000, busyShare: 1 })).toBe(0);
});
