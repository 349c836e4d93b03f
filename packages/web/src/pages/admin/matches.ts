/** Whether every word that somebody looks for is in one of the texts, in any case. */
export function matches(find: string, ...texts: readonly (string | undefined)[]): boolean {
  const all = texts.join(" ").toLowerCase();
  return String(find)
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}
