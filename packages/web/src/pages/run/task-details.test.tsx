import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { callerQuery } from "../../api/queries/identity/session.ts";
import type { Run } from "../../api/queries/run/runs.ts";
import type { TaskRun } from "../../api/queries/task/task-catalog.ts";
import { service } from "../../ui/answer-requests.ts";
import { showPage } from "../../ui/show-component.tsx";
import { RunViewContext } from "./run-context.tsx";
import { TaskDetails } from "./task-details.tsx";

afterEach(() => {
  cleanup();
  service.byEnd.clear();
});

const call = {
  ...{ id: "t", name: "call", type: "runworkflow", status: "succeeded", params: [], workspaces: [], warnings: [] },
  results: [
    { name: "workflowRunRef", value: "child-1" },
    { name: "total", value: 42 },
  ],
} as unknown as TaskRun;

async function show(task: TaskRun) {
  const run = { id: "r", status: "succeeded", phase: "completed" } as Partial<Run> as Run;
  const view = { team: "owls", run, tasks: [task], byName: new Map([[task.name, task]]), chosen: undefined, choose: () => {} };
  await showPage(
    <RunViewContext value={view}>
      <TaskDetails task={task} />
    </RunViewContext>,
    [[callerQuery.queryKey, { id: "ada", permissions: [], teams: [] }]],
  );
}

test("a task that ran another workflow shows what that declares, in the version that ran", async () => {
  const asked: string[] = [];
  service.byEnd.set("/workflowrun/child-1", () => ({ status: 200, body: { id: "child-1", workflowName: "bill", workflowVersion: 3 } }));
  service.byEnd.set("/workflow/bill", () => {
    asked.push("bill");
    const results = [
      { name: "total", type: "number" },
      { name: "lines", type: "array" },
    ];
    return { status: 200, body: { name: "bill", version: 3, tasks: [], results } };
  });
  await show(call);
  expect((await screen.findByText("lines")).parentElement?.textContent).toBe("lines array");
  expect(screen.getByText("total").parentElement?.textContent).toBe("total number");
  expect(screen.getByText("workflowRunRef").parentElement?.textContent?.trim()).toBe("workflowRunRef");
  expect(asked).toEqual(["bill"]);
});

test("without permission to read that workflow, only the values are shown", async () => {
  const refused = () => ({ status: 403, body: { status: 403, reason: "FORBIDDEN", message: "No." } });
  service.byEnd.set("/workflowrun/child-1", refused);
  await show(call);
  expect(screen.getByText("total").parentElement?.textContent?.trim()).toBe("total");
});

test("parameters without a value are named in one line, and no word of the API is shown", async () => {
  const params = [
    { name: "script", value: "echo" },
    { name: "path", value: "" },
    { name: "shell", value: null },
    { name: "key", value: "", hiddenValue: true },
  ];
  await show({ ...call, id: "s", name: "say", type: "script", params, results: [], needs: "image", workspaces: [] } as unknown as TaskRun);
  expect(screen.getByText("Empty: path, shell")).toBeTruthy();
  const named = [...document.querySelectorAll("dt code")].map(({ textContent }) => textContent);
  expect(named).toEqual(["script", "key"]);
  expect(document.body.textContent).not.toMatch(/Typescript|image/);
  expect(screen.getByText("container or kubernetes")).toBeTruthy();
});
