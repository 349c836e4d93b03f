/** Whether two values are the same JSON: whatever the order of members, which the database does not keep, and without those that are undefined. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return sortedJson(one) === sortedJson(other);
}

/** The same text for the same JSON. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(sorted(value));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, member]) => [name, sorted(member)]));
}
