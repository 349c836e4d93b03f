import Type, { type Static, type TObject } from "typebox";
import { named, orNull, ref, refToItself } from "../schema.ts";

/**
 * Filters on the context attributes of events, in the dialects of CloudEvents Subscriptions 1.0. A filter is an object with exactly one
 * member, its dialect; if several are listed, all must hold.
 */

export const eventFilterLimits = { count: 20, depth: 5, totalCount: 100, totalLength: 10_000, valueLength: 2000 } as const;

function attributeTexts(how: string) {
  const texts = Type.Unsafe<Record<string, string>>({
    type: "object",
    maxProperties: 50,
    additionalProperties: { type: "string", maxLength: eventFilterLimits.valueLength },
    description: `Attributes that must all ${how} the given text`,
  });
  return orNull(texts);
}

const texts = { exact: attributeTexts("be"), prefix: attributeTexts("begin with"), suffix: attributeTexts("end with") };
const sql = orNull(
  Type.String({ maxLength: eventFilterLimits.valueLength, description: "An expression in CloudEvents SQL 1.0 that must be true" }),
);

/** The members that contain filters are declared again here: a type can't be derived from a schema that refers to itself. */
export interface EventFilter extends Static<TObject<typeof texts & { sql: typeof sql }>> {
  all?: EventFilter[] | null;
  any?: EventFilter[] | null;
  not?: EventFilter | null;
}

const itself = refToItself<EventFilter>("EventFilter");
const nested = (description: string) => orNull(Type.Array(itself, { maxItems: eventFilterLimits.totalCount, description }));

export const eventFilter = named(
  "EventFilter",
  Type.Object(
    {
      ...texts,
      all: nested("All of these must match"),
      any: nested("One of these must match"),
      not: orNull(itself),
      sql,
    },
    { examples: [{ exact: { type: "order.placed" } }, { sql: "type LIKE 'order.%' AND EXISTS subject" }] },
  ),
);

/** For filters beside other members of a document. */
export function eventFilters(description: string) {
  return Type.Array(ref(eventFilter), { maxItems: eventFilterLimits.count, description });
}
