import type { Parameter } from "../../api/queries/parameters.ts";

/** The kinds of values that a parameter of a team or the instance holds, as the form offers them. Others that were written by the API stay as they are. */
export const parameterTypes = [
  { value: "text", label: "Text" },
  { value: "textarea", label: "Long text" },
  { value: "number", label: "Number" },
  { value: "boolean", label: "Yes or no" },
  { value: "url", label: "Address" },
  { value: "email", label: "E-mail address" },
  { value: "json", label: "JSON" },
  { value: "password", label: "Secret" },
] as const;

export function typeWord(type: string | undefined): string {
  return parameterTypes.find(({ value }) => value === (type ?? "text"))?.label ?? (type as string);
}

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
