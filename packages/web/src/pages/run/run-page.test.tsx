import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { service } from "../../ui/answer-requests.ts";
import { showRun, task } from "./show-run.tsx";

afterEach(() => {
  cleanup();
  service.byEnd.clear();
});

const panel = async (name: string) => within(await screen.findByRole("region", { name: `Task ${name}` }));
const id = (end: string) => `01980f3e-7d2b-7c3a-9f35-0000${end}`;
const running = { status: "running", phase: "running" } as const;

test("a task that was skipped says why, and leads to the task that kept it from running", async () => {
  const why = 'Task "test" ended as failed, and the link from it requires success';
  const tasks = [task("test", "script", "failed"), task("publish", "script", "skipped", { statusMessage: why })];
  const { user } = await showRun(tasks, { status: "failed" }, { search: "?task=publish" });
  const skipped = await panel("publish");
  skipped.getByText(/ended as failed, and the link from it requires success/);
  await user.click(skipped.getByRole("button", { name: "test" }));
  await panel("test");
});

test("a reader sees why cancelling and deciding are not allowed", async () => {
  const action = {
    id: "a1",
    taskRunRef: "release",
    status: "submitted",
    type: "approval",
    actioners: [],
    links: [],
    fields: [],
    delegatorRefs: [],
    delegateRefs: [],
  };
  service.byEnd.set("/action/query", () => ({ status: 200, body: { content: [action] } }));
  service.byEnd.set("/action/a1", () => ({ status: 200, body: action }));
  const asked = task("release", "approval", "waiting", { startTime: "2026-03-01T12:00:00Z" });
  const { user } = await showRun([asked], { ...running, waitKinds: ["action"] }, { permissions: ["workflowrun/read"] });
  const cancel = await screen.findByRole("button", { name: "Cancel" });
  expect(cancel.getAttribute("aria-description")).toContain("workflowrun/action");
  await user.click(screen.getByRole("button", { name: "Decide" }));
  const decision = await panel("release");
  await decision.findByText(/To decide, you need the permission action\/action/);
  expect(decision.getByRole("button", { name: "Approve" }).getAttribute("aria-disabled")).toBe("true");
});

test("a rerun says who asked for it and whether it was one of many, instead of how its original was started", async () => {
  const by = { initiatedByType: "user", initiatedByRef: "1", initiatedByName: "Ada", trigger: "engine", retryOf: id("0001") } as const;
  await showRun([], { ...by, labels: { "millrace.dev/bulk": "b1" } });
  await screen.findByText("Bulk rerun by you");
  expect(screen.queryByText(/API/)).toBeNull();
  cleanup();
  service.byEnd.clear();
  await showRun([], { ...by, labels: { "millrace.dev/retry": "automatic" } });
  await screen.findByText("Retried automatically");
});

test("some results of a run are visible when it opens, and all of them after one click", async () => {
  const { user, address } = await showRun([], { results: [{ name: "total", value: "forty-two" }] });
  await screen.findByText("forty-two");
  await user.click(screen.getByRole("button", { name: "Show results" }));
  within(await screen.findByRole("region", { name: "Parameters and results of the run" })).getByText("forty-two");
  expect(screen.getByRole<HTMLInputElement>("radio", { name: "Parameters and results" }).checked).toBe(true);
  expect(address()).toContain("view=values");
});

test("a task that runs another workflow leads to that run while it waits for it, and afterwards", async () => {
  const why = `Waiting for run ${id("c41d0001")} of workflow "child", which is running`;
  const link = (place: Awaited<ReturnType<typeof panel>>) => place.getAllByRole("link", { name: "c41d0001" }).at(-1)?.getAttribute("href");
  await showRun([task("call", "runworkflow", "waiting", { waitingFor: why })], running, { search: "?task=call" });
  const waiting = await panel("call");
  waiting.getByText(/of workflow "child", which is/);
  expect(link(waiting)).toBe(`/owls/activity/${id("c41d0001")}`);
  cleanup();
  service.byEnd.clear();
  const results = [{ name: "workflowRunRef", value: id("c41d0001") }];
  await showRun([task("call", "runworkflow", "succeeded", { results })], {}, { search: "?task=call" });
  const ended = await panel("call");
  await ended.findByText("Run that it started");
  expect(link(ended)).toBe(`/owls/activity/${id("c41d0001")}`);
});

test("a run that another one started names it, and how", async () => {
  await showRun([], { parentRunRef: id("aaaa0001") });
  await screen.findByText("Started by run");
  expect(screen.getByRole("link", { name: "aaaa0001" }).getAttribute("href")).toBe(`/owls/activity/${id("aaaa0001")}`);
  cleanup();
  service.byEnd.clear();
  await showRun([], { trigger: "workflow", initiatedByType: "workflow", initiatedByRef: id("bbbb0001") });
  await screen.findByText("Started by the end of run");
  expect(screen.getByRole("link", { name: "bbbb0001" }).getAttribute("href")).toBe(`/owls/activity/${id("bbbb0001")}`);
});

test("a run shows which runs its end started, and which it did not and why", async () => {
  const started = { workflowRef: "w2", workflowName: "report", workflowRunRef: id("cccc0001"), outcome: "submitted" };
  const refused = { workflowRef: "w3", workflowName: "publish", outcome: "refused", message: 'The parameter "place" is missing' };
  service.byEnd.set("/followups", () => ({ status: 200, body: { content: [started, refused], last: true } }));
  await showRun([]);
  const said = await screen.findByText(/^The end of this run started/);
  expect(within(said).getByRole("link").getAttribute("href")).toBe(`/owls/activity/${id("cccc0001")}`);
  expect(screen.getByText(/which waits for it to end, was rejected/).textContent).toContain('The parameter "place" is missing');
});

test("warnings are counted in the header, and said with their reasons and the task that they are about", async () => {
  const warnings = [
    { code: "CUT_BY_LIMIT", reference: "maxWorkflowRunDuration", why: "The timeout was shortened" },
    { code: "UNRESOLVED_REFERENCE", task: "greet", reference: "$(params.nope)", why: "There is no such parameter" },
  ] as const;
  const { user } = await showRun([task("greet", "script", "succeeded")], { warnings: [...warnings], warningCount: 2 });
  expect((await screen.findByRole("banner")).textContent).toContain("2 warnings");
  const list = within(screen.getByRole("region", { name: "Warnings" }));
  await user.click(list.getByText("2 warnings"));
  await list.findByText("maxWorkflowRunDuration");
  list.getByText("$(params.nope)");
  await user.click(list.getByRole("button", { name: "greet" }));
  await panel("greet");
});
