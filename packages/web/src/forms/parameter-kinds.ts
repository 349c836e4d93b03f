import type { Parameter } from "../api/queries/identity/session.ts";
import { t } from "../texts/forms.ts";

interface Kind {
  value: string;
  label: string;
}

/** What a parameter may hold. */
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

/** What a parameter of the team or the instance may be: also a secret with keys, for which no form asks. */
export const sharedKinds: readonly Kind[] = [...valueKinds, { value: "secret", label: t("parameterKinds.secretWithKeys") }];

/** What a parameter of a task or a workflow may be asked for as. */
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

/** The kind in a word; one that is not known here as it stands. @param type text, where there is none */
export function kindWord(type = "text"): string {
  return [...fieldKinds, ...sharedKinds].find(({ value }) => value === type)?.label ?? type;
}

/** These, and the one that is chosen, even if it is not known here: it is kept as it stands. */
export function kindsWith(kinds: readonly Kind[], type = "text"): Kind[] {
  return kinds.some(({ value }) => value === type) ? [...kinds] : [...kinds, { value: type, label: kindWord(type) }];
}

export function isSecret({ type }: Pick<Parameter, "type">): boolean {
  return type === "password" || type === "secret";
}

/**
 * What is sent of a typed value. What does not fit stays text: the service says what is wrong with it.
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
