import { describe, expect, test } from "vitest";
import { type ControlDocument, controlFaults, periodMs, readControl } from "./run-control.ts";

const faults = (document: ControlDocument) =>
  controlFaults({ ...document, params: [{ name: "customer" }, { name: "token", type: "password" }] }).map(
    ({ path, message }) => `${path} ${message}`,
  );

describe("the control of the runs of a workflow", () => {
  test("is absent where nothing differs from the default", () => {
    expect([readControl({}), readControl({ priority: 5 })]).toEqual([undefined, undefined]);
  });

  test("has a value for each member that was left out", () => {
    expect(readControl({ concurrency: { max: 2 }, rate: { limit: 3, period: "2m" } })).toEqual({
      concurrency: { key: "", max: 2, onLimit: "queue" },
      rate: { key: "", limit: 3, periodMs: 120_000 },
      priority: 5,
    });
  });

  test.each([
    [90, 90_000],
    ["90s", 90_000],
    ["1m", 60_000],
    ["2h", 7_200_000],
    ["1d", 86_400_000],
    ["0s", undefined],
    ["1 minute", undefined],
    ["m", undefined],
  ])("reads the period %s", (period, ms) => {
    expect(periodMs(period)).toBe(ms);
  });
});

describe("a save refuses", () => {
  test.each([
    ["$(tasks.build.results.id)", /known only while the run runs/],
    ["$(params.token)", /is a secret, and a key is shown to people/],
    ["$(workflow.params.token)", /is a secret/],
    ["acme", /the same text for every run; refer to a parameter/],
  ])("the key %s", (key, message) => {
    expect(faults({ concurrency: { max: 1, key } })).toEqual([expect.stringMatching(message)]);
    expect(faults({ rate: { limit: 1, period: 1, key } })).toEqual([expect.stringMatching(message)]);
  });

  test("a period that can't be read, or is too long", () => {
    expect(faults({ rate: { limit: 1, period: "soon" } })).toEqual([
      '/rate/period is "soon"; it must be seconds, or a number with s, m, h or d, such as 1m',
    ]);
    expect(faults({ rate: { limit: 1, period: "8d" } })).toEqual(['/rate/period is "8d"; it must be at most 7d']);
  });

  test("nothing that is in order", () => {
    expect(faults({ concurrency: { max: 1, key: "$(params.customer)-$(params.data.region)" }, rate: { limit: 1, period: "7d" } })).toEqual(
      [],
    );
  });
});
