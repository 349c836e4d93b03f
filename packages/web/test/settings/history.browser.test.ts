import { expect, test } from "vitest";
import { expectAccessible } from "../kit/accessibility.ts";
import { describeInBrowser, takePictures } from "../kit/browser.ts";
import { logSite } from "../kit/log-site.ts";
import { openSite } from "../kit/site.ts";

describeInBrowser("history and its end", async () => {
  const site = await openSite();
  const { ended, log } = logSite(site);
  const narrow = { width: 360, height: 740 };
  const wide = { width: 1280, height: 800 };

  test("administration shows how much history there is, what was removed and when the next removal is", async () => {
    await ended();
    await site.sql`
      insert into history_removal (due_at, begun_at, noted_at, ended_at, removed)
      values (db_now() + interval '40 minutes', db_now() - interval '20 minutes', db_now(), db_now() - interval '19 minutes',
        ${JSON.stringify({ runs: 3, deliveries: 1200, partitions: ["run_202601", "task_run_202601", "audit_202512"] })}::json)
      on conflict (is_only) do update set due_at = excluded.due_at, begun_at = excluded.begun_at, ended_at = excluded.ended_at, removed = excluded.removed`;
    const page = await site.open("/admin/history", site.adminToken);
    const rows = page.getByRole("region", { name: "Stored history" }).getByRole("row");
    await rows.filter({ hasText: "Runs" }).getByText("180 days").waitFor();
    await rows.filter({ hasText: "Logs" }).getByText("30 days").waitFor();
    await rows.filter({ hasText: "Audit records" }).getByText("400 days").waitFor();
    await page.getByText("whole months: 2025-12, 2026-01, 3 runs, 1,200 deliveries").waitFor();
    await page.getByText("Next removal: in 40 min").waitFor();
    await expectAccessible(page);
    await takePictures(page, "admin-history");
    await page.setViewportSize(narrow);
    await takePictures(page, "admin-history-narrow");
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(narrow.width);
    await page.setViewportSize(wide);
    await page.getByRole("link", { name: "Change the number of days" }).click();
    await page.getByRole("textbox", { name: "Runs (days)" }).waitFor();
    expect(await page.getByRole("textbox", { name: "Runs (days)" }).inputValue()).toBe("180");
    await expectAccessible(page);
    await takePictures(page, "admin-settings-history");
  });

  /** What the owner of a team sets, and what is refused there, is in the tests of the form. */
  test("a run is kept and released again; removed runs and logs say when they were removed", async () => {
    const { team, token, id, task } = await ended();
    const page = await site.open(`/${team.name}/activity/${id}`, token);
    const more = () => page.getByRole("button", { name: "More actions", exact: true }).click();
    await more();
    await takePictures(page, "run-keep");
    await page.getByRole("menuitem", { name: "Keep this run" }).click();
    await page.getByText("Kept", { exact: true }).waitFor();
    const labels = async () => (await site.call<{ labels: Record<string, string> }>(token, "GET", `${team.api}/workflowrun/${id}`)).labels;
    expect(await labels()).toMatchObject({ keep: "true" });
    await expectAccessible(page);
    await takePictures(page, "run-kept");
    await more();
    await page.getByRole("menuitem", { name: "Stop keeping this run" }).click();
    await page.getByText("Kept", { exact: true }).waitFor({ state: "detached" });
    expect(await labels()).not.toHaveProperty("keep");

    await site.sql`delete from log_chunk where team_id = ${team.id}`;
    const [aged] = await site.sql<{ id: string }[]>`
      update task_run set id = overlay(id_floor(now() - interval '40 days')::text placing right(id::text, 12) from 25)::uuid
      where id = ${task.id} returning id`;
    await site.sql`update run set ended_at = now() - interval '31 days' where id = ${id}`;
    await page.goto(`${site.address}/${team.name}/activity/${id}?task=${aged!.id}&tab=log`);
    await page.getByText("This log was removed: logs are kept for 30 days after the end of their run.").waitFor();
    await page.getByText("Removed", { exact: true }).waitFor();
    expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
    expect(await log(page).count()).toBe(0);
    await expectAccessible(page);
    await takePictures(page, "log-removed");

    await page.goto(`${site.address}/${team.name}/activity/018cc251-f400-7abc-8def-0123456789ab`);
    await page.getByRole("alert").getByText("it was removed").waitFor();
    await expectAccessible(page);
    await takePictures(page, "run-removed");
  });
});
