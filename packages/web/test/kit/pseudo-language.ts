import type { Locator, Page } from "playwright-core";

/**
 * A pseudo-language, generated from the catalogues while the page loads: each letter has an accent, and each text is in brackets and a
 * third longer, as in other languages. A text with plain letters is not from a catalogue, and a text without its bracket was cut off.
 */
export async function speakPseudoLanguage(page: Page): Promise<void> {
  await page.addInitScript(`(${install})()`);
}

/** Runs in the page, before everything else in it. The messages are compiled: `icu-minify` documents the meaning of their numbers. */
function install() {
  type Node = string | number | Part[];
  type Part = Node | Record<string, Node>;
  const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const accented = [..."áƀçďéƒǧĥíĵķłɱñóƥɋřšťúṽŵẋýžÁƁÇĎÉƑǦĤÍĴĶŁṀÑÓƤɊŘŠŤÚṼŴẊÝŽ"];
  const accent = (text: string) => [...text].map((letter) => accented[plain.indexOf(letter)] ?? letter).join("");
  const withChoices = [1, 2, 3];
  const nodeOf = (node: Node): Node => {
    if (typeof node === "string") return accent(node);
    if (typeof node === "number" || node.length === 1) return node;
    const [name, second, ...rest] = node;
    // A choice by a number or a word: its messages are among the rest. A number or a date has only a style.
    if (typeof second === "number" && second !== 0) {
      const choices = withChoices.includes(second) ? rest.map((each) => mapped(each as Record<string, Node>)) : rest;
      return [name as Part, second, ...choices];
    }
    return [name as Part, ...([second, ...rest] as Node[]).map(nodeOf)];
  };
  const choiceOf = (message: Node): Node => (Array.isArray(message) ? (message as Node[]).map(nodeOf) : nodeOf(message));
  const mapped = (choices: Record<string, Node>) => Object.fromEntries(Object.entries(choices).map(([key, each]) => [key, choiceOf(each)]));
  const textOf = (message: Node): string =>
    typeof message === "string" ? message : Array.isArray(message) ? (message as Node[]).map(textOf).join("") : "";
  const longer = (message: Node) => ` ${"éñď ".repeat(Math.ceil((textOf(message).length * 0.35) / 4))}`.trimEnd();
  const messageOf = (message: Node): Node =>
    typeof message === "string"
      ? `⟦${accent(message)}${longer(message)}⟧`
      : ["⟦", ...(message as Node[]).map(nodeOf), `${longer(message)}⟧`];
  const isCatalogue = (value: unknown): value is Record<string, unknown> =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  const rewrite = (value: unknown): unknown =>
    isCatalogue(value) ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, rewrite(inner)])) : messageOf(value as Node);
  Object.assign(globalThis, { rewriteTexts: rewrite });
}

/** Where words are not from the interface: code, times, user input, and charts and editors, whose words are data. */
const foreign =
  "code, pre, kbd, time, textarea, style, script, noscript, .code, .cm-editor, .recharts-wrapper, .react-flow__minimap, [data-foreign]";

/** Code and data, which may be wider than any box. */
const scrolling = "pre, .cm-editor, .react-flow, textarea, [data-foreign]";

/**
 * What scrolls sideways in that box, with its words as they are, and with words that are a third longer, as in German: the words of the
 * page are changed for as long as the box is measured.
 */
export function scrolledSideways(box: Locator): Promise<string[]> {
  return box.evaluate((node, foreignParts) => {
    const scrolled = (how: string) =>
      [node, ...node.querySelectorAll("*")].flatMap((part) => {
        const { overflowX } = getComputedStyle(part);
        const wider = part.scrollWidth - part.clientWidth;
        if (wider <= 1 || (overflowX !== "auto" && overflowX !== "scroll") || part.closest(foreignParts)) return [];
        return [`${part.getAttribute("aria-label") ?? part.className} by ${wider} of ${part.clientWidth} px ${how}`];
      });
    const before = scrolled("");
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    const texts: [Text, string][] = [];
    for (let text = walker.nextNode(); text !== null; text = walker.nextNode()) texts.push([text as Text, (text as Text).data]);
    const longer = (word: string) => word + "éñďö".repeat(word.length).slice(0, Math.ceil(word.length * 0.35));
    for (const [text, words] of texts)
      if (!text.parentElement?.closest(`code, ${foreignParts}`)) text.data = words.replace(/[A-Za-z]{3,}/g, longer);
    const after = scrolled("in longer words");
    for (const [text, words] of texts) text.data = words;
    return [...before, ...after];
  }, scrolling);
}

interface Found {
  text: string;
  /** Where it was found: the tag, and the name of the attribute, if it is one. */
  where: string;
}

/** All texts of the page, visible or for screen readers, that contain letters without an accent. */
export function plainTexts(page: Page): Promise<Found[]> {
  return page.evaluate((foreignParts) => {
    const found: { text: string; where: string }[] = [];
    const add = (text: string | null, where: string) => {
      const trimmed = (text ?? "").trim();
      // A reference within a text was written by an author.
      if (/[A-Za-z]{2,}/.test(trimmed.replace(/\$\([^)]*\)/g, ""))) found.push({ text: trimmed, where });
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (parent !== null && parent.closest(foreignParts) === null) add(node.textContent, parent.tagName.toLowerCase());
    }
    for (const element of document.body.querySelectorAll("[aria-label], [title], [placeholder]"))
      if (element.closest(foreignParts) === null)
        for (const name of ["aria-label", "title", "placeholder"])
          add(element.getAttribute(name), `${element.tagName.toLowerCase()}@${name}`);
    return found;
  }, foreign);
}

/**
 * Layout problems of longer texts: a page that scrolls sideways, buttons and choices that are cut off, overlapping buttons, words that
 * leave their table cell, and words that are broken into a few letters per line.
 */
export function brokenLayout(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const problems: string[] = [];
    const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    if (wide > 0) problems.push(`the page scrolls sideways by ${wide} pixels`);
    const isSeen = (element: Element) => (element as HTMLElement).checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const nameOf = (element: Element) => `${element.tagName.toLowerCase()} “${(element.textContent ?? "").trim().slice(0, 60)}”`;
    const textBox = (element: Element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return range.getBoundingClientRect();
    };
    const buttons = [...document.querySelectorAll("main button, main [role=tab], main a[role=button], main h1, main h2")].filter(isSeen);
    const cells = [...document.querySelectorAll("main td, main th")].filter(isSeen);
    const choices = [...document.querySelectorAll("main [role=radiogroup]")].filter(isSeen);
    for (const button of [...buttons, ...choices])
      for (const part of [button, ...button.querySelectorAll("*")]) {
        const { overflowX, textOverflow } = getComputedStyle(part);
        // Names that users choose may end in an ellipsis: they can be of any length.
        if (overflowX === "hidden" && textOverflow !== "ellipsis" && part.clientWidth > 1 && part.scrollWidth > part.clientWidth + 1)
          problems.push(`${nameOf(button)} is cut`);
      }
    // On a phone the title of a column is drawn beside each cell; it has no element that could be measured.
    const pen = document.createElement("canvas").getContext("2d") as CanvasRenderingContext2D;
    for (const cell of cells.filter((each) => getComputedStyle(each, "::before").content !== "none")) {
      const { font, whiteSpace, width } = getComputedStyle(cell, "::before");
      const title = cell.getAttribute("data-label") ?? "";
      pen.font = font;
      if (whiteSpace === "nowrap" && pen.measureText(title).width > Number.parseFloat(width)) problems.push(`the title “${title}” is cut`);
    }
    // A cell that cuts off long text shows an ellipsis.
    for (const cell of cells) {
      const parts = [cell, ...cell.querySelectorAll("*")];
      if (parts.some((part) => getComputedStyle(part).overflowX !== "visible")) continue;
      const box = cell.getBoundingClientRect();
      for (const { right, bottom } of parts
        .slice(1)
        .map((part) => part.getBoundingClientRect())
        .concat(textBox(cell)))
        if (right > box.right + 1 || bottom > box.bottom + 1) problems.push(`${nameOf(cell)} leaves its cell`);
    }
    for (const part of [...buttons, ...cells].flatMap((each) => [each, ...each.querySelectorAll("*")])) {
      const words = [...part.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
      for (const node of words) {
        const range = document.createRange();
        range.selectNodeContents(node);
        const lines = [...range.getClientRects()].filter(({ width }) => width > 0);
        if (lines.length > 4 && Math.max(...lines.map(({ width }) => width)) < 40) problems.push(`${nameOf(part)} is squeezed`);
      }
    }
    // Elements that are scrolled out of their box have a position as well, although they are invisible.
    const isOnTop = ({ element, box }: { element: Element; box: DOMRect }) =>
      element.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
    const boxes = buttons.map((element) => ({ element, box: element.getBoundingClientRect() })).filter(isOnTop);
    const isFixed = (element: Element | null): boolean =>
      element !== null && (getComputedStyle(element).position === "fixed" || isFixed(element.parentElement));
    boxes.forEach(({ element, box }, index) => {
      for (const other of boxes.slice(index + 1)) {
        if (element.contains(other.element) || other.element.contains(element)) continue;
        // Elements below a sticky bar become visible by scrolling.
        if (isFixed(element) !== isFixed(other.element)) continue;
        const across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
        const down = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
        if (across > 2 && down > 2) problems.push(`${nameOf(element)} and ${nameOf(other.element)} lie on each other`);
      }
    });
    return [...new Set(problems)];
  });
}
