import { expect, test } from "vitest";
import { describeInBrowser, takePictures } from "./kit/browser.ts";
import { approval, runSite, shell } from "./kit/run-site.ts";
import { openSite } from "./kit/site.ts";

/** Dialogs and other overlays, opened by keyboard, are in the tables of `overlays`. */
describeInBrowser("pages zoomed, without motion and without colours", async () => {
  const site = await openSite();
  const runs = runSite(site);
  const team = await runs.team();
  const { token } = team.owner;
  const member = await site.make.member(team.id, "editor");
  const { id, name, path } = await runs.start(member.token, team, [approval("vote"), shell("fail", "exit 1"), shell("fine", "true")]);

  test("at 200 % of 1280 pixels and at 360 the main action of a run, of the inbox and of the list can be done", async () => {
    const page = await site.open("/api/v2/nothing", token);
    for (const [address, action] of [
      [`/${team.name}/actions`, "Approve"],
      [`/${team.name}/workflows`, "Create workflow"],
      [`/${team.name}/workflows/${name}/design`, "Run"],
      [`/${team.name}/schedules`, "Create schedule"],
      [path, "Cancel"],
    ] as const) {
      await page.goto(site.address + address);
      for (const [width, height] of [
        [640, 400],
        [360, 740],
      ] as const) {
        await page.setViewportSize({ width, height });
        const main = page.getByRole("main");
        const button = main
          .getByRole("button", { name: action, exact: true })
          .or(main.getByRole("link", { name: action, exact: true }))
          .first();
        await button.waitFor();
        await button.click({ trial: true });
        await expect.poll(() => page.evaluate("document.documentElement.scrollWidth - window.innerWidth")).toBeLessThanOrEqual(0);
      }
    }
    await page.getByRole("button", { name: "Decide" }).click();
    await page.getByRole("region", { name: "Task vote" }).getByRole("button", { name: "Approve", exact: true }).click();
    await page.locator("main header").getByText("Failed", { exact: true }).waitFor();
  }, 120_000);

  test("users who prefer reduced motion get none; with the colours of the system, what is chosen and has the focus is told apart", async () => {
    const page = await site.open(`/${team.name}/activity/${id}?task=fail`, token);
    await page.emulateMedia({ reducedMotion: "reduce" });
    const chosen = page.getByRole("button", { name: /^Failed fail/ });
    await chosen.waitFor();
    const moving = await page.evaluate(
      () =>
        [...document.querySelectorAll("*")].filter((one) => {
          const { transitionDuration, animationDuration, animationName } = getComputedStyle(one);
          const lasts = (text: string) => text.split(", ").some((part) => Number.parseFloat(part) > 0.001);
          return lasts(transitionDuration) || (animationName !== "none" && lasts(animationDuration));
        }).length,
    );
    expect(moving).toBe(0);

    await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce" });
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
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Activity" }).click();
    await page.getByRole("table").waitFor();
    await takePictures(page, "forced-colours-activity");
  });
});
