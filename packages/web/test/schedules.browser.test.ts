import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectAccessible } from "./kit/accessibility.ts";
import { describeInBrowser, journeyMs, takePictures } from "./kit/browser.ts";
import { openSite } from "./kit/site.ts";

const dayMs = 86_400_000;

/** The rules of the form, and what each role may do, are in the tests of the components. */
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
  await schedule({ name: "Clean up at night", cronSchedule: "30 2 * * *", status: "inactive" });
  await schedule({ name: "Every quarter of an hour", cronSchedule: "*/15 * * * *", labels: { kind: "often" } });
  await schedule({ name: "Tokyo closes", cronSchedule: "0 15 * * MON-FRI", timezone: "Asia/Tokyo", overlapPolicy: "skip" });
  await schedule({ name: "New year", type: "runOnce", dateSchedule: "2090-01-01T00:00", timezone: "Europe/Berlin" });

  const nextTen = (page: Page) => page.getByRole("group", { name: "Next ten runs" }).getByRole("row");

  test(
    "an editor creates a schedule, pauses one, starts its missed runs, runs it now, and sees the months and days of all",
    async () => {
      const page = await site.openAs("editor", team, `/${team.name}/schedules`);
      await creates(page);
      await pauses(page);
      await backfills(page);
      await page.keyboard.press("Escape");
      await page.getByText("Month", { exact: true }).click();
      await seesMonth(page);
      await page.getByText("Agenda", { exact: true }).click();
      await seesAgenda(page);
      await page.getByText("List", { exact: true }).click();
      await runsNow(page);
    },
    journeyMs,
  );

  /** The next ten runs are shown while typing, and why an expression is wrong. */
  async function creates(page: Page) {
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
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
  }

  async function pauses(page: Page) {
    const row = page.getByRole("row", { name: /Tokyo closes/ });
    await row.getByRole("button", { name: "More actions for Tokyo closes" }).click();
    await page.getByRole("menuitem", { name: "Pause" }).click();
    await row.getByText("Paused").waitFor();
    await row.getByRole("button", { name: "More actions for Tokyo closes" }).click();
    await page.getByRole("menuitem", { name: "Resume" }).click();
    await row.getByText("Active").waitFor();
    await expectAccessible(page);
    await takePictures(page, "schedules");
    await fitsTelephone(page, "schedules-narrow");
  }

  /** It shows its times, starts a run for each, and finds them done afterwards. */
  async function backfills(page: Page) {
    await page.getByRole("link", { name: "Clean up at night" }).click();
    const panel = page.getByRole("dialog", { name: "Clean up at night" });
    await panel.getByText("No runs yet").waitFor();
    await panel.getByRole("button", { name: "Backfill" }).click();
    const dialog = page.getByRole("dialog", { name: "Backfill Clean up at night" });
    const day = (daysAgo: number) => new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10);
    await dialog.getByLabel("First day").fill(day(3));
    await dialog.getByLabel("Last day").fill(day(1));
    await dialog.getByText("3 times, 3 without a run").waitFor();
    await takePictures(page, "schedule-backfill");
    await dialog.getByRole("button", { name: "Start 3 runs" }).click();
    await panel.getByText("Backfilled").nth(2).waitFor();
    await panel.getByRole("link", { name: "Succeeded" }).nth(2).waitFor();
    await takePictures(page, "schedule-panel");
    await expectAccessible(page);
    await panel.getByRole("button", { name: "Backfill" }).click();
    await dialog.getByLabel("Last day").fill(day(1));
    await dialog.getByRole("button", { name: "Nothing to start" }).waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
  }

  /** The outcome of past times and what comes; the arrows go from day to day. */
  async function seesMonth(page: Page) {
    const month = page.getByRole("grid");
    const past = month.getByRole("link", { name: /Succeeded.*Clean up at night/ }).first();
    await past.waitFor();
    await month
      .getByRole("link", { name: /Every quarter of an hour/ })
      .first()
      .waitFor();
    await expectAccessible(page);
    await takePictures(page, "schedules-month");
    expect(await past.getAttribute("href")).toContain(`/${team.name}/activity/`);
    const chosen = month.getByRole("gridcell", { selected: true });
    await chosen.focus();
    await page.keyboard.press("PageDown");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowDown");
    const date = new URL(page.url()).searchParams.get("date") ?? "";
    expect(new Date(date).getUTCDay()).toBe(1);
    await expect.poll(() => page.evaluate("document.activeElement.dataset.day"), { timeout: 10_000 }).toBe(date);
    await page.keyboard.press("PageUp");
    await page.waitForURL((url) => url.searchParams.get("date") !== date);
    await page.getByRole("button", { name: "Today" }).click();
  }

  /** The days ahead, on the clocks of the viewer and of the schedule. */
  async function seesAgenda(page: Page) {
    await page.getByText("15:00 JST").or(page.getByText("15:00 GMT+9")).first().waitFor();
    await page.getByText("once active").first().waitFor();
    await expectAccessible(page);
    await takePictures(page, "schedules-agenda");
    await fitsTelephone(page, "schedules-agenda-narrow");
  }

  /** With the parameters of the schedule; it leads to the run. */
  async function runsNow(page: Page) {
    await page.getByRole("link", { name: "Clean up at night" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Run now" }).click();
    await page.waitForURL(`**/${team.name}/activity/*`);
  }

  async function fitsTelephone(page: Page, name: string) {
    await page.setViewportSize({ width: 360, height: 740 });
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth"), { timeout: 10_000 }).toBeLessThanOrEqual(360);
    await takePictures(page, name);
    await page.setViewportSize({ width: 1280, height: 800 });
  }
});
