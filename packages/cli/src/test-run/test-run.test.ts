import { expect, test } from "vitest";
import { junitXml } from "./junit-xml.ts";
import { planTests } from "./plan-tests.ts";
import { describeReport, describeTotals } from "./show-report.ts";

const coverage = { tasks: { total: 2, covered: 1, missing: ["b"] }, links: { total: 2, covered: 1, missing: [{ from: "a", to: "b" }] } };
const report = {
  ...{ workflow: "orders", passed: 1, failed: 1, coverage },
  tests: [
    { name: "small", outcome: "passed" as const, failures: [] },
    {
      name: 'large & "odd"',
      outcome: "failed" as const,
      failures: [{ path: "/expect/status", message: "the run ended as failed", expected: "succeeded", actual: "failed" }],
    },
  ],
};

test("tests are shown with what was expected and what happened, and which links are not covered", () => {
  expect(describeReport(report) + describeTotals([report])).toBe(
    [
      ...["orders (draft)", "  ✓ small", '  ✗ large & "odd"', "      /expect/status the run ended as failed"],
      ...['        - expected "succeeded"', '        + actual   "failed"'],
      ...["  1 of 2 tasks and 1 of 2 links are covered; not taken: a → b", "", "2 tests: 1 passed, 1 failed", ""],
    ].join("\n"),
  );
});

test("JUnit XML has a case for each test, and escapes what XML does not allow", () => {
  const xml = junitXml([report]);
  expect(xml).toContain('<testsuite name="orders" tests="2" failures="1" errors="0" skipped="0">');
  expect(xml).toContain('<testcase classname="orders" name="large &amp; &quot;odd&quot;">');
  expect(junitXml([{ ...report, workflow: "\u0007" }])).toContain("&lt;U+0007&gt;");
});

test("workflows and tests from files are matched by name", async () => {
  const workflow = "kind: Workflow\nname: orders\ntasks: []\n";
  const sets = await planTests(
    `${workflow}---\nkind: WorkflowTest\nworkflow: orders\nname: small\n---\nkind: Schedule\nname: x\n---\nname: alone\ntasks: []\n`,
  );
  expect(sets).toEqual([
    { workflow: "orders", draftDocument: expect.stringContaining("name: orders"), tests: [{ workflow: "orders", name: "small" }] },
    { workflow: "alone", draftDocument: expect.stringContaining("name: alone"), tests: undefined },
  ]);
  await expect(planTests("kind: WorkflowTest\nname: lost\n")).rejects.toThrow("Test lost has no workflow");
  await expect(planTests("a: [\n")).rejects.toThrow("not valid YAML");
});
