/**
 * The style of the next character in a terminal: the codes of colours and attributes that were set and not reset, e.g. `1;31`; empty means
 * plain. A colour that a line leaves set applies to the following lines, up to a reset.
 */
export type AnsiStyle = string;

/** The attributes that each reset code clears. */
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

// biome-ignore lint/suspicious/noControlCharactersInRegex: these sequences are what it searches for
const changes = /\u001b\[([\d;]*)m/g;

/** The style at the end of the line. */
export function styleAfter(pen: AnsiStyle, line: string): AnsiStyle {
  if (!line.includes("\u001b[")) return pen;
  let slots: ReadonlyMap<string, string> | undefined;
  for (const [, codes = ""] of line.matchAll(changes)) slots = changed(slots ?? changed(new Map(), pen), codes);
  return slots === undefined ? pen : [...slots.values()].join(";");
}

/** Keeps one foreground colour, one background colour, and each attribute: a later code of the same kind replaces the earlier one. */
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

/** The number of codes in a palette or RGB colour. */
function extendedLength(mode: number | undefined): number {
  return mode === 2 ? 5 : 3;
}

function isFront(code: number): boolean {
  return (code >= 30 && code <= 38) || (code >= 90 && code <= 97);
}

function isBack(code: number): boolean {
  return (code >= 40 && code <= 48) || (code >= 100 && code <= 107);
}
