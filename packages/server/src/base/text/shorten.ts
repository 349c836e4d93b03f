/** A text as a message shows it: at most so many characters of it, with an ellipsis where the rest was. No character is cut in half. */
export function shorten(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, "")}…` : text;
}
