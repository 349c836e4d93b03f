import { findFunction } from "./cesql-functions.ts";
import { CesqlFault } from "./cesql-tokens.ts";
import type { CesqlTree, CesqlType } from "./cesql-tree.ts";
import { parseCesql } from "./parse-cesql.ts";

/** What keeps a text from being a filter, as the end of a sentence; undefined when it is one. */
export function cesqlFault(expression: string): string | undefined {
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

/** The type that an expression has for every event; undefined where the event decides. */
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
