import type { Page } from "playwright-core";

/** More characters than this in a line are hard to read: the eye loses the next one. */
const most = 105;

/** The lines of prose on the page that are too long, with their length; code, logs, drawings and tables don't count. */
export function longLines(page: Page): Promise<string[]> {
  return page.evaluate((limit) => {
    const other = ".cm-editor, pre, code, [role=log], svg, table, .only-heard";
    const linesOf = new Map<Element, Map<number, string>>();
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    for (let text = texts.nextNode() as Text | null; text !== null; text = texts.nextNode() as Text | null) {
      let block = text.parentElement as Element;
      if (text.data.trim().length === 0 || block.closest(other)) continue;
      while (getComputedStyle(block).display.startsWith("inline") && block.parentElement) block = block.parentElement;
      const lines = linesOf.get(block) ?? new Map<number, string>();
      linesOf.set(block, lines);
      for (let at = 0; at < text.data.length; at++) {
        range.setStart(text, at);
        range.setEnd(text, at + 1);
        const [box] = range.getClientRects();
        if (box === undefined || box.width === 0) continue;
        // Parts of a line in another font are a little higher or lower.
        const middle = (box.top + box.bottom) / 2;
        const line = [...lines.keys()].find((y) => Math.abs(y - middle) < 6) ?? middle;
        lines.set(line, (lines.get(line) ?? "") + text.data[at]);
      }
    }
    const found = [...linesOf.values()].flatMap((lines) => [...lines.values()]);
    return found.filter((line) => line.length > limit).map((line) => `${line.length}: ${line.slice(0, 60)}`);
  }, most);
}
