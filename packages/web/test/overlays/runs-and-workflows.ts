import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { Overlay, Places } from "./overlay.ts";

const tick = (name: string) => (page: Page) => page.getByRole("checkbox", { name }).first().check();
const openAction = (page: Page) => page.getByRole("row").getByRole("link").first().press("Enter");
const moreButton = (page: Page) => page.getByRole("button", { name: "More actions", exact: true });
const key = (pressed: string) => (page: Page) => page.keyboard.press(pressed);

/** The draft differs from what is saved. */
async function addNote(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Add note" }).press("Enter");
  await page.getByRole("button", { name: "Save with message" }).waitFor();
}

async function setTimeLimit(page: Page): Promise<void> {
  await page.getByRole("tab", { name: "Settings" }).click();
  await page.getByLabel("Timeout (minutes)").fill("7");
}

/** Another user gives the same task another timeout. */
async function saveElsewhere(page: Page, { token }: Places): Promise<void> {
  const at = new URL("/api/v2/team/shop/workflow", page.url());
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const report = await (await fetch(`${at}/report`, { headers })).json();
  const tasks = report.tasks.map((task: object) => ({ ...task, timeout: 5 }));
  const answer = await fetch(at, { method: "PUT", headers, body: JSON.stringify({ ...report, tasks }) });
  expect(answer.status).toBe(200);
}

async function addTest(page: Page, { token }: Places): Promise<void> {
  const at = new URL("/api/v2/team/shop/workflow/report/test/kept", page.url());
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const answer = await fetch(at, { method: "PUT", headers, body: JSON.stringify({ name: "kept" }) });
  expect(answer.status).toBe(200);
  await page.getByRole("list", { name: "Tests" }).getByRole("button", { name: /^kept/ }).press("Enter");
}

/** Overlays above the pages of runs, actions, the designer and the configuration of a workflow. */
export const overRunsAndWorkflows: readonly Overlay[] = [
  { of: ["pages/run/run-actions"], path: "/shop/activity/{waiting}", press: ["More actions"], role: "menu", name: "More actions" },
  {
    of: ["pages/run/run-actions", "ui/dialog/confirm-dialog"],
    path: "/shop/activity/{waiting}",
    press: ["Cancel"],
    name: "Cancel this run?",
  },
  {
    of: ["pages/run/run-actions"],
    path: "/shop/activity/{over}",
    press: ["More actions", "Release workspaces…"],
    name: "Release the workspaces of this run?",
    back: moreButton,
  },
  {
    of: ["components/run-form/run-dialog"],
    path: "/shop/activity/{over}",
    press: ["Run with changes…"],
    name: "Run again with other parameters",
  },
  {
    of: ["pages/run/rerun/task-menu"],
    path: "/shop/activity/{over}?task=fail&tab=log",
    press: ["Actions on fail"],
    role: "menu",
    name: "Actions on fail",
    isWideOnly: true,
  },
  {
    of: ["pages/run/rerun/rerun-dialog"],
    path: "/shop/activity/{over}?task=fail&tab=log",
    press: ["Actions on fail", "Rerun from here…"],
    name: "Rerun from fail",
    back: (page) => page.getByRole("button", { name: "Actions on fail" }),
  },
  {
    of: ["pages/run/rerun/rerun-dialog"],
    path: "/shop/activity/{over}",
    press: ["Rerun from failed…"],
    name: "Rerun",
  },
  {
    of: ["pages/run/rerun/mark-dialog"],
    path: "/shop/activity/{over}?task=fail&tab=log",
    press: ["Actions on fail", "Mark as succeeded…"],
    name: "Mark fail as succeeded",
    back: (page) => page.getByRole("button", { name: "Actions on fail" }),
  },
  {
    of: ["pages/workflow/tests/test-editor"],
    path: "/shop/workflows/report/tests",
    press: [addTest, "Delete"],
    name: "Delete test",
  },
  { of: ["components/log/log-keys"], path: "/shop/activity/{over}?task=fail&tab=log", press: ["Log shortcuts"], name: "Log shortcuts" },
  { of: ["components/keys/keys-help"], path: "/shop/activity", press: [key("?")], name: "Keyboard shortcuts" },
  { of: ["pages/activity/filter-bar"], path: "/shop/activity?labels=a%3Db", press: ["Filter"], name: "Filter", isWideOnly: true },
  { of: ["pages/activity/views/saved-views"], path: "/shop/activity?q=x", press: ["Views"], role: "menu", name: "Views" },
  {
    of: ["pages/activity/views/saved-views", "pages/activity/views/save-view-dialog"],
    path: "/shop/activity?q=x",
    press: ["Views", "Save as new view…"],
    name: "Save view",
  },
  { of: ["pages/activity/bulk/bulk-operations"], path: "/shop/activity", press: ["Bulk operations"], name: "Bulk operations" },
  {
    of: ["pages/activity/bulk/bulk-filter-dialog"],
    path: "/shop/activity",
    press: [(page) => page.getByRole("button", { name: /^Select all .* that match$/ }).press("Enter"), "Cancel"],
    name: "Cancel runs",
  },
  { of: ["pages/run/comments/run-comments"], path: "/shop/activity/{over}", press: ["Comments"], name: "Comments" },
  { of: ["pages/activity/list-tools"], path: "/shop/activity", press: ["Columns"], name: "Columns" },
  { of: ["pages/activity/activity-page"], path: "/shop/activity", press: ["Show cURL command"], name: "The same list over the API" },
  {
    of: ["pages/activity/bulk-bar"],
    path: "/shop/activity",
    press: [tick("Select all runs on this page"), "Cancel"],
    name: "Cancel runs",
  },
  {
    of: ["pages/activity/bulk-bar"],
    path: "/shop/activity",
    press: [tick("Select all runs on this page"), "Retry"],
    name: "Retry runs",
  },
  {
    of: ["pages/activity/bulk-bar", "components/bulk/bulk-dialog"],
    path: "/shop/activity",
    press: [tick("Select all runs on this page"), "Rerun from failed"],
    name: "Rerun from failed tasks",
  },
  {
    of: ["pages/actions/actions-page"],
    path: "/shop/actions",
    press: [tick("Select all open actions on this page"), "Reject selected"],
    name: /^Reject: /,
  },
  {
    of: ["pages/actions/actions-page"],
    path: "/shop/actions",
    press: [tick("Select all open actions on this page"), "Approve selected"],
    name: /^Approve: /,
  },
  {
    of: ["components/actions/discuss-action"],
    path: "/shop/actions",
    press: [openAction, "Comment"],
    name: "Comment",
  },
  {
    of: ["pages/workflows/workflow-menu"],
    path: "/shop/workflows",
    press: ["More actions for Report"],
    role: "menu",
    name: "More actions for Report",
  },
  {
    of: ["pages/workflows/workflow-menu"],
    path: "/shop/workflows",
    press: ["More actions for Report"],
    role: "menu",
    name: "More actions for Report",
    as: "reader",
  },
  { of: ["components/run-form/run-dialog"], path: "/shop/workflows", press: ["Run Report"], name: "Run Report" },
  {
    of: ["components/run-form/run-dialog"],
    path: "/shop/workflows",
    press: ["More actions for Report", "Run"],
    name: "Run Report",
    back: (page) => page.getByRole("button", { name: "More actions for Report" }),
  },
  {
    of: ["pages/workflows/use-workflow-actions"],
    path: "/shop/workflows",
    press: ["More actions for Report", "Delete"],
    name: "Delete Report",
    back: (page) => page.getByRole("button", { name: "More actions for Report" }),
  },
  { of: ["pages/workflow/version-list"], path: "/shop/workflows/report/versions", press: ["Restore version 1"], name: "Restore version 1" },
  { of: ["editor/designer"], path: "/shop/workflows/report/design", press: ["Keyboard shortcuts"], name: "Canvas shortcuts" },
  {
    of: ["editor/nested/nested-declarations"],
    path: "/shop/workflows/batches/design?in=each",
    press: ["Parameters and results"],
    name: "Parameters and results",
  },
  {
    of: ["editor/node/node-editor"],
    path: "/shop/workflows/report/design?node=vote",
    press: ["Open in the large editor"],
    name: "vote",
  },
  {
    of: ["editor/trial/trial-dialog"],
    path: "/shop/workflows/report/design",
    press: [addNote, "Run"],
    name: "Trial of your unsaved draft",
  },
  {
    of: ["editor/draft/save-controls"],
    path: "/shop/workflows/report/design",
    press: [addNote, "Save with message"],
    name: "Save with message",
  },
  {
    of: ["editor/draft/save-provider"],
    path: "/shop/workflows/report/design",
    press: [addNote, "Activity"],
    name: "Leave without saving?",
  },
  {
    of: ["editor/draft/conflict-dialog"],
    path: "/shop/workflows/report/design?node=vote",
    press: [setTimeLimit, saveElsewhere, "Save"],
    name: "Someone else saved this workflow",
  },
  {
    of: ["pages/configure/protection-section"],
    path: "/shop/workflows/guarded/configure/protection",
    press: ["Turn off protection"],
    name: "Turn off the protection of guarded",
  },
  {
    of: ["pages/configure/proposals-table"],
    path: "/shop/workflows/guarded/configure/protection",
    press: ["Withdraw version 2"],
    name: "Withdraw version 2",
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
    press: ["Create token"],
    name: "Create workflow token",
  },
  {
    of: ["pages/configure/triggers/webhook-access"],
    path: "/shop/workflows/report/configure/triggers",
    press: ["Rotate secret"],
    name: "Rotate secret",
  },
  {
    of: ["pages/configure/triggers/webhook-access"],
    path: "/shop/workflows/report/configure/triggers",
    press: ["Delete secret"],
    name: "Delete secret",
  },
];
