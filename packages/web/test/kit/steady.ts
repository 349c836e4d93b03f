import type { Page } from "playwright-core";

/** Something that can be clicked, and how far it has moved, in pixels, while it was in view. Up to 3 pixels, by its font, don't count. */
export interface Move {
  what: string;
  across: number;
  down: number;
}

/**
 * Begins in the page, before its scripts: from the first frame with a heading on, notes where everything that can be clicked is, in each
 * frame. The entries of the browser for layout shifts name only the largest parts that moved, and leave out those within a scrolled box.
 * What moves because the user did something is not noted: the page is only loaded.
 */
const watcher = `(() => {
  const clickable = "main a[href], main button, main input, main select, main textarea, main [role=button], main [role=tab]";
  const places = new Map(), moves = [];
  const nameOf = (element) => (element.getAttribute("aria-label") || element.textContent || element.getAttribute("name") || element.tagName).trim().slice(0, 60);
  const look = () => {
    if (document.querySelector("main h1")) {
      for (const element of document.querySelectorAll(clickable)) {
        const { x, y, width, height } = element.getBoundingClientRect();
        const isSeen = width > 1 && height > 1 && y < innerHeight && y + height > 0 && x < innerWidth && x + width > 0 && element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
        const before = places.get(element);
        if (isSeen) places.set(element, { x, y });
        // A canvas places its nodes itself, once their size is known, and shows them only then.
        if (before === undefined || !isSeen && y < innerHeight) continue;
        const across = Math.round(x - before.x), down = Math.round(y - before.y);
        if (Math.abs(across) > 3 || Math.abs(down) > 3) moves.push({ what: nameOf(element), across, down });
      }
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  globalThis.movesSoFar = moves;
})()`;

/** How long each request takes, so that what comes late does so in every run. */
const latencyMs = 60;

/** Loads the address slowly, and returns what moved after its heading was shown. @param settled found once all that is expected is shown */
export async function findMoves(page: Page, address: string, settled: string): Promise<Move[]> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Network.emulateNetworkConditions", { offline: false, latency: latencyMs, downloadThroughput: -1, uploadThroughput: -1 });
  await page.addInitScript(watcher);
  await page.goto(address);
  await page.locator(settled).first().waitFor();
  await page.waitForLoadState("networkidle");
  return page.evaluate("globalThis.movesSoFar");
}
