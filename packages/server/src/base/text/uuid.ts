const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True for text that the database accepts as a uuid. */
export function isId(text: string): boolean {
  return uuidForm.test(text);
}

/** The time in a UUID of version 7, in epoch milliseconds: when the row was created, by the clock of the database. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
