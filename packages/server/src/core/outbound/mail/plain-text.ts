/**
 * Text of others as it may stand in an email: without control characters, and without those that are not seen and change what is (the order
 * of writing, zero width). So a name can neither begin a new header nor look like something else.
 */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\ufffd]+/gu;

/** On one line, cut to so many characters. */
export function oneLine(text: string, maxLength = 200): string {
  return cut(text.replace(unseen, " ").replace(/\s+/g, " ").trim(), maxLength);
}

/** Lines stay lines. */
export function manyLines(text: string, maxLength = 4000): string {
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/).map((line) => line.replaceAll("\t", "  ").replace(unseen, "").trimEnd());
  return cut(lines.join("\n").trim(), maxLength);
}

/** Not in the middle of a character. */
function cut(text: string, maxLength: number): string {
  const letters = [...text];
  return letters.length <= maxLength ? text : `${letters.slice(0, maxLength - 1).join("")}…`;
}
