import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { ListedTest, TestReport, TestResult } from "../../../api/queries/workflow/workflow-tests.ts";
import { show } from "../../../ui/show-component.tsx";
import { TestList } from "./test-list.tsx";
import { CoverageResult, graphOfRun, SingleResult } from "./test-result.tsx";
import { newTestText, readTest, textOfTest } from "./test-text.ts";

afterEach(cleanup);

const tasks = [
  { name: "start", type: "start" as const },
  { name: "build", type: "script" as const, dependencies: [{ taskRef: "start" }] },
  { name: "ship", type: "script" as const, dependencies: [{ taskRef: "build" }] },
];
const run: NonNullable<TestResult["run"]> = {
  ...{ status: "failed", durationMs: 7_200_000, results: {}, links: [{ from: "start", to: "build" }] },
  tasks: [
    { name: "build", type: "script", status: "failed", attempts: 1, isMocked: true, params: {}, results: {} },
    { name: "ship", type: "script", status: "skipped", attempts: 0, isMocked: false, params: {}, results: {} },
  ],
};

test("a failed test shows what was expected and what happened, in words and values", () => {
  const failures = [{ path: "/expect/status", message: "the run ended as failed", expected: "succeeded", actual: "failed" }];
  show(<SingleResult result={{ name: "ships", outcome: "failed", failures, run }} tasks={tasks} />);
  const region = screen.getByRole("region", { name: "Result of ships" });
  expect(region.textContent).toContain("Failed");
  expect(region.textContent).toContain("Status of the run: Failed, after 2 h");
  const item = within(screen.getByRole("list", { name: "Expectations that were not met" })).getByRole("listitem");
  expect(item.textContent).toBe("the run ended as failed /expect/statusExpectedsucceededActualfailed");
});

test("what could not be run says why", () => {
  show(<SingleResult result={{ name: "ships", outcome: "failed", failures: [], problem: 'task "build" has no mock' }} tasks={tasks} />);
  expect(screen.getByRole("alert").textContent).toBe('task "build" has no mock');
});

test("the graph has what ran and what did not", () => {
  const { nodes, edges } = graphOfRun(tasks, run);
  expect(nodes.map(({ id, mark }) => [id, mark])).toEqual([
    ["start", undefined],
    ["build", "taken"],
    ["ship", "missed"],
  ]);
  expect(edges.map(({ to, mark }) => [to, mark])).toEqual([
    ["build", "taken"],
    ["ship", "missed"],
  ]);
});

test("the coverage of all tests counts tasks and links, and its graph has a name of its own", async () => {
  const report: TestReport = {
    ...{ workflow: "w", passed: 1, failed: 1, tests: [] },
    coverage: {
      tasks: { total: 2, covered: 1, missing: ["ship"] },
      links: { total: 2, covered: 1, missing: [{ from: "build", to: "ship" }] },
    },
  };
  show(<CoverageResult report={report} tasks={tasks} />);
  const region = screen.getByRole("region", { name: "Coverage" });
  expect(region.textContent).toContain("1 passed, 1 failed");
  expect(region.textContent).toContain("1 of 2 tasks and 1 of 2 links are covered.");
  await screen.findByRole("region", { name: "Covered tasks and links" });
  expect(screen.getAllByRole("region", { name: "Coverage" })).toEqual([region]);
});

test("each test shows its outcome: of just now, or with its version", async () => {
  const listed = (name: string, lastOutcome?: ListedTest["lastOutcome"]): ListedTest => ({
    ...{ id: name, name, version: 1, changeDate: "2026-03-01T12:00:00.000Z" },
    ...(lastOutcome && { lastOutcome }),
  });
  const passed = { workflowVersion: 3, outcome: "passed" as const, date: "2026-03-01T12:00:00.000Z" };
  const chosen: string[] = [];
  const results = new Map([["b", { name: "b", outcome: "failed" as const, failures: [] }]]);
  const tests = [listed("a", passed), listed("b", passed), listed("c")];
  const { user } = show(<TestList tests={tests} results={results} chosen="b" onChoose={(name) => chosen.push(name)} />);
  expect(screen.getAllByRole("button").map(({ textContent }) => textContent)).toEqual([
    "aPassed with version 3",
    "bFailed",
    "cNot run yet",
  ]);
  await user.click(screen.getByRole("button", { name: /^a/ }));
  expect(chosen).toEqual(["a"]);
});

test("a test is written without what the service sets, and read from files as well", () => {
  expect(textOfTest({ name: "t", id: "1", version: 2, workflow: "w", mocks: { build: {} } })).toBe("name: t\nmocks:\n  build: {}\n");
  expect(readTest(newTestText(["build"])).test).toMatchObject({ name: "new test", mocks: { build: { status: "succeeded" } } });
  expect(readTest("apiVersion: millrace.dev/v1\nkind: WorkflowTest\nname: t\n")).toEqual({ test: { name: "t" } });
  expect(readTest("given: {}").fault).toBe("The test needs a name.");
  expect(readTest("name: [").fault).toMatch(/^The test can't be read: /);
});
