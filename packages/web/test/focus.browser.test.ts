import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectAccessible } from "./kit/accessibility.ts";
import { describeInBrowser, takePictures } from "./kit/browser.ts";
import { ends, startRuns } from "./kit/people-data.ts";
import { openSite } from "./kit/site.ts";

describeInBrowser("the focus when the focused element disappears", async () => {
  const site = await openSite();
  const team = await site.make.team({ name: "shop" });
  const { token } = await site.make.member(team.id, "owner");
  const call = (method: string, path: string, body: unknown) => site.call(token, method, `/api/v2/team/shop${path}`, body);
  await startRuns(site, token, "shop", ends("import", "failed"));
  const parameters = ["city", "day", "hour"].map((name) => ({ name, type: "text", value: "1" }));
  await call("PATCH", "", { parameters });

  const hasFocus = (one: Locator) =>
    expect.poll(() => one.evaluate((node) => node === document.activeElement), { message: "has the focus" }).toBe(true);
  const field = (page: Page, name: string) => page.getByRole("main").getByRole("textbox", { name }).first();

  test("moves from chip to chip as filters of the activity are removed, and to the search when all are cleared", async () => {
    const page = await site.open("/shop/activity?status=failed&labels=a%3Db&labels=c%3Dd&phase=completed", token);
    await page.getByRole("button", { name: "Remove filter Label: a=b" }).press("Enter");
    await page.getByText("a=b").waitFor({ state: "detached" });
    await expect.poll(() => page.evaluate("document.activeElement.closest('search') !== null")).toBe(true);
    await page.getByRole("button", { name: "Clear", exact: true }).press("Enter");
    await page.getByRole("button", { name: "Clear", exact: true }).waitFor({ state: "detached" });
    await hasFocus(page.getByLabel("Search runs"));
  });

  test("goes to the filter when everything is shown again, stays in a cleared search, and moves on to the next row or line", async () => {
    const page = await site.open("/shop/activity?triggers=schedule", token);
    const go = (name: string) => page.getByRole("navigation", { name: "Main" }).getByRole("link", { name, exact: true }).click();
    await page.getByRole("button", { name: "Clear filters" }).press("Enter");
    await page.getByRole("button", { name: "Clear filters" }).waitFor({ state: "detached" });
    await expect.poll(() => page.evaluate("document.activeElement.closest('search') !== null")).toBe(true);
    await go("Workflows");
    const search = page.getByLabel("Search workflows");
    await search.fill("nothing-like-it");
    await page.getByRole("button", { name: "Show all workflows" }).press("Enter");
    await page.getByRole("table").waitFor();
    await hasFocus(search);
    await search.fill("imp");
    await page.getByRole("button", { name: "Clear search" }).press("Enter");
    await hasFocus(search);

    await go("Parameters");
    await page.getByRole("button", { name: "Delete city" }).press("Enter");
    await page.getByRole("button", { name: "Delete parameter" }).press("Enter");
    await page.getByRole("row", { name: /city/ }).waitFor({ state: "detached" });
    await expect
      .poll(() => page.evaluate("document.activeElement.closest('tr')?.textContent ?? document.activeElement.tagName"))
      .toContain("day");
    await page
      .getByRole("navigation", { name: "Main" })
      .getByRole("link", { name: /^Manage/ })
      .click();
    await page.getByRole("tab", { name: "Settings" }).click();
    for (let lines = 0; lines < 2; lines++) await page.getByRole("button", { name: "Add label" }).press("Enter");
    await page
      .getByRole("button", { name: /^Remove label/ })
      .last()
      .press("Enter");
    await expect.poll(() => page.getByRole("button", { name: /^Remove label/ }).count()).toBe(1);
    await hasFocus(page.getByRole("button", { name: "Add label" }));
  });

  test("the settings of a phone begin with the form, below one field for the group", async () => {
    const page = await site.open("/admin/settings", site.adminToken);
    await page.setViewportSize({ width: 360, height: 740 });
    const choice = page.getByRole("combobox", { name: "Group of settings" }).or(field(page, "Group of settings")).first();
    await choice.waitFor();
    expect(await page.getByRole("navigation", { name: "Groups of settings" }).isVisible()).toBe(false);
    await takePictures(page, "narrow-settings");
    await choice.press("Enter");
    await expectAccessible(page);
    await page.getByRole("option", { name: "API" }).or(page.getByRole("option").nth(1)).first().click();
    await page.waitForURL("**/settings?group=*");
    await hasFocus(choice);
    await expectAccessible(page);
  });
});
