import type { Param } from "./parameter-values.ts";

/** Edits of a list that users can reorder, and of choices that they write as lines. */

/** The list with one item moved up (-1) or down (1). */
export function moved<Item>(list: readonly Item[], index: number, by: -1 | 1): Item[] {
  const next = [...list];
  const [one] = next.splice(index, 1);
  if (one !== undefined) next.splice(index + by, 0, one);
  return next;
}

/** One choice per line, `KEY` or `KEY = WORDS`. */
export function optionsOf(text: string): { key: string; value: string }[] {
  return text.split("\n").map((line) => {
    const at = line.indexOf("=");
    const key = (at < 0 ? line : line.slice(0, at)).trim();
    return { key, value: at < 0 ? key : line.slice(at + 1).trim() };
  });
}

export function optionsText(options: Param["options"] = []): string {
  return options.map(({ key, value }) => (value === undefined || value === key ? key : `${key} = ${value}`)).join("\n");
}
