import { setImmediate as nextTurn } from "node:timers/promises";
import type { Masker } from "../../base/secret/mask.ts";

/** A mebibyte of JSON has half a million values, which take a second: the event loop gets a turn after this many. */
const valuesATurn = 4_096;

interface Frame {
  /** Key in an object; undefined: it is an array. */
  keys: string[] | undefined;
  items: unknown[];
  at: number;
  copy: unknown[] | Record<string, unknown>;
}

/**
 * A copy of a JSON value that a step has written, with its secrets masked and without what a column can't store: JSON may contain escaped
 * NUL and lone surrogates. Gives the event loop a turn from time to time.
 *
 * @returns undefined if it is nested deeper than `maxDepth` levels
 */
export async function cleanJson(value: unknown, masker: Masker, maxDepth: number): Promise<{ value: unknown } | undefined> {
  const clean = (text: string): string => masker.maskText(Buffer.from(text, "utf8").toString("utf8").replaceAll("\0", "\ufffd"));
  const cleanLeaf = (leaf: unknown): unknown => (typeof leaf === "string" ? clean(leaf) : masker.maskValue(leaf));
  const root = frameOf(value);
  if (root === undefined) return { value: cleanLeaf(value) };
  const frames = [root];
  for (let count = 1; frames.length > 0; count++) {
    const top = frames.at(-1);
    if (top === undefined || top.at === top.items.length) {
      frames.pop();
      continue;
    }
    if (frames.length >= maxDepth) return undefined;
    const item = top.items[top.at++];
    const inner = frameOf(item);
    put(top, top.keys && clean(top.keys[top.at - 1] ?? ""), inner ? inner.copy : cleanLeaf(item));
    if (inner) frames.push(inner);
    if (count % valuesATurn === 0) await nextTurn();
  }
  return { value: root.copy };
}

function frameOf(value: unknown): Frame | undefined {
  if (value === null || typeof value !== "object") return undefined;
  if (Array.isArray(value)) return { keys: undefined, items: value, at: 0, copy: [] };
  return { keys: Object.keys(value), items: Object.values(value), at: 0, copy: {} };
}

function put({ copy }: Frame, key: string | undefined, value: unknown): void {
  if (Array.isArray(copy)) copy.push(value);
  // Never the prototype of the copy.
  else if (key === "__proto__") Object.defineProperty(copy, key, { value, enumerable: true, configurable: true, writable: true });
  else copy[key ?? ""] = value;
}
