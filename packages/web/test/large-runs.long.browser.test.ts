import { expect, test } from "vitest";
import { describeInBrowser } from "./browser.ts";
import { expectLight, watchMovement } from "./frames.ts";
import { logSite } from "./log-site.ts";
import { openSite } from "./site.ts";

describeInBrowser("a run with 5,000 task runs", async () => {
  const site = await openSite();
  const { ended } = logSite(site);

  test.each([
    ["list", "List of tasks"],
    ["timeline", "Timeline"],
  ])("is scrolled through in its %s with few rows in the page", async (view, label) => {
    const { team, token, id } = await ended();
    await site.sql`
      insert into task_run (id, team_id, run_id, node, item, name, type, status, phase, attempt, created_at, started_at, ended_at)
      select new_id(), team_id, run_id, node, n, name || '[' || n || ']', type, case when n % 50 = 0 then 'failed' else 'succeeded' end, 'completed', 1,
        created_at, started_at + make_interval(secs => n / 100.0), started_at + make_interval(secs => n / 100.0 + 2)
      from task_run, generate_series(0, 4999) n where team_id = ${team.id} and run_id = ${id} and name = 'work'`;
    const page = await site.open(`/${team.name}/activity/${id}?view=${view}`, token);
    if (view === "timeline") await page.getByRole("button", { name: "5,000 items of work" }).click();
    await page.getByRole("button", { name: "work[0]", exact: true }).waitFor();
    await page.getByRole("region", { name: label, exact: true }).hover();
    const movement = await watchMovement(page, 120, () => page.mouse.wheel(0, 120));
    await expectLight(`${view} of 5,000 task runs, 120 px a step`, page, movement, 30);
    expect(await page.getByRole("region", { name: label, exact: true }).locator("button").count()).toBeLessThan(200);
  });
});
