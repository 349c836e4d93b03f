import { expect, test } from "vitest";
import { makeRun } from "../../../server/test/kit/workflow-factories.ts";
import { expectAccessible } from "../kit/accessibility.ts";
import { describeInBrowser, takePictures } from "../kit/browser.ts";
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

  test("tell how many runs there were, how they ended and how long they took", async () => {
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
  });

  test("lead from the failed runs of a workflow to these runs", async () => {
    const page = await site.openAs("reader", team, `/${team.name}/insights?range=7d`);
    const failing = page.getByRole("region", { name: "Top failing workflows" });
    await failing.getByRole("link", { name: /failed runs of import/ }).click();
    await page.waitForURL(`**/${team.name}/activity**`);
    const search = new URL(page.url()).searchParams;
    expect(JSON.parse(search.get("statuses") ?? "")).toEqual(["failed", "timedout", "invalid"]);
    expect(JSON.parse(search.get("workflows") ?? "")).toEqual(["import"]);
    expect(Date.parse(search.get("to") ?? "") - Date.parse(search.get("from") ?? "")).toBeCloseTo(7 * dayMs, -8);
  });

  test("show each chart as a table, whose numbers lead to the runs of the day", async () => {
    const page = await site.openAs("reader", team, `/${team.name}/insights?workflows=%5B%22import%22%5D`);
    const chart = page.getByRole("region", { name: "Runs per day" });
    await chart.getByRole("button", { name: "Show as table" }).click();
    const row = chart.getByRole("row").nth(1);
    await row.getByRole("link", { name: "1", exact: true }).waitFor();
    await expectAccessible(page);
    await row.getByRole("link", { name: "2", exact: true }).click();
    await page.waitForURL(`**/${team.name}/activity**`);
    const search = new URL(page.url()).searchParams;
    expect([search.get("statuses"), search.get("workflows"), search.get("span")]).toEqual(['["succeeded"]', '["import"]', "custom"]);
  });

  test("lead from a bar to its runs", async () => {
    const page = await site.openAs("reader", team, `/${team.name}/insights`);
    const bars = page.getByRole("img", { name: "Runs per day by outcome" });
    await bars.locator(".recharts-bar-rectangle path").first().click();
    await page.waitForURL(`**/${team.name}/activity?**`);
    expect(new URL(page.url()).searchParams.get("statuses")).toBe('["succeeded"]');
  });

  test("keep the time, the workflows and the zone in the address", async () => {
    const page = await site.openAs("reader", team, `/${team.name}/insights`);
    await page.getByText("Custom", { exact: true }).click();
    await page.getByLabel("First day").fill(new Date(Date.now() - 2 * dayMs).toISOString().slice(0, 10));
    await page.getByRole("combobox", { name: "Time zone" }).fill("Tokyo");
    await page.getByRole("option", { name: /Asia\/Tokyo/ }).click();
    await page.getByText("in Asia/Tokyo").waitFor();
    await page.reload();
    await page.getByText("in Asia/Tokyo").waitFor();
    await page.getByText("Custom", { exact: true }).waitFor();
    await page.getByText("90 days", { exact: true }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get("range"), { timeout: 10_000 }).toBe("90d");
  });

  test("say that there are no runs in a time without any", async () => {
    const page = await site.openAs("reader", team, `/${team.name}/insights?range=custom&from=2001-01-01&to=2001-01-02`);
    await page.getByRole("heading", { name: "No runs in this period" }).waitFor();
    await expectAccessible(page);
    await takePictures(page, "insights-empty");
  });
});
