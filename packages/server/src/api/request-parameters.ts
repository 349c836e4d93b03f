import { stringEnum } from "@millrace/contract/schema.ts";
import Type from "typebox";
import { AppError } from "../base/error/app-error.ts";

/** Building blocks of the parameters of query endpoints: `query: Type.Object({ ...pageParameters, sort, labels })`. */

/** `limit` and `page`, both required, as the interface says for all queries without defaults. */
export const pageParameters = {
  limit: Type.Integer({ minimum: 1, maximum: 1000, description: "Items on a page" }),
  page: Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: "Index of the page, zero-based", examples: [0] }),
};

/** `limit` and `page` where the interface gives them the defaults 10 and 0. */
export const defaultedPageParameters = {
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 10, description: "Items on a page" }),
  page: Type.Integer({ minimum: 0, maximum: 2_147_483_647, default: 0, description: "Index of the page, zero-based" }),
};

export type Direction = "ASC" | "DESC";

/** `sort` if it is a direction on the creation date; ties are ordered by id. */
export const sort = stringEnum(["ASC", "DESC"], { default: "ASC", description: "Order of the creation date" });

/** `order` if `sort` names a field. */
export const order = (preset: Direction) => stringEnum(["ASC", "DESC"], { default: preset, description: "Order of the sort field" });

/** A list of free texts: names or ids. */
export const list = (description: string) => Type.Optional(Type.Array(Type.String({ maxLength: 400 }), { maxItems: 1000, description }));

/** A list of words; other words are a 400 (QUERY_INVALID_FILTERS), case is ignored. Missing or empty: all. */
export const listOf = <const Words extends readonly string[]>(words: Words, description: string) =>
  Type.Optional(Type.Array(stringEnum(words), { maxItems: 100, description }));

/** Label pairs, all of which must match. Convert them to a map with `toLabelFilter`. */
export const labels = Type.Optional(
  Type.Array(Type.String({ maxLength: 2000 }), {
    maxItems: 100,
    "x-labels": true,
    description: "Pairs key=value, each URL-encoded (= becomes %3D), separated by commas; all must match",
    examples: [["stage=test"]],
  }),
);

/** Words that must all occur in the names of an object; `namesHave` of the store searches for them. */
export const search = (where: string) =>
  Type.Optional(
    Type.String({
      maxLength: 200,
      description: `Only those with this text in ${where}, in upper or lower case; each of several words must match. Empty: all`,
      examples: ["report"],
    }),
  );

/** Epoch milliseconds. */
export const date = (description: string) =>
  Type.Optional(
    Type.Integer({
      format: "int64",
      minimum: 0,
      maximum: 8_640_000_000_000_000,
      description: `${description}, in milliseconds since the epoch`,
    }),
  );

/** The map that stored labels must contain. A pair is split at its first `=`. */
export function toLabelFilter(pairs: readonly string[] | undefined): Record<string, string> {
  const filter = new Map<string, string>();
  for (const pair of pairs ?? []) {
    const equals = pair.indexOf("=");
    if (equals < 1) throw new AppError("QUERY_INVALID_FILTERS", ["labels", `${JSON.stringify(pair)} is not a pair key=value`]);
    const key = pair.slice(0, equals);
    const value = pair.slice(equals + 1);
    const other = filter.get(key);
    if (other !== undefined && other !== value) {
      throw new AppError("QUERY_INVALID_FILTERS", [
        "labels",
        `${key} can't be ${JSON.stringify(other)} and ${JSON.stringify(value)} at once`,
      ]);
    }
    filter.set(key, value);
  }
  return Object.fromEntries(filter);
}

/** Both ends as dates. A range whose end is before its beginning is an error, not an empty result. */
export function toDateRange(query: { fromDate?: number; toDate?: number }): { from?: Date; to?: Date } {
  const { fromDate, toDate } = query;
  if (fromDate !== undefined && toDate !== undefined && fromDate > toDate) {
    throw new AppError("QUERY_INVALID_FILTERS", ["fromDate", `${fromDate} is after toDate ${toDate}`]);
  }
  return { ...(fromDate !== undefined && { from: clampDate(fromDate) }), ...(toDate !== undefined && { to: clampDate(toDate) }) };
}

/** PostgreSQL's timestamps end long before those of JavaScript; later ones are replaced by its last year. */
function clampDate(epochMs: number): Date {
  return new Date(Math.min(epochMs, Date.UTC(9999, 11, 31)));
}

/** The parameter of all paths below a team. */
export const teamParameter = Type.String({ description: "Name or ID of the team", examples: ["getting-started"] });

export const teamPath = Type.Object({ team: teamParameter });

/** For a deletion that cancels active runs. */
export const forceParameter = Type.Boolean({
  default: true,
  description: "false: responds with 409 while there are open runs; otherwise they are cancelled",
});
