import { listText } from "../../texts/list-text.ts";
import { t } from "../../texts/triggers.ts";
import { type FilterNode, type GroupHow, nodeOf, type TextHow } from "./filter-tree.ts";

export const textWords: Readonly<Record<TextHow, string>> = {
  exact: t("filterWords.textExact"),
  prefix: t("filterWords.textPrefix"),
  suffix: t("filterWords.textSuffix"),
};
export const groupWords: Readonly<Record<GroupHow, string>> = {
  all: t("filterWords.groupAll"),
  any: t("filterWords.groupAny"),
  none: t("filterWords.groupNone"),
};

/** A filter as a phrase: "type begins with order.", "any of 2". Of a group only what holds it together. */
export function filterPhrase(filter: unknown): string {
  return phraseOf(nodeOf(filter));
}

function phraseOf(node: FilterNode): string {
  switch (node.kind) {
    case "text":
      return listText(node.pairs.map(({ attribute, text }) => `${attribute} ${textWords[node.how]} ${text}`));
    case "sql":
      return node.text;
    case "group":
      return t("filterWords.these", { how: groupWords[node.how] });
    case "raw":
      return JSON.stringify(node.value);
  }
}
