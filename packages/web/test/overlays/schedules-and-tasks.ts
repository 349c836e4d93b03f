import type { Page } from "playwright-core";
import type { Overlay } from "./overlay.ts";

const moreButton = (page: Page) => page.getByRole("button", { name: "More actions", exact: true });
const scheduleMenu = "More actions for Every night";
const scheduleMore = (page: Page) => page.getByRole("button", { name: scheduleMenu });

async function changeName(page: Page): Promise<void> {
  await page.getByRole("textbox", { name: "Display name" }).fill("Greet all");
  await page.getByText("Valid").waitFor();
}

/** Overlays above the pages of schedules, tasks and templates. */
export const overSchedulesAndTasks: readonly Overlay[] = [
  { of: ["pages/schedules/schedule-menu"], path: "/shop/schedules", press: [scheduleMenu], role: "menu", name: scheduleMenu },
  { of: ["pages/schedules/schedule-menu"], path: "/shop/schedules", press: [scheduleMenu], role: "menu", name: scheduleMenu, as: "reader" },
  { of: ["pages/schedules/schedule-panel"], path: "/shop/schedules", press: ["Every night"], name: "Every night" },
  {
    of: ["pages/schedules/backfill-dialog"],
    path: "/shop/schedules",
    press: [scheduleMenu, "Backfill"],
    name: "Backfill Every night",
    isNarrow: true,
    back: scheduleMore,
  },
  {
    of: ["pages/schedules/backfill-dialog"],
    path: "/shop/schedules?schedule={schedule}",
    press: [(page) => page.getByRole("dialog", { name: "Every night" }).getByText("Upcoming runs").waitFor(), "Backfill"],
    name: "Backfill Every night",
  },
  {
    of: ["pages/schedules/schedule-menu"],
    path: "/shop/schedules",
    press: [scheduleMenu, "Delete"],
    name: /^Delete Every night/,
    back: scheduleMore,
  },
  { of: ["pages/schedules/edit-panel"], path: "/shop/schedules", press: ["Create schedule"], name: "Create schedule", closedBy: "Cancel" },
  {
    of: ["pages/schedules/edit-panel"],
    path: "/shop/schedules",
    press: [scheduleMenu, "Edit"],
    name: "Edit Every night",
    closedBy: "Cancel",
    back: scheduleMore,
  },
  { of: ["pages/tasks/create-task-dialog"], path: "/shop/task-manager", press: ["Create task"], name: "Create task" },
  { of: ["pages/tasks/task-actions"], path: "/shop/task-manager/greet", press: ["More actions"], role: "menu", name: "More actions" },
  {
    of: ["pages/tasks/task-actions"],
    path: "/shop/task-manager/greet",
    press: ["More actions"],
    role: "menu",
    name: "More actions",
    as: "reader",
  },
  {
    of: ["pages/tasks/task-actions"],
    path: "/shop/task-manager/greet",
    press: ["More actions", "Archive"],
    name: "Archive Greet?",
    back: moreButton,
  },
  {
    of: ["pages/tasks/task-actions"],
    path: "/shop/task-manager/rested",
    press: ["More actions", "Make active"],
    name: "Make Rested active again?",
    back: moreButton,
  },
  {
    of: ["pages/tasks/task-actions"],
    path: "/shop/task-manager/greet",
    press: ["More actions", "Delete"],
    name: "Delete greet?",
    back: moreButton,
  },
  { of: ["pages/tasks/editor/save-dialog"], path: "/shop/task-manager/greet", press: [changeName, "Save"], name: "Save task" },
  {
    of: ["pages/tasks/editor/task-editor"],
    path: "/shop/task-manager/greet",
    press: [changeName, "Activity"],
    name: "Leave without saving?",
  },
  {
    of: ["pages/tasks/versions-tab"],
    path: "/shop/task-manager/greet?view=versions",
    press: ["Restore version 1"],
    name: "Restore version 1?",
  },
  {
    of: ["pages/templates/use-template"],
    path: "/admin/template-workflows/for-each-item",
    press: ["Use in a team"],
    role: "menu",
    name: "Use in a team",
    as: "owner",
  },
  {
    of: ["pages/templates/create-template-dialog"],
    path: "/admin/template-workflows",
    press: ["Create template"],
    name: "Create template",
  },
  {
    of: ["pages/templates/create-template-dialog"],
    path: "/admin/template-workflows",
    press: [
      "Create template",
      async (page) => {
        await page.getByText("YAML or JSON").click();
        await page.getByRole("textbox", { name: "Template as YAML" }).waitFor();
      },
    ],
    name: "Create template",
  },
  {
    of: ["pages/templates/template-page"],
    path: "/admin/template-workflows/for-each-item",
    press: ["Delete"],
    name: "Delete for-each-item?",
  },
  {
    of: ["pages/templates/template-versions"],
    path: "/admin/template-workflows/wait?view=versions",
    press: ["Restore version 1"],
    name: "Restore version 1?",
  },
];
