import { expect, test } from "vitest";
import { describeInBrowser } from "./kit/browser.ts";
import { runSite, shell } from "./kit/run-site.ts";
import { isOver, loadBudgets, type ScreenLoad, visitScreen } from "./kit/screen-load.ts";
import { openSite } from "./kit/site.ts";

/** Limit on the processor time of a page until it is idle, far above what any page takes: it only finds what is slow on every machine. */
const mostMs = { script: 900, layout: 200 };

describeInBrowser("the visit of each screen", async () => {
  const site = await openSite();
  const runs = runSite(site);
  const team = await runs.team();
  const token = team.owner.token;
  const { name, path: run, id } = await runs.start(token, team, [shell("build", "echo built"), shell("test", "true")]);
  await runs.over(token, team, id);
  const budgets = loadBudgets(team.name, `/${team.name}/workflows/${name}`, run);

  test("stays in its budget with nothing cached, and takes little when all is", { timeout: 300_000 }, async () => {
    const loads: { cold: ScreenLoad; warm: ScreenLoad }[] = [];
    for (const each of budgets) {
      const [cold, warm] = await visitScreen(site.address, each, each.screen === "sign-in" ? undefined : token, true);
      loads.push({ cold, warm: warm! });
    }
    console.table(
      loads.map(({ cold, warm }) => ({ ...cold, warmKb: warm.kilobytes, warmHeadingMs: warm.headingMs, warmScriptMs: warm.scriptMs })),
    );
    expect(loads.filter(({ cold }, index) => isOver(cold, budgets[index]!)).map(({ cold }) => cold)).toEqual([]);
    const slow = loads
      .flatMap(({ cold, warm }) => [cold, warm])
      .filter(({ scriptMs, layoutMs }) => scriptMs > mostMs.script || layoutMs > mostMs.layout);
    expect(slow).toEqual([]);
    expect(loads.filter(({ warm }) => warm.kilobytes > 60).map(({ warm }) => warm)).toEqual([]);
  });
});
