import { ApiError } from "@millrace/client/api-error.ts";
import { messageOf } from "../../api/api-error.ts";

/**
 * Where the places that a refusal names are in a form: JSON pointers, or beginnings of them, and the names of its fields. A function where
 * that takes more than the place: it may return the name of a field, and else the place is looked for as without it.
 */
export type FieldPlaces = Readonly<Record<string, string>> | ((fault: Fault) => string | undefined);

/** One thing that was refused; without a place it is the refusal as a whole. */
export interface Fault {
  path: string;
  message: string;
  reason: string;
}

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
  const placed = faultsIn(error).map((fault) => ({ ...fault, field: fieldOf(fault, names, places) }));
  const unplaced = placed.filter(({ field }) => field === undefined);
  const fields: Record<string, string> = {};
  for (const { field, message } of placed)
    if (field !== undefined) fields[field] = fields[field] === undefined ? message : `${fields[field]} ${message}`;
  if (unplaced.length === placed.length) return { fields, rest: messageOf(error) };
  return { fields, rest: unplaced.length === 0 ? undefined : unplaced.map(({ path, message }) => `${path}: ${message}`).join(" ") };
}

function faultsIn(error: unknown): Fault[] {
  if (!(error instanceof ApiError)) return [];
  const { reason, message, errors } = error;
  return errors.length === 0 ? [{ path: "", message, reason }] : errors.map((one) => ({ ...one, reason }));
}

function fieldOf(fault: Fault, names: readonly string[], places: FieldPlaces): string | undefined {
  const own = typeof places === "function" ? places(fault) : undefined;
  if (own !== undefined) return own;
  const members = fault.path.split("/").filter((member) => member !== "");
  for (let length = members.length; length > 0; length--) {
    const first = members.slice(0, length);
    const pointer = `/${first.join("/")}`;
    const field = (typeof places === "function" ? undefined : places[pointer]) ?? first.join(".");
    if (names.includes(field)) return field;
  }
  return undefined;
}
