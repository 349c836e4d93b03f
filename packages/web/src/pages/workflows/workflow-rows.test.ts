import { describe, expect, test } from "vitest";
import { type RunSummary, sortRows, toRows } from "./workflow-rows.ts";

const run = (workflowRef: string, status: RunSummary["status"], creationDate: string): RunSummary => ({
  id: `${workflowRef}-${creationDate}`,
  workflowRef,
  status,
  creationDate,
  duration: 1,
});
type Insight = Parameters<typeof toRows>[1];
const insight = (runs: RunSummary[], workflows: object[] = []) => ({ runs, workflows }) as unknown as Insight;

const workflows = [
  {
    id: "1",
    name: "alpha",
    displayName: "Alpha",
    labels: { area: "money" },
    triggers: { manual: { enabled: true }, event: { enabled: false } },
  },
  { id: "2", name: "beta", status: "inactive", description: "Sends letters" },
];

describe("rows of workflows", () => {
  const runs = [run("1", "running", "2030-01-03"), run("1", "failed", "2030-01-02"), run("1", "succeeded", "2030-01-01")];

  test("have their runs with the newest last, and their rate over what has ended", () => {
    const [alpha, beta] = toRows(workflows, insight(runs));
    expect(alpha).toMatchObject({ title: "Alpha", isActive: true, triggers: ["manual"], labels: ["area=money"], successRate: 0.5 });
    expect(alpha?.runs?.map(({ status }) => status)).toEqual(["succeeded", "failed", "running"]);
    expect(alpha?.lastRun).toBe("2030-01-03");
    expect(beta).toMatchObject({ title: "beta", isActive: false, runs: [], successRate: undefined });
  });

  test("take the rate of the service where it tells one", () => {
    expect(toRows(workflows, insight(runs, [{ workflowRef: "1", successRate: 0.9 }]))[0]?.successRate).toBe(0.9);
  });

  test("are there before their runs are", () => {
    expect(toRows(workflows, undefined)).toHaveLength(2);
  });

  test.each([
    ["name", false, ["alpha", "beta"]],
    ["name", true, ["beta", "alpha"]],
    ["last", true, ["alpha", "beta"]],
    ["rate", false, ["alpha", "beta"]],
  ] as const)("in the order of %s (descending: %s)", (sort, isDescending, names) => {
    expect(sortRows(toRows(workflows, insight(runs)), { sort, isDescending }).map(({ name }) => name)).toEqual(names);
  });
});
