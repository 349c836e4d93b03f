/** A token of an expression. Words are names, keywords and numbers; a text has no quotes any more. */
export interface CesqlToken {
  kind: "word" | "integer" | "text" | "symbol" | "end";
  text: string;
  /** Index of its first character. */
  at: number;
}

/** An error in an expression, with the index of the character. */
export class CesqlFault extends Error {
  constructor(at: number, message: string) {
    super(`at character ${at + 1}: ${message}`);
    this.name = "CesqlFault";
  }
}

const maxTokens = 500;

const pieces =
  /(?<blank>[ \t\r\n]+)|(?<text>'(?:\\[\s\S]|[^'\\])*'|"(?:\\[\s\S]|[^"\\])*")|(?<word>\w+)|(?<symbol>!=|<>|<=|>=|[=<>+\-*/%(),])/y;

/** @throws CesqlFault for text that is not a token */
export function tokensOf(expression: string): CesqlToken[] {
  const tokens: CesqlToken[] = [];
  let at = 0;
  while (at < expression.length) {
    pieces.lastIndex = at;
    const groups = pieces.exec(expression)?.groups;
    if (!groups) throw strange(expression, at);
    const token = tokenOf(groups, at);
    if (token) tokens.push(token);
    if (tokens.length > maxTokens) throw new CesqlFault(at, `it has more than ${maxTokens} words and signs`);
    at = pieces.lastIndex;
  }
  return [...tokens, { kind: "end", text: "the end", at }];
}

function tokenOf(groups: Record<string, string>, at: number): CesqlToken | undefined {
  const { text, word, symbol } = groups;
  if (text !== undefined) return { kind: "text", text: unquote(text), at };
  if (symbol !== undefined) return { kind: "symbol", text: symbol, at };
  if (word !== undefined) return { kind: /^\d+$/.test(word) ? "integer" : "word", text: word, at };
  return undefined;
}

/** Only quotes are unescaped; other backslashes stay, because LIKE uses them. */
function unquote(quoted: string): string {
  const quote = quoted[0]!;
  return quoted.slice(1, -1).replace(/\\[\s\S]/g, (pair) => (pair[1] === quote ? quote : pair));
}

function strange(expression: string, at: number): CesqlFault {
  const character = String.fromCodePoint(expression.codePointAt(at)!);
  if (character === "'" || character === '"') return new CesqlFault(at, `the text that starts here is not closed with ${character}`);
  return new CesqlFault(at, `${JSON.stringify(character)} has no meaning here`);
}
