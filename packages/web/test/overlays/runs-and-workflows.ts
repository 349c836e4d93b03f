import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { Overlay, Places } from "./overlay.ts";

const tick = (name: string) => (page: Page) => page.getByRole("checkbox", { name }).first().check();
const moreButton = (page: Page) => page.getByRole("button", { name: "More", exact: true });
const key = (pressed: string) => (page: Page) => page.keyboard.press(pressed);

/** Something in the draft is another than what is saved. */
async function addNote(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Add a note" }).press("Enter");
  await page.getByRole("button", { name: "Save with a reason" }).waitFor();
}

/** Somebody else saves the workflow that the page has a draft of. */
async function saveElsewhere(page: Page, { token }: Places): Promise<void> {
  const at = new URL("/api/v2/team/shop/workflow", page.url());
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const report = await (await fetch(`${at}/report`, { headers })).json();
  const answer = await fetch(at, { method: "PUT", headers, body: JSON.stringify({ ...report, description: `${Date.now()}` }) });
  expect(answer.status).toBe(200);
}

/** What opens above the pages of runs, actions, the designer and the configuration of a workflow. */
export const overRunsAndWorkflows: readonly Overlay[] = [
  { of: ["pages/run/run-deeds"], path: "/shop/activity/{waiting}", press: ["More"], role: "menu", name: "More" },
  {
    of: ["pages/run/run-dialogs", "ui/confirm-dialog"],
    path: "/shop/activity/{waiting}",
    press: ["Cancel"],
    name: "Cancel this run?",
  },
  {
    of: ["pages/run/run-dialogs"],
    path: "/shop/activity/{over}",
    press: ["More", "Finalize"],
    name: "Finalize this run?",
    back: moreButton,
  },
  { of: ["components/run-dialog"], path: "/shop/activity/{over}", press: ["Run with changes …"], name: "Run again with other parameters" },
  { of: ["components/log/log-keys"], path: "/shop/activity/{over}?task=fail&tab=log", press: ["Keys of the log"], name: "Keys of the log" },
  { of: ["pages/activity/curl-button"], path: "/shop/activity", press: ["As a command"], name: "The same by the API" },
  {
    of: ["pages/activity/runs-deed-dialog"],
    path: "/shop/activity",
    press: [tick("Select all runs of this page"), "Cancel"],
    name: "Cancel runs",
  },
  {
    of: ["pages/activity/runs-deed-dialog"],
    path: "/shop/activity",
    press: [tick("Select all runs of this page"), "Retry"],
    name: "Retry runs",
  },
  {
    of: ["pages/activity/runs-deed-dialog", "components/bulk/bulk-dialog"],
    path: "/shop/activity",
    press: [tick("Select all runs of this page"), "Rerun from failed"],
    name: "Rerun runs from their failed tasks",
  },
  {
    of: ["pages/actions/vote-dialog"],
    path: "/shop/actions",
    press: [tick("Select all open actions of this page"), "Reject selected"],
    name: /^Reject: /,
  },
  {
    of: ["pages/actions/vote-dialog"],
    path: "/shop/actions",
    press: [tick("Select all open actions of this page"), "Approve selected"],
    name: /^Approve: /,
  },
  { of: ["pages/workflows/workflow-menu"], path: "/shop/workflows", press: ["More for Report"], role: "menu", name: "More for Report" },
  {
    of: ["pages/workflows/workflow-menu"],
    path: "/shop/workflows",
    press: ["More for Report"],
    role: "menu",
    name: "More for Report",
    as: "reader",
  },
  { of: ["components/run-dialog"], path: "/shop/workflows", press: ["Run Report"], name: "Run Report" },
  {
    of: ["pages/workflows/use-workflow-deeds"],
    path: "/shop/workflows",
    press: ["More for Report", "Delete"],
    name: "Delete Report",
    back: (page) => page.getByRole("button", { name: "More for Report" }),
  },
  { of: ["pages/workflow/version-list"], path: "/shop/workflows/report/versions", press: ["Restore version 1"], name: "Restore version 1" },
  { of: ["editor/keyboard-help"], path: "/shop/workflows/report/design", press: ["Keys"], name: "Keys of the canvas" },
  {
    of: ["editor/save-controls"],
    path: "/shop/workflows/report/design",
    press: [addNote, "Save with a reason"],
    name: "Save with a reason",
  },
  { of: ["editor/leave-guard"], path: "/shop/workflows/report/design", press: [addNote, "Activity"], name: "Leave without saving?" },
  {
    of: ["editor/conflict-dialog"],
    path: "/shop/workflows/report/design",
    press: [addNote, saveElsewhere, "Save"],
    name: "Somebody else saved this workflow",
  },
  {
    of: ["pages/configure/tokens-section"],
    path: "/shop/workflows/report/configure/tokens",
    press: ["Revoke caller"],
    name: "Revoke caller",
  },
  {
    of: ["pages/configure/token-dialog"],
    path: "/shop/workflows/report/configure/tokens",
    press: ["Make a token"],
    name: "Make a token of the workflow",
  },
  {
    of: ["pages/configure/webhook-secret"],
    path: "/shop/workflows/report/configure/triggers",
    press: ["Replace the secret"],
    name: "Replace the secret",
  },
  {
    of: ["pages/configure/webhook-secret"],
    path: "/shop/workflows/report/configure/triggers",
    press: ["Delete the secret"],
    name: "Delete the secret",
  },
  {
    of: ["pages/configure/save-bar"],
    path: "/shop/workflows/report/configure/general",
    press: [(page) => page.getByRole("main").getByLabel("Name", { exact: true }).fill("Another"), "Activity"],
    name: "Leave without saving?",
  },
  { of: ["components/keys/keys-help"], path: "/shop/activity", press: [key("?")], name: "Keys" },
];
