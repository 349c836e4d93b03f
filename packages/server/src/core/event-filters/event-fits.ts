import type { EventFilter } from "@millrace/contract/inbound/event-filter.ts";
import { CesqlFault } from "./cesql-tokens.ts";
import { attributeOf } from "./cesql-values.ts";
import { type EventAttributes, evaluateCesql } from "./evaluate-cesql.ts";
import { parseCesql } from "./parse-cesql.ts";

/**
 * Whether all filters hold for the event's context attributes. Without filters every event matches. A filter that can't be evaluated
 * (missing attribute, error in an expression, unknown dialect) does not hold.
 */
export function eventFits(filters: readonly EventFilter[], event: EventAttributes): boolean {
  return filters.every((filter) => holds(filter, event));
}

/** A filter with several dialects, or none, is refused when it is saved; if one exists anyway, it never holds. */
function holds(filter: EventFilter, event: EventAttributes): boolean {
  const { exact, prefix, suffix, all, any, not, sql } = filter;
  if (exact) return everyText(exact, event, (text, wanted) => text === wanted);
  if (prefix) return everyText(prefix, event, (text, wanted) => text.startsWith(wanted));
  if (suffix) return everyText(suffix, event, (text, wanted) => text.endsWith(wanted));
  if (all) return all.every((one) => holds(one, event));
  if (any) return any.some((one) => holds(one, event));
  if (not) return !holds(not, event);
  return typeof sql === "string" && isTrue(sql, event);
}

function everyText(
  wanted: Readonly<Record<string, string>>,
  event: EventAttributes,
  compare: (text: string, wanted: string) => boolean,
): boolean {
  return Object.entries(wanted).every(([name, text]) => {
    const value = attributeOf(event, name);
    return value !== undefined && compare(String(value), text);
  });
}

function isTrue(expression: string, event: EventAttributes): boolean {
  try {
    return evaluateCesql(parseCesql(expression), event) === true;
  } catch (error) {
    if (error instanceof CesqlFault) return false;
    throw error;
  }
}
