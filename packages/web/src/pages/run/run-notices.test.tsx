import type { Status, TaskType } from "@millrace/contract/status.ts";
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { callerQuery } from "../../api/queries/identity/session.ts";
import type { Run } from "../../api/queries/run/runs.ts";
import type { TaskRun } from "../../api/queries/task/task-catalog.ts";
import { showPage } from "../../ui/show-component.tsx";
import { RunViewContext } from "./run-context.tsx";
import { RunNotices } from "./run-notices.tsx";

afterEach(cleanup);

function task(name: string, type: TaskType, status: Status, more: Partial<TaskRun> = {}): TaskRun {
  return { id: name, name, type, status, ...more } as TaskRun;
}

async function shown(tasks: TaskRun[], more: Partial<Run> = {}): Promise<string> {
  const run = { id: "r", status: "running", phase: "running", warningCount: 0, results: [], ...more } as Partial<Run> as Run;
  const byName = new Map(tasks.map((one) => [one.name, one]));
  const view = { team: "mill", run, tasks, byName, chosen: undefined, choose: () => {} };
  await showPage(
    <RunViewContext value={view}>
      <RunNotices />
    </RunViewContext>,
    [[callerQuery.queryKey, { id: "ada", permissions: [], teams: [] }]],
  );
  return document.body.textContent;
}

test("items that failed are counted, also those that the summary leaves out", async () => {
  const text = await shown([
    task("each", "script", "waiting", { items: { total: 5000, statuses: { failed: 30, timedout: 1, running: 7, succeeded: 4962 } } }),
    task("each[3]", "script", "failed", { item: 3, statusMessage: "Exit code 1" }),
    task("each[9]", "script", "failed", { item: 9 }),
  ]);
  expect(text).toContain("each[3]: Exit code 1");
  expect(text).toContain("30 more tasks did not succeed");
});

test("a failed compensation is shown beside the task that failed first", async () => {
  const over = {
    status: "failed",
    phase: "completed",
    statusMessage: 'Task "ship" ended as failed: exit code 3. Not undone: "pay"',
  } as const;
  const text = await shown(
    [task("pay", "script", "succeeded"), task("ship", "script", "failed"), task("refund", "script", "failed")],
    over,
  );
  expect(text).toContain("1 more task did not succeed");
  expect(text).toContain('Not undone: "pay"');
  expect(text).not.toContain("ended as failed");
});

test("people decide about the items that are shown, and find the others in the list", async () => {
  const text = await shown([
    task("ask", "approval", "waiting", { items: { total: 40, statuses: { waiting: 20, notstarted: 20 } } }),
    task("ask[0]", "approval", "waiting", { item: 0, waitingFor: "Waiting for an approval by the team" }),
  ]);
  expect(text).toContain("ask[0]: Waiting for an approval by the team");
  expect(text).toContain("19 more tasks wait for people");
  expect(screen.getByRole("button", { name: "Show them" })).toBeTruthy();
});

test("the task that failed is edited for a rerun, except where there is no rerun", async () => {
  const failed = [task("ship", "script", "failed")];
  const over = { status: "failed", phase: "completed", workflowName: "orders" } as const;
  const address = () => screen.getByRole("link", { name: "Edit task" }).getAttribute("href");
  await shown(failed, over);
  expect(address()).toBe("/mill/workflows/orders/design?node=ship&rerun=r");
  cleanup();
  await shown(failed, { ...over, trial: {} });
  expect(address()).toBe("/mill/workflows/orders/design?node=ship");
  cleanup();
  await shown(failed, { status: "failed", phase: "completed" });
  expect(screen.queryByRole("link", { name: "Edit task" })).toBeNull();
});
