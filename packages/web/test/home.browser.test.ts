import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { setMembers } from "../../server/src/store/team/members.ts";
import { expectAccessible } from "./kit/accessibility.ts";
import { describeInBrowser, takePictures } from "./kit/browser.ts";
import { asks, ends, startRuns } from "./kit/people-data.ts";
import { openSite } from "./kit/site.ts";

describeInBrowser("home", async () => {
  const site = await openSite();
  const [mill, weir] = [await site.make.team({ name: "mill" }), await site.make.team({ name: "weir" })];
  await site.make.team({ name: "elsewhere" });
  const editor = await site.make.member(mill.id, "editor");
  await setMembers(site.sql, weir.id, [{ userId: editor.id, role: "reader" }]);
  await startRuns(site, site.adminToken, "mill", ends("nightly", "failed"), 2);
  await startRuns(site, site.adminToken, "mill", asks("release"), 2);
  await startRuns(site, site.adminToken, "weir", ends("hourly", "succeeded"), 2);
  await startRuns(site, site.adminToken, "elsewhere", asks("secret"), 1);

  test("shows your teams with counts, what waits for you and what ran, nothing of other teams, and jumps to all of it", async () => {
    const page = await site.open("/home", editor.token);
    await page.getByRole("link", { name: "2 open actions of mill" }).waitFor();
    const waiting = page.getByRole("region", { name: "Needs your attention" });
    await waiting.getByRole("link", { name: "Decide decide of release" }).first().waitFor();
    await page
      .getByRole("row", { name: /Import hourly/ })
      .first()
      .waitFor();
    expect(await page.getByText("secret").count()).toBe(0);
    expect(await page.getByText("elsewhere").count()).toBe(0);
    await takePictures(page, "home");
    await expectAccessible(page);
    await page.setViewportSize({ width: 360, height: 740 });
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    await takePictures(page, "home-narrow");
    await page.setViewportSize({ width: 1280, height: 800 });
    const handbook = page.getByRole("link", { name: "Handbook: about this page" });
    expect(await handbook.getAttribute("href")).toBe("/docs/user-interface");
    await waiting.getByRole("link", { name: "Decide decide of release" }).first().click();
    await page.getByRole("button", { name: "Approve", exact: true }).waitFor();
    expect(await handbook.getAttribute("href")).toBe("/docs/approvals");
    await page.getByRole("button", { name: "Approve", exact: true }).click();
    await page.getByText("Approved").first().waitFor();
    await page.getByRole("link", { name: "Home" }).click();
    await page.getByRole("link", { name: "1 open action of mill" }).waitFor();
    await jumps(page);
  });

  /** To a place, a workflow or a run by a few letters, from anywhere and by keyboard alone. */
  async function jumps(page: Page) {
    await page.getByRole("link", { name: "mill", exact: true }).first().click();
    await page.waitForURL("**/mill/workflows");
    await page.keyboard.press("Control+k");
    const field = page.getByRole("combobox", { name: /Search places/ });
    await field.fill("hourly");
    await page.getByRole("option").filter({ hasText: "Import hourly" }).first().waitFor();
    await takePictures(page, "command-palette");
    await expectAccessible(page);
    await field.fill("insig");
    await page.getByRole("option", { name: /Insights/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/mill/insights");
    await page.getByRole("button", { name: /^Jump to/ }).click();
    await field.fill("weir");
    await page.keyboard.press("ArrowDown");
    await page.getByRole("option", { name: /weir/ }).first().click();
    await page.waitForURL("**/weir/workflows");
    await page.keyboard.press("Control+k");
    await field.fill("nothing like this");
    await page.getByText(/No results for “nothing like this”/).waitFor();
    await page.keyboard.press("Escape");
    await field.waitFor({ state: "detached" });
  }

  /** What a token without a user may do is in the tests of the page. */
  test("shows a new user the next steps, and creates a team, whose name is checked while you type", async () => {
    const user = await site.make.user();
    const page = await site.open("/home", await site.make.userToken(user.id));
    await page.getByRole("region", { name: "First steps" }).waitFor();
    await page.getByText("You aren't a member of any team yet.").waitFor();
    await takePictures(page, "home-empty");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Create team" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("mill");
    await dialog
      .getByText(/mill.*(taken|exists|already|use)/i)
      .first()
      .waitFor();
    await dialog.getByLabel("Name").fill("Night Herons");
    await dialog.getByText("URL: /night-herons").waitFor();
    await takePictures(page, "home-create-team");
    await dialog.getByRole("button", { name: "Create team" }).click();
    await page.waitForURL("**/night-herons/workflows");
    await page.getByRole("link", { name: "Home" }).click();
    await page.getByRole("link", { name: "Night Herons", exact: true }).first().waitFor();
  });
});
