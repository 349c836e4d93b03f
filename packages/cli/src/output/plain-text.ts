/**
 * Text that came from elsewhere, for a terminal: names, messages and logs can hold characters that a terminal obeys or that reorder what
 * people read. They are shown as `<U+001B>`. Line ends and tabs stay.
 */
export function plainText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (found) => (found === "\n" || found === "\t" ? found : codeOf(found)));
}

/** As `plainText`, in one line. */
export function plainLine(text: string): string {
  return plainText(text.replace(/\r?\n|\t/g, " "));
}

const colorSequence = new RegExp(`(${"\u001b"}\\[[\\d;:]*m)`);

/** A line of a log: colors stay if the terminal has them, which is all that a sequence for colors can do. */
export function plainLogLine(line: string, hasColors: boolean): string {
  const parts = line.replace(/\r+$/, "").split(colorSequence);
  const shown = parts.map((part, index) => (index % 2 === 0 ? plainText(part) : hasColors ? part : "")).join("");
  return hasColors && parts.length > 1 ? `${shown}\u001b[0m` : shown;
}

function codeOf(character: string): string {
  return `<U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}>`;
}
