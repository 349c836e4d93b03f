import type { components } from "../../api/schema.generated.ts";
import type { DraftTask } from "../draft/draft.ts";

export type NodeParam = components["schemas"]["RunParam"];

/**
 * Gives a parameter that value; undefined or empty text takes it away, and the default of the task holds. A stored secret is kept instead.
 */
export function setParam(task: DraftTask, name: string, value: unknown): DraftTask {
  const params = task.params ?? [];
  const present = params.find((param) => param.name === name);
  const isEmpty = value === undefined || value === null || value === "";
  if (isEmpty && !present?.hiddenValue) return { ...task, params: params.filter((param) => param.name !== name) };
  const next = { ...present, name, value: isEmpty ? "" : value };
  return { ...task, params: present ? params.map((param) => (param === present ? next : param)) : [...params, next] };
}

export function hasReference(value: unknown): boolean {
  return typeof value === "string" && value.includes("$(");
}

export function textOfValue(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/** What a JSON editor holds: the value itself where it can be read and has no reference, else the text. */
export function valueOfJson(text: string): unknown {
  if (text.includes("$(")) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
