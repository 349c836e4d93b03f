/** Longest name of a person, as a provider or a proxy gives it. */
const maxName = 400;

/**
 * A name that others see, from outside: without control characters, and without those that change the direction or the look of what
 * stands beside them. Joiners stay, which some scripts need. Undefined when nothing is left.
 */
export function cleanName(text: string): string | undefined {
  const name = text
    .replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\ufffd]/gu, "")
    .replace(misleading, "")
    .trim()
    .slice(0, maxName);
  return name === "" ? undefined : name;
}

/** Format characters but the two joiners: directions (U+202E, U+2066 …), soft hyphens, marks of byte order, tags. */
const misleading = /(?![\u200c\u200d])\p{Cf}/gu;

/** The first of them in a text; undefined when there is none. As `U+202E`. */
export function findMisleading(text: string): string | undefined {
  const found = /(?![\u200c\u200d])\p{Cf}/u.exec(text)?.[0].codePointAt(0);
  return found === undefined ? undefined : `U+${found.toString(16).toUpperCase().padStart(4, "0")}`;
}
