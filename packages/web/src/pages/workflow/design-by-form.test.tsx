import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { service } from "../../ui/answer-requests.ts";
import { shell, showWorkflow } from "./show-workflow.tsx";

afterEach(() => {
  cleanup();
  service.byEnd.clear();
});

const button = (name: string | RegExp) => screen.getByRole("button", { name });
const node = (name: string) => screen.findByRole("group", { name: new RegExp(`^${name},`) });
const isThere = (name: string) => screen.queryByRole("group", { name: new RegExp(`^${name},`) }) !== null;
const start = { name: "start" };

/** The canvas is drawn here without a size, so its tasks are clicked without a pointer. */
async function choose(name: string) {
  const chosen = await node(name);
  fireEvent.click(chosen);
  await expect.poll(() => screen.queryByLabelText<HTMLInputElement>("Name")?.value).toBe(name);
  return chosen;
}

async function rename(to: string) {
  const field = await screen.findByLabelText("Name");
  fireEvent.change(field, { target: { value: to } });
  fireEvent.keyDown(field, { key: "Enter" });
  await node(to);
}

test("links are made, conditioned and removed in the form, as they are drawn and sent", async () => {
  const which = { name: "which", taskRef: "switch", type: "decision", dependencies: [{ taskRef: "start" }], params: [] };
  const { user, kept } = await showWorkflow("design?node=a", { tasks: [start, shell("a"), which, shell("b", ["start", "which"])] });
  fireEvent.click(await screen.findByRole("tab", { name: "Links" }));
  const other = await screen.findByRole("combobox", { name: "Connect to" });
  fireEvent.click(other);
  fireEvent.click(await screen.findByRole("option", { name: "b" }));
  fireEvent.click(screen.getAllByRole("button", { name: "Connect" }).at(-1) as HTMLElement);
  fireEvent.click(within(screen.getByRole("radiogroup", { name: "Condition of the link from a to b" })).getByText("Failure"));
  await screen.findByRole("group", { name: "From a to b, on failure" });
  await choose("b");
  fireEvent.click(await screen.findByRole("tab", { name: "Links" }));
  fireEvent.change(await screen.findByLabelText("Condition (value matches)"), { target: { value: "gold\nsilver.*" } });
  await screen.findByRole("group", { name: "From which to b, gold | silver.*" });
  fireEvent.click(screen.getByRole("button", { name: "Remove link from start to b" }));
  expect(screen.queryByRole("group", { name: /^From start to b/ })).toBeNull();
  await user.click(button("Save"));
  await screen.findByText("Saved as version 2.");
  expect(kept.saves[0]?.body.tasks?.find(({ name }) => name === "b")?.dependencies).toMatchObject([
    { taskRef: "which", decisionCondition: "gold\nsilver.*" },
    { taskRef: "a", executionCondition: "failure" },
  ]);
});

test("renaming a task changes the references to it; undo, redo, copy and paste do what they say", async () => {
  const tasks = [start, shell("a"), shell("b", ["a"], "echo $(tasks.a.results.x)")];
  const { user, kept } = await showWorkflow("design?node=a", { tasks });
  await rename("first");
  const copied = await choose("b");
  const script = await screen.findByRole<HTMLInputElement>("textbox", { name: "Script" });
  expect(script.value).toBe("echo $(tasks.first.results.x)");
  fireEvent.keyDown(copied, { key: "c", ctrlKey: true });
  fireEvent.keyDown(copied, { key: "v", ctrlKey: true });
  fireEvent.keyDown(await node("b-2"), { key: "Delete" });
  await expect.poll(() => isThere("b-2")).toBe(false);
  await user.click(button("Undo"));
  expect(isThere("b-2")).toBe(true);
  await user.click(button("Undo"));
  expect(isThere("b-2")).toBe(false);
  await user.click(button("Undo"));
  await node("a");
  expect(screen.queryByText("Unsaved changes")).toBeNull();
  await user.click(button("Redo"));
  await node("first");
  await user.click(button("Save"));
  await screen.findByText("Saved as version 2.");
  expect(kept.saves[0]?.body.tasks?.map(({ name }) => name)).toEqual(["start", "first", "b"]);
});

test("an error of the service is marked at its task, and the list of problems leads to it; what it refuses is not saved", async () => {
  const fault = { severity: "error", reason: "WORKFLOW_INVALID_GRAPH", node: "a", path: "/tasks/1", message: "names no workflow" };
  const { user, kept } = await showWorkflow("design", {}, { problems: (body) => (body.includes('"timeout":7') ? [fault] : []) });
  service.byEnd.set("/team/owls/workflow", () => ({
    ...{ status: 400, body: { status: 400, reason: "WORKFLOW_INVALID_GRAPH", message: "The graph is invalid: a names no workflow" } },
  }));
  await choose("a");
  await user.click(await screen.findByRole("tab", { name: "Settings" }));
  await user.type(await screen.findByLabelText("Timeout (minutes)"), "7");
  await screen.findByRole("group", { name: /^a,.*problem: names no workflow/ });
  fireEvent.keyDown(screen.getByLabelText("Workflow canvas"), { key: "Escape" });
  await user.click(await screen.findByRole("button", { name: /^a: names no workflow/ }));
  await screen.findByRole("tab", { name: "Parameters" });
  await user.click(button("Save"));
  expect((await screen.findByRole("alert")).textContent).toMatch(/^Not saved:.*a names no workflow/);
  expect(kept.saves).toEqual([]);
});

test("a warning is marked at its task and keeps nothing from being saved", async () => {
  const warning = { severity: "warning", reason: "UNRESOLVED", node: "a", path: "/tasks/1", message: "the team has no such parameter" };
  const { user, kept } = await showWorkflow("design", {}, { problems: (body) => (body.includes('"name":"a"') ? [warning] : []) });
  await screen.findByRole("group", { name: /^a,.*warning: the team has no such parameter/ });
  await screen.findByText("Can be saved, with 1 warning:");
  await user.click(await screen.findByRole("button", { name: /^a: Warning: / }));
  await screen.findByRole("textbox", { name: "Script" });
  await rename("renamed");
  await user.click(button("Save"));
  await screen.findByText("Saved as version 2.");
  expect(kept.saves).toHaveLength(1);
});

test("a task with a newer version says so, and is updated with one click", async () => {
  const own = (version: number, param: object) => ({
    ...{ name: "own", displayName: "Own task", type: "script", version, status: "active", isOfTeam: true },
    spec: { params: [param] },
  });
  const old = own(1, { name: "old", label: "Old", type: "text" });
  service.byEnd.set("/team/owls/task/own", () => ({ status: 200, body: old }));
  const { user, kept } = await showWorkflow(
    "design?node=a",
    { tasks: [start, { name: "a", taskRef: "own", taskVersion: 1, type: "script", dependencies: [{ taskRef: "start" }], params: [] }] },
    { tasks: [own(2, { name: "fresh", label: "Fresh", type: "boolean" })] },
  );
  await screen.findByLabelText("Old");
  await user.click(await screen.findByRole("button", { name: "Use version 2" }));
  await screen.findByRole("switch", { name: "Fresh" });
  await user.click(button("Save"));
  await screen.findByText("Saved as version 2.");
  expect(kept.saves[0]?.body.tasks?.find(({ name }) => name === "a")).toMatchObject({ taskVersion: 2 });
});
