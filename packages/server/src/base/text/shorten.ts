/** A text as a message shows it: at most so many characters of it, with an ellipsis where the rest was. No character is cut in half. */
export function shorten(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, "")}…` : text;
}

/** The same for words whose end says as much as their beginning, as a chain of causes does. */
export function shortenMiddle(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const half = Math.floor(maxLength / 2);
  return `${shorten(text, half)}${text.slice(-half).replace(/^[\udc00-\udfff]/, "")}`;
}
