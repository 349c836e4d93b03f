/**
 * Makes foreign text safe for a terminal: names, messages and logs can contain characters that control the terminal or reorder the
 * displayed text. They are shown as `<U+001B>`. Line ends and tabs are kept.
 */
export function plainText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (found) => (found === "\n" || found === "\t" ? found : codeOf(found)));
}

/** Like `plainText`, on a single line. */
export function plainLine(text: string): string {
  return plainText(text.replace(/\r?\n|\t/g, " "));
}

const colorSequence = new RegExp(`(${"\u001b"}\\[[\\d;:]*m)`);

/** A line of a log. Color sequences, which can do no harm, are kept if the terminal has colors. */
export function plainLogLine(line: string, hasColors: boolean): string {
  const parts = line.replace(/\r+$/, "").split(colorSequence);
  const shown = parts.map((part, index) => (index % 2 === 0 ? plainText(part) : hasColors ? part : "")).join("");
  return hasColors && parts.length > 1 ? `${shown}\u001b[0m` : shown;
}

function codeOf(character: string): string {
  return `<U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}>`;
}
