/**
 * The words by which runs are found, as the database stores them and searches for them (`tsvector`, `tsquery`). A word is a sequence of
 * letters or digits, in lower case. Text without spaces, such as `A-2345`, an address or a path, becomes several words that must follow
 * each other. Stored text and search text are split by the same rule.
 *
 * In addition to its words, a run has marks for the values that lists are filtered by. A mark begins with `=`, which no word does.
 */

/** Longer words are cut to this length, both when stored and when searched for. */
const longestWord = 64;
/** The most different words of one run. */
const mostWords = 400;
/** For each value, and for all texts of a run: text beyond this length is not searched. */
export const searchedLength = { perValue: 1_000, perRun: 8_000 } as const;
/** A shorter last part must match a whole word: too many words begin with it. */
const shortestPrefix = 3;
/** After another part, as in `A-23`, fewer characters are enough, because the part before it already narrows down the runs. */
const shortestPrefixBehind = 2;
const mostSearchedWords = 10;

const wordForm = /[\p{L}\p{N}]+/gu;

export function wordsOf(text: string): string[] {
  return (text.normalize("NFKC").toLowerCase().match(wordForm) ?? []).map((word) => shorten(word));
}

/** Cuts between whole characters only. */
const shorten = (word: string) => (word.length <= longestWord ? word : [...word].slice(0, longestWord / 2).join(""));

/** @returns a `tsvector`; if there are too many words, the first texts have precedence */
export function storedWords(texts: readonly string[], marks: readonly string[]): string {
  const places = new Map<string, number[]>();
  let place = 0;
  let left: number = searchedLength.perRun;
  for (const text of texts) {
    if (left <= 0) break;
    const part = text.slice(0, Math.min(left, searchedLength.perValue));
    left -= part.length;
    // Leaves a gap, so that a phrase does not match across two values.
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

/** The marks of a run. In a search: a matching run has one of the given marks of each kind. */
export const markOf = {
  teamIds: (id: string) => `=t${id.replaceAll("-", "")}`,
  workflowIds: (id: string) => `=w${id.replaceAll("-", "")}`,
  statuses: (status: string) => `=s${status}`,
  triggers: (trigger: string) => `=g${trigger}`,
  initiators: (initiator: string) => `=i${initiator}`,
} as const satisfies Record<keyof SearchMarks, (value: string) => string>;

/** The search text, split at white space. Empty: no run can match. */
export function searchedTexts(search: string): string[] {
  return [...new Set(search.split(/\s+/u))].filter((text) => wordsOf(text).length > 0).slice(0, mostSearchedWords);
}

/**
 * @param workflowsOf ids of the workflows whose names contain this text: their runs match, too
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

/** The beginning of an id, as people copy it: at least 8 characters. */
export function idPrefix(text: string): { first: string; last: string } | undefined {
  const digits = text.toLowerCase().replaceAll("-", "");
  if (!/^[0-9a-f]{8,32}$/.test(digits) || !"xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx".startsWith(text.replace(/[0-9a-f]/gi, "x")))
    return undefined;
  return { first: asId(digits.padEnd(32, "0")), last: asId(digits.padEnd(32, "f")) };
}

const asId = (digits: string) => digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");

/** The short form of an id that people see. */
export const shortIdOf = (id: string) => id.slice(-8);

const quote = (lexeme: string) => `'${lexeme.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
