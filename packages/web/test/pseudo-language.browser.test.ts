import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser } from "./browser.ts";
import { asks, ends, startRuns } from "./people-data.ts";
import { brokenLayout, plainTexts, speakPseudoLanguage } from "./pseudo-language.ts";
import { openSite } from "./site.ts";

/** Units, names of formats and of the product: the same in all languages, or written by `Intl`. */
const same = /^(?:Millrace|JSON|YAML|SQL|URL|UTC|GMT|API|CSV|HTTP|ID|OK|ms|min|KiB|MiB|GiB|TiB|cURL|Ctrl|Shift|Enter|Esc|Markdown|GitHub)$/;
/** `5 min ago`, `in 2 days`, `26 Nov 2026, 01:12:03 GMT`, `3 min 5 s`, `Europe/London`. */
const times =
  /^(?:in )?(?:\d+ )?(?:just now|less than a minute|yesterday|tomorrow|last|next|this|(?:sec|min|hr|hour|day|week|month|mo|yr|year)s?|wk)\b.*|^\d.*\b(?:ms|s|min|h|d|GMT|UTC|BST)\b|^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)|\d (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)|^[A-Z]\w+\/[A-Z]\w+/;

/** All strings in the answers of the service while the page loads: they are data, not texts of the interface. */
function collectData(page: Page): () => Promise<Set<string>> {
  const reading: Promise<void>[] = [];
  const data = new Set<string>();
  const add = (value: unknown): void => {
    if (typeof value === "string") data.add(value);
    else if (typeof value === "object" && value !== null)
      for (const [key, inner] of Object.entries(value)) {
        // Labels are keys and values that people chose.
        if (key === "labels" && typeof inner === "object" && inner !== null) for (const name of Object.keys(inner)) data.add(name);
        add(inner);
      }
  };
  page.on("response", (response) => {
    // The stream of changes never ends.
    const isDocument = response.headers()["content-type"]?.startsWith("application/json") ?? false;
    if (isDocument && response.url().includes("/api/v2/")) reading.push(response.json().then(add, () => undefined));
  });
  return async () => {
    await Promise.all(reading);
    return data;
  };
}

/**
 * Words that still come from elsewhere: from the libraries, which speak English by themselves, and from tables of single words. The list may
 * only shrink: what no page shows any more has to go.
 */
const outside: Readonly<Record<string, readonly string[]>> = {
  "React Flow": ["Zoom Out", "Zoom In", "Fit View", "Control Panel", "Press enter or space to select", "Edge from"],
  Mantine: ["Toggle password visibility"],
  "components/shell/list-keys-help.tsx": ["Enter open"],
  "pages/home/team-list.tsx": ["⟦2 workflows", "⟦1 members"],
  "pages/manage/quotas-section.tsx": ["1000000000 runs", "1000000 runs", "100 runs", "max"],
  "pages/activity/activity-filters.tsx": ["queued", "pending", "finalized"],
  "components/workflow-icon.tsx": ["tool", "rocket", "package", "database", "cloud", "chart", "bug", "branch", "bell"],
  "pages/configure": ["stage", "runs"],
};
const known = Object.values(outside).flat();
const isKnown = (text: string) =>
  known.some((start) => (start.includes(" ") || start.startsWith("⟦") ? text.includes(start) : text === start));

/** Whether it is made of what the service said, word by word. The interface may change its capitals, and shorten an id. */
function isData(text: string, data: ReadonlySet<string>): boolean {
  const values = [...data].map((value) => value.toLowerCase());
  const words = text
    .toLowerCase()
    .split(/[^\w.@-]+/)
    .filter((word) => /^[\x20-\x7e]*[a-z]{2,}[\x20-\x7e]*$/.test(word));
  // What has accents is cut there into pieces of one or two letters: those are no words.
  return words.every(
    (word) => same.test(word.toUpperCase()) || values.some((value) => value === word || (word.length > 3 && value.includes(word))),
  );
}

describeInBrowser("in a language of longer words", async () => {
  const site = await openSite();
  const team = await site.make.team({ name: "mill" });
  const owner = await site.make.member(team.id, "owner");
  await startRuns(site, site.adminToken, "mill", ends("nightly", "failed"), 2);
  await startRuns(site, site.adminToken, "mill", asks("release"), 1);
  await site.call(site.adminToken, "POST", "/api/v2/team/mill/schedule", {
    name: "morning",
    workflowRef: "nightly",
    type: "cron",
    cronSchedule: "0 8 * * *",
    timezone: "UTC",
  });

  const pages: readonly [string, string][] = [
    ["home", "/home"],
    ["the list of workflows", "/mill/workflows"],
    ["the creation of a workflow", "/mill/workflows/create"],
    ["the versions", "/mill/workflows/nightly/versions"],
    ["the settings of a workflow", "/mill/workflows/nightly/configure/general"],
    ["the triggers", "/mill/workflows/nightly/configure/triggers"],
    ["the activity", "/mill/activity"],
    ["the actions", "/mill/actions"],
    ["the schedules", "/mill/schedules"],
    ["the insights", "/mill/insights"],
    ["the integrations", "/mill/integrations"],
    ["the tasks", "/mill/task-manager"],
    ["the parameters", "/mill/parameters"],
    ["the members", "/mill/manage/members"],
    ["the quotas", "/mill/manage/quotas"],
    ["the settings of a team", "/mill/manage/settings"],
    ["the profile", "/profile/account"],
  ];

  test.each(pages)("%s has its words from the catalogue, and holds together at 1280 and at 360 pixels", async (_, path) => {
    const page = await site.open("/sign-in", owner.token);
    await speakPseudoLanguage(page);
    const dataRead = collectData(page);
    await page.goto(site.address + path);
    await page.locator("main h1").first().waitFor();
    await page.waitForLoadState("networkidle");
    const data = await dataRead();
    const found = (await plainTexts(page)).filter(
      ({ text }) => !same.test(text) && !times.test(text) && !isData(text, data) && !isKnown(text),
    );
    const wide = await brokenLayout(page);
    await page.setViewportSize({ width: 360, height: 740 });
    await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))");
    expect({ found, wide, narrow: await brokenLayout(page) }).toEqual({ found: [], wide: [], narrow: [] });
  });
});
