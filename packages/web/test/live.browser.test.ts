import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { describeInBrowser } from "./kit/browser.ts";
import { openSite } from "./kit/site.ts";

describeInBrowser("pages follow what happens", async () => {
  const site = await openSite();
  let team: { id: string; name: string };
  let token: string;

  beforeAll(async () => {
    team = await site.make.team();
    token = (await site.make.member(team.id, "editor")).token;
  });

  const create = (name: string) => site.call(token, "POST", `/api/v2/team/${team.name}/workflow`, { name, tasks: [] });
  const shown = (page: Page, name: string) => page.getByRole("row", { name: new RegExp(name) }).waitFor();
  const isStream = (url: URL) => url.pathname.endsWith("/changes");

  test("without a reload, by the stream of changes, also after the connection was lost, and where a proxy cuts the stream", async () => {
    await create("there-before");
    const asked: string[] = [];
    const page = await site.open(`/${team.name}/workflows`, token);
    await shown(page, "there-before");
    page.on("request", (request) => asked.push(request.url()));
    await create("made-meanwhile");
    await shown(page, "made-meanwhile");
    expect(asked.filter((url) => url.includes("/workflow/query")).length).toBeLessThan(4);

    await page.context().setOffline(true);
    await create("made-while-away");
    await page.context().setOffline(false);
    await shown(page, "made-while-away");

    // It asks every few seconds instead.
    await page.route(isStream, (route) => route.abort());
    await page.reload();
    await shown(page, "there-before");
    await create("made-while-cut");
    await shown(page, "made-while-cut");
  });

  const script = "#!/bin/sh\necho one\nsleep 2\necho two\nsleep 120\n";

  test.each([
    ["a task of the team", () => `/${team.name}/task-manager/takes-long?view=try`, () => `/api/v2/team/${team.name}/task/takes-long`],
    ["a global task", () => `/admin/task-manager/takes-long-too?view=try&in=${team.name}`, () => "/api/v2/task/takes-long-too"],
  ])("the log and the end of a try of %s show, while nobody asks on a timer", async (_, path, task) => {
    await site.call(site.adminToken, "PUT", task(), { type: "script", spec: { script } });
    // The clock has to be there before the page is.
    const page = await site.open("/api/v2/nothing", site.adminToken);
    await page.clock.install();
    await page.goto(site.address + path());
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByRole("log").getByText("two").waitFor();
    const asked = asksOf(page);
    await page.clock.runFor(60_000);
    // Requests that the last line and the start of the task may still cause; polling would have sent sixty.
    expect(asked.length).toBeLessThan(6);
    const run = new URL(page.url()).searchParams.get("try");
    await site.call(token, "DELETE", `/api/v2/team/${team.name}/workflowrun/${run}/cancel`);
    await page.getByRole("status", { name: "Test status" }).getByText("Cancelled").waitFor();
    expect(asked.length).toBeLessThan(20);
  });

  /** The requests for runs and their lines from now on. */
  function asksOf(page: Page): string[] {
    const asked: string[] = [];
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (/\/workflowrun\/|\/taskrun\//.test(pathname)) asked.push(pathname);
    });
    return asked;
  }
});
