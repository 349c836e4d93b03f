import parse, { type JsonPathQuery } from "jsonpath-rfc9535/parser";
import type { WorkBudget } from "../document/work-budget.ts";

/**
 * Which values of a document a JSONPath (RFC 9535) leads to. Authors of paths and senders of documents need not be friends of this
 * service, so the work has a bound: filters, whose patterns may backtrack forever, are not possible, and at most `maxVisited` values
 * are examined. What lies beyond counts as not there.
 */

export const maxVisited = 10_000;

type Segment = JsonPathQuery["segments"][number];
type Node = Segment["node"];
type Selector = Extract<Node, { type: "BracketedSelection" }>["selectors"][number];

/** What is wrong with a path, as the end of a sentence; undefined if it is valid. */
export function jsonPathFault(path: string): string | undefined {
  if (hasFilter(path)) return "has a filter ([?…]), which is not possible here; use a further condition";
  try {
    parse(path);
    return undefined;
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    return `is not a JSONPath (RFC 9535), which starts with $, such as $.type: ${what.slice(0, 200)}`;
  }
}

const quoted = /'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"/g;

/** Checked before the path is parsed: the parser's time grows exponentially with nested functions in a filter. */
function hasFilter(path: string): boolean {
  return path.replace(quoted, "").includes("?");
}

/** The cost of visiting a value. */
const visitSteps = 700;

/**
 * The values in the order of the document; none when the path leads nowhere or can't be used.
 * @param work pays for what was examined
 */
export function findByJsonPath(document: unknown, path: string, work?: WorkBudget): unknown[] {
  if (jsonPathFault(path) !== undefined) return [];
  const budget = { left: maxVisited };
  let values: unknown[] = [document];
  for (const segment of parse(path).segments) {
    const from = segment.type === "DescendantSegment" ? values.flatMap((value) => withDescendants(value, budget)) : values;
    const selectors = selectorsOf(segment.node);
    values = from.flatMap((value) => selectors.flatMap((selector) => select(value, selector, budget)));
  }
  work?.spend((maxVisited - Math.max(0, budget.left)) * visitSteps);
  return values;
}

function selectorsOf(node: Node): Selector[] {
  if (node.type === "BracketedSelection") return node.selectors;
  return [node.type === "MemberNameShorthand" ? { type: "NameSelector", value: node.value } : node];
}

type Budget = { left: number };

/** The value itself and everything in it, as far as the budget allows. */
function withDescendants(value: unknown, budget: Budget): unknown[] {
  const found: unknown[] = [];
  const visit = (one: unknown) => {
    if (budget.left-- <= 0) return;
    found.push(one);
    for (const child of childrenOf(one)) {
      if (budget.left <= 0) return;
      visit(child);
    }
  };
  visit(value);
  return found;
}

function select(value: unknown, selector: Selector, budget: Budget): unknown[] {
  if (budget.left <= 0) return [];
  const selected = selectFreely(value, selector).slice(0, budget.left);
  budget.left -= Math.max(1, selected.length);
  return selected;
}

function selectFreely(value: unknown, selector: Selector): unknown[] {
  switch (selector.type) {
    case "NameSelector":
      return isObject(value) && Object.hasOwn(value, selector.value) ? [value[selector.value]] : [];
    case "IndexSelector":
      return Array.isArray(value) && value.at(selector.value) !== undefined ? [value.at(selector.value)] : [];
    case "WildcardSelector":
      return childrenOf(value);
    case "SliceSelector":
      return Array.isArray(value) ? slice(value, selector.start, selector.end, selector.step ?? 1) : [];
    default:
      return [];
  }
}

/** RFC 9535, 2.3.4.2. */
function slice(list: readonly unknown[], start: number | null, end: number | null, step: number): unknown[] {
  const inside = (at: number, least: number, most: number) => Math.min(Math.max(at < 0 ? list.length + at : at, least), most);
  const found: unknown[] = [];
  if (step > 0) {
    const until = inside(end ?? list.length, 0, list.length);
    for (let at = inside(start ?? 0, 0, list.length); at < until; at += step) found.push(list[at]);
  } else if (step < 0) {
    const until = end === null ? -1 : inside(end, -1, list.length - 1);
    for (let at = inside(start ?? list.length - 1, -1, list.length - 1); at > until; at += step) found.push(list[at]);
  }
  return found;
}

function childrenOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return isObject(value) ? Object.values(value) : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
