import type { Parameter } from "../../api/queries/parameters.ts";

export function isSecret({ type }: Pick<Parameter, "type">): boolean {
  return type === "password";
}

/** A value as it is typed: texts as they are, everything else as JSON. */
export function valueText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/**
 * What is sent of a typed value. What does not fit stays text: the service says what is wrong with it.
 * @param text as it was typed
 */
export function typedValue(type: string, text: string): unknown {
  if (type === "boolean") return text === "true";
  if (type === "number" && text.trim() !== "" && Number.isFinite(Number(text))) return Number(text);
  if (type !== "json" || text.trim() === "") return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
