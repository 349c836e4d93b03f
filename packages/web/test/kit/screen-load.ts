import type { CDPSession, Page } from "playwright-core";
import { until } from "../../../server/test/kit/until.ts";
import { openBrowser } from "./browser.ts";

/** The cost of one visit to a screen. */
export interface ScreenLoad {
  screen: string;
  requests: number;
  kilobytes: number;
  /** From the start of the navigation until its heading is drawn. */
  headingMs: number;
  /** Processor time of the page for scripts, styles and layout, which depends little on other work on the machine. */
  scriptMs: number;
  layoutMs: number;
}

/** A screen, its path, and the most that a first visit may load: kB and requests of all kinds, including fonts and API responses. */
export interface LoadBudget {
  screen: string;
  path: string;
  kilobytes: number;
  requests: number;
}

/**
 * The budget of every screen: at most 25 requests and, for the first screens, 260 kB. Data that is requested only when a user opens it is
 * not included: values of earlier runs, the schema of the code, the runs around an old one. The sign-in page preloads the styles of all
 * screens. Lower a number when a screen needs less.
 * @param workflow of the team  @param run paths of one of each
 */
export const loadBudgets = (team: string, workflow: string, run: string): LoadBudget[] => [
  { screen: "sign-in", path: "/sign-in", kilobytes: 244, requests: 11 },
  { screen: "home", path: "/home", kilobytes: 258, requests: 12 },
  { screen: "workflows", path: `/${team}/workflows`, kilobytes: 392, requests: 19 },
  { screen: "designer", path: `${workflow}/design`, kilobytes: 556, requests: 25 },
  { screen: "versions", path: `${workflow}/versions`, kilobytes: 454, requests: 21 },
  { screen: "run", path: run, kilobytes: 513, requests: 25 },
  { screen: "overview", path: `${workflow}/overview`, kilobytes: 457, requests: 21 },
  { screen: "code", path: `${workflow}/code`, kilobytes: 688, requests: 24 },
  { screen: "configuration", path: `${workflow}/configure/general`, kilobytes: 500, requests: 23 },
  { screen: "activity", path: `/${team}/activity`, kilobytes: 410, requests: 21 },
  { screen: "actions", path: `/${team}/actions`, kilobytes: 388, requests: 19 },
  { screen: "schedules", path: `/${team}/schedules`, kilobytes: 415, requests: 18 },
  { screen: "insights", path: `/${team}/insights`, kilobytes: 484, requests: 21 },
  { screen: "integrations", path: `/${team}/integrations`, kilobytes: 404, requests: 18 },
  { screen: "tasks", path: `/${team}/task-manager`, kilobytes: 418, requests: 18 },
  { screen: "manage", path: `/${team}/manage/members`, kilobytes: 428, requests: 23 },
  { screen: "parameters", path: `/${team}/parameters`, kilobytes: 395, requests: 18 },
  { screen: "profile", path: "/profile/account", kilobytes: 404, requests: 15 },
];

/** The requests of a page: their size, and which are still open. A stream that stays open counts as a request. */
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

type Traffic = Awaited<ReturnType<typeof countTraffic>>;

/** Rendering a response may need a font that was not needed before: only an idle page sends no more requests. */
async function isSettled(page: Page, traffic: Traffic): Promise<boolean> {
  const before = traffic.requests();
  await page.evaluate("document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => requestIdleCallback(done))))");
  return traffic.isQuiet() && traffic.requests() === before;
}

/** The first visit to a screen, with an empty cache, and optionally a second one. @param token of the session; undefined: signed out */
export async function visitScreen(
  address: string,
  { screen, path }: LoadBudget,
  token: string | undefined,
  isTwice = false,
): Promise<[cold: ScreenLoad, warm?: ScreenLoad]> {
  const browser = await openBrowser();
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const cookie = { name: "millrace-session", url: address, httpOnly: true, sameSite: "Lax" } as const;
    if (token !== undefined) await context.addCookies([{ ...cookie, value: token }]);
    const cold = await visit();
    return isTwice ? [cold, await visit()] : [cold];
  } finally {
    await context.close();
  }

  async function visit(): Promise<ScreenLoad> {
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    const traffic = await countTraffic(cdp);
    await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
    const begin = performance.now();
    await page.goto(address + path, { waitUntil: "commit" });
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    const headingMs = Math.round(performance.now() - begin);
    await page.waitForLoadState("load");
    await until(() => isSettled(page, traffic), "nothing is loaded any more");
    const { metrics } = await cdp.send("Performance.getMetrics");
    const ms = (...names: string[]) =>
      Math.round(1_000 * metrics.reduce((sum, { name, value }) => sum + (names.includes(name) ? value : 0), 0));
    const load = {
      screen,
      requests: traffic.requests(),
      kilobytes: Math.round(traffic.bytes() / 1000),
      headingMs,
      scriptMs: ms("ScriptDuration"),
      layoutMs: ms("LayoutDuration", "RecalcStyleDuration"),
    };
    await page.close();
    return load;
  }
}

export const isOver = (load: ScreenLoad, budget: LoadBudget) => load.kilobytes > budget.kilobytes || load.requests > budget.requests;
