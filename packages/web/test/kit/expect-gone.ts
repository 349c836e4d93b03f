import type { Page } from "playwright-core";
import { expect } from "vitest";

/** What a dialog showed, or what was typed into it, is nowhere on the page once the dialog has closed. A row can be there before that. */
export async function expectGone(page: Page, text: string | null): Promise<void> {
  await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  expect(await page.content()).not.toContain(text);
}
