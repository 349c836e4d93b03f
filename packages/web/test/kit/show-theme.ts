import type { Page } from "playwright-core";

/** Switches the page to that theme, and waits until it is rendered. */
export async function showTheme(page: Page, theme: "dark" | "light"): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
  // The page is notified a moment later.
  await page.locator(`html[data-mantine-color-scheme="${theme}"]`).waitFor({ state: "attached" });
  await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))");
}
