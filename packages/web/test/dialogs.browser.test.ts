import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectAccessible } from "./accessibility.ts";
import { describeInBrowser, takePictures } from "./browser.ts";
import { approval, runSite, shell } from "./run-site.ts";
import { openSite } from "./site.ts";

describeInBrowser("dialogs, menus and pages by keyboard, zoomed and without colours", async () => {
  const site = await openSite();
  const runs = runSite(site);
  const team = await runs.team();
  const { token } = team.owner;
  const member = await site.make.member(team.id, "editor");
  await site.call(token, "POST", "/api/v2/token", { type: "team", name: "nightly", principal: team.name, permissions: ["**/read"] });
  const { id, name, path } = await runs.start(member.token, team, [approval("vote"), shell("fail", "exit 1"), shell("fine", "true")]);

  /** A menu takes the focus a moment after it shows; keys that come before go to its button. */
  const menuHasFocus = async (page: Page) => {
    await page.getByRole("menu").waitFor();
    await expect.poll(() => focusIsIn(page), { message: "the focus is in the menu" }).toBe(true);
  };

  const focusIsIn = (page: Page) => page.evaluate(() => document.activeElement?.closest("[role=dialog], [role=menu]") !== null);

  /** A dialog that was opened by keyboard holds the focus, and Escape gives it back to what is expected to have it. */
  async function walk(page: Page, opener: Locator) {
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    await expect.poll(() => focusIsIn(page), { message: "the focus is in the dialog" }).toBe(true);
    for (let steps = 0; steps < 12; steps++) {
      await page.keyboard.press(steps === 6 ? "Shift+Tab" : "Tab");
      expect([steps, await focusIsIn(page)]).toEqual([steps, true]);
    }
    expect(((await dialog.getAttribute("aria-labelledby")) ?? (await dialog.getAttribute("aria-label")) ?? "") !== "").toBe(true);
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => opener.evaluate((one) => one === document.activeElement), { message: "the focus is given back" }).toBe(true);
  }

  async function press(opener: Locator) {
    await opener.focus();
    await opener.press("Enter");
  }

  test("dialogs of the team hold the focus and give it back", async () => {
    const page = await site.open(`/${team.name}/manage/members`, token);
    for (const [section, button] of [
      ["members", "Leave team"],
      ["members", `Remove ${member.email}`],
      ["members", "Invite people"],
      ["approvers", "Create group"],
      ["tokens", "Revoke nightly"],
      ["settings", "Delete team"],
    ] as const) {
      await page.goto(`${site.address}/${team.name}/manage/${section}`);
      const opener = page.getByRole("button", { name: button });
      await opener.first().waitFor();
      await press(opener.first());
      await walk(page, opener.first());
    }
  }, 60_000);

  test("a dialog that a menu has opened gives the focus back to the button of the menu", async () => {
    const page = await site.open(`/${team.name}/workflows`, token);
    const more = page.getByRole("button", { name: `More actions for ${name}` });
    for (const item of ["Run", "Delete"]) {
      await press(more);
      await menuHasFocus(page);
      if (item === "Run") await expectAccessible(page);
      await press(page.getByRole("menuitem", { name: new RegExp(`^${item}`) }));
      await walk(page, more);
    }
    await press(more);
    await menuHasFocus(page);
    await page.keyboard.press("Escape");
    await page.getByRole("menu").waitFor({ state: "detached" });
    expect(await more.evaluate((one) => one === document.activeElement)).toBe(true);
  }, 60_000);

  test("dialogs of the administration and of the own account do so, too", async () => {
    const admin = await site.open("/admin/users", site.adminToken);
    const more = admin.getByRole("button", { name: `More actions for ${member.email}` });
    for (const item of ["Change", "Create password code", "Delete"]) {
      await press(more);
      await press(admin.getByRole("menuitem", { name: new RegExp(`^${item}`) }));
      await walk(admin, more);
    }
    const account = admin.getByRole("button", { name: "Your account" });
    await press(account);
    await menuHasFocus(admin);
    await expectAccessible(admin);
    await admin.keyboard.press("Escape");
    const palette = admin.getByRole("button", { name: /Jump to/ });
    await press(palette);
    await walk(admin, palette);
    const page = await site.open(`/${team.name}/activity`, token);
    const curl = page.getByRole("button", { name: "Show cURL command" });
    await press(curl);
    await walk(page, curl);
  }, 60_000);

  test("at 200 % of 1280 pixels and at 360 the main action of a run, of the inbox and of the list can be done", async () => {
    const page = await site.open(path, token);
    for (const [width, height] of [
      [640, 400],
      [360, 740],
    ] as const) {
      await page.setViewportSize({ width, height });
      for (const [address, action] of [
        [path, "Cancel"],
        [`/${team.name}/actions`, "Approve"],
        [`/${team.name}/workflows`, "Create workflow"],
        [`/${team.name}/workflows/${name}/design`, "Run"],
        [`/${team.name}/schedules`, "Create schedule"],
      ] as const) {
        await page.goto(site.address + address);
        const button = page
          .getByRole("main")
          .getByRole("button", { name: action, exact: true })
          .or(page.getByRole("main").getByRole("link", { name: action, exact: true }))
          .first();
        await button.waitFor();
        await button.click({ trial: true });
        await expect.poll(() => page.evaluate("document.documentElement.scrollWidth - window.innerWidth")).toBeLessThanOrEqual(0);
      }
    }
    await page.goto(site.address + path);
    await page.getByRole("button", { name: "Decide" }).click();
    await page.getByRole("region", { name: "Task vote" }).getByRole("button", { name: "Approve", exact: true }).click();
    await page.locator("main header").getByText("Failed", { exact: true }).waitFor();
  }, 60_000);

  test("who asked for less motion gets none", async () => {
    const page = await site.open(`${path}`, token);
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.getByRole("heading", { level: 1 }).waitFor();
    const moving = await page.evaluate(
      () =>
        [...document.querySelectorAll("*")].filter((one) => {
          const { transitionDuration, animationDuration, animationName } = getComputedStyle(one);
          const lasts = (text: string) => text.split(", ").some((part) => Number.parseFloat(part) > 0.001);
          return lasts(transitionDuration) || (animationName !== "none" && lasts(animationDuration));
        }).length,
    );
    expect(moving).toBe(0);
  });

  test("with the colours of the system, statuses, what is chosen and what has the focus can still be told apart", async () => {
    const page = await site.open(`/${team.name}/activity/${id}?task=fail`, token);
    await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce" });
    const chosen = page.getByRole("button", { name: /^Failed fail/ });
    await chosen.waitFor();
    const outline = await chosen.evaluate((one) => getComputedStyle(one).outlineStyle);
    expect(outline).toBe("solid");
    const framed = (words: string) =>
      page
        .getByRole("radiogroup", { name: "View" })
        .locator("label", { hasText: words })
        .evaluate((one) => getComputedStyle(one).outlineStyle);
    expect([await framed("Graph"), await framed("List")]).toEqual(["solid", "none"]);
    await page.keyboard.press("Tab");
    const focus = await page.evaluate(() => getComputedStyle(document.activeElement as Element).outlineStyle);
    expect(focus).not.toBe("none");
    await takePictures(page, "forced-colours-run");
    await page.goto(`${site.address}/${team.name}/activity`);
    await page.getByRole("table").waitFor();
    await takePictures(page, "forced-colours-activity");
  });
});
