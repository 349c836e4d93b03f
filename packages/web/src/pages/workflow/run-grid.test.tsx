import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, test } from "vitest";
import type { WorkflowOverview } from "../../api/queries/workflow/workflow-overview.ts";
import { showPage } from "../../ui/show-component.tsx";
import { moveInGrid } from "./grid-moves.ts";
import { RunGrid } from "./run-grid.tsx";

afterEach(cleanup);

type Run = WorkflowOverview["runs"][number];

const run = (id: string, tasks: Run["tasks"], more: Partial<Run> = {}): Run => ({
  id: `01980f3e-7d2b-7c3a-9f35-${id.padStart(12, "0")}`,
  creationDate: "2026-03-01T12:00:00.000Z",
  duration: 2_000,
  status: "succeeded",
  phase: "completed",
  workflowVersion: 1,
  trigger: "manual",
  tasks,
  ...more,
});

const runs = [
  run(
    "new",
    [
      { task: "build", id: "cell-3", status: "succeeded", duration: 900 },
      { task: "ask", id: "cell-4", status: "waiting", duration: 0, waitKind: "action" },
    ],
    { status: "running", phase: "running", waitKinds: ["action"], duration: 0 },
  ),
  run("old", [{ task: "build", id: "cell-1", status: "failed", duration: 1_500, reason: "exit code 3" }], {
    status: "failed",
    reason: "build failed",
  }),
];
const tasks: WorkflowOverview["tasks"] = [
  { name: "build", type: "script" },
  { name: "ask", type: "approval" },
];

const grid = () => showPage(<RunGrid team="hawks" tasks={tasks} runs={runs} />);

describe("the grid of runs by task", () => {
  test("has the newest run at the right, and says of each task how it went and why", async () => {
    await grid();
    const rows = screen.getAllByRole("row").map((row) =>
      within(row)
        .queryAllByRole("link")
        .map((link) => link.getAttribute("aria-label")),
    );
    expect(rows[0]?.[0]).toMatch(/^Run 00000old, Failed after 2\.0 s.*build failed$/);
    expect(rows[0]?.[1]).toMatch(/^Run 00000new, Waiting for a person/i);
    expect(rows[1]).toEqual(["build, run 00000old: Failed after 1.5 s. exit code 3", "build, run 00000new: Succeeded after 900 ms"]);
    expect(rows[2]).toEqual([expect.stringMatching(/^ask, run 00000new: Waiting for a person/i)]);
  });

  test("a task leads to its log, a run to itself", async () => {
    await grid();
    expect(screen.getByRole("link", { name: /^build, run 00000old/ }).getAttribute("href")).toMatch(
      /\/hawks\/activity\/.*old\?task=cell-1&tab=log$/,
    );
    expect(screen.getByRole("link", { name: /^Run 00000old/ }).getAttribute("href")).toMatch(/\/hawks\/activity\/[^?]*old$/);
  });

  test("has one tab stop, and arrow keys move through the others", async () => {
    const { user } = await grid();
    await user.tab();
    expect(document.activeElement?.getAttribute("aria-label")).toMatch(/^Run 00000new/);
    await user.keyboard("{ArrowDown}{ArrowLeft}");
    expect(document.activeElement?.getAttribute("aria-label")).toMatch(/^build, run 00000old/);
    expect(screen.getByText("exit code 3").parentElement?.textContent).toContain("build, run 00000old");
    await user.keyboard("{Escape}");
    expect(screen.queryByText("exit code 3")).toBeNull();
    expect(document.querySelectorAll("[data-place][tabindex='0']")).toHaveLength(1);
  });
});

describe("keys in a grid", () => {
  const size = { rows: 3, columns: 4 };
  test.each([
    ["ArrowLeft", false, { row: 1, column: 0 }, { row: 1, column: 0 }],
    ["ArrowDown", false, { row: 2, column: 1 }, { row: 2, column: 1 }],
    ["Home", true, { row: 2, column: 3 }, { row: 0, column: 0 }],
    ["End", false, { row: 0, column: 0 }, { row: 0, column: 3 }],
    ["PageDown", false, { row: 0, column: 2 }, { row: 2, column: 2 }],
  ])("%s (far: %s) from %j leads to %j", (key, isFar, from, to) => {
    expect(moveInGrid(key, isFar, from, size)).toEqual(to);
  });

  test("other keys are ignored", () => {
    expect(moveInGrid("Enter", false, { row: 0, column: 0 }, size)).toBeUndefined();
  });
});
