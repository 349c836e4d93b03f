import Type from "typebox";
import { named, orNull, ref } from "./schema.ts";

/**
 * Filters on the context attributes of events, in the dialects of CloudEvents Subscriptions 1.0. A filter is an object with exactly one
 * member, its dialect; where several are listed, all must hold.
 */

export const eventFilterLimits = { count: 20, depth: 5, totalCount: 100, totalLength: 10_000, valueLength: 2000 } as const;

type AttributeTexts = Record<string, string>;

export interface EventFilter {
  exact?: AttributeTexts | null;
  prefix?: AttributeTexts | null;
  suffix?: AttributeTexts | null;
  all?: EventFilter[] | null;
  any?: EventFilter[] | null;
  not?: EventFilter | null;
  /** An expression in CloudEvents SQL 1.0. */
  sql?: string | null;
}

function attributeTexts(how: string) {
  const texts = Type.Unsafe<AttributeTexts>({
    type: "object",
    maxProperties: 50,
    additionalProperties: { type: "string", maxLength: eventFilterLimits.valueLength },
    description: `Attributes that must all ${how} the given text`,
  });
  return orNull(texts);
}

const nested = (description: string) =>
  orNull(Type.Array(ref<EventFilter>("EventFilter"), { maxItems: eventFilterLimits.totalCount, description }));

export const eventFilter = named(
  "EventFilter",
  Type.Object(
    {
      exact: attributeTexts("be"),
      prefix: attributeTexts("begin with"),
      suffix: attributeTexts("end with"),
      all: nested("All of these must match"),
      any: nested("One of these must match"),
      not: Type.Optional(Type.Unsafe<EventFilter | null>({ anyOf: [Type.Ref("EventFilter"), { type: "null" }] })),
      sql: orNull(
        Type.String({ maxLength: eventFilterLimits.valueLength, description: "An expression in CloudEvents SQL 1.0 that must be true" }),
      ),
    },
    { examples: [{ exact: { type: "order.placed" } }, { sql: "type LIKE 'order.%' AND EXISTS subject" }] },
  ),
);

/** Where filters stand beside other members of a document. */
export function eventFilters(description: string) {
  return Type.Array(ref<EventFilter>("EventFilter"), { maxItems: eventFilterLimits.count, description });
}
