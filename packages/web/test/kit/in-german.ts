import { readdirSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { ElementHandle } from "playwright-core";
import { catalogues } from "../../src/texts/german/all.ts";

type Messages = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A message as it is in a page: its text before, between and after its values, and the German text with `{0}` for the first value. */
export interface Pair {
  parts: string[];
  german: string;
}

let pairs: Promise<Pair[]> | undefined;

/** The messages of all catalogues in both languages, those with more words first. Choices by a number (plurals) are left out. */
export function germanPairs(): Promise<Pair[]> {
  pairs ??= readPairs();
  return pairs;
}

async function readPairs(): Promise<Pair[]> {
  const texts = fileURLToPath(new URL("../../src/texts", import.meta.url));
  const files = readdirSync(texts, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !/^german|test\.ts$|language\.ts$/.test(name),
  );
  const found: Pair[] = [];
  for (const file of files) {
    const { t } = (await import(pathToFileURL(`${texts}/${file}`).href)) as { t: { english: Messages } };
    const place = file.replace(/^.*\/|\.ts$/g, "") as keyof typeof catalogues;
    for (const [part, messages] of Object.entries(t.english))
      for (const [key, english] of Object.entries(messages)) {
        const pair = pairOf(english, (catalogues[place] as Messages)[part]?.[key] ?? english);
        if (pair) found.push(pair);
      }
  }
  const wordsOf = ({ parts }: Pair) => parts.join("").length;
  return found.sort((one, other) => wordsOf(other) - wordsOf(one));
}

const value = /\{(\w+)(?:, number)?\}/g;

/** @returns undefined for messages whose texts can't be told apart from data, or that depend on a number */
function pairOf(english: string, german: string): Pair | undefined {
  if (/[{<]/.test(english.replaceAll(value, "")) || english === german) return undefined;
  const names = [...english.matchAll(value)].map(([, name]) => name);
  const parts = english.split(/\{\w+(?:, number)?\}/);
  if (names.length > 0 && parts.join("").trim().length < 6) return undefined;
  return { parts, german: german.replaceAll(value, (_, name: string) => `{${names.indexOf(name)}}`) };
}

/** Replaces the texts of that box, which are English, by German ones. @returns how many were replaced; `restore` undoes it */
export function speakGerman(box: ElementHandle<Element>, all: readonly Pair[]): Promise<number> {
  return box.evaluate((node, messages) => {
    const valuesOf = (text: string, parts: string[]) => {
      const values: string[] = [];
      let start = (parts[0] as string).length;
      if (!text.startsWith(parts[0] as string)) return undefined;
      for (const [index, part] of parts.slice(1).entries()) {
        const end = index === parts.length - 2 && part === "" ? text.length : text.indexOf(part, start);
        if (end < 0) return undefined;
        values.push(text.slice(start, end));
        start = end + part.length;
      }
      return start === text.length ? values : undefined;
    };
    const germanOf = (text: string) => {
      for (const { parts, german } of messages) {
        const values = valuesOf(text, parts);
        if (values) return german.replace(/\{(\d)\}/g, (_, index: string) => values[Number(index)] ?? "");
      }
      return undefined;
    };
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    let count = 0;
    const before: [Text, string][] = [];
    for (let text = walker.nextNode() as Text | null; text !== null; text = walker.nextNode() as Text | null) {
      const german = germanOf(text.data.trim());
      if (german === undefined || text.parentElement?.closest("pre, textarea, .cm-editor")) continue;
      before.push([text, text.data]);
      text.data = text.data.replace(text.data.trim(), () => german);
      count++;
    }
    document.documentElement.lang = "de";
    Object.assign(globalThis, {
      speakEnglish: () => {
        document.documentElement.lang = "en";
        for (const [text, words] of before) text.data = words;
      },
    });
    return count;
  }, all);
}

/**
 * What is wrong with an open dialog, drawer or menu: what leaves the screen or scrolls sideways, text that is cut off, buttons that lie on
 * each other, and words that are broken without a hyphen although a line would have room for less.
 */
export function brokenOverlay(box: ElementHandle<Element>): Promise<string[]> {
  return box.evaluate((node) => {
    const problems: string[] = [];
    const foreign = "pre, code, .code, .cm-editor, textarea, [data-foreign], .react-flow, .recharts-wrapper";
    const nameOf = (element: Element) => `${element.tagName.toLowerCase()} “${(element.textContent ?? "").trim().slice(0, 50)}”`;
    const isSeen = (element: Element) =>
      (element as HTMLElement).checkVisibility({ opacityProperty: true, visibilityProperty: true }) && element.clientWidth > 1;
    const width = document.documentElement.clientWidth;
    for (const element of [node, ...node.querySelectorAll("*")]) {
      if (element.closest(foreign) || !isSeen(element)) continue;
      const { overflowX, textOverflow, position } = getComputedStyle(element);
      const wider = element.scrollWidth - element.clientWidth;
      if (wider > 1 && (overflowX === "auto" || overflowX === "scroll"))
        problems.push(`${nameOf(element)} scrolls sideways by ${wider} px`);
      if (wider > 1 && overflowX === "hidden" && textOverflow !== "ellipsis" && element.textContent?.trim())
        problems.push(`${nameOf(element)} is cut by ${wider} px`);
      const { left, right } = element.getBoundingClientRect();
      if ((right > width + 3 || left < -3) && position !== "absolute")
        problems.push(`${nameOf(element)} leaves the screen (${Math.round(left)} to ${Math.round(right)} of ${width} px)`);
    }
    const words = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    for (let text = words.nextNode() as Text | null; text !== null; text = words.nextNode() as Text | null) {
      const parent = text.parentElement;
      if (parent === null || parent.closest(foreign) || !isSeen(parent)) continue;
      for (const { index, 0: word } of text.data.matchAll(/\p{L}{4,}/gu)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1 && getComputedStyle(parent).hyphens !== "auto") problems.push(`“${word}” is broken without a hyphen`);
      }
    }
    const buttons = [...node.querySelectorAll("button, a[href], [role=menuitem]")].filter(isSeen);
    const topAt = ({ x, y, width, height }: DOMRect) => document.elementFromPoint(x + width / 2, y + height / 2);
    const boxes = buttons.map((element) => ({ element, box: element.getBoundingClientRect() }));
    for (const [index, { element, box }] of boxes.entries())
      for (const other of boxes.slice(index + 1)) {
        if (element.contains(other.element) || other.element.contains(element)) continue;
        const across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
        const down = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
        // What is scrolled below a bar that stays has a position as well.
        const inSight = [element, other.element].every((each, at) => each.contains(topAt([box, other.box][at] as DOMRect)));
        if (across > 2 && down > 2 && inSight) problems.push(`${nameOf(element)} and ${nameOf(other.element)} lie on each other`);
      }
    return [...new Set(problems)];
  });
}
