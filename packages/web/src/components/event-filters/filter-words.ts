import { type FilterNode, type GroupHow, nodeOf, type TextHow } from "./filter-tree.ts";

export const textWords: Readonly<Record<TextHow, string>> = { exact: "is", prefix: "begins with", suffix: "ends with" };
export const groupWords: Readonly<Record<GroupHow, string>> = { all: "All of", any: "Any of", none: "None of" };

/** A filter as a phrase: "type begins with order.", "any of 2". Of a group only what holds it together. */
export function filterPhrase(filter: unknown): string {
  return phraseOf(nodeOf(filter));
}

function phraseOf(node: FilterNode): string {
  switch (node.kind) {
    case "text":
      return node.pairs.map(({ attribute, text }) => `${attribute} ${textWords[node.how]} ${text}`).join(" and ");
    case "sql":
      return node.text;
    case "group":
      return `${groupWords[node.how]} these`;
    case "raw":
      return JSON.stringify(node.value);
  }
}
