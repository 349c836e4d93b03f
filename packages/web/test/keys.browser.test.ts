import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectAccessible } from "./kit/accessibility.ts";
import { describeInBrowser, takePictures } from "./kit/browser.ts";
import { openSite } from "./kit/site.ts";

describeInBrowser("keys and the navigation", async () => {
  const site = await openSite();
  const team = await site.make.team({ name: "keyed" });
  const { token } = await site.make.member(team.id, "owner");
  const base = `/api/v2/team/${team.name}`;
  for (const name of ["first", "second"])
    await site.call(token, "POST", `${base}/workflow`, { name, displayName: `The ${name}`, tasks: [] });

  test("go to pages with g and a letter, but not while typing, and move through the rows of any list", async () => {
    const page = await site.open("/keyed/workflows", token);
    await page.getByRole("heading", { name: "Workflows" }).waitFor();
    for (const [letter, heading] of [
      ["a", "Activity"],
      ["i", "Actions"],
      ["s", "Schedules"],
      ["t", "Tasks"],
      ["p", "Parameters"],
      ["m", "Manage keyed"],
      ["w", "Workflows"],
    ] as const) {
      await page.keyboard.press("g");
      await page.keyboard.press(letter);
      await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    }
    const field = page.getByRole("textbox", { name: "Search workflows" });
    await field.pressSequentially("ga");
    await page.waitForURL("**/workflows?**");
    expect(await field.inputValue()).toBe("ga");
    await page.getByRole("button", { name: "Show all workflows" }).click();
    await page.getByRole("row", { name: /The second/ }).waitFor();
    await field.blur();
    await goesThroughRows(page);
    await page.getByRole("link", { name: "Design" }).click();
    await expect.poll(() => page.title(), { timeout: 10_000 }).toBe("The first · Design · keyed · Millrace");
  });

  /** They are all told by a question mark. */
  async function goesThroughRows(page: Page) {
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    const named = await page.evaluate("document.activeElement.textContent");
    expect(named).toBe("The first");
    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await help.getByRole("row", { name: /Activity/ }).waitFor();
    await expectAccessible(page);
    await takePictures(page, "keys");
    await page.keyboard.press("Escape");
    await help.waitFor({ state: "hidden" });
    await page.keyboard.press("Enter");
    await page.waitForURL("**/overview");
  }

  test("the tab of the browser names page, state and team; the navigation folds to its icons, whose links keep their names", async () => {
    const { id } = await site.call<{ id: string }>(token, "POST", `${base}/workflow/first/submit?start=true`, { trigger: "manual" });
    const page = await site.open(`/keyed/activity/${id}`, token);
    await expect.poll(() => page.title(), { timeout: 10_000 }).toMatch(/^✓ The first · Succeeded · .{8} · keyed · Millrace$/);
    await page.getByRole("button", { name: "Collapse navigation" }).click();
    await page.getByRole("button", { name: "Open navigation" }).waitFor();
    // It stays folded, and an address that leads nowhere says so in its frame.
    await page.goto(`${site.address}/keyed/there-is-nothing`);
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
    await expect.poll(() => page.title(), { timeout: 10_000 }).toBe("Page not found · keyed · Millrace");
    const places = page.getByRole("navigation", { name: "Main" });
    await places.getByRole("link", { name: "Activity" }).click();
    await page.getByRole("heading", { name: "Activity", exact: true }).waitFor();
    await expectAccessible(page);
    await takePictures(page, "navigation-folded");
    await places.getByRole("link", { name: "Schedules" }).click();
    await page.getByRole("heading", { name: "Schedules", exact: true }).waitFor();
    await page.keyboard.press("[");
    await page.getByRole("button", { name: "Collapse navigation" }).waitFor();
  });
});
