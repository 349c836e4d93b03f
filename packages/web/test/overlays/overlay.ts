import type { ElementHandle, Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { expectAccessible, expectChoicesAccessible } from "../kit/accessibility.ts";
import { brokenOverlay, germanPairs, speakGerman } from "../kit/in-german.ts";
import { scrolledSideways } from "../kit/pseudo-language.ts";

/** Something that opens above a page: a dialog, a drawer, a menu, a popover. Says how to reach it by keyboard, and its name. */
export interface Overlay {
  /** The files of `packages/web/src`, without their extension, that it covers. */
  of: readonly string[];
  /** `{word}` is replaced by its value in `Places`. */
  path: string;
  /** Names of what is pressed, in order: buttons, entries of the menu that the previous press opened, or a function for other steps. */
  press: readonly (string | Press)[];
  /** Of the overlay. */
  name: string | RegExp;
  role?: "dialog" | "menu";
  /** Nothing in it scrolls sideways, on a phone neither. */
  isNarrow?: boolean;
  /** It closes when the window becomes as narrow as a phone, where it is another element. */
  isWideOnly?: boolean;
  /** Who opens it; the administrator by default. */
  as?: Person;
  /** The button that closes it, if Escape doesn't, so that no input is lost. */
  closedBy?: string;
  /** Where the focus returns to, if not to what was pressed first. */
  back?: (page: Page) => Locator;
}

export type Person = "admin" | "owner" | "reader";

/** A step before an overlay that is not a press of a button. */
export type Press = (page: Page, places: Places) => Promise<unknown>;

/** The values of `{word}` in URLs and names of a table, such as an ID. */
export type Places = Readonly<Record<string, string>>;

export function filledIn(text: string, places: Places): string {
  return text.replace(/\{(\w+)\}/g, (_, word: string) => places[word] ?? "");
}

/** Opens it by keyboard, and checks that it has a name, has no violations, traps the focus, and returns it when it closes. */
export async function visitOverlay(page: Page, overlay: Overlay, places: Places): Promise<void> {
  const { press, name, role = "dialog", closedBy } = overlay;
  let opener: Locator | undefined;
  for (const one of press) {
    if (typeof one !== "string") {
      await one(page, places);
      continue;
    }
    const button = await pressed(page, filledIn(one, places));
    opener ??= button;
  }
  const box = page.getByRole(role, { name, exact: typeof name === "string" });
  await box.waitFor();
  await expect.poll(() => hasFocus(box), { message: "the focus is inside" }).toBe(true);
  if (role === "dialog") await walk(page, box);
  // The page below has tests of its own.
  await expectAccessible(page, box.last());
  if (role === "dialog") await expectChoicesAccessible(page, box.last());
  if (!overlay.isWideOnly) await expectGermanFits(page, box.last());
  if (overlay.isNarrow) await expectNoSidewaysScroll(page, box.last());
  if (closedBy === undefined) await pressEscape(page);
  else await box.getByRole("button", { name: closedBy, exact: true }).press("Enter");
  await box.waitFor({ state: "detached" });
  const back = overlay.back?.(page) ?? opener;
  if (back !== undefined)
    await expect.poll(() => back.evaluate((node) => node === document.activeElement), { message: "the focus is given back" }).toBe(true);
}

/** How many texts of overlays were German, so that a test can find out that none was. */
export let germanTexts = 0;

/** On a phone, in German: nothing is cut, leaves the screen, scrolls sideways or lies on something else. */
async function expectGermanFits(page: Page, box: Locator): Promise<void> {
  const size = page.viewportSize();
  // Its name changes with its texts.
  const node = (await box.elementHandle()) as ElementHandle<Element>;
  await page.setViewportSize({ width: 360, height: 740 });
  germanTexts += await speakGerman(node, await germanPairs());
  await page.evaluate(drawn);
  // A drawer moves to its place after the screen has another width.
  await expect.poll(() => brokenOverlay(node), { message: "in German at 360 px" }).toEqual([]);
  await page.evaluate("globalThis.speakEnglish()");
  if (size) await page.setViewportSize(size);
  await page.evaluate(drawn);
}

const drawn = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";

/** Neither wide nor on a phone, in English and in a language of longer words. */
async function expectNoSidewaysScroll(page: Page, box: Locator): Promise<void> {
  const size = page.viewportSize();
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    await page.evaluate(drawn);
    expect(await scrolledSideways(box), `scrolls sideways at ${width} px`).toEqual([]);
  }
  if (size) await page.setViewportSize(size);
}

/** A button, or an entry of the menu that was opened before, by keyboard. */
async function pressed(page: Page, name: string): Promise<Locator> {
  const menu = page.getByRole("menu");
  const entry = menu.getByRole("menuitem", { name: new RegExp(`^${name}`) });
  const place = (await page.getByRole("dialog").count()) > 0 ? page.getByRole("dialog").last() : page;
  const button = place
    .getByRole("button", { name, exact: true })
    .or(place.getByRole("link", { name, exact: true }))
    .first();
  await entry.or(button).first().waitFor();
  if ((await entry.count()) > 0) {
    // A menu takes the focus a moment after it appears; earlier keys go to its button.
    await expect.poll(() => hasFocus(menu)).toBe(true);
    await entry.press("Enter");
    return entry;
  }
  await button.focus();
  await button.press("Enter");
  return button;
}

function hasFocus(box: Locator): Promise<boolean> {
  return box.last().evaluate((node) => node.contains(document.activeElement));
}

/** In a field with choices the first Escape closes the choices. */
async function pressEscape(page: Page): Promise<void> {
  const isOpen = await page.evaluate("document.activeElement?.getAttribute('aria-expanded') === 'true'");
  await page.keyboard.press("Escape");
  if (isOpen) await page.keyboard.press("Escape");
}

/**
 * Tab cycles inside it, forwards and backwards. The page records where the focus is after each: querying it each time would take as long as
 * all the rest.
 */
async function walk(page: Page, box: Locator): Promise<void> {
  const isInside = await box.last().evaluateHandle((node) => {
    const seen: boolean[] = [];
    const note = ({ key }: KeyboardEvent) => key === "Tab" && seen.push(node.contains(document.activeElement));
    document.addEventListener("keyup", note, { capture: true });
    return { seen, end: () => document.removeEventListener("keyup", note, { capture: true }) };
  });
  for (let step = 0; step < 10; step++) await page.keyboard.press(step === 5 ? "Shift+Tab" : "Tab");
  const seen = await isInside.evaluate(({ seen, end }) => {
    end();
    return seen;
  });
  expect(seen, "the focus stays inside").toEqual(Array.from({ length: 10 }, () => true));
}
