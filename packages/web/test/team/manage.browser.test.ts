import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { setMembers } from "../../../server/src/store/team/members.ts";
import { expectAccessible } from "../kit/accessibility.ts";
import { describeInBrowser, journeyMs, takePictures } from "../kit/browser.ts";
import { expectGone } from "../kit/expect-gone.ts";
import { openSite } from "../kit/site.ts";

/** The rules of the sections are in the tests of their components. */
describeInBrowser("managing a team", async () => {
  const site = await openSite();
  const team = await site.make.team();
  const owner = await site.make.member(team.id, "owner");
  const grace = await site.make.user({ email: "grace@example.com" });
  await setMembers(site.sql, team.id, [{ userId: grace.id, role: "reader" }]);
  const rowOf = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });
  const section = (page: Page, name: string) => page.getByRole("tab", { name, exact: true }).click();
  const read = () =>
    site.call<{ labels: object; members: { email: string; role: string }[] }>(owner.token, "GET", `/api/v2/team/${team.name}`);

  test(
    "an owner changes its members, approvers, quotas, tokens and settings, reads who did it, and deletes it",
    async () => {
      const page = await site.open(`/${team.name}/manage/members`, owner.token);
      await changesMembers(page);
      await section(page, "Approvers");
      await changesApprovers(page);
      await section(page, "Quotas");
      await changesQuotas(page);
      await section(page, "Tokens");
      await makesToken(page);
      await section(page, "Settings");
      await changesSettings(page);
      await section(page, "Audit");
      await readsAudit(page);
      await section(page, "Settings");
      await deletesTeam(page);
    },
    journeyMs,
  );

  async function fitsTelephone(page: Page, name: string) {
    await page.setViewportSize({ width: 360, height: 740 });
    await takePictures(page, name);
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    await page.setViewportSize({ width: 1280, height: 800 });
  }

  async function changesMembers(page: Page) {
    const role = page.getByLabel("Role of grace@example.com").first();
    await role.click();
    await page.getByRole("option", { name: "editor" }).click();
    await expect.poll(() => role.inputValue()).toBe("Editor");
    expect((await read()).members).toContainEqual(expect.objectContaining({ email: "grace@example.com", role: "editor" }));
    await page.getByLabel(`Role of ${owner.email}`).first().click();
    await page.getByRole("option", { name: "reader" }).click();
    await page.getByRole("alert").getByText("last owner").waitFor();
    await expectAccessible(page);
    await takePictures(page, "manage-members");
    await fitsTelephone(page, "manage-members-narrow");
    await page.getByRole("button", { name: "Remove grace@example.com" }).click();
    await page.getByRole("button", { name: "Remove member" }).click();
    await rowOf(page, "grace@example.com").waitFor({ state: "detached" });
  }

  async function changesApprovers(page: Page) {
    await page.getByRole("button", { name: "Create group" }).click();
    await page.getByLabel("Name").fill("release managers");
    await page.getByPlaceholder("Choose members").fill(owner.email);
    await page.getByRole("option", { name: owner.email }).click();
    // Closes the choices. If they are closed already, Escape would close the dialog.
    await page.keyboard.press("Tab");
    await takePictures(page, "manage-approver-group");
    await page.getByRole("dialog").getByRole("button", { name: "Create group" }).click();
    await rowOf(page, "release managers").waitFor();
    // A dialog that is closing is still on top of the page.
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await expectAccessible(page);
    await takePictures(page, "manage-approvers");
    await page.getByRole("button", { name: "Delete release managers" }).click();
    await page.getByRole("button", { name: "Delete group" }).click();
    await page.getByText("No approver groups yet").waitFor();
  }

  async function changesQuotas(page: Page) {
    await page.getByRole("button", { name: "Change the limit of Workflows" }).click();
    const field = page.getByLabel("Limit of Workflows in workflows");
    await field.fill("1001");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByText("above the instance's default of 1000").waitFor();
    await expectAccessible(page);
    await takePictures(page, "manage-quotas");
    await field.fill("3");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("0 of 3 in use", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Reset to defaults" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Reset to defaults" }).click();
    await page.getByText("0 of 1,000 in use", { exact: true }).waitFor();
  }

  /** It is shown once, works as the team within its permissions, and dies when it is revoked. */
  async function makesToken(page: Page) {
    await page.getByRole("button", { name: "Create token" }).click();
    const dialog = page.getByRole("dialog", { name: "Create token" });
    await dialog.getByLabel("Name").fill("nightly-build");
    await dialog.getByLabel("workflow/write").check();
    await takePictures(page, "manage-token-create");
    await dialog.getByRole("button", { name: "Create token" }).click();
    const token = (await page.getByRole("dialog", { name: "Copy the token" }).locator("pre").first().textContent()) ?? "";
    expect(token).toMatch(/^mrt_/);
    await takePictures(page, "manage-token-once");
    const caller = await site.call<{ kind: string; teams: { permissions: string[] }[] }>(token, "GET", "/api/v2/auth/caller");
    expect(caller.kind).toBe("team");
    expect(caller.teams[0]?.permissions).toContain("workflow/write");
    await page.getByRole("button", { name: "Done" }).click();
    await rowOf(page, "nightly-build").waitFor();
    await expectGone(page, token);
    await expectAccessible(page);
    await takePictures(page, "manage-tokens");
    await page.getByRole("button", { name: "Revoke nightly-build" }).click();
    await page.getByRole("button", { name: "Revoke token" }).click();
    await page.getByText("No tokens yet").waitFor();
    await expect(site.call(token, "GET", "/api/v2/auth/caller")).rejects.toThrow("401");
  }

  async function changesSettings(page: Page) {
    await page.getByRole("button", { name: "Add label" }).click();
    await page.getByLabel("Key of label 1").fill("stage");
    await page.getByLabel("Value of label 1").fill("test");
    await page.getByLabel("Display name").fill("The Hawks");
    await page.getByRole("button", { name: "Save settings" }).click();
    await page.getByRole("heading", { name: "Manage The Hawks" }).waitFor();
    expect((await read()).labels).toEqual({ stage: "test" });
    await expectAccessible(page);
    await takePictures(page, "manage-settings");
    await fitsTelephone(page, "manage-settings-narrow");
  }

  async function readsAudit(page: Page) {
    await rowOf(page, "changed team").first().waitFor();
    await page.getByLabel("Who").fill(owner.email);
    await page.waitForURL("**/audit?*actor=*");
    await expectAccessible(page);
    await takePictures(page, "manage-audit");
    await rowOf(page, owner.email.split("@")[0] as string)
      .first()
      .getByRole("button", { name: "Details" })
      .click();
    const record = page.getByRole("dialog", { name: "Audit record" });
    await record.locator("ins").first().waitFor();
    await record.getByText('"displayName": "The Hawks"').waitFor();
    await page.waitForURL("**/audit?*entry=*");
    await takePictures(page, "manage-audit-record");
    await record.getByRole("button", { name: "All about this team" }).click();
    await page.waitForURL("**/audit?*object=*");
    await page.getByLabel("Who").fill("nobody");
    await page.getByText("No records match").waitFor();
  }

  async function deletesTeam(page: Page) {
    await page.getByRole("button", { name: "Delete team" }).click();
    const dialog = page.getByRole("dialog");
    const last = dialog.getByRole("button", { name: "Delete team" });
    expect(await last.isDisabled()).toBe(true);
    await dialog.getByLabel(`Type ${team.name} to confirm`).fill(team.name);
    await dialog.getByText("0 workflows").waitFor();
    await takePictures(page, "manage-delete");
    await last.click();
    await page.waitForURL("**/home");
    await expect(site.call(owner.token, "GET", `/api/v2/team/${team.name}`)).rejects.toThrow("404");
  }
});
