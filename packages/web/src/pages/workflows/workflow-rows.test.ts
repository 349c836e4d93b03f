import { describe, expect, test } from "vitest";
import { type RunSummary, toRow } from "./workflow-rows.ts";

const run = (status: RunSummary["status"], creationDate: string): RunSummary => ({
  ...{ id: creationDate, workflowRef: "1", status, creationDate, duration: 1 },
});

const alpha = {
  ...{ id: "1", name: "alpha", displayName: "Alpha", labels: { area: "money" } },
  triggers: { manual: { enabled: true }, event: { enabled: false } },
};

describe("rows of workflows", () => {
  test("have their runs with the newest last, and their rate over what has ended and was not cancelled", () => {
    const latestRuns = [
      run("running", "2030-01-04"),
      run("cancelled", "2030-01-03"),
      run("failed", "2030-01-02"),
      run("succeeded", "2030-01-01"),
    ];
    const row = toRow({ ...alpha, latestRuns });
    expect(row).toMatchObject({ title: "Alpha", isActive: true, triggers: ["manual"], labels: ["area=money"], succeeded: 1, rated: 2 });
    expect(row.runs.map(({ status }) => status)).toEqual(["succeeded", "failed", "cancelled", "running"]);
    expect(row.lastRun).toBe("2030-01-04");
  });

  test("show the ten latest of more runs, and rate all of them", () => {
    const latestRuns = Array.from({ length: 20 }, (_, index) => run(index < 10 ? "succeeded" : "failed", `2030-01-${30 - index}`));
    const row = toRow({ ...alpha, latestRuns });
    expect([row.runs.length, row.runs.at(-1)?.id, row.succeeded, row.rated]).toEqual([10, "2030-01-30", 10, 20]);
  });

  test("show nothing if there are no runs", () => {
    expect(toRow({ id: "2", name: "beta", status: "inactive" })).toMatchObject({
      ...{ title: "beta", isActive: false, runs: [], rated: 0, lastRun: undefined },
    });
  });
});
