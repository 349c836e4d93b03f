import { Composer, CST, type Document, isAlias, isMap, isScalar, isSeq, Lexer, type Node, type ParsedNode, Parser, Scalar } from "yaml";
import { t } from "../../texts/task/task-form.ts";

export const prefix = "millrace.dev/";
export const olderPrefix = "boomerang.io/";

/** The path of an annotation of the service: under the service's current name, or under the older one if only that exists. */
export function annotationPath(document: YamlDocument, name: string): YamlPath {
  const path = (start: string) => ["metadata", "annotations", start + name];
  return !document.hasIn(path(prefix)) && document.hasIn(path(olderPrefix)) ? path(olderPrefix) : path(prefix);
}

/**
 * Changes in a YAML text that leave the rest unchanged. An existing value is replaced in place, character by character. Additions and
 * removals are applied to the parsed document, which keeps comments and the order.
 */

export type YamlPath = readonly (string | number)[];
export type YamlDocument = Document.Parsed<ParsedNode>;

interface Parsed {
  tokens: CST.Token[];
  document: YamlDocument;
}

export interface YamlFault {
  line: number;
  column: number;
  message: string;
}

function parse(text: string): Parsed | undefined {
  const tokens = [...new Parser().parse(text)];
  const documents = [...new Composer({ keepSourceTokens: true }).compose(tokens, true, text.length)];
  const [document] = documents as YamlDocument[];
  return document === undefined ? undefined : { tokens, document };
}

/** Parses the document, or returns where it can't be parsed. */
export function readYaml(text: string): { document: YamlDocument } | { fault: YamlFault } {
  const parsed = parse(text);
  if (parsed === undefined || !isMap(parsed.document.contents))
    return { fault: { line: 1, column: 1, message: t("yamlEdit.notTaskDocument") } };
  const [error] = parsed.document.errors;
  if (error === undefined) return { document: parsed.document };
  const before = text.slice(0, error.pos[0]).split("\n");
  return { fault: { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, message: error.message.split("\n")[0] ?? "" } };
}

/** Whether it has comments, which the service doesn't store. */
export function hasComments(text: string): boolean {
  // Most texts have none, and to lex a long one takes longer than a key press.
  return text.includes("#") && [...new Lexer().lex(text)].some((piece) => piece.startsWith("#"));
}

/** Sets the value at the path; undefined, an empty text and an empty list remove it. */
export function setYaml(text: string, path: YamlPath, value: unknown): string {
  if (isNothing(value)) return changeYaml(text, (document) => void document.deleteIn(path));
  if (typeof value === "string") {
    const replaced = replaceScalar(text, path, value);
    if (replaced !== undefined) return replaced;
  }
  return changeYaml(text, (document) => putValue(document, path, value));
}

/** The text after any change of its document. If the change isn't possible (e.g. because of an alias), the text stays the same. */
export function changeYaml(text: string, change: (document: YamlDocument) => void): string {
  const parsed = parse(text);
  if (parsed === undefined || parsed.document.errors.length > 0 || !isMap(parsed.document.contents)) return text;
  try {
    change(parsed.document);
  } catch {
    return text;
  }
  // Without a width, a folded text would become one long line.
  const isFolded = /[:-] +[>][-+0-9]* *(#.*)?$/m.test(text);
  return parsed.document.toString({
    lineWidth: isFolded ? 100 : 0,
    indentSeq: !hasFlatLists(text),
    flowCollectionPadding: !/[[{][^\s\]}]/.test(text),
  });
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}

/** `- ` at the same indentation as its key. */
function hasFlatLists(text: string): boolean {
  return /^( *)[^\s#-][^\n]*:[ \t]*\n\1- /m.test(text);
}

function replaceScalar(text: string, path: YamlPath, value: string): string | undefined {
  const parsed = parse(text);
  const node = parsed?.document.errors.length === 0 ? parsed.document.getIn(path, true) : undefined;
  if (parsed === undefined || !isScalar(node) || node.srcToken === undefined || node.anchor !== undefined) return undefined;
  const token = (node as Scalar & { srcToken: CST.Token }).srcToken;
  if (!CST.isScalar(token)) return undefined;
  CST.setScalarValue(token, value, { type: looksOf(node, value), afterKey: typeof path.at(-1) === "string" });
  return parsed.tokens.map((one) => CST.stringify(one)).join("");
}

const notPlain = /^(null|~|true|false|yes|no|on|off|y|n|[-+.]?\d.*)$/i;

function looksOf(node: Scalar, value: string): Scalar.Type {
  if (value.includes("\n")) return Scalar.BLOCK_LITERAL;
  if (typeof node.value === "number" && /^\d+$/.test(value)) return Scalar.PLAIN;
  if (node.type === Scalar.QUOTE_DOUBLE || node.type === Scalar.QUOTE_SINGLE) return node.type;
  return notPlain.test(value) ? Scalar.QUOTE_DOUBLE : Scalar.PLAIN;
}

/** Values that are already equal keep their node, and so their comments. */
function putValue(document: YamlDocument, path: YamlPath, value: unknown): void {
  const present = document.getIn(path, true) as Node | undefined;
  if (Array.isArray(value) && isSeq(present)) {
    for (const [index, item] of value.entries()) putValue(document, [...path, index], item);
    present.items.splice(value.length);
    return;
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value) && isMap(present)) {
    for (const [key, item] of Object.entries(value)) {
      if (isNothing(item)) present.delete(key);
      else putValue(document, [...path, key], item);
    }
    const wanted = new Set(Object.keys(value));
    present.items = present.items.filter(({ key }) => wanted.has(String(isScalar(key) ? key.value : key)));
    return;
  }
  if (isScalar(present) && typeof value !== "object") {
    if (textOf(present) === String(value)) return;
    present.value = value as never;
    if (typeof value === "string") present.type = looksOf(present, value);
    return;
  }
  makeParents(document, path);
  const node = document.createNode(value);
  // YAML 1.1 parsers would read it as another type.
  if (isScalar(node) && typeof value === "string" && notPlain.test(value)) node.type = Scalar.QUOTE_DOUBLE;
  document.setIn(path, node);
}

/** `metadata:` without a value exists, but can't contain a member. */
function makeParents(document: YamlDocument, path: YamlPath): void {
  for (let depth = 1; depth < path.length; depth++) {
    const parent = document.getIn(path.slice(0, depth), true);
    if (isScalar(parent) && parent.value === null)
      document.setIn(path.slice(0, depth), document.createNode(typeof path[depth] === "number" ? [] : {}));
  }
}

/** The text as the service reads it: `1.10` stays `1.10`. Empty if it isn't text. */
function textOf(node: unknown): string {
  if (!isScalar(node) || node.value === null) return "";
  return node.type === Scalar.PLAIN && node.source !== undefined ? node.source : String(node.value);
}

/** The node at the path, with aliases resolved. */
export function nodeAt(document: YamlDocument, path: YamlPath): Node | undefined {
  const node = document.getIn(path, true) as Node | undefined;
  return isAlias(node) ? node.resolve(document) : node;
}

export function textAt(document: YamlDocument, path: YamlPath): string {
  return textOf(nodeAt(document, path));
}

/** The number of items in the list at the path; 0 if there is no list. */
export function countAt(document: YamlDocument, path: YamlPath): number {
  const node = nodeAt(document, path);
  return isSeq(node) ? node.items.length : 0;
}

export function textsAt(document: YamlDocument, path: YamlPath): string[] {
  return Array.from({ length: countAt(document, path) }, (_, index) => textAt(document, [...path, index]));
}

/** The keys and texts of a map. */
export function pairsAt(document: YamlDocument, path: YamlPath): [string, string][] {
  const node = nodeAt(document, path);
  return isMap(node) ? node.items.map(({ key, value }) => [String(isScalar(key) ? key.value : key), textOf(value)]) : [];
}

/** Moves an item of a list, with its comments. */
export function moveItem(text: string, list: YamlPath, from: number, to: number): string {
  return changeYaml(text, (document) => {
    const node = nodeAt(document, list);
    if (!isSeq(node) || to < 0 || to >= node.items.length) return;
    const [item] = node.items.splice(from, 1);
    node.items.splice(to, 0, item);
  });
}

export function addItem(text: string, list: YamlPath, item: unknown): string {
  return changeYaml(text, (document) => {
    const node = nodeAt(document, list);
    if (isSeq(node)) node.add(document.createNode(item));
    else {
      makeParents(document, [...list, 0]);
      document.setIn(list, document.createNode([item]));
    }
  });
}

/** Removing the last item also removes the list. */
export function removeItem(text: string, list: YamlPath, index: number): string {
  return changeYaml(text, (document) => {
    document.deleteIn([...list, index]);
    if (countAt(document, list) === 0) document.deleteIn(list);
  });
}
