/** A message of the service with places for values, `{0}`, and the same in German. */
export type MessageFamily = readonly [english: string, german: string];

/** Matching takes more than linear time, and programs of users write parts of some messages. */
const longest = 2_000;

const place = /\{(\d)(!?)\}/g;

/**
 * The message in German, by the first family that fits; as it is if none does.
 * @param wordOf translates what stands in a place `{0!}`; other values stay as they are
 */
export function translatedBy(families: readonly MessageFamily[], message: string, wordOf: (value: string) => string): string {
  if (message.length > longest) return message;
  for (const [english, german] of families) {
    const found = valuesIn(english, message);
    if (found === undefined) continue;
    return german.replace(place, (_, number: string, isWord: string) => {
      const value = found[Number(number)] ?? "";
      return isWord ? wordOf(value) : value;
    });
  }
  return message;
}

const patterns = new Map<string, RegExp>();

/** What stands in the places `{0}`, `{1}` … of that text in a message; undefined if it isn't such a message. */
export function valuesIn(text: string, message: string): string[] | undefined {
  let pattern = patterns.get(text);
  if (pattern === undefined) {
    const fixed = text.split(/\{\d\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    pattern = new RegExp(`^${fixed.join("([^]*?)")}$`);
    patterns.set(text, pattern);
  }
  return pattern.exec(message)?.slice(1);
}
