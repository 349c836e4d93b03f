/**
 * The first member of a JSON text that stands twice in its object, as a JSON pointer; undefined when there is none. `JSON.parse`
 * drops all but the last of them without a word.
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

/** Index behind the closing quote of the text literal that begins there. */
export function endOfText(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === "\\" ? 2 : 1;
  return at + 1;
}

/** The same name may be written in several ways. */
function nameOf(literal: string): string {
  return literal.includes("\\") ? (JSON.parse(literal) as string) : literal.slice(1, -1);
}

function escaped(step: string): string {
  return step.slice(0, 50).replaceAll("~", "~0").replaceAll("/", "~1");
}
