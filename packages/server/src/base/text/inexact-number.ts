import { endOfText } from "./repeated-member.ts";

/**
 * The first whole number in a JSON text that a 64-bit float can't hold exactly, as it stands there; undefined when there is none.
 * `JSON.parse` would change such a number without a word. Fractions are not looked at: that they are rounded is their nature.
 *
 * @param text valid JSON
 */
export function findInexactNumber(text: string): string | undefined {
  if (!/\d{16}/.test(text)) return undefined;
  const numberOrQuote = /"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
  for (let match = numberOrQuote.exec(text); match !== null; match = numberOrQuote.exec(text)) {
    if (match[0] === '"') numberOrQuote.lastIndex = endOfText(text, match.index);
    else if (isInexact(match[0])) return match[0];
  }
  return undefined;
}

function isInexact(number: string): boolean {
  if (number.length < 16 || !/^-?\d+$/.test(number)) return false;
  const value = Number(number);
  // What is written again with the same digits comes back as it went in, whatever lies behind the last of them.
  if (String(value) === number) return false;
  return Number.isFinite(value) && BigInt(value) !== BigInt(number);
}
