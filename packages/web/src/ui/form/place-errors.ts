import { ApiError, messageOf } from "../../api/api-error.ts";

/** Where the places that a refusal names are in a form: JSON pointers, or beginnings of them, and the names of its fields. */
export type FieldPlaces = Readonly<Record<string, string>>;

interface PlacedErrors {
  /** By the name of the field. */
  fields: Readonly<Record<string, string>>;
  /** What no field can show. */
  rest: string | undefined;
}

/**
 * What the service refused, at the fields that it names. A place is found by `places`, else by its first members: `/quotas/runs` is the
 * field `quotas.runs`, or `quotas` where there is no such field.
 * @param names of the fields that can show an error
 */
export function placeErrors(error: unknown, names: readonly string[], places: FieldPlaces = {}): PlacedErrors {
  if (error === null || error === undefined) return { fields: {}, rest: undefined };
  const faults = error instanceof ApiError ? error.errors : [];
  const placed = faults.map(({ path, message }) => ({ path, message, field: fieldOf(path, names, places) }));
  const unplaced = placed.filter(({ field }) => field === undefined);
  const fields: Record<string, string> = {};
  for (const { field, message } of placed)
    if (field !== undefined) fields[field] = fields[field] === undefined ? message : `${fields[field]} ${message}`;
  if (unplaced.length === placed.length) return { fields, rest: messageOf(error) };
  return { fields, rest: unplaced.length === 0 ? undefined : unplaced.map(({ path, message }) => `${path}: ${message}`).join(" ") };
}

function fieldOf(path: string, names: readonly string[], places: FieldPlaces): string | undefined {
  const members = path.split("/").filter((member) => member !== "");
  for (let length = members.length; length > 0; length--) {
    const first = members.slice(0, length);
    const field = places[`/${first.join("/")}`] ?? first.join(".");
    if (names.includes(field)) return field;
  }
  return undefined;
}
