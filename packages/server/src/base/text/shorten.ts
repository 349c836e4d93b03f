/** Shortens a text for a message: at most so many characters, with an ellipsis for the rest. Never splits a character. */
export function shorten(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, "")}…` : text;
}

/** The same for texts whose end is as important as their beginning, such as a chain of causes. */
export function shortenMiddle(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const half = Math.floor(maxLength / 2);
  return `${shorten(text, half)}${text.slice(-half).replace(/^[\udc00-\udfff]/, "")}`;
}
