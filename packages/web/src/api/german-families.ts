/** A message of the service with places for values, `{0}`, and the same in German. */
export type MessageFamily = readonly [english: string, german: string];

/** Of sentences in sentences in sentences, each is looked for in the whole table. Longer ones are output of programs. */
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

/**
 * What stands in the places `{0}`, `{1}` … of that text in a message; undefined if it isn't such a message. Each place is as short as it can be.
 * Programs of users write parts of some messages, so this takes linear time, unlike a regular expression with several places.
 */
export function valuesIn(text: string, message: string): string[] | undefined {
  const [first = "", ...others] = text.split(/\{\d\}/);
  const last = others.pop();
  if (last === undefined) return message === text ? [] : undefined;
  if (!message.startsWith(first)) return undefined;
  const values: string[] = [];
  let start = first.length;
  for (const part of others) {
    const end = message.indexOf(part, start);
    if (end === -1) return undefined;
    values.push(message.slice(start, end));
    start = end + part.length;
  }
  const end = message.length - last.length;
  return end >= start && message.endsWith(last) ? [...values, message.slice(start, end)] : undefined;
}
