import type { Queryable } from "./database.ts";

/** Part of a statement: a column that is searched, or a condition. */
type Piece = ReturnType<typeof piece>;
const piece = (db: Queryable) => db``;

/** The words of the search, without duplicates. */
export function searchedWords(search: string | undefined): string[] {
  return [...new Set((search ?? "").toLowerCase().split(/\s+/).filter(Boolean))];
}

/** For LIKE, whose escape character is the backslash: wildcards in the text are literal. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}

/**
 * A condition to be added to others: each word of the search is somewhere in these texts, in any case. No index answers it: it
 * checks rows that the conditions before it have bounded to one team, or that are few in an instance (teams, users, templates).
 * Of a description the beginning is searched: it may be long.
 */
export function andNamesHave(db: Queryable, search: string | undefined, ...texts: readonly Piece[]): Piece {
  return searchedWords(search).reduce((all, word) => db`${all} and (${anyHas(db, texts, `%${escapeLike(word)}%`)})`, piece(db));
}

function anyHas(db: Queryable, [first, ...rest]: readonly Piece[], pattern: string): Piece {
  return rest.reduce(
    (some, text) => db`${some} or ${text} ilike ${pattern}`,
    first === undefined ? db`false` : db`${first} ilike ${pattern}`,
  );
}
