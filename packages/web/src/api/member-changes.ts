/**
 * What to send of labels or annotations so that afterwards they are as somebody wrote them: a write is laid over what is there, so
 * those that are gone are set to null, which removes them. What somebody else has added meanwhile stays.
 * @param before as they were when writing began
 */
export function memberChanges(
  before: Readonly<Record<string, unknown>> | null | undefined,
  after: Readonly<Record<string, unknown>> | null | undefined,
): Record<string, unknown> {
  const gone = Object.keys(before ?? {}).filter((key) => !Object.hasOwn(after ?? {}, key));
  return { ...after, ...Object.fromEntries(gone.map((key) => [key, null])) };
}
