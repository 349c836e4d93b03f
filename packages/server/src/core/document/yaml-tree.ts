import { type Alias, Composer, isMap, isSeq, Lexer, LineCounter, Parser, type Scalar, type YAMLMap, type YAMLSeq } from "yaml";
import type { WorkBudget } from "./work-budget.ts";

/**
 * Parses text to YAML documents, within limits: the text comes from outside, and building a million nodes or following aliases of aliases
 * would block all other requests. Refused parts are reported with line and column.
 */
export interface YamlProblem {
  /** Both start at 1; 0 if the place is unknown. */
  line: number;
  column: number;
  message: string;
}

/** The text is not valid YAML, or not what was expected. */
export class YamlError extends Error {
  readonly problems: YamlProblem[];

  constructor(problems: YamlProblem[]) {
    super(problems.map(describeProblem).join("; "));
    this.name = "YamlError";
    this.problems = problems;
  }
}

export function describeProblem({ line, column, message }: YamlProblem): string {
  return line > 0 ? `line ${line}, column ${column}: ${message}` : message;
}

export type YamlNode = Scalar | Alias | YAMLMap | YAMLSeq;

export interface YamlDocument {
  root: YamlNode | null;
  /** The place of an offset in the text. */
  place(offset: number): { line: number; column: number };
}

export const yamlLimits = { characters: 1024 * 1024, lines: 100_000, tokens: 50_000, problems: 20, documents: 100 };

/**
 * All documents of the text, without empty ones.
 *
 * @param firstLine the number of its first line, if it is a part of a longer text
 * @param budget of tokens, for several texts together
 */
export function readYamlDocuments(text: string, firstLine = 1, budget?: WorkBudget): YamlDocument[] {
  const lines = new LineCounter();
  const place = (offset: number) => {
    const { line, col } = lines.linePos(Math.min(offset, text.length));
    return { line: line + firstLine - 1, column: col };
  };
  checkCharacters(text, firstLine);
  checkLines(text);
  checkTokens(text, budget);
  const documents: YamlDocument[] = [];
  const problems: YamlProblem[] = [];
  for (const document of compose(text, lines)) {
    for (const { pos, message } of document.errors.slice(0, yamlLimits.problems))
      problems.push({ ...place(pos[0]), message: reword(message) });
    const root = document.contents as YamlNode | null;
    if (root !== null && !isEmpty(root)) documents.push({ root, place });
  }
  if (problems.length > 0) throw new YamlError(problems.slice(0, yamlLimits.problems));
  return documents;
}

function compose(text: string, lines: LineCounter) {
  const composer = new Composer({ uniqueKeys: false, stringKeys: true, schema: "core", logLevel: "silent" });
  try {
    return [...composer.compose(new Parser(lines.addNewLine).parse(text), true, text.length)];
  } catch (cause) {
    // If the library fails on a text from outside, the text is to blame, so the client gets the error.
    const message = cause instanceof RangeError ? "the text is nested too deeply" : "the text cannot be read as YAML";
    throw new YamlError([{ line: 0, column: 0, message }]);
  }
}

/** `---` before nothing, or a lone null, does not count as a document. */
function isEmpty(node: YamlNode): boolean {
  return !isMap(node) && !isSeq(node) && "value" in node && node.value === null;
}

const forbidden = /(?![\t\n\r\u0085])[\p{Cc}\p{Surrogate}\ufffe\uffff]/u;

function checkCharacters(text: string, firstLine: number): void {
  if (text.length > yamlLimits.characters) {
    throw new YamlError([{ line: 0, column: 0, message: `the text has more than ${yamlLimits.characters} characters` }]);
  }
  const found = forbidden.exec(text);
  if (!found) return;
  const before = text.slice(0, found.index).split("\n");
  const code = (found[0].codePointAt(0) as number).toString(16).toUpperCase().padStart(4, "0");
  const message = `the character U+${code} is not allowed; write it as an escape in double quotes`;
  throw new YamlError([{ line: before.length + firstLine - 1, column: (before.at(-1) as string).length + 1, message }]);
}

/** The library folds and joins the lines of a text one by one: 1 MiB of line ends would block the process. */
function checkLines(text: string): void {
  let count = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1))
    if (++count > yamlLimits.lines) refuse(`the text has more than ${yamlLimits.lines} lines`);
}

/**
 * Reading tokens is cheap, but building nodes and errors from them is not, so both are counted first. A block of text is one token. There
 * is at most one error for each token, except for invalid escapes: the library creates an error for each, and a single text of 1 MiB can
 * have half a million.
 */
function checkTokens(text: string, budget?: WorkBudget): void {
  let count = 0;
  let wrong = 0;
  let documents = 0;
  for (const token of new Lexer().lex(text)) {
    if (++count > yamlLimits.tokens) refuse(`the text has more than ${yamlLimits.tokens} tokens`);
    if (token === "\u0002" && ++documents > yamlLimits.documents) refuse(`the text contains more than ${yamlLimits.documents} documents`);
    if (token.startsWith('"')) wrong += countWrongEscapes(token, yamlLimits.problems - wrong + 1);
    if (wrong > yamlLimits.problems) refuse(`the text has more than ${yamlLimits.problems} invalid escapes (such as \\q) in double quotes`);
  }
  if (budget?.spend(count) === false) refuse("the documents have too many tokens together; send them in several requests");
}

function refuse(message: string): never {
  throw new YamlError([{ line: 0, column: 0, message }]);
}

const escapes = /\\(?:[0abefnrtvNLP_ "/\\\t\n\r]|x[\da-fA-F]{2}|u[\da-fA-F]{4}|U00(?:10|0[\da-fA-F])[\da-fA-F]{4}|(?<wrong>[\s\S]|$))/g;

/** @param most stops counting there */
function countWrongEscapes(token: string, most: number): number {
  let count = 0;
  for (const { groups } of token.matchAll(escapes)) if (groups?.["wrong"] !== undefined && ++count >= most) break;
  return count;
}

/** The library's messages mention its options, and its own stack if the text is nested too deeply. */
function reword(message: string): string {
  if (message.includes("call stack")) return "the text is nested too deeply";
  return message.startsWith("With stringKeys") ? "a key must be a text" : message;
}
