import { expect, test } from "vitest";
import { expectAccessible } from "../kit/accessibility.ts";
import { describeInBrowser, takePictures } from "../kit/browser.ts";
import { asks, ends, startRuns } from "../kit/people-data.ts";
import { brokenLayout } from "../kit/pseudo-language.ts";
import { openSite } from "../kit/site.ts";

describeInBrowser("the activity of a team", async () => {
  const site = await openSite();
  const team = await site.make.team({ name: "harriers" });
  await startRuns(site, site.adminToken, team.name, ends("nightly", "failed"), 3);
  await startRuns(site, site.adminToken, team.name, ends("hourly", "succeeded"), 4);
  await startRuns(site, site.adminToken, team.name, asks("mill"), 2);

  test("lists the runs, newest first; the address keeps the filters, and shows the same to someone else on a narrow screen", async () => {
    const page = await site.openAs("editor", team, "/harriers/activity");
    await page.getByRole("button", { name: "Failed 3" }).waitFor();
    await page
      .getByRole("row", { name: /Release mill/ })
      .first()
      .waitFor();
    expect(await page.getByRole("row").count()).toBe(10);
    expect(await page.getByRole("row").nth(1).textContent()).toContain("Release mill");
    await takePictures(page, "activity");
    await expectAccessible(page);
    await page.getByRole("button", { name: /^Failed/ }).click();
    await page.getByRole("button", { name: "Failed", pressed: true }).waitFor();
    await page
      .getByRole("row", { name: /Release mill/ })
      .first()
      .waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await page.getByRole("dialog", { name: "Filter" }).getByLabel("Workflows").first().click();
    await page.getByRole("option", { name: "Import nightly" }).click();
    await page.waitForURL(/statuses=.*workflows=/);
    const other = await site.openAs("reader", team, new URL(page.url()).pathname + new URL(page.url()).search);
    await other.getByText("1–3 of 3").waitFor();
    await other.getByRole("button", { name: "Workflow Import nightly", exact: true }).waitFor();
    await other.setViewportSize({ width: 360, height: 740 });
    await expect.poll(() => other.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    expect(await brokenLayout(other)).toEqual([]);
    await takePictures(other, "activity-narrow");
  });

  test("finds a failed order by its number, sees that it is not acknowledged, acknowledges it with a comment and reruns it", async () => {
    const shop = await site.make.team({ name: "shop" });
    const path = "/api/v2/team/shop/workflow";
    await site.call(site.adminToken, "POST", path, { ...ends("orders", "failed"), params: [{ name: "order", type: "text" }] });
    for (let order = 2341; order < 2348; order++)
      await site.call(site.adminToken, "POST", `${path}/orders/submit?start=true`, { params: [{ name: "order", value: `A-${order}` }] });
    const page = await site.openAs("editor", shop, "/shop/activity");
    await page.getByLabel("Search runs").fill("A-2345");
    await page.getByText("1–1 of 1").waitFor();
    await page.getByRole("link", { name: /Import orders/ }).click();
    await page.getByRole("button", { name: "Acknowledge" }).click();
    await page.getByRole("button", { name: "Release", exact: true }).waitFor();
    await page.getByRole("button", { name: "Comments", exact: true }).click();
    await page.getByLabel("Comment", { exact: true }).fill("The supplier sent no address.");
    await page.getByRole("button", { name: "Add comment" }).click();
    await page.getByRole("listitem").getByText("The supplier sent no address.").waitFor();
    await takePictures(page, "run-comments");
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "1 comment" }).waitFor();
    await page.getByText("Compare", { exact: true }).click();
    await page.getByRole("row", { name: /order A-2345 A-2344 Changed/ }).waitFor();
    await takePictures(page, "run-comparison");
    await expectAccessible(page);
    const failed = page.url();
    await page.getByRole("button", { name: "Run again" }).click();
    await page.waitForURL((url) => url.pathname.includes("/activity/") && !failed.includes(url.pathname));
    await page.context().setOffline(true);
    await page.getByText(/^No connection to the service/).waitFor({ timeout: 2_000 });
    await page.context().setOffline(false);
    await page.getByText(/^No connection to the service/).waitFor({ state: "detached" });
  });

  test("cancels what is chosen by keyboard, then acts on all that match after it has named their number and the filter", async () => {
    const page = await site.openAs("editor", team, "/harriers/activity?workflows=%5B%22hourly%22%2C%22mill%22%5D");
    await page
      .getByRole("row", { name: /Release mill/ })
      .first()
      .waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.getByText("1 selected").waitFor();
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await page.getByRole("button", { name: "Cancel 1 run" }).click();
    await page.getByText("1 done").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
    await page.getByRole("row", { name: /Cancelled/ }).waitFor();
    await page.keyboard.press("/");
    expect(await page.evaluate("document.activeElement?.getAttribute('aria-label')")).toBe("Search runs");
    await page.getByRole("button", { name: "Select all 6 that match" }).click();
    await page.getByRole("button", { name: "Retry", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Retry runs" });
    await dialog.getByText("This applies to all 6 runs that match now:").waitFor();
    await dialog.getByText("Workflow: Import hourly").waitFor();
    await dialog.getByRole("button", { name: "Retry 6 runs" }).click();
    await dialog.getByText("5 done, 1 failed, 0 left").waitFor();
    await dialog.getByRole("list", { name: "Failed runs of the operation" }).getByRole("link").first().waitFor();
    await takePictures(page, "activity-bulk");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await page.getByRole("button", { name: "Bulk operations" }).click();
    await page.getByRole("button", { name: "Retry 6 runs" }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await page
      .getByRole("link", { name: /Release mill/ })
      .first()
      .focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/activity\/[0-9a-f-]{36}/);
  });
});
