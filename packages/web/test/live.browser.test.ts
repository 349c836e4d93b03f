import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { describeInBrowser } from "./browser.ts";
import { openSite } from "./site.ts";

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

  test("without a reload, by the stream of changes", async () => {
    await create("there-before");
    const asked: string[] = [];
    const page = await site.open(`/${team.name}/workflows`, token);
    await shown(page, "there-before");
    page.on("request", (request) => asked.push(request.url()));
    await create("made-meanwhile");
    await shown(page, "made-meanwhile");
    expect(asked.filter((url) => url.includes("/workflow/query")).length).toBeLessThan(4);
  });

  test("where a proxy cuts the stream, by asking every few seconds", async () => {
    const page = await site.open(`/${team.name}/workflows`, token);
    await page.route(isStream, (route) => route.abort());
    await page.reload();
    await shown(page, "there-before");
    await create("made-while-cut");
    await shown(page, "made-while-cut");
  });

  test("what came while the connection was away is there when it is back", async () => {
    const page = await site.open(`/${team.name}/workflows`, token);
    await shown(page, "there-before");
    await page.context().setOffline(true);
    await create("made-while-away");
    await page.context().setOffline(false);
    await shown(page, "made-while-away");
  });
});
