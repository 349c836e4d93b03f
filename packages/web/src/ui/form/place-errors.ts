import { ApiError } from "@millrace/client/api-error.ts";
import { messageOf } from "../../api/api-error.ts";

/**
 * Maps the paths in errors to the fields of a form: JSON pointers, or prefixes of them, and the names of fields. Where the path isn't
 * enough, a function: it may return the name of a field; otherwise the path is mapped by the default rule.
 */
export type FieldPlaces = Readonly<Record<string, string>> | ((fault: Fault) => string | undefined);

/** One error; without a path it concerns the whole request. */
export interface Fault {
  path: string;
  message: string;
  reason: string;
}

interface PlacedErrors {
  /** By name of the field. */
  fields: Readonly<Record<string, string>>;
  /** What no field can show. */
  rest: string | undefined;
}

/**
 * Assigns the service's errors to the fields they name. A path is looked up in `places`, otherwise by its first segments: `/quotas/runs` is
 * the field `quotas.runs`, or `quotas` if there is no such field.
 * @param names the fields that can show an error
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
