import { cleanup, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

/** The language is read once per page, when the modules load, so each test loads a page of its own. */
async function loadIn(chosen: "de" | "en" | undefined, wanted: readonly string[] = ["en-US"]) {
  vi.resetModules();
  Object.defineProperty(navigator, "languages", { configurable: true, get: () => wanted });
  if (chosen !== undefined) localStorage.setItem("millrace-language", chosen);
  // As `main.tsx` does, before anything that reads texts is loaded.
  await (await import("../../texts/language.ts")).loadTexts();
  const [texts, format, time, zones, month, cron, list] = await Promise.all([
    import("../../texts/language.ts"),
    import("../../ui/format.ts"),
    import("../../ui/time/time-format.ts"),
    import("../../ui/time/zone-time.ts"),
    import("../../ui/time/month-grid.ts"),
    import("../../forms/schedule-form/cron-words.ts"),
    import("../../texts/home.ts"),
  ]);
  return { ...texts, ...format, ...time, ...zones, ...month, ...cron, home: list.t };
}

beforeEach(() => localStorage.clear());
afterEach(() => {
  cleanup();
  localStorage.clear();
  Reflect.deleteProperty(navigator, "languages");
  vi.resetModules();
});

describe("the language", () => {
  test.each([
    [undefined, ["de-AT", "en-GB"], "de", "de-AT"],
    [undefined, ["fr-FR", "de-DE"], "de", "de-DE"],
    [undefined, ["fr-FR"], "en", "en-GB"],
    [undefined, [], "en", "en-GB"],
    [undefined, ["en-US", "de"], "en", "en-US"],
    ["de", ["en-US"], "de", "de"],
    ["en", ["de-DE", "en-US"], "en", "en-US"],
  ] as const)("chosen %s, in a browser of %j: %s, written as in %s", async (chosen, wanted, language, locale) => {
    const page = await loadIn(chosen, wanted);
    expect([page.language, page.locale]).toEqual([language, locale]);
  });

  test("an unknown language in the browser's storage is ignored", async () => {
    localStorage.setItem("millrace-language", "constructor");
    expect((await loadIn(undefined)).chosenLanguage).toBe(undefined);
  });

  test("is chosen in the profile, kept in the browser, and read by the next load of the page", async () => {
    let reloads = 0;
    Object.defineProperty(location, "reload", { configurable: true, value: () => reloads++ });
    await loadIn("de");
    const { show } = await import("../../ui/show-component.tsx");
    const { LanguageChoice } = await import("./language-choice.tsx");
    const { user } = show(<LanguageChoice />);
    expect(screen.getByRole("radiogroup", { name: "Sprache" })).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>("Deutsch").checked).toBe(true);
    await user.click(screen.getByLabelText("English"));
    expect([localStorage.getItem("millrace-language"), reloads]).toEqual(["en", 1]);
    await user.click(screen.getByLabelText("Wie der Browser"));
    expect([localStorage.getItem("millrace-language"), reloads]).toEqual([null, 2]);
    Reflect.deleteProperty(location, "reload");
  });
});

describe("numbers, times and lists", () => {
  const at = "2031-03-30T06:00:00Z";
  const written = (page: Awaited<ReturnType<typeof loadIn>>) => [
    page.numberText(1_234_567),
    page.decimalText(4, 1),
    page.percentText(0.975, 1),
    page.durationText(4200),
    page.relativeTime(at, Date.parse(at) + 300_000),
    page.dateText("UTC", at),
    page.listText(["a", "b", "c"]),
    page.cronWords("0 8 1,15 1 *"),
    page.home("teamList.workflowsOf", { count: 1200, team: "x" }),
    page.home("teamList.workflowsOf", { count: 1, team: "x" }),
    page.withinSentence("Name"),
    page.viewerWeekStart(),
  ];

  test("are written as in Germany", async () => {
    expect(written(await loadIn("de", ["de-DE"]))).toEqual([
      "1.234.567",
      "4,0",
      "97,5\u00a0%",
      "4,2 s",
      "vor 5 Min",
      "So., 30. März 2031",
      "a, b und c",
      "Am 1. und 15. im Januar um 08:00",
      "1.200 Workflows von x",
      "1 Workflow von x",
      "Name",
      1,
    ]);
  });

  test("are written as in the United States", async () => {
    expect(written(await loadIn(undefined, ["en-US"]))).toEqual([
      "1,234,567",
      "4.0",
      "97.5%",
      "4.2 s",
      "5 min ago",
      "Sun, Mar 30, 2031",
      "a, b and c",
      "On the 1st and 15th of January at 08:00",
      "1,200 workflows of x",
      "1 workflow of x",
      "name",
      0,
    ]);
  });
});
