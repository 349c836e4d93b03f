/** A label of a worker: a word that can stand in a list with commas or blanks between its members. 1 to 100 characters. */
export function isLabel(text: string): boolean {
  return /^[A-Za-z0-9][\w.:/=+@-]{0,99}$/.test(text);
}
