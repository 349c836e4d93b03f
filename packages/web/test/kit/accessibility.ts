import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { showTheme } from "./show-theme.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  id: string;
  help: string;
  nodes: { target: string[]; html: string; failureSummary: string }[];
}

const everything = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
/** The rules of `cat.color`: themes differ only in colours, so the other rules have the same results in both. */
const colours = { type: "rule", values: ["color-contrast", "link-in-text-block"] };

/**
 * Expects no violation of WCAG 2.2 A and AA in what the page shows. This takes a third of the time of a browser test, so the tests of the
 * suite check only the current theme, an open dialog without the page below it, and the navigation around a page once in each file; the
 * long tests check each screen, each dialog and each menu in both themes, and `administration.browser.test.ts` checks each component.
 * @param within a part of the page, such as a menu: the rest has its own test
 */
export async function expectAccessible(page: Page, within?: Locator, inBothThemes = isLongTest()): Promise<void> {
  await look(page, [within ?? (inBothThemes ? page.locator("html") : await topOf(page))], inBothThemes);
}

/**
 * Checks the choices of every field that has some, opened by keyboard one after the other, because they are in the page only while they are
 * open. A field that opens nothing, such as one whose choices are searched for, is skipped.
 * @returns how many were checked
 */
export async function expectChoicesAccessible(page: Page, within: Locator): Promise<number> {
  const fields = within.locator('[aria-haspopup="listbox"]:visible:enabled');
  let looked = 0;
  for (let index = 0; index < (await fields.count()); index++) {
    const field = fields.nth(index);
    await field.focus();
    if ((await field.getAttribute("aria-expanded")) !== "true") await field.press("ArrowDown");
    const choices = page.locator('[role="listbox"]:visible');
    if ((await choices.count()) > 0) {
      await look(page, [choices.first(), field], await isNewLook(choices.first()));
      looked++;
    }
    // In a dialog, one more Escape would close the dialog.
    if ((await field.getAttribute("aria-expanded")) === "true") await field.press("Escape");
  }
  return looked;
}

/** What was looked at in both themes, in this process. */
const looksSeen = new Set<string>();

/**
 * Whether choices like these were not there before. Themes differ only in colours, and these depend on the tags, classes, states and own
 * styles of the elements, and on the classes around them: what is the same in another field has the same colours in the other theme, too,
 * so only the current one is checked again.
 */
async function isNewLook(choices: Locator): Promise<boolean> {
  const seen = await choices.evaluate((box) => {
    const states = /^(class|style|disabled|data-(?!value)\w+|aria-(selected|disabled))$/;
    const describe = ({ tagName, attributes }: Element) =>
      [tagName, ...[...attributes].filter(({ name }) => states.test(name)).map(({ name, value }) => `${name}=${value}`)].join(" ");
    const around: string[] = [];
    for (let element: Element | null = box; element !== null; element = element.parentElement) around.push(element.className);
    return [...around, ...new Set([...box.querySelectorAll("*")].map(describe))].join("\n");
  });
  const isNew = !looksSeen.has(seen);
  looksSeen.add(seen);
  return isNew;
}

const isLongTest = () => expect.getState().testPath?.includes(".long.") === true;

/** The test files that have checked a whole page. */
const wholePages = new Set<string | undefined>();

/** The part that can be used now: an open dialog, or the page, the first time in a test file with all that is around it. */
async function topOf(page: Page): Promise<Locator> {
  const dialog = page.locator('[role="dialog"][aria-modal="true"]:visible');
  // One that is closing is visible until its transition has ended.
  if ((await dialog.count()) > 0) await page.evaluate(transitionsEnd);
  if ((await dialog.count()) === 1) return dialog;
  const main = page.locator("main");
  const isKnown = wholePages.has(expect.getState().testPath) && (await main.count()) === 1;
  wholePages.add(expect.getState().testPath);
  return isKnown ? main : page.locator("html");
}

/** Animations without an end, such as those of a loading state, are not waited for. */
const transitionsEnd = `Promise.allSettled(
  document.getAnimations().filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime)).map(({ finished }) => finished),
).then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))`;

/**
 * Checks only the rules about colours, in both themes. For a page without real words, the other rules would report names that nobody hears.
 */
export function expectReadable(page: Page): Promise<void> {
  return look(page, [page.locator("html")], true, colours);
}

/** @param within parts of the page; together, since axe reads the whole page for each run */
async function look(
  page: Page,
  within: readonly Locator[],
  inBothThemes: boolean,
  rules: typeof colours | string[] = everything,
): Promise<void> {
  // Evaluated by the test: the page's content security policy would block a script element.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe);
  // The current theme first: drawing the page in the other one takes as long as the rules about colours.
  const isDark = (await page.locator("html").getAttribute("data-mantine-color-scheme")) === "dark";
  const themes = isDark ? (["dark", "light"] as const) : (["light", "dark"] as const);
  const parts = await Promise.all(within.map((part) => part.elementHandle()));
  for (const colorScheme of inBothThemes ? themes : themes.slice(0, 1)) {
    // All of those rules are evaluated, but passed elements are not listed one by one.
    const options = { runOnly: (colorScheme === "dark") === isDark ? rules : colours, resultTypes: ["violations"] };
    if (inBothThemes) await showTheme(page, colorScheme);
    const found: Violation[] = await page.evaluate(
      async ([include, given]) => (await Reflect.get(globalThis, "axe").run({ include }, given)).violations,
      [parts, options] as const,
    );
    const told = found.map(
      ({ id, help, nodes }) =>
        `${id} (${colorScheme}): ${help}: ${nodes.map(({ target, html, failureSummary }) => `${target.join(" ")} ${html.slice(0, 160)} ${failureSummary}`).join(" | ")}`,
    );
    expect(told).toEqual([]);
  }
}
