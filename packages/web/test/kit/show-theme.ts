import type { Page } from "playwright-core";

/** Shows the page in that theme, and waits until it is drawn in it. */
export async function showTheme(page: Page, theme: "dark" | "light"): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
  // The page hears of it a moment later.
  await page.locator(`html[data-mantine-color-scheme="${theme}"]`).waitFor({ state: "attached" });
  await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))");
}
