import type { Page } from "playwright-core";
import type { Overlay } from "./overlay.ts";

const account = (page: Page) => page.getByRole("button", { name: "Your account" });
const more = (of: string) => ({
  press: `More actions for ${of}`,
  back: (page: Page) => page.getByRole("button", { name: `More actions for ${of}` }),
});
const team = more("shop");
const user = more("ada@example.com");

/** Overlays above the administration and above the user's own pages. */
export const overPeopleAndInstance: readonly Overlay[] = [
  { of: ["pages/admin/row-menu"], path: "/admin/teams", press: [team.press], role: "menu", name: team.press },
  { of: ["components/how-to/how-to"], path: "/admin/teams", press: ["API"], name: "Teams over the API" },
  { of: ["pages/admin/teams/teams-section"], path: "/admin/teams", press: ["Create team"], name: "Create team" },
  { of: ["pages/admin/teams/quotas-dialog"], path: "/admin/teams", press: [team.press, "Quotas"], name: "Quotas of shop", back: team.back },
  {
    of: ["pages/admin/teams/permissions-dialog"],
    path: "/admin/teams",
    press: [team.press, "Permissions of tasks…"],
    name: "Permissions of tasks in shop",
    back: team.back,
  },
  {
    of: ["pages/admin/teams/teams-section"],
    path: "/admin/teams",
    press: [team.press, "Deactivate"],
    name: "Deactivate shop",
    back: team.back,
  },
  {
    of: ["pages/admin/users/edit-user-dialog"],
    path: "/admin/users",
    press: [user.press, "Change"],
    name: "ada@example.com",
    back: user.back,
  },
  {
    of: ["pages/admin/users/users-section"],
    path: "/admin/users",
    press: [user.press, "Create password code"],
    name: "Password code for ada@example.com",
    back: user.back,
  },
  {
    of: ["pages/admin/users/users-section"],
    path: "/admin/users",
    press: [user.press, "Create password code", "Create code", (page) => page.getByRole("dialog").locator("pre").waitFor()],
    name: "Password code for ada@example.com",
    back: user.back,
  },
  {
    of: ["pages/admin/users/users-section"],
    path: "/admin/users",
    press: [user.press, "Delete"],
    name: "Delete ada@example.com",
    back: user.back,
  },
  { of: ["components/parameters/parameter-dialog"], path: "/admin/parameters", press: ["Add parameter"], name: "Add parameter" },
  {
    of: ["components/parameters/protection-dialog"],
    path: "/admin/parameters",
    press: ["Protection of registry"],
    name: "Protection of registry",
  },
  { of: ["components/tokens/create-token-dialog"], path: "/admin/tokens", press: ["Create token"], name: "Create token", isNarrow: true },
  {
    of: ["components/subscriptions/subscription-dialog"],
    path: "/admin/events",
    press: ["Create subscription"],
    name: "Create subscription",
  },
  { of: ["components/audit/audit-detail"], path: "/admin/audit", press: ["Details"], name: "Audit record" },
  { of: ["pages/tasks/create-task-dialog"], path: "/admin/task-manager", press: ["Create task"], name: "Create task" },
  { of: ["components/shell/own-menu"], path: "/home", press: ["Your account"], role: "menu", name: "Your account" },
  {
    of: ["components/keys/keys-help"],
    path: "/home",
    press: ["Your account", "Keyboard shortcuts"],
    name: "Keyboard shortcuts",
    back: account,
  },
  {
    of: ["components/command-palette/palette-list"],
    path: "/home",
    press: [(page) => page.getByRole("button", { name: /^Jump to/ }).press("Enter")],
    name: "Search and jump",
    back: (page) => page.getByRole("button", { name: /^Jump to/ }),
  },
  { of: ["pages/home/create-team-dialog"], path: "/home", press: ["Create team"], name: "Create team" },
  {
    of: ["components/tokens/create-token-dialog"],
    path: "/profile/tokens",
    press: ["Create token"],
    name: "Create token",
    as: "owner",
  },
  {
    of: ["pages/profile/sessions-section"],
    path: "/profile/sessions",
    press: ["End all other sessions"],
    name: "End all other sessions",
    as: "owner",
  },
  { of: ["pages/kit/forms-kit", "ui/dialog/form-dialog"], path: "/kit", press: ["Ask for a plant"], name: "Create plant" },
  { of: ["pages/kit/buttons-kit"], path: "/kit", press: ["Ask for a word"], name: "Delete team" },
];
