/** A label of a worker: a word that can be part of a list separated by commas or spaces. 1 to 100 characters. */
export function isLabel(text: string): boolean {
  return /^[A-Za-z0-9][\w.:/=+@-]{0,99}$/.test(text);
}
