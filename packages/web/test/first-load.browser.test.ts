import { expect, test } from "vitest";
import { describeInBrowser } from "./kit/browser.ts";
import { runSite, shell } from "./kit/run-site.ts";
import { isOver, loadBudgets, type ScreenLoad, visitScreen } from "./kit/screen-load.ts";
import { openSite } from "./kit/site.ts";

/** The screens that most users open first; the rest is in `first-loads.long.browser.test.ts`. */
const firstScreens = ["sign-in", "home", "workflows", "designer", "versions", "run"];

describeInBrowser("the first visit", async () => {
  const site = await openSite();
  const runs = runSite(site);
  const team = await runs.team();
  const token = team.owner.token;
  const { name, path: run, id } = await runs.start(token, team, [shell("build", "echo built"), shell("test", "true")]);
  await runs.over(token, team, id);
  const budgets = loadBudgets(team.name, `/${team.name}/workflows/${name}`, run);

  test("of each screen loads no more than its budget", { timeout: 120_000 }, async () => {
    const first = budgets.filter(({ screen }) => firstScreens.includes(screen));
    const loads: ScreenLoad[] = [];
    for (const each of first) loads.push((await visitScreen(site.address, each, each.screen === "sign-in" ? undefined : token))[0]);
    console.table(loads);
    expect(loads.filter((load, index) => isOver(load, first[index]!))).toEqual([]);
  });
});
