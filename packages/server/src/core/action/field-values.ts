import type { AbstractParam } from "@millrace/contract/common.ts";
import { checkParamValue } from "../parameter/parameters-check.ts";

/** The values that people enter into the fields of an action. Pure. The values of the deciding vote become results of the task. */

const maxValuesLength = 100_000;

/** What is wrong with the value of a field. */
export interface FieldFault {
  name: string;
  message: string;
}

/**
 * The field values of a vote. As with the parameters of a run, nothing is converted, and an empty value counts as left out: then the
 * default applies. A rejection need not fill in anything, and takes no defaults.
 */
export function readFieldValues(
  fields: readonly AbstractParam[],
  given: Readonly<Record<string, unknown>>,
  isApproved: boolean,
): { values: Record<string, unknown>; faults: FieldFault[] } {
  const entered = new Map(Object.entries(given).filter(([, value]) => value !== undefined && value !== null && value !== ""));
  const faults = fields.flatMap((field): FieldFault[] => {
    const value = entered.get(field.name);
    const isMissing = value === undefined && isApproved && field.required === true && field.default === undefined;
    const fault = isMissing ? "is required" : value === undefined ? undefined : checkParamValue(field, value);
    return fault === undefined ? [] : [{ name: field.name, message: `field "${field.name}" ${fault}` }];
  });
  const known = new Set(fields.map(({ name }) => name));
  for (const name of Object.keys(given)) if (!known.has(name)) faults.push({ name, message: noField(name, fields) });
  const values = Object.fromEntries(
    fields.map(({ name, default: preset }) => [name, entered.get(name) ?? (isApproved ? preset : undefined) ?? ""]),
  );
  const [first] = fields;
  if (faults.length === 0 && first !== undefined && JSON.stringify(values).length > maxValuesLength) {
    faults.push({ name: first.name, message: `the values have more than ${maxValuesLength} characters in total` });
  }
  return { values, faults };
}

function noField(name: string, fields: readonly AbstractParam[]): string {
  const known = fields.length === 0 ? "this action has no fields" : `the fields are ${fields.map((field) => field.name).join(", ")}`;
  return `there is no field "${name.slice(0, 100)}"; ${known}`;
}
