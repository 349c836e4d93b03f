import type { components } from "@millrace/client/schema.generated.ts";
import { t } from "../texts/forms.ts";

export type Param = components["schemas"]["AbstractParam"];
export type ParamValues = Readonly<Record<string, unknown>>;

/** The kinds of input fields. */
export type FieldKind =
  | "text"
  | "textarea"
  | "email"
  | "url"
  | "number"
  | "boolean"
  | "password"
  | "select"
  | "multiselect"
  | "list"
  | "json"
  | "code";

const kinds: Readonly<Record<string, FieldKind>> = {
  textarea: "textarea",
  email: "email",
  url: "url",
  number: "number",
  boolean: "boolean",
  password: "password",
  // Declared by workflows from before secrets had keys: a single text.
  secret: "password",
  select: "select",
  multiselect: "multiselect",
  json: "json",
  object: "json",
};

/** The field for a declaration: an unknown type is treated as text, as the service does. */
export function kindOf(param: Param): FieldKind {
  const type = param.type ?? "text";
  if (type.startsWith("texteditor")) return "code";
  if (type === "array") return isListOfTexts(param.default) ? "list" : "json";
  if (kinds[type] === undefined && (param.enum?.length ?? 0) > 0) return "select";
  return kinds[type] ?? "text";
}

function isListOfTexts(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.every((item) => typeof item === "string"));
}

/** A value as it is edited and shown: texts unchanged, everything else as JSON. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/** The choices that a parameter offers. */
export function choicesOf(param: Param): { value: string; label: string }[] {
  const fromOptions = (param.options ?? []).map(({ key, value }) => ({ value: key, label: value || key }));
  const all = fromOptions.length > 0 ? fromOptions : (param.enum ?? []).map((value) => ({ value, label: value }));
  return all.filter(({ value }, index) => all.findIndex((other) => other.value === value) === index);
}

/** The value that applies when nothing is entered. */
export function defaultOf(param: Param): unknown {
  return param.default ?? (param.value === "" ? undefined : param.value);
}

/** Nothing was entered: the service uses the default, or keeps the stored secret. */
function isLeftOut(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === "string" && value.trim() === "");
}

/**
 * Converts input for sending: numbers to numbers, JSON to JSON. Other text and references such as `$(params.city)` stay text; undefined if
 * nothing was entered.
 */
export function jsonOf(param: Param, value: unknown): unknown {
  if (isLeftOut(value)) return undefined;
  if (typeof value !== "string") return value;
  const kind = kindOf(param);
  if (kind === "number") return Number.isFinite(Number(value)) && !isTooLong(value) ? Number(value) : value;
  if (kind === "boolean") return value === "true" ? true : value === "false" ? false : value;
  if (kind === "json") return parsed(value) ?? value;
  return value;
}

/** An integer that a JSON number can't represent exactly. */
function isTooLong(text: string): boolean {
  return Number.isInteger(Number(text)) && !Number.isSafeInteger(Number(text));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The parameters to send with a run: only those that were entered; the others keep their defaults. */
export function toRunParams(params: readonly Param[], values: ParamValues): { name: string; value: unknown }[] {
  return params
    .map((param) => ({ name: param.name, value: param.readOnly ? undefined : jsonOf(param, values[param.name]) }))
    .filter(({ value }) => value !== undefined);
}

/** Problems that can be found before anything is sent, by name of the parameter. The service checks again, and more. */
export function faultsOf(params: readonly Param[], values: ParamValues): Record<string, string> {
  const faults: Record<string, string> = {};
  for (const param of params) {
    const fault = faultOf(param, values[param.name]);
    if (fault !== undefined) faults[param.name] = fault;
  }
  return faults;
}

function faultOf(param: Param, entered: unknown): string | undefined {
  const value = isLeftOut(entered) ? defaultOf(param) : entered;
  if (isLeftOut(value)) return param.required && !param.hiddenValue ? t("parameterValues.enterValue") : undefined;
  if (typeof value === "string" && /\$\([^)]+\)/.test(value)) return undefined;
  const kind = kindOf(param);
  if (kind === "number" && !Number.isFinite(Number(value))) return t("parameterValues.notNumber", { text: textOf(value) });
  if (kind === "json" && typeof value === "string" && parsed(value) === undefined) return t("parameterValues.notJson");
  if (kind === "password" && typeof value === "string" && value.length < 4) return t("parameterValues.secretNeedsLeast4");
  return typeof value === "string" ? lengthFault(param, value) : undefined;
}

function lengthFault({ minValueLength: min, maxValueLength: max }: Param, value: string): string | undefined {
  if (min !== undefined && value.length < min) return t("parameterValues.leastCharactersEntered", { min, count: value.length });
  if (max !== undefined && max > 0 && value.length > max) return t("parameterValues.mostCharactersEntered", { max, count: value.length });
  return undefined;
}

/**
 * Finds the parameter that an error of the service is about; undefined: it is about something else. @param sent in the order of the request
 */
export function paramOfFault(
  { path, message }: { path: string; message: string },
  sent: readonly { name: string }[],
  known: readonly Param[],
): string | undefined {
  const index = /^\/params\/(\d+)/.exec(path)?.[1];
  // A missing parameter has no path in the request, so the message contains its name.
  const name = index === undefined ? /parameter "([^"]+)"/.exec(message)?.[1] : sent[Number(index)]?.name;
  return known.some((param) => param.name === name) ? name : undefined;
}
