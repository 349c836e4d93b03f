import { expect, test } from "vitest";
import { describeInBrowser } from "../kit/browser.ts";
import { logSite } from "../kit/log-site.ts";
import { openSite } from "../kit/site.ts";

describeInBrowser("a log on paper", async () => {
  const site = await openSite();
  const { ended, append, log } = logSite(site);

  test("says which of its lines are printed, and prints more than the screen showed", async () => {
    const { team, token, task, path } = await ended();
    await append(
      team.id,
      task.id,
      Array.from({ length: 3_000 }, (_, index) => `said ${index}`),
    );
    const page = await site.open(path, token);
    await log(page).getByText("said 2999").waitFor();
    const onScreen = await log(page).locator("[data-line]").count();
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    await page.getByText(/^Lines 2,\d\d\d to 3,001 of 3,001\. Download the log to see all of them\.$/).waitFor({ state: "attached" });
    expect(await log(page).locator("[data-line]").count()).toBeGreaterThan(onScreen + 400);
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    expect(await page.getByText(/^Lines 2,/).isVisible()).toBe(false);
    await expect.poll(() => log(page).locator("[data-line]").count()).toBeLessThan(onScreen + 20);
  });
});
