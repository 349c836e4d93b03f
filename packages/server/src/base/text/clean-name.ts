/** Longest name of a person from a provider or a proxy. */
const maxName = 400;

/**
 * A name from outside that others see: without control characters, and without those that change the direction or look of the text beside
 * them. Joiners stay, because some scripts need them. Undefined if nothing is left.
 */
export function cleanName(text: string): string | undefined {
  const name = text
    .replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\ufffd]/gu, "")
    .replace(misleading, "")
    .trim()
    .slice(0, maxName);
  return name === "" ? undefined : name;
}

/** Format characters except the two joiners: directions (U+202E, U+2066 …), soft hyphens, byte order marks, tags. */
const misleading = /(?![\u200c\u200d])\p{Cf}/gu;

/**
 * The first character in a text that a name may not have: what `cleanName` removes. In the form `U+202E`; undefined if there is none.
 */
export function findMisleading(text: string): string | undefined {
  const found = /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u.exec(text)?.[0].codePointAt(0);
  return found === undefined ? undefined : `U+${found.toString(16).toUpperCase().padStart(4, "0")}`;
}
