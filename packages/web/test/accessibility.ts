import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  id: string;
  help: string;
  nodes: { target: string[]; html: string; failureSummary: string }[];
}

/** No violation of WCAG 2.2 A and AA on what the page shows, in both themes. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // The page hears of it a moment later.
    await page.waitForFunction((scheme) => document.documentElement.dataset.mantineColorScheme === scheme, colorScheme);
    await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))");
    // Colours that are inherited come down step by step.
    await page.waitForFunction(() => document.getAnimations().every((one) => !(one instanceof CSSTransition)));
    // As a program of the tests: a script in the page would be refused by its content policy.
    await page.evaluate(axe);
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
    const found = (await page.evaluate(
      `axe.run(document, { runOnly: ${JSON.stringify(tags)} }).then((result) => result.violations)`,
    )) as Violation[];
    const told = found.map(
      ({ id, help, nodes }) =>
        `${id} (${colorScheme}): ${help}: ${nodes.map(({ target, html, failureSummary }) => `${target.join(" ")} ${html.slice(0, 160)} ${failureSummary}`).join(" | ")}`,
    );
    expect(told).toEqual([]);
  }
}
