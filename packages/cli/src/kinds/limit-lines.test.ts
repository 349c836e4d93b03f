import { expect, test } from "vitest";
import { limitLines } from "./describe.ts";

test("the limits of a workflow are a line each, and nothing where there are none", () => {
  expect(limitLines({})).toEqual([]);
  expect(
    limitLines({ concurrency: { max: 1, key: "$(params.customer)", onLimit: "skip" }, rate: { limit: 10, period: "1m" }, priority: 0 }),
  ).toEqual(["at most 1 at once for each $(params.customer), then skip", "at most 10 started in 1m", "priority 0"]);
  expect(limitLines({ concurrency: { max: 3 }, rate: { limit: 2, period: 90 } })).toEqual([
    "at most 3 at once, then queue",
    "at most 2 started in 90s",
  ]);
  expect(limitLines({ debounce: { period: 10, maxWait: "5m", key: "$(params.customer)" } })).toEqual([
    "starts with the last event when none has come for 10s, 5m at the latest for each $(params.customer)",
  ]);
  expect(limitLines({ batch: { size: 100, period: "1m", param: "orders" } })).toEqual(["starts with 100 events in orders, or after 1m"]);
});
