import { isScalar, parseDocument, visit } from "yaml";
import type { CodeFormat } from "../draft/draft-text.ts";

/** A position in the text of a document. */
export interface TextPlace {
  /** The path from the root; an item of a list is `[]`. For a value it ends with the value's key, for a key it doesn't contain that key. */
  path: string[];
  isValue: boolean;
  /** The text between `from` and the position, without quotation marks. */
  typed: string;
  from: number;
}

/** The text may be incomplete or invalid, as it is while someone types. */
export function placeAt(text: string, at: number, format: CodeFormat): TextPlace {
  return format === "json" ? jsonPlace(text, at) : yamlPlace(text, at);
}

/** No name contains it. */
const mark = "\u0001";

/**
 * The other members of the object in which a member is typed between those two positions. The text is parsed with a complete member there,
 * because an incomplete one would be read as part of the value above it.
 */
export function othersAt(text: string, from: number, to: number, format: CodeFormat): string[] {
  const rest = text.slice(to).replace(/^[\w.-]*["']?(\s*:)?/, "");
  const isQuoted = format === "json" && text[from - 1] === '"';
  const after = format === "json" && /^\s*"/.test(rest) ? `0, ${rest}` : /^\s*[,}]/.test(rest) ? `0${rest}` : ` ${rest}`;
  const whole = `${text.slice(0, isQuoted ? from - 1 : from)}"${mark}":${after}`;
  let others: string[] = [];
  visit(parseDocument(whole, { uniqueKeys: false, logLevel: "silent" }), {
    Map(_, { items }) {
      const keys = items.map(({ key }) => (isScalar(key) ? String(key.value) : ""));
      if (!keys.includes(mark)) return undefined;
      others = keys.filter((key) => key !== mark);
      return visit.BREAK;
    },
  });
  return others;
}

interface Token {
  column: number;
  /** Undefined: the dash of a list item. */
  key?: string;
}

const keyPattern = /^("(?:[^"\\]|\\.)*"|'[^']*'|[^\s:#{}[\],][^:#{}[\]]*?)\s*:(?:\s|$)/;

/** Uses only the indentation: each less indented line above contains this one. */
function yamlPlace(text: string, at: number): TextPlace {
  const lines = text.slice(0, at).split("\n");
  const line = lines.pop() ?? "";
  const { tokens, rest, column } = tokensOf(line);
  const key = tokens.at(-1)?.key;
  const path: string[] = key === undefined ? [] : [key];
  let limit = key === undefined ? column : (tokens.at(-1)?.column ?? 0);
  let isItem = false;
  const climb = (token: Token) => {
    const isAbove = token.column < limit || (token.key !== undefined && isItem && token.column === limit);
    if (!isAbove) return;
    path.unshift(token.key ?? "[]");
    isItem = token.key === undefined;
    limit = token.column;
  };
  for (const token of tokens.slice(0, key === undefined ? undefined : -1).reverse()) climb(token);
  for (const above of lines.reverse()) for (const token of tokensOf(above).tokens.reverse()) climb(token);
  const typed = rest.replace(/^["']/, "");
  return { path, isValue: key !== undefined, typed, from: at - typed.length };
}

/** The dashes and the key at the start of a line, and the rest of the line. */
function tokensOf(line: string): { tokens: Token[]; rest: string; column: number } {
  const tokens: Token[] = [];
  let column = line.search(/\S/);
  if (column < 0 || line[column] === "#") return { tokens, rest: "", column: column < 0 ? line.length : column };
  while (/^-(?:\s|$)/.test(line.slice(column))) {
    tokens.push({ column });
    const next = line.slice(column + 1).search(/\S/);
    if (next < 0) return { tokens, rest: "", column: line.length };
    column += 1 + next;
  }
  const found = keyPattern.exec(line.slice(column));
  if (!found) return { tokens, rest: line.slice(column), column };
  tokens.push({ column, key: unquoted(found[1] ?? "") });
  return { tokens, rest: line.slice(column + found[0].length).trimStart(), column };
}

function unquoted(text: string): string {
  return /^["']/.test(text) ? text.slice(1, -1) : text.trim();
}

/** Uses brackets, quotation marks, colons and commas. */
function jsonPlace(text: string, at: number): TextPlace {
  const open: { isList: boolean; key: string | undefined }[] = [];
  let string: number | undefined;
  let last = "";
  let word = at;
  for (let index = 0; index < at; index++) {
    const letter = text[index] as string;
    if (string !== undefined) {
      if (letter === "\\") index++;
      else if (letter === '"') {
        last = text.slice(string + 1, index);
        string = undefined;
        word = at;
      }
    } else if (letter === '"') string = index;
    else if (letter === "{" || letter === "[") open.push({ isList: letter === "[", key: undefined });
    else if (letter === "}" || letter === "]") open.pop();
    else if (letter === ":" && open.length > 0) (open.at(-1) as { key?: string }).key = last;
    else if (letter === "," && open.length > 0) (open.at(-1) as { key: string | undefined }).key = undefined;
    if (string === undefined) word = /[\w.-]/.test(letter) ? Math.min(word, index) : at;
  }
  const from = string === undefined ? word : string + 1;
  const path = open.flatMap(({ isList, key }, depth) => (isList ? ["[]"] : key === undefined || depth < 0 ? [] : [key]));
  const inner = open.at(-1);
  return { path, isValue: inner === undefined || inner.isList || inner.key !== undefined, typed: text.slice(from, at), from };
}
