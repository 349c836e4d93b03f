/**
 * What a terminal would write the next letter with: the codes of colours and looks that lines have set and not taken back, such as
 * `1;31`; empty is plain. A line that leaves a colour on colours those below it, up to a reset.
 */
export type AnsiStyle = string;

/** What each code that takes looks back takes back. */
const takenBack: Readonly<Record<number, readonly number[]>> = {
  21: [1],
  22: [1, 2],
  23: [3],
  24: [4],
  25: [5],
  27: [7],
  28: [8],
  29: [9],
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: this is what is looked for
const changes = /\u001b\[([\d;]*)m/g;

/** The pen behind the line. */
export function styleAfter(pen: AnsiStyle, line: string): AnsiStyle {
  if (!line.includes("\u001b[")) return pen;
  let slots: ReadonlyMap<string, string> | undefined;
  for (const [, codes = ""] of line.matchAll(changes)) slots = changed(slots ?? changed(new Map(), pen), codes);
  return slots === undefined ? pen : [...slots.values()].join(";");
}

/** One colour for letters, one behind them, and each look: the later code of one kind takes the place of the earlier. */
function changed(before: ReadonlyMap<string, string>, codes: string): Map<string, string> {
  const slots = new Map(before);
  const numbers = codes === "" ? [0] : codes.split(";").map(Number);
  for (let at = 0; at < numbers.length; at++) {
    const code = numbers[at] ?? 0;
    const length = code === 38 || code === 48 ? extendedLength(numbers[at + 1]) : 1;
    const text = numbers.slice(at, at + length).join(";");
    at += length - 1;
    if (code === 0) slots.clear();
    else if (code < 10) slots.set(`look ${code}`, text);
    else if (code === 39) slots.delete("front");
    else if (code === 49) slots.delete("back");
    else if (isFront(code)) slots.set("front", text);
    else if (isBack(code)) slots.set("back", text);
    else for (const look of takenBack[code] ?? []) slots.delete(`look ${look}`);
  }
  return slots;
}

/** Of a colour of the palette, or of one by its red, green and blue. */
function extendedLength(mode: number | undefined): number {
  return mode === 2 ? 5 : 3;
}

function isFront(code: number): boolean {
  return (code >= 30 && code <= 38) || (code >= 90 && code <= 97);
}

function isBack(code: number): boolean {
  return (code >= 40 && code <= 48) || (code >= 100 && code <= 107);
}
