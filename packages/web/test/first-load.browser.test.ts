import type { CDPSession, Page } from "playwright-core";
import { expect, test } from "vitest";
import { until } from "../../server/test/kit/until.ts";
import { describeInBrowser, openBrowser } from "./browser.ts";
import { runSite, shell } from "./run-site.ts";
import { openSite } from "./site.ts";

interface Load {
  screen: string;
  requests: number;
  kilobytes: number;
  /** From the start of the navigation until its heading is drawn. */
  headingMs: number;
}

/** What a page asks for: how much, and what is still under way. A stream that stays open counts as a request. */
async function countTraffic(cdp: CDPSession) {
  const asked = new Set<string>();
  const underWay = new Set<string>();
  let bytes = 0;
  cdp.on("Network.requestWillBeSent", ({ requestId, request }) => {
    if (!request.url.startsWith("http")) return;
    asked.add(requestId);
    underWay.add(requestId);
  });
  cdp.on("Network.responseReceived", ({ requestId, response }) => {
    if (response.mimeType === "text/event-stream") underWay.delete(requestId);
  });
  cdp.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    underWay.delete(requestId);
    bytes += encodedDataLength;
  });
  cdp.on("Network.loadingFailed", ({ requestId }) => underWay.delete(requestId));
  await cdp.send("Network.enable");
  return { isQuiet: () => underWay.size === 0, requests: () => asked.size, bytes: () => bytes };
}

/** An answer may be drawn with a font that nothing has needed before: only a page that has nothing to do asks for nothing more. */
async function isSettled(page: Page, traffic: Awaited<ReturnType<typeof countTraffic>>): Promise<boolean> {
  const before = traffic.requests();
  await page.evaluate("document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => requestIdleCallback(done))))");
  return traffic.isQuiet() && traffic.requests() === before;
}

describeInBrowser("the first visit", async () => {
  const site = await openSite();
  const runs = runSite(site);
  const team = await runs.team();
  const token = team.owner.token;
  const { name, path: run, id } = await runs.start(token, team, [shell("build", "echo built"), shell("test", "true")]);
  await runs.over(token, team, id);
  const workflow = `/${team.name}/workflows/${name}`;

  async function load(screen: string, path: string, as?: string): Promise<Load> {
    const browser = await openBrowser();
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    try {
      const cookie = { name: "millrace-session", url: site.address, httpOnly: true, sameSite: "Lax" } as const;
      if (as !== undefined) await context.addCookies([{ ...cookie, value: as }]);
      const page = await context.newPage();
      const traffic = await countTraffic(await context.newCDPSession(page));
      const begin = performance.now();
      await page.goto(site.address + path, { waitUntil: "commit" });
      await page.getByRole("heading", { level: 1 }).first().waitFor();
      const headingMs = Math.round(performance.now() - begin);
      await page.waitForLoadState("load");
      await until(() => isSettled(page, traffic), "nothing is loaded any more");
      return { screen, requests: traffic.requests(), kilobytes: Math.round(traffic.bytes() / 1000), headingMs };
    } finally {
      await context.close();
    }
  }

  /** With nothing cached, the most that comes over the network, in kB and in requests: fonts and answers of the API included. */
  const screens: [screen: string, path: string, as: string | undefined, kilobytes: number, requests: number][] = [
    ["sign-in", "/sign-in", undefined, 260, 25],
    ["home", "/home", token, 262, 25],
    ["workflows", `/${team.name}/workflows`, token, 400, 33],
    ["designer", `${workflow}/design`, token, 770, 53],
    ["versions", `${workflow}/versions`, token, 510, 47],
    ["run", run, token, 575, 50],
  ];

  test("of each screen loads no more than its budget", { timeout: 120_000 }, async () => {
    const loads: Load[] = [];
    for (const [screen, path, as] of screens) loads.push(await load(screen, path, as));
    console.table(loads);
    const over = loads.filter(({ kilobytes, requests }, index) => kilobytes > screens[index]![3] || requests > screens[index]![4]);
    expect(over).toEqual([]);
  });
});
