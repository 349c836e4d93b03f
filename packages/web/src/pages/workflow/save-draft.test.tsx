import { Link } from "@tanstack/react-router";
import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import { paths } from "../../paths.ts";
import { service } from "../../ui/answer-requests.ts";
import { ConfigurePage } from "../configure/configure-page.tsx";
import { shell, showWorkflow } from "./show-workflow.tsx";

afterEach(() => {
  cleanup();
  service.byEnd.clear();
});

const Runs = () => <Link to={paths.activity("owls")}>Elsewhere</Link>;
const pages = { "configure/$section": ConfigurePage, runs: Runs };
const button = (name: string) => screen.getByRole("button", { name });
const link = (name: string) => screen.getByRole("link", { name });
const isUnsaved = () => screen.queryByText("Unsaved changes") !== null;

async function typeTimeout(user: UserEvent, minutes: string) {
  await user.click(await screen.findByRole("tab", { name: "Settings" }));
  await user.type(await screen.findByLabelText("Timeout (minutes)"), minutes);
}

const timeouts = ({ tasks = [] }: { tasks?: { name: string; timeout?: number | null }[] | null }) =>
  Object.fromEntries((tasks ?? []).map(({ name, timeout }) => [name, timeout ?? undefined]));

test("what someone else saved elsewhere in the workflow is saved together with the author's own changes", async () => {
  const tasks = [{ name: "start" }, shell("a"), shell("b", ["a"])];
  const { user, kept, saveElsewhere } = await showWorkflow("design?node=a", { tasks });
  await typeTimeout(user, "7");
  saveElsewhere({ tasks: tasks.map((task) => (task.name === "b" ? { ...task, timeout: 5 } : task)) });
  await user.click(button("Save"));
  await screen.findByText("Saved as version 3.");
  expect(timeouts(kept.workflow)).toMatchObject({ a: 7, b: 5 });
  // Their change is in the draft as well: the next save does not revert it.
  await expect.poll(isUnsaved).toBe(false);
});

test("changes are not lost by leaving, and stay in the other views of the workflow", async () => {
  const { user } = await showWorkflow("design?node=a", {}, { pages });
  await user.click(await screen.findByRole("button", { name: "Add Sleep" }));
  await user.click(link("Code"));
  await screen.findByRole("textbox", { name: "Workflow as YAML" });
  expect(isUnsaved()).toBe(true);
  await user.click(link("Design"));
  await screen.findByRole("group", { name: /^sleep,/ });
  await user.click(link("Runs"));
  await screen.findByRole("link", { name: "Elsewhere" });
  expect(isUnsaved()).toBe(true);
});

test("leaving the workflow with changes is asked about, and loses them only after that", async () => {
  const { user, address } = await showWorkflow("design?node=a", {}, { pages });
  await user.click(await screen.findByRole("button", { name: "Add Sleep" }));
  await user.click(link("Runs"));
  await user.click(link("Elsewhere"));
  await user.click(within(await screen.findByRole("dialog", { name: "Leave without saving?" })).getByText("Keep editing"));
  expect([address(), isUnsaved()]).toEqual(["/owls/workflows/report/runs", true]);
  await user.click(link("Elsewhere"));
  await user.click(within(await screen.findByRole("dialog", { name: "Leave without saving?" })).getByText("Discard and leave"));
  await expect.poll(address).toBe("/owls/activity");
});

test("a save can have a change note", async () => {
  const { user, kept } = await showWorkflow("design?node=a");
  await typeTimeout(user, "7");
  await user.click(button("Save with message"));
  const dialog = within(await screen.findByRole("dialog", { name: "Save with message" }));
  fireEvent.change(dialog.getByLabelText("Change message"), { target: { value: "Slower" } });
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await screen.findByText("Saved as version 2.");
  expect(kept.saves).toMatchObject([{ body: { changelog: { reason: "Slower" } }, isVersion: true }]);
});

test("changes undone on another page of the workflow are named", async () => {
  const { user } = await showWorkflow("configure/options", {}, { pages });
  await user.clear(await screen.findByLabelText("Retries"));
  await user.type(screen.getByLabelText("Retries"), "4");
  await user.click(link("Design"));
  await user.click(button("Undo"));
  await screen.findByText("Undone: a change in Configure › Options.");
  expect(isUnsaved()).toBe(false);
  await user.click(button("Redo"));
  await screen.findByText("Redone: a change in Configure › Options.");
});

test("a reader sees everything, and why nothing can be changed", async () => {
  await showWorkflow("design?node=a", {}, { permissions: ["workflow/read"] });
  expect((await screen.findAllByText(/This needs the permission workflow\/write/)).length).toBeGreaterThan(0);
  expect(screen.getByRole("textbox", { name: "Name" }).closest("fieldset")?.disabled).toBe(true);
});

test("an old version is shown as it was, and can't be saved", async () => {
  await showWorkflow("design?version=1");
  await screen.findByRole("group", { name: /^older,/ });
  screen.getByText(/You are viewing version 1\./);
  expect(screen.queryByRole("button", { name: "Save" })).toBeNull();
});
