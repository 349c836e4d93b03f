import { isDeepStrictEqual } from "node:util";
import { type Document, isMap, isScalar, isSeq, parseDocument, type Scalar, visit, type YAMLMap } from "yaml";
import { writeYaml } from "./write-yaml.ts";

/**
 * Changes a YAML text and keeps the rest of it as its author wrote it, with comments and layout. Top-level members whose values stay the
 * same are copied character by character; a changed one is rewritten member by member, with its comments. The caller must check that the
 * result has the intended meaning, since the caller knows how the text is read.
 *
 * @param before the value of the text, a map
 * @param after the new value
 * @returns undefined if the text can't be edited this way: it is not a block of members that starts in the first column, or a changed part
 * has an alias of something outside of it
 */
export function editYaml(text: string, before: Record<string, unknown>, after: Record<string, unknown>): string | undefined {
  const parts = topLevel(text);
  if (parts === undefined) return undefined;
  const kept: string[] = [];
  for (const { name, text: member } of parts.members) {
    if (!Object.hasOwn(after, name)) continue;
    const edited = isDeepStrictEqual(before[name], after[name]) ? member : editMember(member, before, { [name]: after[name] });
    if (edited === undefined) return undefined;
    kept.push(edited);
  }
  const known = new Set(parts.members.map(({ name }) => name));
  const added = Object.entries(after).filter(([name]) => !known.has(name));
  return parts.head + [...kept, ...added.map(([name, value]) => writeYaml({ [name]: value }))].map(withLineEnd).join("");
}

interface TopLevel {
  /** The text before the first member. */
  head: string;
  /** Each with the comment above it, and everything up to the next one. */
  members: { name: string; text: string }[];
}

function topLevel(text: string): TopLevel | undefined {
  const { contents } = parse(text);
  if (!isMap(contents) || contents.flow === true) return undefined;
  const starts = contents.items.map(({ key }) => ({ name: nameOf(key), at: (key as Scalar).range?.[0] ?? -1 }));
  if (starts.some(({ name, at }) => name === undefined || at < 0 || (at > 0 && text[at - 1] !== "\n"))) return undefined;
  const cuts = starts.map(({ at }, index) => (index === 0 ? at : commentBefore(text, at)));
  const members = starts.map(({ name }, index) => ({ name: name as string, text: text.slice(cuts[index], cuts[index + 1]) }));
  return { head: text.slice(0, cuts[0]), members };
}

/** Comment lines right above a member belong to it. */
function commentBefore(text: string, at: number): number {
  let start = at;
  for (;;) {
    const line = text.lastIndexOf("\n", start - 2) + 1;
    if (start < 2 || text[line] !== "#") return start;
    start = line;
  }
}

/** Scalars stay as text; only an empty one becomes null. */
function parse(text: string): Document {
  return parseDocument(text, { schema: "failsafe", customTags: ["null"], uniqueKeys: false, stringKeys: true, logLevel: "silent" });
}

function nameOf(key: unknown): string | undefined {
  return isScalar(key) ? String(key.source ?? key.value ?? "") : undefined;
}

function editMember(text: string, before: Record<string, unknown>, after: Record<string, unknown>): string | undefined {
  const document = parse(text);
  editMap(document, document.contents as YAMLMap, before, after);
  if (hasLostAnchor(document)) return undefined;
  return document.toString({ lineWidth: 0, indentSeq: isSeqIndented(document, text) });
}

/** The anchor of an alias can be in another member, or in a part that was replaced. The library can't write an alias without its anchor. */
function hasLostAnchor(document: Document): boolean {
  const anchors = new Set<string>();
  let isLost = false;
  visit(document, {
    Alias(_key, { source }) {
      isLost ||= !anchors.has(source);
    },
    Node(_key, node) {
      if ("anchor" in node && node.anchor !== undefined) anchors.add(node.anchor);
    },
  });
  return isLost;
}

function editMap(document: Document, map: YAMLMap, before: Record<string, unknown>, after: Record<string, unknown>): void {
  map.items = map.items.filter(({ key }) => Object.hasOwn(after, nameOf(key) ?? ""));
  const pairs = new Map(map.items.map((pair) => [nameOf(pair.key), pair]));
  for (const [name, value] of Object.entries(after)) {
    const pair = pairs.get(name);
    const old = Object.hasOwn(before, name) ? before[name] : undefined;
    if (pair === undefined) map.items.push(document.createPair(asNode(name), asNode(value)));
    else if (!isDeepStrictEqual(old, value)) pair.value = editValue(document, pair.value, old, value);
  }
}

function editValue(document: Document, node: unknown, before: unknown, after: unknown): unknown {
  if (isMap(node) && isPlain(before) && isPlain(after)) {
    editMap(document, node, before, after);
    return node;
  }
  if (isSeq(node) && Array.isArray(before) && Array.isArray(after) && after.length === node.items.length) {
    node.items = node.items.map((item, index) =>
      isDeepStrictEqual(before[index], after[index]) ? item : editValue(document, item, before[index], after[index]),
    );
    return node;
  }
  const made = asNode(after) as Scalar | null;
  if (isScalar(node) && isScalar(made)) made.comment = node.comment;
  return made;
}

/** Parsed from text that was written with all necessary quotes. */
function asNode(value: unknown): unknown {
  return parse(writeYaml(value)).contents;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether lists are indented further than the key of their map; the first list decides. */
function isSeqIndented(document: Document, text: string): boolean {
  let isIndented = true;
  visit(document, {
    Pair(_key, { key, value }) {
      if (!isSeq(value) || value.flow === true || !value.range || !isScalar(key) || !key.range) return undefined;
      isIndented = columnOf(text, value.range[0]) > columnOf(text, key.range[0]);
      return visit.BREAK;
    },
  });
  return isIndented;
}

function columnOf(text: string, offset: number): number {
  return offset - text.lastIndexOf("\n", offset - 1);
}

function withLineEnd(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}
