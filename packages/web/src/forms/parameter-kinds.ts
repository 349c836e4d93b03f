import type { Parameter } from "../api/queries/identity/session.ts";
import { t } from "../texts/forms.ts";

interface Kind {
  value: string;
  label: string;
}

/** The kinds of values a parameter can have. */
export const valueKinds: readonly Kind[] = [
  { value: "text", label: t("parameterKinds.text") },
  { value: "textarea", label: t("parameterKinds.multilineText") },
  { value: "number", label: t("parameterKinds.number") },
  { value: "boolean", label: t("parameterKinds.boolean") },
  { value: "url", label: "URL" },
  { value: "email", label: t("parameterKinds.emailAddress") },
  { value: "json", label: "JSON" },
  { value: "password", label: t("parameterKinds.secret") },
];

/** The kinds for parameters of a team or the instance. They include secrets with keys, for which no form asks. */
export const sharedKinds: readonly Kind[] = [...valueKinds, { value: "secret", label: t("parameterKinds.secretWithKeys") }];

/** The kinds of form fields for parameters of a task or a workflow. */
export const fieldKinds: readonly Kind[] = [
  ...valueKinds,
  { value: "select", label: t("parameterKinds.singleChoice") },
  { value: "multiselect", label: t("parameterKinds.multipleChoice") },
  { value: "texteditor", label: t("parameterKinds.code") },
  { value: "texteditor::text", label: t("parameterKinds.codePlainText") },
  { value: "texteditor::shell", label: t("parameterKinds.codeShell") },
  { value: "texteditor::javascript", label: t("parameterKinds.codeJavascript") },
  { value: "texteditor::yaml", label: t("parameterKinds.codeYaml") },
];

/** The label of a kind; an unknown kind is returned unchanged. @param type left out: text */
export function kindWord(type = "text"): string {
  return [...fieldKinds, ...sharedKinds].find(({ value }) => value === type)?.label ?? type;
}

/** The kinds, plus the selected one even if it is unknown here, so that it is kept. */
export function kindsWith(kinds: readonly Kind[], type = "text"): Kind[] {
  return kinds.some(({ value }) => value === type) ? [...kinds] : [...kinds, { value: type, label: kindWord(type) }];
}

/** The service compares the type without regard to case. */
export function isSecret({ type }: Pick<Parameter, "type">): boolean {
  return ["password", "secret"].includes(String(type ?? "").toLowerCase());
}

/**
 * The value to send for a typed text. Text that doesn't fit the type is sent unchanged, so that the service reports the error.
 * @param text as it was typed
 */
export function typedValue(type: string, text: string): unknown {
  if (type === "boolean") return text === "true";
  if (type === "number" && text.trim() !== "" && Number.isFinite(Number(text))) return Number(text);
  if ((type !== "json" && type !== "secret") || text.trim() === "") return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
