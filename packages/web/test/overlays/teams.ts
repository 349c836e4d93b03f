import type { Page } from "playwright-core";
import type { Overlay } from "./overlay.ts";

const subscription = "/shop/integrations?subscription=till";

/** Presses the only button of that name in the dialog, and waits for the value that is shown once. */
const once = (button: string, shown: string) => async (page: Page) => {
  await page.getByRole("dialog").getByRole("button", { name: button, exact: true }).press("Enter");
  await page.getByRole("dialog", { name: shown }).waitFor();
};

/** Overlays above the pages of a team: its members, limits, tokens, parameters and integrations. */
export const overTeams: readonly Overlay[] = [
  { of: ["pages/manage/members-section"], path: "/shop/manage/members", press: ["Leave team"], name: /^Leave /, as: "owner" },
  { of: ["pages/manage/members-section"], path: "/shop/manage/members", press: ["Remove {reader}"], name: /^Remove / },
  { of: ["pages/manage/invite-dialog"], path: "/shop/manage/members", press: ["Invite people"], name: "Invite people" },
  {
    of: ["pages/manage/invitations-table"],
    path: "/shop/manage/members",
    press: ["Revoke the invitation of invited@example.com"],
    name: "Revoke the invitation of invited@example.com",
  },
  {
    of: ["pages/manage/approvers-section"],
    path: "/shop/manage/approvers",
    press: ["Create group"],
    name: "Create approver group",
  },
  { of: ["pages/manage/approvers-section"], path: "/shop/manage/approvers", press: ["Edit releasers"], name: "Edit releasers" },
  { of: ["pages/manage/approvers-section"], path: "/shop/manage/approvers", press: ["Delete releasers"], name: "Delete releasers" },
  {
    of: ["pages/manage/team-protection-section"],
    path: "/guarded/manage/protection",
    press: ["Turn off protection"],
    name: "Turn off the protection of all workflows",
  },
  { of: ["pages/manage/quotas-section"], path: "/shop/manage/quotas", press: ["Reset to defaults"], name: "Reset quotas" },
  { of: ["pages/manage/settings-section"], path: "/shop/manage/settings", press: ["Delete team"], name: "Delete shop" },
  { of: ["components/tokens/create-token-dialog"], path: "/shop/manage/tokens", press: ["Create token"], name: "Create token" },
  {
    of: ["components/tokens/create-token-dialog"],
    path: "/shop/manage/tokens",
    press: [
      "Create token",
      async (page) => {
        await page.getByRole("dialog").getByLabel("Name").fill("robot");
        await page.getByRole("dialog").getByRole("button", { name: "Read only" }).press("Enter");
      },
      once("Create token", "Copy the token"),
    ],
    name: "Copy the token",
  },
  { of: ["components/tokens/token-section"], path: "/shop/manage/tokens", press: ["Revoke nightly"], name: "Revoke nightly" },
  { of: ["components/audit/audit-detail"], path: "/shop/manage/audit", press: ["Details"], name: "Audit record" },
  { of: ["components/parameters/parameter-dialog"], path: "/shop/parameters", press: ["Add parameter"], name: "Add parameter" },
  { of: ["components/parameters/parameter-dialog"], path: "/shop/parameters", press: ["Edit city"], name: "Edit city" },
  { of: ["components/parameters/parameter-dialog"], path: "/shop/parameters", press: ["Edit key"], name: "Edit key" },
  { of: ["components/parameters/parameter-section"], path: "/shop/parameters", press: ["Delete city"], name: "Delete city" },
  {
    of: ["components/parameters/protection-dialog"],
    path: "/shop/parameters",
    press: ["Protection of key"],
    name: "Protection of key",
  },
  {
    of: ["components/subscriptions/subscription-dialog"],
    path: "/shop/integrations",
    press: ["Create subscription"],
    name: "Create subscription",
  },
  { of: ["components/subscriptions/subscription-dialog"], path: subscription, press: ["Edit"], name: "Edit till" },
  { of: ["components/subscriptions/subscription-detail"], path: subscription, press: ["Delete"], name: "Delete till" },
  { of: ["components/subscriptions/subscription-detail"], path: subscription, press: ["Rotate secret"], name: "Rotate secret" },
  {
    of: ["components/subscriptions/subscription-detail"],
    path: subscription,
    press: ["Rotate secret", once("Rotate secret", "Copy the secret")],
    name: "Copy the secret",
  },
  { of: ["components/subscriptions/delivery-log"], path: subscription, press: ["Test event"], name: "Delivery" },
  { of: ["components/subscriptions/delivery-log"], path: subscription, press: ["Replay all failed"], name: "Replay all failed" },
  { of: ["pages/integrations/platform"], path: "/shop/integrations?tab=platforms", press: ["Unlink"], name: "Unlink the code host" },
];
