/**
 * The first duplicate member in an object of a JSON text, as a JSON pointer; undefined if there is none. `JSON.parse` silently drops all
 * but the last of them.
 *
 * @param text valid JSON
 */
export function findRepeatedMember(text: string): string | undefined {
  /** From the outermost object or list inwards. */
  const open: Level[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const top = open.at(-1);
    switch (text[at]) {
      case "{":
        open.push({ names: new Set(), step: "", expectsName: true });
        break;
      case "[":
        open.push({ names: undefined, step: 0, expectsName: false });
        break;
      case "}":
      case "]":
        open.pop();
        break;
      case ",":
        if (top?.names === undefined) (top as ListLevel).step += 1;
        else top.expectsName = true;
        break;
      case '"': {
        const end = endOfText(text, at);
        if (top?.names !== undefined && top.expectsName) {
          top.step = nameOf(text.slice(at, end));
          top.expectsName = false;
          if (top.names.has(top.step)) return open.map(({ step }) => `/${escaped(String(step))}`).join("");
          top.names.add(top.step);
        }
        at = end - 1;
        break;
      }
    }
  }
  return undefined;
}

interface ObjectLevel {
  names: Set<string>;
  step: string;
  /** The next text is a name, not a value. */
  expectsName: boolean;
}
interface ListLevel {
  names: undefined;
  step: number;
  expectsName: false;
}
type Level = ObjectLevel | ListLevel;

/** Index after the closing quote of the string literal that begins there. */
function endOfText(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === "\\" ? 2 : 1;
  return at + 1;
}

/** The same name can be written in several ways. */
function nameOf(literal: string): string {
  return literal.includes("\\") ? (JSON.parse(literal) as string) : literal.slice(1, -1);
}

function escaped(step: string): string {
  return step.slice(0, 50).replaceAll("~", "~0").replaceAll("/", "~1");
}

/**
 * The first whole number in a JSON text that a 64-bit float can't hold exactly, as it stands there; undefined when there is none.
 * `JSON.parse` would change such a number without a word. Fractions are not examined: that they are rounded is their nature.
 *
 * @param text valid JSON
 */
export function findInexactNumber(text: string): string | undefined {
  if (!/\d{16}/.test(text)) return undefined;
  const numberOrQuote = /"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
  for (let match = numberOrQuote.exec(text); match !== null; match = numberOrQuote.exec(text)) {
    if (match[0] === '"') numberOrQuote.lastIndex = endOfText(text, match.index);
    else if (isInexact(match[0])) return match[0];
  }
  return undefined;
}

function isInexact(number: string): boolean {
  if (number.length < 16 || !/^-?\d+$/.test(number)) return false;
  const value = Number(number);
  // A number that is written with the same digits again survives unchanged, whatever follows the last of them.
  if (String(value) === number) return false;
  return Number.isFinite(value) && BigInt(value) !== BigInt(number);
}

/** The members of a JSON object, or none for anything else that a client has sent in its place. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
