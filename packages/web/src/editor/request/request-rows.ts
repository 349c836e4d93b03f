import { actionFieldNames } from "@millrace/contract/action/action-fields.ts";
import { optionsOf } from "../../forms/list-edits.ts";
import type { Param } from "../../forms/parameter-values.ts";

/** The lists of an approval or a manual task (fields, links, attachments) as rows of a form. */

/** An element as written; members that the form doesn't show are kept. */
export type Row = Readonly<Record<string, unknown>>;

export const requestLists = ["fields", "links", "attachments"] as const;
export type RequestList = (typeof requestLists)[number];

/** Undefined if it can't be shown as rows, e.g. a reference that a run replaces with a list, or a text that isn't JSON. */
export function rowsOf(value: unknown): Row[] | undefined {
  const list = typeof value === "string" ? listOf(value) : (value ?? []);
  return Array.isArray(list) && list.every(isRow) ? list : undefined;
}

function listOf(text: string): unknown {
  if (text.trim() === "") return [];
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isRow = (element: unknown): element is Row => typeof element === "object" && element !== null && !Array.isArray(element);

/** Empty members are left out. An empty list removes the parameter. */
export function withMember(row: Row, member: string, value: unknown): Row {
  const { [member]: _, ...rest } = row;
  const isEmpty = value === undefined || value === null || value === "" || value === false || (Array.isArray(value) && value.length === 0);
  return isEmpty ? rest : { ...row, [member]: value };
}

/** `field`, `field-2` and so on: the first name that is not in use. */
export function freshFieldName(rows: readonly Row[]): string {
  const names = new Set(rows.map(({ name }) => name));
  for (let count = 1; ; count++) {
    const name = count === 1 ? "field" : `field-${count}`;
    if (!names.has(name)) return name;
  }
}

/** Also accepts plain texts as options. */
export function optionsOfRow({ options }: Row): NonNullable<Param["options"]> {
  if (!Array.isArray(options)) return [];
  return options.flatMap((option: unknown) => {
    if (typeof option === "string") return optionsOf(option);
    return isRow(option) && typeof option["key"] === "string" ? [option as { key: string; value?: string }] : [];
  });
}

/** The fields for rendering in a form, without those that can't be rendered. */
export function paramsOf(rows: readonly Row[]): Param[] {
  const names = new Set(actionFieldNames([{ name: "fields", value: rows }]));
  return rows.flatMap((row) => {
    const { name, type = "text" } = row;
    if (typeof name !== "string" || typeof type !== "string" || !names.delete(name)) return [];
    return [{ ...row, name, type, options: optionsOfRow(row) } as Param];
  });
}
