import type { Substitution } from "./parameters-substitution.ts";
import type { Found } from "./references.ts";

/**
 * Substitution in JSON text (which the form of a `json` parameter sends), such that inserted values can't break the JSON syntax. A string
 * literal that is exactly one reference is replaced by the value itself, inside a longer literal the value is escaped, and outside of
 * literals it is written as JSON. Everything else stays exactly as it is.
 */
export function substituteJsonText(text: string, all: readonly Found[], substitution: Substitution): string {
  const parts: string[] = [];
  let at = 0;
  let isInside = false;
  for (const found of all) {
    if (found.start < at) continue;
    const wasInside = isInside;
    isInside = endsInside(text, at, found.start, wasInside);
    const isWhole = isInside && isWholeLiteral(text, found) && !endsInside(text, at, found.start - 1, wasInside);
    const put = isInside && !isWhole ? escaped(substitution.text(found)) : substitution.json(found);
    const quote = isWhole && put !== undefined ? 1 : 0;
    parts.push(text.slice(at, found.start - quote), put ?? "");
    at = put === undefined ? found.start : found.end + quote;
    if (quote) isInside = false;
  }
  return parts.join("") + text.slice(at);
}

/** True for text that is probably meant as a JSON object or list. */
export function looksLikeJson(text: string): boolean {
  return /^\s*[{[]/.test(text);
}

/** Whether position `to` is inside a string literal, given whether `from` was. */
function endsInside(text: string, from: number, to: number, wasInside: boolean): boolean {
  let isInside = wasInside;
  for (let at = from; at < to; at += 1) {
    const character = text[at];
    if (character === '"') isInside = !isInside;
    else if (character === "\\" && isInside) at += 1;
  }
  return isInside;
}

/** A string literal that contains only the reference, and that is not a member name. */
function isWholeLiteral(text: string, found: Found): boolean {
  if (text[found.start - 1] !== '"' || text[found.end] !== '"') return false;
  const name = /\s*:/y;
  name.lastIndex = found.end + 1;
  return !name.test(text);
}

function escaped(text: string | undefined): string | undefined {
  return text === undefined ? undefined : JSON.stringify(text).slice(1, -1);
}
