import { expect, test } from "vitest";
import { makeRun } from "../../../server/test/kit/workflow-factories.ts";
import { expectAccessible } from "../kit/accessibility.ts";
import { describeInBrowser, takePictures } from "../kit/browser.ts";
import { longLines } from "../kit/long-lines.ts";
import { openSite } from "../kit/site.ts";

const dayMs = 86_400_000;

describeInBrowser("insights", async () => {
  const site = await openSite();
  const team = await site.make.team();
  const workflow = async (name: string) =>
    (await site.call<{ id: string }>(site.adminToken, "POST", `/api/v2/team/${team.name}/workflow`, { name, displayName: `The ${name}` }))
      .id;
  const ids: Record<string, string> = { import: await workflow("import"), report: await workflow("report"), mail: await workflow("mail") };

  /** A run of some days ago that took so long. */
  async function run(name: string, daysAgo: number, status: string, seconds: number) {
    const id = await makeRun(site.sql, team.id, ids[name] as string, "completed");
    const at = new Date(Date.now() - daysAgo * dayMs);
    await site.sql`
      update run set id = overlay(id_floor(${at}::timestamptz)::text placing right(id::text, 12) from 25)::uuid, status = ${status},
        created_at = ${at}::timestamptz, started_at = ${at}::timestamptz + 2 * interval '1 second',
        ended_at = ${at}::timestamptz + ${seconds + 2} * interval '1 second'
      where team_id = ${team.id} and id = ${id}`;
  }
  for (let day = 0; day < 24; day++) {
    for (let one = 0; one < 3 + (day % 4); one++)
      await run("import", day, one === 1 && day % 3 === 0 ? "failed" : "succeeded", 20 + day + one);
    if (day % 2 === 0) await run("report", day, day % 4 === 0 ? "timedout" : "succeeded", 400 + 10 * day);
    if (day % 5 === 0) await run("mail", day, "cancelled", 3);
  }

  test("tell how many runs there were, how they ended and how long they took; a bar leads to its runs", async () => {
    const page = await site.openAs("reader", team, `/${team.name}/insights`);
    await page.getByRole("heading", { name: "Runs per day" }).waitFor();
    await page.getByRole("img", { name: "Runs per day by outcome" }).locator("path").first().waitFor();
    await page.getByRole("img", { name: "Median duration per day" }).locator("path").first().waitFor();
    await page.getByText("Success rate").first().waitFor();
    await expectAccessible(page);
    await takePictures(page, "insights");
    await page.setViewportSize({ width: 1280, height: 1400 });
    await takePictures(page, "insights-whole");
    await page.setViewportSize({ width: 360, height: 740 });
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth"), { timeout: 10_000 }).toBeLessThanOrEqual(360);
    await takePictures(page, "insights-narrow");
    await page.setViewportSize({ width: 1280, height: 1400 });
    await page.getByRole("img", { name: "Runs per day by outcome" }).locator(".recharts-bar-rectangle path").first().click();
    await page.waitForURL(`**/${team.name}/activity?**`);
    expect(new URL(page.url()).searchParams.get("statuses")).toBe('["succeeded"]');
  });

  test("have no long lines of text on a wide screen, and neither have other pages that explain much", async () => {
    const page = await site.openAs("owner", team, `/${team.name}/insights`);
    await page.setViewportSize({ width: 1920, height: 1080 });
    const found: Record<string, string[]> = {};
    for (const path of ["insights", "task-manager", "manage/tokens", "manage/settings", "workflows/import/configure/triggers"]) {
      await page.goto(`${site.address}/${team.name}/${path}`);
      await page.locator("main h1").first().waitFor();
      await page.waitForLoadState("networkidle");
      found[path] = await longLines(page);
    }
    expect(Object.values(found).flat(), JSON.stringify(found)).toEqual([]);
  });
});
