/** The kinds of fields that a parameter may have, in words. */
const paramKinds = [
  { value: "text", label: "Text" },
  { value: "textarea", label: "Long text" },
  { value: "number", label: "Number" },
  { value: "boolean", label: "Yes or no" },
  { value: "select", label: "One of several" },
  { value: "multiselect", label: "Several of several" },
  { value: "password", label: "Secret" },
  { value: "email", label: "Email" },
  { value: "url", label: "Address (URL)" },
  { value: "json", label: "JSON" },
  { value: "texteditor", label: "Code" },
  { value: "texteditor::shell", label: "Code: shell" },
  { value: "texteditor::javascript", label: "Code: JavaScript" },
  { value: "texteditor::yaml", label: "Code: YAML" },
];

/** These, and one that is not known here: it is kept as it stands. */
export function kindsWith(type: string): { value: string; label: string }[] {
  return paramKinds.some(({ value }) => value === type) ? paramKinds : [...paramKinds, { value: type, label: type }];
}
