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
function collectData(page: Page): Set<string> {
  const data = new Set<string>();
  const add = (value: unknown): void => {
    if (typeof value === "string") data.add(value);
    else if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) add(inner);
  };
  page.on("response", (response) => {
    if (response.url().includes("/api/v2/")) void response.json().then(add, () => undefined);
  });
  return data;
}

/** Whether it is made of what the service said, for the most part word by word. */
function isData(text: string, data: ReadonlySet<string>): boolean {
  if (data.has(text)) return true;
  const rest = text.split(/[\s·,:()[\]“”"/→•✓✗…⟦⟧]+/).filter((word) => /^[\x20-\x7e]*[A-Za-z]{2,}[\x20-\x7e]*$/.test(word));
  const known = [...data];
  return rest.every(
    (word) =>
      same.test(word) ||
      known.some((value) => value === word || (word.length > 3 && value.includes(text.trim()))) ||
      known.some((value) => value.split(/[^\w.-]+/).includes(word)),
  );
}

describeInBrowser("in a language of longer words", async () => {
  const site = await openSite();
  const team = await site.make.team({ name: "mill" });
  const owner = await site.make.member(team.id, "owner");
  const [failed] = await startRuns(site, site.adminToken, "mill", ends("nightly", "failed"), 2);
  const [asking] = await startRuns(site, site.adminToken, "mill", asks("release"), 1);
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
    ["the designer", "/mill/workflows/nightly/design"],
    ["the versions", "/mill/workflows/nightly/versions"],
    ["the settings of a workflow", "/mill/workflows/nightly/configure/general"],
    ["the triggers", "/mill/workflows/nightly/configure/triggers"],
    ["the activity", "/mill/activity"],
    ["a run that failed", `/mill/activity/${failed}`],
    ["a run that waits", `/mill/activity/${asking}`],
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
    const data = collectData(page);
    await page.goto(site.address + path);
    await page.locator("main h1").first().waitFor();
    await page.waitForLoadState("networkidle");
    const found = (await plainTexts(page)).filter(({ text }) => !same.test(text) && !times.test(text) && !isData(text, data));
    expect(found).toEqual([]);
    expect(await brokenLayout(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))");
    expect(await brokenLayout(page)).toEqual([]);
  });
});
