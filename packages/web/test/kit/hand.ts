import type { Locator, Page } from "playwright-core";

/** What was done to a page, by kind: each kind counts the same. */
export interface Count {
  clicks: number;
  drags: number;
  keys: number;
  words: number;
}

/**
 * A user at a page, whose every input is counted. A click (also a double click, a right click or a tap) is one, a drag is one, a key or a
 * chord of keys is one, and typed text counts by its words. Looking, scrolling and resting the pointer are free.
 */
export function handAt(page: Page) {
  const count: Count = { clicks: 0, drags: 0, keys: 0, words: 0 };
  return {
    page,
    async click(what: Locator, options: Parameters<Locator["click"]>[0] = {}) {
      count.clicks++;
      await what.click(options);
    },
    async doubleClick(what: Locator) {
      count.clicks++;
      await what.dblclick();
    },
    async drag(from: Locator, to: Locator, options: Parameters<Locator["dragTo"]>[1] = {}) {
      count.drags++;
      await from.dragTo(to, options);
    },
    async press(chord: string) {
      count.keys++;
      await page.keyboard.press(chord);
    },
    async type(text: string) {
      count.words += text.trim().split(/\s+/).length;
      await page.keyboard.type(text);
    },
    count: (): Count => ({ ...count }),
    sum: () => count.clicks + count.drags + count.keys + count.words,
  };
}

export type Hand = ReturnType<typeof handAt>;
