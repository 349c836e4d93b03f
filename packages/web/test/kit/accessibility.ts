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
/** The rules of `cat.color` among them: a theme is nothing but other colours, so the other rules say the same of both. */
const colours = { type: "rule", values: ["color-contrast", "link-in-text-block"] };

/**
 * No violation of WCAG 2.2 A and AA on what the page shows. This takes a third of the time of a test with a browser, so where the suite asks,
 * it looks at the theme that is shown, and at an open dialog without the page below it; the long tests look at each screen, each dialog and
 * each menu in both themes, and `administration.browser.test.ts` at each component.
 * @param within a part of it, such as a menu: the rest has its own test
 */
export async function expectAccessible(page: Page, within?: Locator, inBothThemes = isLongTest()): Promise<void> {
  await look(page, within ?? (inBothThemes ? page.locator("html") : await topOf(page)), inBothThemes);
}

/**
 * The choices of every field that has some, opened by keyboard one after the other: they are in the page only while they are open. A field
 * that opens nothing, such as one whose choices are searched for, is passed over.
 * @returns how many were looked at
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
      await look(page, choices.first(), true);
      await look(page, field, false);
      looked++;
    }
    // In a dialog one more would close that.
    if ((await field.getAttribute("aria-expanded")) === "true") await field.press("Escape");
  }
  return looked;
}

const isLongTest = () => expect.getState().testPath?.includes(".long.") === true;

/** What one can use now: an open dialog, or the whole page. */
async function topOf(page: Page): Promise<Locator> {
  const dialog = page.locator('[role="dialog"][aria-modal="true"]:visible');
  return (await dialog.count()) === 1 ? dialog : page.locator("html");
}

/** The rules about colours alone, in both themes: where the words are none, the others speak of names that nobody would hear. */
export function expectReadable(page: Page): Promise<void> {
  return look(page, page.locator("html"), true, colours);
}

async function look(page: Page, within: Locator, inBothThemes: boolean, rules: typeof colours | string[] = everything): Promise<void> {
  // As a program of the tests: a script in the page would be refused by its content policy.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe);
  // The one that is shown first: to draw the page in another takes as long as the rules about colours.
  const isDark = (await page.locator("html").getAttribute("data-mantine-color-scheme")) === "dark";
  const themes = isDark ? (["dark", "light"] as const) : (["light", "dark"] as const);
  for (const colorScheme of inBothThemes ? themes : themes.slice(0, 1)) {
    // All of those rules are gone through; only what holds is not listed element by element.
    const options = { runOnly: (colorScheme === "dark") === isDark ? rules : colours, resultTypes: ["violations"] };
    if (inBothThemes) await showTheme(page, colorScheme);
    const found: Violation[] = await within.evaluate(async (node, given) => {
      const { violations } = await Reflect.get(globalThis, "axe").run(node, given);
      return violations;
    }, options);
    const told = found.map(
      ({ id, help, nodes }) =>
        `${id} (${colorScheme}): ${help}: ${nodes.map(({ target, html, failureSummary }) => `${target.join(" ")} ${html.slice(0, 160)} ${failureSummary}`).join(" | ")}`,
    );
    expect(told).toEqual([]);
  }
}
