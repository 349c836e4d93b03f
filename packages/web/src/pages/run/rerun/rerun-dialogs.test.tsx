import { cleanup, screen, waitFor } from "@testing-library/react";
import type { ReactElement } from "react";
import { afterEach, expect, test } from "vitest";
import type { RerunPlan } from "../../../api/queries/run/reruns.ts";
import type { Run } from "../../../api/queries/run/runs.ts";
import type { TaskRun } from "../../../api/queries/task/task-catalog.ts";
import { faultOf, showPage } from "../../../ui/show-component.tsx";
import { RunViewContext } from "../run-context.tsx";
import { MarkDialog } from "./mark-dialog.tsx";
import { RerunDialog } from "./rerun-dialog.tsx";
import { TaskMenu } from "./task-menu.tsx";
import { TaskOrigin, useReruns } from "./task-origin.tsx";

afterEach(cleanup);

const run = { id: "r1", workflowRef: "w1", workflowVersion: 3, status: "failed", phase: "completed", params: [] } as Partial<Run> as Run;
const task = (more: Partial<TaskRun> = {}) => ({ id: "t1", name: "deploy", type: "script", status: "failed", ...more }) as TaskRun;
const plan: RerunPlan = {
  ...{ digest: "d", workflowRunRef: "r1", runVersion: 3, version: 3, latestVersion: 4, reused: 1, again: 1 },
  tasks: [
    { task: "build", type: "script", decision: "reused", text: "It succeeded, and nothing before it changes" },
    { task: "deploy", type: "script", decision: "again", why: "failed", text: "It ended as failed" },
  ],
  unmapped: [{ task: "wave", why: "removed", text: "This version has no such task" }],
};
const caller = {
  ...{ kind: "session", id: "user:1", name: "Ada", email: "ada@example.com", userId: "1", expirationDate: null, permissions: [] },
  teams: [{ id: "t1", name: "shop", displayName: "Shop", permissions: ["**/read", "**/action"] }],
};
const owner = { ...caller, teams: [{ ...caller.teams[0], permissions: ["**/**"] }] };
const workflow = { data: { name: "w", params: [], tasks: [] }, etag: undefined };
const known = (more: Partial<RerunPlan> = {}, by: object = owner) =>
  [
    [["caller"], by],
    [["workflow", "shop", "w1", "document", 3], workflow],
    [["run", "shop", "r1", "rerun-plan", { from: ["deploy"], version: 3 }], { ...plan, ...more }],
    [["run", "shop", "r1", "mark-plan", "deploy"], { ...plan, ...more }],
  ] as const;

const onRun = (element: ReactElement) => (
  <RunViewContext value={{ team: "shop", run, tasks: [], byName: new Map(), chosen: undefined, choose: () => {} }}>
    {element}
  </RunViewContext>
);
const shown = (name: string) => screen.getByRole("button", { name });

test("the plan says what happens to each task, and why", async () => {
  await showPage(onRun(<RerunDialog from="deploy" onClose={() => {}} />), known());
  screen.getByText("1 task runs, 1 is reused.");
  const lines = screen.getAllByRole("listitem").map(({ children }) => [...children].map(({ textContent }) => textContent?.trim()));
  expect(lines).toEqual([
    ["build", "Reused", "It succeeded, and nothing before it changes"],
    ["deploy", "Runs again", "It ended as failed"],
    ["wave", "Can't be used", "This version has no such task"],
  ]);
  expect(shown("Rerun").getAttribute("aria-description")).toBeNull();
});

test("nothing is run where everything would be reused", async () => {
  await showPage(onRun(<RerunDialog from="deploy" onClose={() => {}} />), known({ again: 0 }));
  expect(shown("Rerun").getAttribute("aria-description")).toContain("every task is reused");
});

test("a task is marked with a reason, and with results of their types", async () => {
  const declaredResults = [
    { name: "url", type: "string" },
    { name: "hosts", type: "array" },
  ];
  const { user } = await showPage(onRun(<MarkDialog task="deploy" onClose={() => {}} />), known({ declaredResults }));
  await user.type(screen.getByRole("textbox", { name: "hosts" }), "no list");
  await user.click(shown("Mark as succeeded"));
  await waitFor(() => expect(faultOf(screen.getByRole("textbox", { name: /^Reason/ }))).toBe("Enter a reason"));
  expect(faultOf(screen.getByRole("textbox", { name: "hosts" }))).toBe("Enter JSON");
});

test("the menu of a task says why it can't be marked", async () => {
  const { user } = await showPage(onRun(<TaskMenu task={task({ status: "succeeded" })} />), known());
  await user.click(shown("Actions on deploy"));
  const item = await screen.findByRole("menuitem", { name: /Mark as succeeded/ });
  expect(item.getAttribute("aria-description")).toBe("Only a task that failed can be marked.");
  cleanup();
  const other = await showPage(onRun(<TaskMenu task={task()} />), known({}, caller));
  await other.user.click(shown("Actions on deploy"));
  expect((await screen.findByRole("menuitem", { name: /Mark as succeeded/ })).getAttribute("aria-disabled")).toBe("true");
  expect(screen.getByRole("menuitem", { name: /Rerun from here/ }).getAttribute("aria-disabled")).toBeNull();
});

test("a task that did not run says where it comes from", async () => {
  await showPage(onRun(<TaskOrigin origin={{ how: "reused", workflowRunRef: "0198c1de-7d71-7e12-8a68-7c5b4d3e2f54", taskRunRef: "t" }} />));
  expect(screen.getByText(/Reused from run/).textContent).toBe("Reused from run 4d3e2f54");
});

function Reruns() {
  return <p>{useReruns()}</p>;
}

test("a rerun is shown with what it waits for, as everywhere else", async () => {
  const rerun = (workflowRunRef: string, more: object) => ({
    workflowRunRef,
    version: 3,
    reused: 1,
    creationDate: "2026-01-01T00:00:00Z",
    ...more,
  });
  const content = [
    rerun("0198c1de-7d71-7e12-8a68-000000000001", { status: "running", phase: "running", waitKinds: ["action"] }),
    rerun("0198c1de-7d71-7e12-8a68-000000000002", { status: "notstarted", phase: "queued" }),
    rerun("0198c1de-7d71-7e12-8a68-000000000003", { status: "running", phase: "running" }),
  ];
  await showPage(onRun(<Reruns />), [[["run", "shop", "r1", "reruns"], { content, totalElements: 3 }]]);
  const text = screen.getByText(/Rerun as/).textContent;
  expect(text).toBe("Rerun as 00000001 Waiting for a person00000002 Queued00000003 Running");
});
