import { type Alias, Composer, isMap, isSeq, Lexer, LineCounter, Parser, type Scalar, type YAMLMap, type YAMLSeq } from "yaml";
import type { WorkBudget } from "./work-budget.ts";

/**
 * Text to YAML documents, with bounds: a text comes from outside, and a reader that is asked to build a million nodes, or to
 * follow aliases of aliases, would hold up everyone else. What is refused is refused by line and column.
 */
export interface YamlProblem {
  /** Both from 1; 0 when no place is known. */
  line: number;
  column: number;
  message: string;
}

/** The text is not the YAML that was asked for. */
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
  /** Where an offset of the text lies. */
  place(offset: number): { line: number; column: number };
}

export const yamlLimits = { characters: 1024 * 1024, lines: 100_000, tokens: 50_000, problems: 20, documents: 100 };

/**
 * All documents of the text, empty ones left out.
 *
 * @param firstLine the number of its first line, where it is a part of a longer text
 * @param budget of tokens for several texts
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
    // What a text from outside makes the library stumble over is the text's fault, not ours.
    const message = cause instanceof RangeError ? "the text is nested too deeply" : "the text cannot be read as YAML";
    throw new YamlError([{ line: 0, column: 0, message }]);
  }
}

/** `---` before nothing at all, or a lone null, is not a document that anyone meant. */
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

/** The library folds and joins a text of many lines one by one: a mebibyte of line ends would keep everyone else waiting. */
function checkLines(text: string): void {
  let count = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1))
    if (++count > yamlLimits.lines) refuse(`the text has more than ${yamlLimits.lines} lines`);
}

/**
 * Reading tokens is cheap, building nodes from them is not, and neither is an error: so both are counted before. A block of text is
 * one token. Errors come at most one a token, but for wrong escapes, of which a single text of a mebibyte has half a million; the
 * library makes an error of each.
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

/** @param most it counts no further */
function countWrongEscapes(token: string, most: number): number {
  let count = 0;
  for (const { groups } of token.matchAll(escapes)) if (groups?.["wrong"] !== undefined && ++count >= most) break;
  return count;
}

/** The library speaks of its options, and of its own stack when the text is too deep for it. */
function reword(message: string): string {
  if (message.includes("call stack")) return "the text is nested too deeply";
  return message.startsWith("With stringKeys") ? "a key must be a text" : message;
}
