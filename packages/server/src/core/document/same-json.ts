/**
 * Whether two values are the same JSON. The order of members is ignored, since the database does not keep it, and so are undefined members.
 */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((element, index) => isSameJson(element ?? null, other[index] ?? null));
  if (isMap(one) && isMap(other)) {
    const members = Object.entries(one).filter(([, member]) => member !== undefined);
    const isInOther = ([name, member]: [string, unknown]) => Object.hasOwn(other, name) && isSameJson(member, other[name]);
    return members.length === Object.values(other).filter((member) => member !== undefined).length && members.every(isInOther);
  }
  // A date is its text.
  return sortedJson(one) === sortedJson(other);
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** Equal JSON gives equal text. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(sorted(value));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, member]) => [name, sorted(member)]));
}
