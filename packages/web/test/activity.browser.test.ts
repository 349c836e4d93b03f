import { expect, test } from "vitest";
import { expectAccessible } from "./accessibility.ts";
import { describeInBrowser, takePictures } from "./browser.ts";
import { asks, ends, startRuns } from "./people-data.ts";
import { openSite } from "./site.ts";

describeInBrowser("the activity of a team", async () => {
  const site = await openSite();
  const team = await site.make.team({ name: "harriers" });
  await startRuns(site, site.adminToken, team.name, ends("nightly", "failed"), 3);
  await startRuns(site, site.adminToken, team.name, ends("hourly", "succeeded"), 4);
  await startRuns(site, site.adminToken, team.name, asks("mill"), 2);

  test("lists the runs, newest first, with their numbers by status", async () => {
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
  });

  test("keeps its filters in the address, which shows the same to someone else", async () => {
    const page = await site.openAs("editor", team, "/harriers/activity");
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
    await other.getByRole("button", { name: "Show cURL command" }).click();
    await other.getByText(/statuses=failed/).waitFor();
    await expectAccessible(other);
  });

  test("retries many at once and says of each what happened and why not", async () => {
    const page = await site.openAs("editor", team, "/harriers/activity?workflows=%5B%22hourly%22%2C%22mill%22%5D");
    await page.getByLabel("Select all runs on this page").check();
    await page.getByText("6 selected").waitFor();
    await page.getByRole("button", { name: "Retry", exact: true }).click();
    await page.getByRole("button", { name: "Retry 6 runs" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("4 done, 2 refused").waitFor();
    await dialog
      .getByText(/rerun as/)
      .first()
      .waitFor();
    await takePictures(page, "activity-bulk");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await page.getByText("2 selected").waitFor();
  });

  test("cancels what is chosen by keyboard", async () => {
    const page = await site.openAs("editor", team, "/harriers/activity?workflows=%5B%22mill%22%5D");
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
    await page
      .getByRole("link", { name: /Release mill/ })
      .first()
      .focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/activity\/[0-9a-f-]{36}/);
  });

  test("shows a reader why it is not allowed, and what is missing when nothing is found", async () => {
    const page = await site.openAs("reader", team, "/harriers/activity?statuses=%5B%22timedout%22%5D");
    await page.getByText("No runs match these filters").waitFor();
    await page.getByRole("button", { name: "Cancel", exact: true }).hover();
    await page.getByText(/needs the permission workflowrun\/action/).waitFor();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page
      .getByRole("row", { name: /Import nightly/ })
      .first()
      .waitFor();
  });

  test("fits a telephone: the table scrolls, the page does not", async () => {
    const page = await site.openAs("editor", team, "/harriers/activity");
    await page.setViewportSize({ width: 360, height: 740 });
    await page
      .getByRole("row", { name: /Import nightly/ })
      .first()
      .waitFor();
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    await takePictures(page, "activity-narrow");
  });

  test("an empty team is told how runs come about", async () => {
    const empty = await site.make.team();
    const page = await site.openAs("owner", empty, `/${empty.name}/activity`);
    await page.getByText("No runs yet").waitFor();
    await takePictures(page, "activity-empty");
  });
});
