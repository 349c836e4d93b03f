interface Kind {
  value: string;
  label: string;
}

/** What a parameter of the team or the instance may hold. */
export const valueKinds: readonly Kind[] = [
  { value: "text", label: "Text" },
  { value: "textarea", label: "Long text" },
  { value: "number", label: "Number" },
  { value: "boolean", label: "Yes or no" },
  { value: "url", label: "Address (URL)" },
  { value: "email", label: "E-mail address" },
  { value: "json", label: "JSON" },
  { value: "password", label: "Secret" },
];

/** What a parameter of a task or a workflow may be asked for as. */
export const fieldKinds: readonly Kind[] = [
  ...valueKinds,
  { value: "select", label: "One of several" },
  { value: "multiselect", label: "Some of several" },
  { value: "texteditor", label: "Code" },
  { value: "texteditor::text", label: "Code: plain text" },
  { value: "texteditor::shell", label: "Code: shell" },
  { value: "texteditor::javascript", label: "Code: JavaScript" },
  { value: "texteditor::yaml", label: "Code: YAML" },
];

/** The kind in a word; one that is not known here as it stands. @param type text, where there is none */
export function kindWord(type = "text"): string {
  return fieldKinds.find(({ value }) => value === type)?.label ?? type;
}

/** These, and the one that is chosen, even if it is not known here: it is kept as it stands. */
export function kindsWith(kinds: readonly Kind[], type = "text"): Kind[] {
  return kinds.some(({ value }) => value === type) ? [...kinds] : [...kinds, { value: type, label: kindWord(type) }];
}
