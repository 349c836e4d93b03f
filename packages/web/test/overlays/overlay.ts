import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { expectAccessible, expectChoicesAccessible } from "../kit/accessibility.ts";

/** Something that opens above a page: a dialog, a drawer, a menu, a popover. How you reach it by keyboard, and what it is called. */
export interface Overlay {
  /** The files of `packages/web/src`, without their ending, that are seen by it. */
  of: readonly string[];
  /** `{word}` stands for what `Places` has for it. */
  path: string;
  /** Names of what is pressed one after the other: buttons, entries of the menu that the one before has opened, or what is done by hand. */
  press: readonly (string | Press)[];
  /** Of the overlay. */
  name: string | RegExp;
  role?: "dialog" | "menu";
  /** Who looks; the administrator, if nothing is said. */
  as?: Person;
  /** Where Escape doesn't close it, so that nothing typed is lost: the button that does. */
  closedBy?: string;
  /** Where the focus comes back to, if that isn't what was pressed first. */
  back?: (page: Page) => Locator;
}

export type Person = "admin" | "owner" | "reader";

/** What comes before an overlay and is not a press of a button. */
export type Press = (page: Page, places: Places) => Promise<unknown>;

/** What stands for `{word}` in addresses and names of a table, such as an id. */
export type Places = Readonly<Record<string, string>>;

export function filledIn(text: string, places: Places): string {
  return text.replace(/\{(\w+)\}/g, (_, word: string) => places[word] ?? "");
}

/** Opens it by keyboard, and looks whether it has a name, violates nothing, keeps the focus, and gives it back when it closes. */
export async function lookAt(page: Page, overlay: Overlay, places: Places): Promise<void> {
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
  if (closedBy === undefined) await pressEscape(page);
  else await box.getByRole("button", { name: closedBy, exact: true }).press("Enter");
  await box.waitFor({ state: "detached" });
  const back = overlay.back?.(page) ?? opener;
  if (back !== undefined)
    await expect.poll(() => back.evaluate((node) => node === document.activeElement), { message: "the focus is given back" }).toBe(true);
}

/** A button or an entry of the menu that was opened before, by keyboard. */
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
    // A menu takes the focus a moment after it shows; keys that come before go to its button.
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

/** In a field with choices the first Escape closes those. */
async function pressEscape(page: Page): Promise<void> {
  const isOpen = await page.evaluate("document.activeElement?.getAttribute('aria-expanded') === 'true'");
  await page.keyboard.press("Escape");
  if (isOpen) await page.keyboard.press("Escape");
}

/** Tab goes round in it, forth and back. The page notes where the focus is after each: to ask for it each time takes as long as the rest. */
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
