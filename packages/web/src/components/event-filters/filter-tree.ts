import { createContext, useContext } from "react";
import { listText } from "../../texts/language.ts";
import { t } from "../../texts/workflow/triggers.ts";

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

/** A filter as a phrase: "type begins with order.", "any of 2". For a group, only how its filters are combined. */
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

/** What all parts of the form share. */
export interface FilterFacts {
  /** Attribute names to choose from; others can be typed. */
  attributes: readonly string[];
  /** What the service would reject, with JSON pointers into the list of filters. */
  problems: readonly { path: string; message: string }[];
}

export const FilterFactsContext = createContext<FilterFacts>({ attributes: [], problems: [] });

/** The problems at these paths themselves; with `isDeep` also those below them. */
export function useProblemsAt(places: readonly string[], isDeep = false): string[] {
  const { problems } = useContext(FilterFactsContext);
  const isAt = (path: string) => places.some((place) => path === place || (isDeep && path.startsWith(`${place}/`)));
  return problems.filter(({ path }) => isAt(path)).map(({ message }) => message);
}

/** All problems, each with the number of its filter. */
export function useNumberedProblems(): string[] {
  const { problems } = useContext(FilterFactsContext);
  return problems.map(({ path, message }) =>
    path === "" ? message : t("filterFacts.problem", { number: String(Number(path.split("/")[1]) + 1), message }),
  );
}

/** How an attribute is compared with a text. */
export type TextHow = "exact" | "prefix" | "suffix";
/** How many filters of a group must match; `none` is stored as `not`. */
export type GroupHow = "all" | "any" | "none";

export interface AttributeText {
  attribute: string;
  text: string;
}

/** A filter as the form shows it. A filter that the form can't show is kept unchanged, with the reason. */
export type FilterNode = { key: number } & (
  | { kind: "text"; how: TextHow; pairs: AttributeText[] }
  | { kind: "group"; how: GroupHow; nodes: FilterNode[] }
  | { kind: "sql"; text: string }
  | { kind: "raw"; value: unknown; why: string }
);

const dialects = ["exact", "prefix", "suffix", "all", "any", "not", "sql"];

let lastKey = 0;
const freshKey = () => ++lastKey;

export const newText = (): FilterNode => ({ key: freshKey(), kind: "text", how: "exact", pairs: [{ attribute: "type", text: "" }] });
export const newGroup = (): FilterNode => ({ key: freshKey(), kind: "group", how: "any", nodes: [newText()] });
export const newSql = (): FilterNode => ({ key: freshKey(), kind: "sql", text: "" });

/** Parses a text into a filter tree; undefined if it isn't a JSON list. */
export function treeOf(text: string): FilterNode[] | undefined {
  if (text.trim() === "") return [];
  try {
    const filters: unknown = JSON.parse(text);
    return Array.isArray(filters) ? filters.map(nodeOf) : undefined;
  } catch {
    return undefined;
  }
}

/** The text of a filter tree; empty without filters. */
export function textOf(nodes: readonly FilterNode[]): string {
  return nodes.length === 0 ? "" : JSON.stringify(nodes.map(filterOf), null, 2);
}

export function nodeOf(filter: unknown): FilterNode {
  const raw = (why: string): FilterNode => ({ key: freshKey(), kind: "raw", value: filter, why });
  if (!isObject(filter)) return raw(t("filterTree.notObject"));
  const members = Object.keys(filter).filter((name) => filter[name] !== null);
  const unknown = members.find((name) => !dialects.includes(name));
  if (unknown !== undefined) return raw(t("filterTree.hasUnknownMemberKnown", { unknown, dialects: dialects.join(", ") }));
  const [dialect, ...others] = members;
  if (dialect === undefined) return raw(t("filterTree.empty"));
  if (others.length > 0) return raw(t("filterTree.hasFilterHaveOnly", { members: listText(members) }));
  return shownNode(dialect, filter[dialect]) ?? raw(t("filterTree.formDoesntKnowShape", { dialect }));
}

/** Undefined if the value doesn't have the shape that the dialect requires. */
function shownNode(dialect: string, value: unknown): FilterNode | undefined {
  const key = freshKey();
  switch (dialect) {
    case "sql":
      return typeof value === "string" ? { key, kind: "sql", text: value } : undefined;
    case "all":
    case "any":
      return Array.isArray(value) ? { key, kind: "group", how: dialect, nodes: value.map(nodeOf) } : undefined;
    case "not":
      return isObject(value) ? { key, kind: "group", how: "none", nodes: negated(value).map(nodeOf) } : undefined;
    default: {
      if (!isObject(value)) return undefined;
      const pairs = Object.entries(value).map(([attribute, text]) => ({ attribute, text }));
      const isShown = pairs.length > 0 && pairs.every(({ text }) => typeof text === "string");
      return isShown ? { key, kind: "text", how: dialect as TextHow, pairs: pairs as AttributeText[] } : undefined;
    }
  }
}

/** The filters of which none may match: those of an `any` inside `not`; for any other filter, just that filter. */
function negated(filter: Record<string, unknown>): unknown[] {
  const { any } = filter;
  return Object.keys(filter).length === 1 && Array.isArray(any) && any.length !== 1 ? any : [filter];
}

export function filterOf(node: FilterNode): unknown {
  switch (node.kind) {
    case "text":
      return { [node.how]: Object.fromEntries(node.pairs.map(({ attribute, text }) => [attribute, text])) };
    case "sql":
      return { sql: node.text };
    case "raw":
      return node.value;
    case "group": {
      const inner = node.nodes.map(filterOf);
      if (node.how !== "none") return { [node.how]: inner };
      return { not: inner.length === 1 ? inner[0] : { any: inner } };
    }
  }
}

/** The JSON pointer of a filter inside a group. @param path the pointer of the group */
export function innerPath({ how, nodes }: Extract<FilterNode, { kind: "group" }>, path: string, index: number): string {
  if (how !== "none") return `${path}/${how}/${index}`;
  return nodes.length === 1 ? `${path}/not` : `${path}/not/any/${index}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
