/**
 * The words by which runs are found, as the database keeps and asks for them (`tsvector`, `tsquery`). A word is a row of letters or digits, in
 * small letters. What people type without blanks, as `A-2345`, an address or a path, is several words that must follow each other. So the
 * same rule divides what is stored and what is looked for.
 *
 * Beside the words a run has marks for what lists are filtered by. A mark begins with `=`, which no word does.
 */

/** Of a longer word the beginning is kept, and looked for. */
const longestWord = 64;
/** Different words of a run. */
const mostWords = 400;
/** Of each value, and of all texts of a run: the rest is not searched. */
export const maxValueLength = 1_000;
const searchedPerRun = 8_000;
/** A shorter last part must be the whole word: too many words begin with it. */
const shortestPrefix = 3;
/** Behind another part, as in `A-23`, the part before says which runs, and fewer characters do. */
const shortestPrefixBehind = 2;
const mostSearchedWords = 10;

const wordForm = /[\p{L}\p{N}]+/gu;

export function wordsOf(text: string): string[] {
  return (text.normalize("NFKC").toLowerCase().match(wordForm) ?? []).map((word) => shorten(word));
}

/** Whole characters only. */
const shorten = (word: string) => (word.length <= longestWord ? word : [...word].slice(0, longestWord / 2).join(""));

/** @returns a `tsvector`; texts that come first are kept when there are too many */
export function storedWords(texts: readonly string[], marks: readonly string[]): string {
  const places = new Map<string, number[]>();
  let place = 0;
  let left = searchedPerRun;
  for (const text of texts) {
    if (left <= 0) break;
    const part = text.slice(0, Math.min(left, maxValueLength));
    left -= part.length;
    // Nothing follows what is in another value.
    place++;
    for (const word of wordsOf(part)) {
      place++;
      const known = places.get(word);
      if (known !== undefined) known.push(place);
      else if (places.size < mostWords) places.set(word, [place]);
    }
  }
  return [...marks.map(quote), ...[...places].map(([word, at]) => `'${word}':${at.slice(0, 255).join(",")}`)].join(" ");
}

export interface SearchMarks {
  teamIds?: readonly string[];
  workflowIds?: readonly string[];
  statuses?: readonly string[];
  triggers?: readonly string[];
  initiators?: readonly string[];
}

/** The marks of a run, or those of which a wanted run has one of each kind. */
export const markOf = {
  teamIds: (id: string) => `=t${id.replaceAll("-", "")}`,
  workflowIds: (id: string) => `=w${id.replaceAll("-", "")}`,
  statuses: (status: string) => `=s${status}`,
  triggers: (trigger: string) => `=g${trigger}`,
  initiators: (initiator: string) => `=i${initiator}`,
} as const satisfies Record<keyof SearchMarks, (value: string) => string>;

/** What people look for, divided at blanks. Empty: there is nothing that a run could have. */
export function searchedTexts(search: string): string[] {
  return [...new Set(search.split(/\s+/u))].filter((text) => wordsOf(text).length > 0).slice(0, mostSearchedWords);
}

/**
 * @param workflowsOf ids of the workflows that have this text in their name: their runs have it, too
 * @param without ids of workflows whose runs are left out
 * @returns a `tsquery`
 */
export function searchQuery(
  texts: readonly string[],
  workflowsOf: ReadonlyMap<string, readonly string[]>,
  marks: SearchMarks,
  without: readonly string[] = [],
): string {
  const found = texts.map((text) => {
    const inNames = (workflowsOf.get(text) ?? []).map((id) => quote(markOf.workflowIds(id)));
    return `(${[partsInOrder(text), ...inNames].join(" | ")})`;
  });
  const kept = (Object.keys(markOf) as (keyof SearchMarks)[]).flatMap((kind) => {
    const values = marks[kind];
    return values === undefined ? [] : [`(${values.map((value) => quote(markOf[kind](value))).join(" | ")})`];
  });
  const others = without.map((id) => `!${quote(markOf.workflowIds(id))}`);
  return [...kept, ...found, ...others].join(" & ");
}

function partsInOrder(text: string): string {
  const words = wordsOf(text);
  const parts = words.map((word, index) => {
    const isPrefix = index === words.length - 1 && word.length >= (index === 0 ? shortestPrefix : shortestPrefixBehind);
    return `'${word}'${isPrefix ? ":*" : ""}`;
  });
  return `(${parts.join(" <-> ")})`;
}

/** The beginning of an id, as people copy it: from 8 characters on. */
export function idPrefix(text: string): { first: string; last: string } | undefined {
  const digits = text.toLowerCase().replaceAll("-", "");
  if (!/^[0-9a-f]{8,32}$/.test(digits) || !"xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx".startsWith(text.replace(/[0-9a-f]/gi, "x")))
    return undefined;
  return { first: asId(digits.padEnd(32, "0")), last: asId(digits.padEnd(32, "f")) };
}

const asId = (digits: string) => digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");

/** What people are shown as the short form of an id. */
export const shortIdOf = (id: string) => id.slice(-8);

const quote = (lexeme: string) => `'${lexeme.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
