import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectAccessible } from "./kit/accessibility.ts";
import { describeInBrowser, takePictures } from "./kit/browser.ts";
import { openSite } from "./kit/site.ts";

const dayMs = 86_400_000;

describeInBrowser("schedules", async () => {
  const site = await openSite();
  const team = await site.make.team();
  const base = `/api/v2/team/${team.name}`;
  const call = (method: string, path: string, body?: unknown) => site.call<{ id: string }>(site.adminToken, method, `${base}${path}`, body);
  await call("PUT", "/workflow", {
    name: "nightly-report",
    displayName: "Nightly report",
    params: [
      { name: "city", type: "text", label: "City", default: "Lyon" },
      { name: "day", type: "text", label: "Day" },
    ],
    triggers: { schedule: { enabled: true } },
    tasks: [],
  });
  await call("PUT", "/workflow", { name: "cleanup", triggers: { schedule: { enabled: true } }, tasks: [] });
  const schedule = (body: object) => call("POST", "/schedule", { workflowRef: "cleanup", timezone: "Europe/London", ...body });
  const paused = await schedule({ name: "Clean up at night", cronSchedule: "30 2 * * *", status: "inactive" });
  await schedule({ name: "Every quarter of an hour", cronSchedule: "*/15 * * * *", labels: { kind: "often" } });
  await schedule({ name: "Tokyo closes", cronSchedule: "0 15 * * MON-FRI", timezone: "Asia/Tokyo", overlapPolicy: "skip" });
  await schedule({ name: "New year", type: "runOnce", dateSchedule: "2090-01-01T00:00", timezone: "Europe/Berlin" });

  const nextTen = (page: Page) => page.getByRole("group", { name: "Next ten runs" }).getByRole("row");

  test("a schedule is made by an editor, who sees its next ten runs while typing and why an expression is wrong", async () => {
    const page = await site.openAs("editor", team, `/${team.name}/schedules`);
    await page.getByRole("button", { name: "Create schedule" }).click();
    const form = page.getByRole("dialog", { name: "Create schedule" });
    await form.getByRole("combobox", { name: "Workflow" }).fill("Nightly");
    await page.getByRole("option", { name: "Nightly report" }).click();
    await form.getByLabel("Name").fill("Report in the morning");
    const cron = form.getByLabel("Cron expression");
    await cron.fill("61 8 * * *");
    await form.getByText("minute 61 is out of range; it can be 0 to 59 (at character 1)").waitFor();
    await cron.fill("15 8 * * MON-FRI");
    await form.getByText("Monday to Friday at 08:15").waitFor();
    await nextTen(page).nth(10).waitFor();
    expect(await nextTen(page).count()).toBe(11);
    await form.getByRole("combobox", { name: "Time zone" }).fill("New_York");
    await page.getByRole("option", { name: /America\/New_York/ }).click();
    await form.getByText("Your time (Europe/London)").waitFor();
    await form.getByLabel("City").fill("Oslo");
    await expectAccessible(page);
    await takePictures(page, "schedule-form");
    await form.getByRole("button", { name: "Create schedule" }).click();
    const panel = page.getByRole("dialog", { name: "Report in the morning" });
    await panel.getByText("America/New_York (yours is Europe/London)").waitFor();
    await panel.getByText("Oslo").waitFor();
    await panel.getByRole("link", { name: "Nightly report" }).waitFor();
    await panel.getByRole("group", { name: "Upcoming runs" }).waitFor();
  }, 120_000);

  test("what the service refuses is told at the field", async () => {
    const page = await site.openAs("editor", team, `/${team.name}/schedules?edit=new&workflow=cleanup`);
    const form = page.getByRole("dialog", { name: "Create schedule" });
    await form.getByText("One time", { exact: true }).click();
    await form.getByLabel("Date and time").fill("2020-01-01T08:00");
    await form.getByRole("button", { name: "Create schedule" }).click();
    await expect.poll(() => form.getByLabel("Date and time").getAttribute("aria-invalid"), { timeout: 10_000 }).toBe("true");
  });

  test("pausing stops the next run, and resuming brings it back", async () => {
    const page = await site.openAs("editor", team, `/${team.name}/schedules`);
    const row = page.getByRole("row", { name: /Tokyo closes/ });
    await row.getByRole("button", { name: "More actions for Tokyo closes" }).click();
    await page.getByRole("menuitem", { name: "Pause" }).click();
    await row.getByText("Paused").waitFor();
    await row.getByRole("button", { name: "More actions for Tokyo closes" }).click();
    await page.getByRole("menuitem", { name: "Resume" }).click();
    await row.getByText("Active").waitFor();
    await expectAccessible(page);
    await takePictures(page, "schedules");
  });

  test("a backfill shows its times, starts a run for each, and finds them done afterwards", async () => {
    const page = await site.openAs("editor", team, `/${team.name}/schedules?schedule=${paused.id}`);
    const panel = page.getByRole("dialog", { name: "Clean up at night" });
    await panel.getByText("No runs yet").waitFor();
    await panel.getByRole("button", { name: "Backfill" }).click();
    const dialog = page.getByRole("dialog", { name: "Backfill Clean up at night" });
    const day = (daysAgo: number) => new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10);
    await dialog.getByLabel("First day").fill(day(3));
    await dialog.getByLabel("Last day").fill(day(1));
    await dialog.getByText("3 times, 3 without a run").waitFor();
    await expectAccessible(page);
    await takePictures(page, "schedule-backfill");
    await dialog.getByRole("button", { name: "Start 3 runs" }).click();
    await panel.getByText("Backfilled").nth(2).waitFor();
    await panel.getByRole("link", { name: "Succeeded" }).nth(2).waitFor();
    await takePictures(page, "schedule-panel");
    await expectAccessible(page);
    await panel.getByRole("button", { name: "Backfill" }).click();
    await dialog.getByLabel("Last day").fill(day(1));
    await dialog.getByRole("button", { name: "Nothing to start" }).waitFor();
  });

  test("run now starts a run with the parameters of the schedule and leads to it", async () => {
    const page = await site.openAs("editor", team, `/${team.name}/schedules?schedule=${paused.id}`);
    await page.getByRole("dialog").getByRole("button", { name: "Run now" }).click();
    await page.waitForURL(`**/${team.name}/activity/*`);
  });

  test("the month shows the outcome of past times and what comes, and the arrows go from day to day", async () => {
    const page = await site.openAs("reader", team, `/${team.name}/schedules?view=month`);
    const month = page.getByRole("grid");
    await month
      .getByRole("link", { name: /Succeeded.*Clean up at night/ })
      .first()
      .waitFor();
    await month
      .getByRole("link", { name: /Every quarter of an hour/ })
      .first()
      .waitFor();
    await expectAccessible(page);
    await takePictures(page, "schedules-month");
    const chosen = month.getByRole("gridcell", { selected: true });
    await chosen.focus();
    await page.keyboard.press("PageDown");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowDown");
    const date = new URL(page.url()).searchParams.get("date") ?? "";
    expect(new Date(date).getUTCDay()).toBe(1);
    await expect.poll(() => page.evaluate("document.activeElement.dataset.day"), { timeout: 10_000 }).toBe(date);
    // Today again: in the month before that date the past times need not be.
    await page.keyboard.press("PageUp");
    await page.waitForURL((url) => url.searchParams.get("date") !== date);
    await page.goto(`${site.address}/${team.name}/schedules?view=month`);
    await month
      .getByRole("link", { name: /Succeeded.*Clean up at night/ })
      .first()
      .click();
    await page.waitForURL(`**/${team.name}/activity/*`);
  });

  test("the agenda tells the days ahead, on the clocks of the viewer and of the schedule", async () => {
    const page = await site.openAs("reader", team, `/${team.name}/schedules?view=agenda`);
    await page.getByText("15:00 JST").or(page.getByText("15:00 GMT+9")).first().waitFor();
    await page.getByText("once active").first().waitFor();
    await expectAccessible(page);
    await takePictures(page, "schedules-agenda");
    await page.setViewportSize({ width: 360, height: 740 });
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth"), { timeout: 10_000 }).toBeLessThanOrEqual(360);
    await takePictures(page, "schedules-agenda-narrow");
  });

  test("a reader sees why changes are not allowed", async () => {
    const page = await site.openAs("reader", team, `/${team.name}/schedules?schedule=${paused.id}`);
    const panel = page.getByRole("dialog");
    for (const name of ["Edit", "Resume", "Run now", "Backfill"]) {
      const button = panel.getByRole("button", { name, exact: true });
      await button.waitFor();
      expect(await button.getAttribute("aria-description")).toContain("This needs the permission schedule/");
    }
    await page.goto(`${site.address}/${team.name}/schedules`);
    expect(await page.getByRole("button", { name: "Create schedule" }).getAttribute("aria-description")).toContain("schedule/write");
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole("link", { name: "Tokyo closes" }).waitFor();
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth"), { timeout: 10_000 }).toBeLessThanOrEqual(360);
    await takePictures(page, "schedules-narrow");
  });

  test("an editor sees why deleting is not allowed, and an owner does it after a question", async () => {
    const place = `/${team.name}/schedules?types=%5B"runOnce"%5D`;
    const editor = await site.openAs("editor", team, place);
    await editor.getByRole("button", { name: "More actions for New year" }).click();
    const item = editor.getByRole("menuitem", { name: "Delete…" });
    await item.waitFor();
    expect(await item.getAttribute("aria-description")).toContain("schedule/delete");
    expect(await editor.getByRole("link", { name: "Tokyo closes" }).count()).toBe(0);
    const owner = await site.openAs("owner", team, place);
    await owner.getByRole("button", { name: "More actions for New year" }).click();
    await owner.getByRole("menuitem", { name: "Delete…" }).click();
    await owner.getByRole("dialog").getByRole("button", { name: "Delete schedule" }).click();
    await owner.getByRole("heading", { name: "No matching schedules" }).waitFor();
  });

  test("a team without schedules is told what they are", async () => {
    const empty = await site.make.team();
    const page = await site.openAs("editor", empty, `/${empty.name}/schedules`);
    await page.getByRole("button", { name: "Create your first schedule" }).waitFor();
    await expectAccessible(page);
    await takePictures(page, "schedules-empty");
  });
});
