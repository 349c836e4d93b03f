interface Kind {
  value: string;
  label: string;
}

/** What a parameter of the team or the instance may hold. */
export const valueKinds: readonly Kind[] = [
  { value: "text", label: "Text" },
  { value: "textarea", label: "Multiline text" },
  { value: "number", label: "Number" },
  { value: "boolean", label: "Boolean" },
  { value: "url", label: "URL" },
  { value: "email", label: "Email address" },
  { value: "json", label: "JSON" },
  { value: "password", label: "Secret" },
];

/** What a parameter of a task or a workflow may be asked for as. */
export const fieldKinds: readonly Kind[] = [
  ...valueKinds,
  { value: "select", label: "Single choice" },
  { value: "multiselect", label: "Multiple choice" },
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
