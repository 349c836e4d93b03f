import type { Page, Response } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { until } from "../../server/test/kit/until.ts";
import { expectReadable } from "./kit/accessibility.ts";
import { describeInBrowser } from "./kit/browser.ts";
import { asks, ends, startRuns } from "./kit/people-data.ts";
import { brokenLayout, plainTexts, speakPseudoLanguage } from "./kit/pseudo-language.ts";
import { after, approval, runSite, shell } from "./kit/run-site.ts";
import { openSite } from "./kit/site.ts";

/** Units, and names of formats and of the product: the same in all languages, or written by `Intl`. */
const same =
  /^(?:Millrace|JSON|YAML|SQL|URL|UTC|GMT|API|CSV|HTTP|ID|OK|ms|min|KiB|MiB|GiB|TiB|cURL|Ctrl|Shift|Enter|Esc|Markdown|GitHub)$/i;
/** `5 min ago`, `in 2 days`, `26 Nov 2026, 01:12:03 GMT`, `3 min 5 s`, `Europe/London`. */
const times =
  /^(?:in )?(?:\d+ )?(?:just now|less than a minute|yesterday|tomorrow|last|next|this|(?:sec|min|hr|hour|day|week|month|mo|yr|year)s?|wk)\b.*|^\d.*\b(?:ms|s|min|h|d|GMT|UTC|BST)\b|^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)|\d (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)|^[A-Z]\w+\/[A-Z]\w+/;

/** All strings in the responses of the service since the last read: they are data, not texts of the interface. */
function collectData(page: Page): () => Promise<Set<string>> {
  const reading: Promise<void>[] = [];
  const data = new Set<string>();
  const add = (value: unknown): void => {
    // As in the response, and as rendered Markdown.
    if (typeof value === "string") data.add(value).add(value.replaceAll("**", ""));
    else if (typeof value === "object" && value !== null)
      for (const [key, inner] of Object.entries(value)) {
        // Labels are keys and values that users chose.
        if (key === "labels" && typeof inner === "object" && inner !== null) for (const name of Object.keys(inner)) data.add(name);
        add(inner);
      }
  };
  const collect = (response: Response) => {
    // The stream of changes never ends.
    const isDocument = response.headers()["content-type"]?.startsWith("application/json") ?? false;
    if (isDocument && response.url().includes("/api/v2/")) reading.push(readBody(response).then(add));
  };
  /** The browser may drop a body that its page has read; then it is requested once more. */
  const readBody = async (response: Response): Promise<unknown> => {
    const body: unknown = await response.json().catch(() => undefined);
    if (body !== undefined || response.request().method() !== "GET") return body;
    return await page.request.get(response.url()).then((again) => again.json());
  };
  page.on("response", collect);
  return async () => {
    page.off("response", collect);
    await Promise.all(reading);
    return data;
  };
}

/**
 * Words that still come from elsewhere: from libraries with English texts, and from tables of single words. The list may only shrink: an
 * entry that no page shows any more must be removed.
 */
const outside: Readonly<Record<string, readonly string[]>> = {
  Mantine: ["Toggle password visibility"],
};
const known = Object.values(outside).flat();
const isKnown = (text: string) =>
  known.some((start) => (start.includes(" ") || start.startsWith("⟦") ? text.includes(start) : text === start));

/** Whether it consists of what the service returned: whole sentences, or words. The interface may change the case, and shorten an ID. */
function isData(text: string, data: ReadonlySet<string>): boolean {
  const values = [...data].map((value) => value.toLowerCase());
  const sentences = values.filter((value) => value.includes(" ")).sort((a, b) => b.length - a.length);
  const words = sentences
    .reduce((rest, sentence) => rest.replaceAll(sentence, " "), text.toLowerCase())
    // Names of time zones are the same in all languages.
    .replaceAll(/\b[a-z]+\/[a-z_]+\b/g, " ")
    .split(/[^\w.@-]+/)
    .filter((word) => /^[\x20-\x7e]*[a-z]{2,}[\x20-\x7e]*$/.test(word));
  // Words with accents are split there into pieces of one or two letters, which don't count as words.
  return words.every(
    (word) =>
      same.test(word) ||
      same.test(word.toUpperCase()) ||
      values.some((value) => value === word || (/\d/.test(word) && word.length > 3 && value.includes(word))),
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
  const runs = runSite(site);
  // Only numbers: the output of a script is not from a catalogue.
  const graph = [
    shell("build", "echo 1; echo 2"),
    shell("check", "echo 3; echo 4 '$(params.absent)'; exit 3", { ...after("build"), retry: { count: 1, backoffMs: 10 } }),
    shell("publish", "echo 5", after("check")),
    approval("release", {}, { dependencies: [{ taskRef: "check", executionCondition: "failure" }] }),
  ];
  const started = await runs.start(owner.token, { name: "mill" }, graph, { name: "deliver", unresolvedReferences: "keep" });
  const taskNamed = async (name: string) =>
    (await runs.run(owner.token, { name: "mill" }, started.id)).tasks.find((task) => task.name === name);
  await until(async () => (await taskNamed("release"))?.status === "waiting", "the run waits for its approval", 20_000);

  /** Chooses a task on the canvas of the designer. */
  const chooseTask = async (page: Page) => {
    await page.locator('.react-flow__node[data-id="check"]').click();
    await page.locator(".react-flow__node.selected").waitFor();
  };
  const chooseLink = async (page: Page) => {
    await page.locator(".react-flow__edge").first().press("Enter");
    await page.locator(".react-flow__edge.selected").waitFor({ state: "attached" });
  };

  const pages: readonly [string, string, ((page: Page) => Promise<void>)?][] = [
    ["the designer", "/mill/workflows/deliver/design"],
    ["a task in the designer", "/mill/workflows/deliver/design", chooseTask],
    ["a link in the designer", "/mill/workflows/deliver/design", chooseLink],
    ["the workflow as code", "/mill/workflows/deliver/code"],
    ["the graph of a run", started.path],
    ["the tasks of a run", `${started.path}?view=list`],
    ["the timeline of a run", `${started.path}?view=timeline`],
    ["the parameters and results of a run", `${started.path}?view=values`],
    ["the log of a task", `${started.path}?view=list&task=check&tab=log`],
    ["the details of a task", `${started.path}?view=list&task=check&tab=details`],
    ["a task that waits for an approval", `${started.path}?task=release`],
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

  test("in German, home, the runs, a run, a workflow and the actions hold together at 360 pixels", async () => {
    const german = await site.open("/sign-in", owner.token);
    await german.evaluate("localStorage.setItem('millrace-language', 'de')");
    await german.setViewportSize({ width: 360, height: 740 });
    const broken: Record<string, string[]> = {};
    const shown = pages.filter(([, path, prepare]) => prepare === undefined && !/\/(?:configure|versions|code|manage)/.test(path));
    for (const [name, path] of shown) {
      await german.goto(site.address + path);
      await german.locator("main h1").first().waitFor();
      await german.waitForLoadState("networkidle");
      const problems = await brokenLayout(german);
      if (problems.length > 0) broken[name] = problems;
    }
    expect(await german.evaluate("document.documentElement.lang")).toBe("de");
    expect(broken).toEqual({});
  });

  /** One page for all: a page with another language can't be reused by other tests, and each new one has its own process. */
  let page: Page;
  beforeAll(async () => {
    page = await site.open("/sign-in", owner.token);
    await speakPseudoLanguage(page);
  });

  test.each(pages)(
    "%s has its words from the catalogue, holds together wide and narrow, and is readable in both themes",
    async (_, path, prepare) => {
      await page.setViewportSize({ width: 1280, height: 800 });
      const dataRead = collectData(page);
      await page.goto(site.address + path);
      await page.locator("main h1").first().waitFor();
      await page.waitForLoadState("networkidle");
      await prepare?.(page);
      const data = await dataRead();
      const found = (await plainTexts(page)).filter(
        ({ text }) => !same.test(text) && !times.test(text) && !isData(text, data) && !isKnown(text),
      );
      const wide = await brokenLayout(page);
      await page.setViewportSize({ width: 360, height: 740 });
      await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))");
      expect({ found, wide, narrow: await brokenLayout(page) }).toEqual({ found: [], wide: [], narrow: [] });
      await page.setViewportSize({ width: 1280, height: 800 });
      await expectReadable(page);
    },
  );
});
