import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { service } from "../../ui/answer-requests.ts";
import { faultOf } from "../../ui/show-component.tsx";
import { showWorkflow } from "../workflow/show-workflow.tsx";
import { ConfigurePage } from "./configure-page.tsx";

afterEach(() => {
  cleanup();
  service.byEnd.clear();
});

const pages = { "configure/$section": ConfigurePage };
const field = (label: string) => screen.findByLabelText<HTMLInputElement>(label);
const type = async (label: string, value: string) => fireEvent.change(await field(label), { target: { value } });
const save = () => screen.getByRole("button", { name: "Save" });

test("a workflow is renamed, described and labelled without a new version", async () => {
  const { user, kept } = await showWorkflow("configure/general", { labels: { area: "money" } }, { pages });
  await type("Name", "Weekly report");
  await type("Description", "On Fridays");
  await type("Deadline", "2h");
  await user.click(save());
  await screen.findByText("Saved.");
  const body = { displayName: "Weekly report", description: "On Fridays", annotations: { "millrace.dev/deadline": "2h" } };
  expect(kept.saves).toMatchObject([{ body, isVersion: false }]);
  expect(kept.workflow).toMatchObject({ ...body, labels: { area: "money" }, version: 1 });
});

test("errors of the service are shown at their fields", async () => {
  const message = 'is "two hours"; it must be a duration';
  const errors = [{ path: "/annotations/millrace.dev~1deadline", message }];
  service.byEnd.set("/team/owls/workflow", () => ({
    ...{ status: 400, body: { status: 400, reason: "VALIDATION_FAILED", message: "Invalid", errors } },
  }));
  const { user } = await showWorkflow("configure/general", {}, { pages });
  await type("Deadline", "two hours");
  await user.click(save());
  await expect.poll(async () => faultOf(await field("Deadline"))).toBe(message);
});

test("if someone else saved first, only conflicting changes are asked about, and the input stays", async () => {
  const { user, kept, saveElsewhere } = await showWorkflow("configure/general", {}, { pages });
  await type("Description", "Mine");
  saveElsewhere({ timeout: 7 });
  await user.click(save());
  await screen.findByText("Saved.");
  expect(kept.workflow, "changes elsewhere are kept without a question").toMatchObject({ description: "Mine", timeout: 7 });
  await type("Description", "Mine again");
  saveElsewhere({ timeout: 8, description: "Theirs" });
  await user.click(save());
  const dialog = within(await screen.findByRole("dialog", { name: "Someone else saved this workflow" }));
  dialog.getByText(/You both changed description/);
  expect(kept.workflow).toMatchObject({ description: "Theirs" });
  await user.click(dialog.getByRole("button", { name: "Overwrite with mine" }));
  await expect.poll(() => kept.workflow).toMatchObject({ description: "Mine again", timeout: 8 });
  await expect.poll(() => screen.queryByText("Unsaved changes")).toBeNull();
});

test("parameters are declared beside the form that they make, as a new version", async () => {
  const params = [{ name: "city", label: "City", type: "text", required: true }];
  const { user, kept } = await showWorkflow("configure/parameters", { params }, { pages });
  await user.click(await screen.findByRole("button", { name: "Add parameter" }));
  await screen.findByRole("textbox", { name: "Label" });
  fireEvent.change(screen.getByRole("textbox", { name: "Name" }), { target: { value: "size" } });
  await type("Label", "Size");
  await user.click(screen.getByRole("combobox", { name: "Type" }));
  await user.click(await screen.findByRole("option", { name: "Single choice" }));
  await type("Choices", "s = Small\nl = Large");
  const preview = within(screen.getByRole("region", { name: "Form preview" }));
  const size = preview.getByRole<HTMLInputElement>("combobox", { name: "Size" });
  await user.click(size);
  const choices = () => document.getElementById(size.getAttribute("aria-controls") ?? "");
  await expect.poll(() => choices()?.textContent).toContain("Large");
  await user.click(within(choices() as HTMLElement).getByText("Large"));
  await expect.poll(() => size.value).toBe("Large");
  await user.click(screen.getByRole("button", { name: "Move size up" }));
  await user.click(save());
  await screen.findByText("Saved as version 2.");
  const options = [
    { key: "s", value: "Small" },
    { key: "l", value: "Large" },
  ];
  expect(kept.workflow.params).toMatchObject([
    { name: "size", label: "Size", type: "select", options },
    { name: "city", required: true },
  ]);
});

test("a reader sees the configuration, and why saving is not allowed", async () => {
  await showWorkflow("configure/general", {}, { pages, permissions: ["workflow/read"] });
  await type("Description", "Mine");
  expect(save().getAttribute("aria-description")).toContain("workflow/write");
});
