import { type EventFilter, eventFilterLimits } from "@millrace/contract/inbound/event-filter.ts";
import type { ErrorDetail } from "../../base/error/app-error.ts";
import { findFunction } from "./cesql-functions.ts";
import { CesqlFault } from "./cesql-tokens.ts";
import type { CesqlTree, CesqlType } from "./cesql-values.ts";
import { parseCesql } from "./parse-cesql.ts";

const dialects = ["exact", "prefix", "suffix", "all", "any", "not", "sql"] as const;
type Dialect = (typeof dialects)[number];

const { depth: maxDepth, totalCount, totalLength, count } = eventFilterLimits;

/** Problems with filters that match their schema, by place. @param path of the list, such as `/triggers/event/filters` */
export function filterFaults(filters: readonly EventFilter[], path: string): ErrorDetail[] {
  if (filters.length > count) return [{ path, message: `has ${filters.length} filters; at most ${count} are allowed` }];
  const found = { count: 0, length: 0 };
  const faults = filters.flatMap((filter, index) => faultsOf(filter, `${path}/${index}`, 1, found));
  if (found.count > totalCount)
    return [{ path, message: `has ${found.count} filters, including nested ones; at most ${totalCount} are allowed` }];
  if (found.length > totalLength) return [{ path, message: `has more than ${totalLength} characters in all its texts` }];
  return faults;
}

function faultsOf(filter: EventFilter, path: string, depth: number, found: { count: number; length: number }): ErrorDetail[] {
  found.count++;
  if (depth > maxDepth) return [{ path, message: `is nested too deeply; filters can be nested ${maxDepth} levels deep` }];
  const given = dialects.filter((dialect) => filter[dialect] !== undefined && filter[dialect] !== null);
  const [dialect] = given;
  if (dialect === undefined || given.length > 1) {
    const how = dialect === undefined ? "has no dialect" : `has ${given.join(" and ")}`;
    return [{ path, message: `${how}; a filter has exactly one of ${dialects.join(", ")} (combine several with all or any)` }];
  }
  return dialectFaults(filter, dialect, `${path}/${dialect}`, depth, found);
}

function dialectFaults(
  filter: EventFilter,
  dialect: Dialect,
  path: string,
  depth: number,
  found: { count: number; length: number },
): ErrorDetail[] {
  switch (dialect) {
    case "sql":
      return sqlFaults(filter.sql ?? "", path, found);
    case "not":
      return faultsOf(filter.not ?? {}, path, depth + 1, found);
    case "all":
    case "any": {
      const inner = filter[dialect] ?? [];
      if (inner.length === 0) return [{ path, message: "is empty; it needs at least one filter" }];
      return inner.flatMap((one, index) => faultsOf(one, `${path}/${index}`, depth + 1, found));
    }
    default:
      return attributeFaults(filter[dialect] ?? {}, path, found);
  }
}

function sqlFaults(expression: string, path: string, found: { length: number }): ErrorDetail[] {
  found.length += expression.length;
  const message = expression.length > eventFilterLimits.valueLength ? "is too long" : cesqlFault(expression);
  return message === undefined ? [] : [{ path, message }];
}

function attributeFaults(texts: Readonly<Record<string, string>>, path: string, found: { length: number }): ErrorDetail[] {
  const entries = Object.entries(texts);
  if (entries.length === 0) return [{ path, message: "is empty; give at least one attribute with its text" }];
  return entries.flatMap(([name, text]) => {
    found.length += name.length + text.length;
    const message = nameFault(name) ?? (text === "" ? "is empty, but no attribute is, so it would never match" : undefined);
    return message === undefined ? [] : [{ path: `${path}/${name.slice(0, 100)}`, message }];
  });
}

function nameFault(name: string): string | undefined {
  if (name === "data") return "is not an attribute: filters check only the attributes of an event; use conditions for its data";
  return /^[a-z0-9]{1,64}$/.test(name) ? undefined : "is not an attribute name: use only lower case letters and digits";
}

/** Why a text is not a valid filter, as the end of a sentence; undefined if it is one. */
function cesqlFault(expression: string): string | undefined {
  try {
    const type = typeOfTree(parseCesql(expression));
    return type === "string" || type === "integer"
      ? `is always a ${type === "string" ? "text" : "number"}; a filter must be true or false, such as type = 'order.placed'`
      : undefined;
  } catch (error) {
    if (!(error instanceof CesqlFault)) throw error;
    return `is not a CloudEvents SQL expression: ${error.message}`;
  }
}

/** The type of an expression, if it is the same for every event; otherwise undefined. */
function typeOfTree(tree: CesqlTree): CesqlType | undefined {
  switch (tree.kind) {
    case "literal":
      if (typeof tree.value === "boolean") return "boolean";
      return typeof tree.value === "string" ? "string" : "integer";
    case "attribute":
      return undefined;
    case "call":
      return findFunction(tree.name, tree.given.length)?.returns;
    case "minus":
    case "arithmetic":
      return "integer";
    default:
      return "boolean";
  }
}
