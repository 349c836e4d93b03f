import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser } from "../kit/browser.ts";
import { expectLight, watchMovement } from "../kit/frames.ts";
import { logSite } from "../kit/log-site.ts";
import { openSite } from "../kit/site.ts";

/** What the page of a run with any number of items may request from the API when it opens, and for each change notification. */
const mostBytes = 150_000;

describeInBrowser("a run with 5,000 task runs", async () => {
  const site = await openSite();
  const { ended } = logSite(site);

  async function withItems() {
    const run = await ended();
    await site.sql`
      insert into task_run (id, team_id, run_id, node, item, name, type, status, phase, attempt, created_at, started_at, ended_at)
      select new_id(), team_id, run_id, node, n, name || '[' || n || ']', type, case when n % 50 = 0 then 'failed' else 'succeeded' end, 'completed', 1,
        created_at, started_at + make_interval(secs => n / 100.0), started_at + make_interval(secs => n / 100.0 + 2)
      from task_run, generate_series(0, 4999) n where team_id = ${run.team.id} and run_id = ${run.id} and name = 'work'`;
    return run;
  }

  /** The responses of the API since the last call. */
  function watchAnswers(page: Page) {
    let sizes: Promise<number>[] = [];
    page.on("requestfinished", (request) => {
      if (request.url().includes("/api/")) sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
    });
    return async () => {
      const now = sizes;
      sizes = [];
      return (await Promise.all(now)).reduce((sum, size) => sum + size, 0);
    };
  }

  test.each(["graph", "list", "timeline"])("comes to its %s in pages, and so does each change", async (view) => {
    const { team, token, id } = await withItems();
    const whole = JSON.stringify(await site.call(token, "GET", `/api/v2/team/${team.name}/workflowrun/${id}`)).length;
    const page = await site.open("/home", token);
    await page.waitForLoadState("networkidle");
    const taken = watchAnswers(page);
    await page.goto(`${site.address}/${team.name}/activity/${id}?view=${view}`);
    await page
      .getByRole("button", { name: view === "timeline" ? "5,000 items of work" : /work/ })
      .first()
      .waitFor();
    await page.waitForLoadState("networkidle");
    const atOpening = await taken();
    const heard = ["view=summary", ...(view === "list" ? ["taskrun/query"] : [])].map(async (part) => {
      const response = await page.waitForResponse((each) => each.url().includes(part));
      return response.finished();
    });
    await site.call(token, "PATCH", `/api/v2/team/${team.name}/workflowrun/${id}`, { labels: { seen: view } });
    await Promise.all(heard);
    const perChange = await taken();
    console.info(`${view} of 5,000 items: the run as a whole ${whole} bytes, opened with ${atOpening}, a change ${perChange}`);
    expect(atOpening).toBeLessThan(mostBytes);
    expect(perChange).toBeLessThan(mostBytes);
  });

  test("shows the failed items, and one of them by its name", async () => {
    const { team, token, id } = await withItems();
    const page = await site.open(`/${team.name}/activity/${id}?view=list&status=failed`, token);
    await page.getByText(/^100 of 5,0\d\d tasks$/).waitFor();
    await page.getByRole("button", { name: "work[50]", exact: true }).waitFor();
    await page.goto(`${site.address}/${team.name}/activity/${id}?task=work%5B4321%5D`);
    await page.getByRole("region", { name: "Task work[4321]" }).waitFor();
  });

  test.each([
    ["list", "List of tasks"],
    ["timeline", "Timeline"],
  ])("is scrolled through in its %s with few rows in the page", async (view, label) => {
    const { team, token, id } = await withItems();
    const page = await site.open(`/${team.name}/activity/${id}?view=${view}`, token);
    if (view === "timeline") await page.getByRole("button", { name: "5,000 items of work" }).click();
    await page.getByRole("button", { name: "work[0]", exact: true }).waitFor();
    await page.getByRole("region", { name: label, exact: true }).hover();
    const movement = await watchMovement(page, 120, () => page.mouse.wheel(0, 120));
    await expectLight(`${view} of 5,000 task runs, 120 px a step`, page, movement, 30);
    expect(await page.getByRole("region", { name: label, exact: true }).locator("button").count()).toBeLessThan(200);
  });
});
