import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { describe, test } from "vitest";
import { repositoryRoot } from "../../../server/src/base/file/repository-root.ts";
import { isRequiredTier, isTierLeftOut } from "../../../server/test/kit/suite/test-tier.ts";
import { showTheme } from "./show-theme.ts";

const places = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** The reason why browser tests can't run here; undefined if they can. A failure if `MILLRACE_TEST_REQUIRE` names `browser`. */
function whyNoBrowser(): string | undefined {
  if (isTierLeftOut("browser")) return "another part runs the tests with a browser";
  if (places.some((place) => existsSync(place))) return undefined;
  const why = "the tests of the user interface need Chromium: apt-get install chromium";
  if (isRequiredTier("browser")) throw new Error(why);
  return why;
}

/** The timeout of a test that goes through many pages, which takes half a minute on a busy machine. */
export const journeyMs = 300_000;

/** Like `describe`; without a browser, the reason is shown in place of the tests. */
export function describeInBrowser(name: string, tests: () => Promise<void> | void): void {
  const why = whyNoBrowser();
  if (why === undefined) describe(name, () => tests());
  else describe.skip(`${name} (${why})`, () => test("is not tested", () => {}));
}

/**
 * Each page gets its own browser window, and each window preloads the list below its address bar as two pages of its own, which nobody sees
 * here: half of the cost of opening a page. Only the last argument of this kind counts, so Playwright's own values are repeated.
 */
const switchedOff = [
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
];

/**
 * Most code that a test runs in a page runs only a few times. Compiled at the default thresholds, compiling takes more time than it saves;
 * code that runs long enough for a user to notice is still compiled.
 */
const compiledLater = "--js-flags=--invocation-count-for-maglev=4000 --invocation-count-for-turbofan=30000";

let browser: Promise<Browser> | undefined;

/**
 * The system's browser, one for all files that run in this process: a browser that has just started takes several times as long for its
 * first pages. Its pages end with their tests, and it ends with the process, because it is connected to it by a pipe.
 */
export function openBrowser(): Promise<Browser> {
  browser ??= chromium.launch({
    executablePath: places.find((place) => existsSync(place)) as string,
    // Without site isolation no processes are started in advance: all pages here are of the same site, and many are short-lived.
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-site-isolation-trials",
      `--disable-features=${switchedOff.join(",")}`,
      compiledLater,
    ],
    // Test files leave the process as they found it: only the runner listens for its signals.
    handleSIGHUP: false,
    handleSIGINT: false,
    handleSIGTERM: false,
  });
  return browser;
}

const pictures = join(repositoryRoot, "dist/screenshots");
/** Off by default: only people look at the pictures, and the suite would take more than 400. */
const isPictured = process.env["MILLRACE_TEST_PICTURES"] === "true";

/**
 * With `MILLRACE_TEST_PICTURES=true`: saves a picture of the page in both themes as `dist/screenshots/NAME-light.png` and `-dark.png`, for
 * people to look at.
 */
export async function takePictures(page: Page, name: string): Promise<void> {
  if (!isPictured) return;
  mkdirSync(pictures, { recursive: true });
  for (const theme of ["dark", "light"] as const) {
    await showTheme(page, theme);
    await page.screenshot({ path: join(pictures, `${name}-${theme}.png`) });
  }
}
