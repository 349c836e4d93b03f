import type { BrowserContext, Page } from "playwright-core";
import { afterAll, onTestFinished, TestRunner } from "vitest";
import { openBrowser } from "./browser.ts";

const viewport = { width: 1280, height: 800 };

/** Pages that no test uses now, each in its own context. */
const free: Page[] = [];
/** Contexts with changes that can't be undone: they are closed. */
const spoilt = new WeakSet<BrowserContext>();

/**
 * A page for the current test, or for the file outside of tests: without cookies, signed out, at its default size. Afterwards the page is
 * cleared and kept for another test: in a process that has rendered the interface before, it opens in half the time. A page with changes
 * that can't be undone (a fake clock, an init script, a debugger session) is not reused.
 */
export async function takePage(): Promise<Page> {
  const page = free.pop() ?? (await openPage());
  if (TestRunner.getCurrentTest() === undefined) afterAll(() => giveBack(page));
  else
    onTestFinished(async ({ task }) => {
      if (task.result?.state === "fail") await printPage(page);
      await giveBack(page);
    });
  return page;
}

/** What a reader of the failure wants to know: where the page was, and what it said. */
async function printPage(page: Page): Promise<void> {
  // As it is laid out, one element a line.
  const text = await page.evaluate("document.body.innerText").catch((error) => `(it can't be read: ${error})`);
  console.error(`the page of the failed test, at ${page.url()}:\n${String(text).slice(0, 4_000)}`);
}

async function openPage(): Promise<Page> {
  const browser = await openBrowser();
  const context = await browser.newContext({ viewport, reducedMotion: "reduce", locale: "en-GB", timezoneId: "Europe/London" });
  noteTraces(context);
  return context.newPage();
}

function noteTraces(context: BrowserContext): void {
  const spoil =
    <Given extends unknown[], Answer>(call: (...given: Given) => Answer) =>
    (...given: Given): Answer => {
      spoilt.add(context);
      return call(...given);
    };
  const { clock } = context;
  clock.install = spoil(clock.install.bind(clock));
  context.addInitScript = spoil(context.addInitScript.bind(context));
  context.newCDPSession = spoil(context.newCDPSession.bind(context));
  context.on("page", (page) => {
    page.addInitScript = spoil(page.addInitScript.bind(page));
  });
}

async function giveBack(page: Page): Promise<void> {
  const context = page.context();
  const isWhole = !page.isClosed() && context.pages().length === 1 && !spoilt.has(context);
  if (!isWhole) return context.close();
  try {
    await empty(page);
    free.push(page);
  } catch {
    // The page can't be cleared where it is: it shows a network error, or its service is gone.
    await context.close();
  }
}

/** The document goes first: this ends its requests, its timers and its handlers for leaving the page. */
async function empty(page: Page): Promise<void> {
  const context = page.context();
  page.removeAllListeners();
  page.on("dialog", (dialog) => void dialog.accept());
  await context.setOffline(false);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.goto(new URL("/api/v2/nothing", page.url()).href);
  // A page that is left keeps its unsaved changes.
  await page.evaluate("sessionStorage.clear(); localStorage.clear()");
  page.removeAllListeners();
  await context.clearCookies();
  await context.clearPermissions();
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme: null, forcedColors: null, reducedMotion: "reduce" });
}
