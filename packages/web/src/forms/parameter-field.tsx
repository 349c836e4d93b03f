import { Input, MultiSelect, NumberInput, Select, Switch, TagsInput, Textarea, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../texts/forms.ts";
import { CodeEditor } from "../ui/code/code-editor.tsx";
import type { CodeLanguage } from "../ui/code/code-look.ts";
import { SecretField } from "../ui/form/text-fields.tsx";
import { choicesOf, type FieldKind, kindOf, type Param, textOf } from "./parameter-values.ts";

interface ParameterFieldProps {
  param: Param;
  /** The value as JSON; text while it is being typed. */
  value: unknown;
  error: string | undefined;
  onChange: (value: unknown) => void;
}

interface Shared {
  label: string;
  description: ReactNode;
  placeholder: string;
  required: boolean;
  disabled: boolean;
  readOnly: boolean;
  /** Grey when the field is read-only. */
  variant: "default" | "filled";
  error: string | undefined;
}
type Draw = (shared: Shared, props: ParameterFieldProps) => ReactNode;

/** One field of the declared type. */
export function ParameterField(props: ParameterFieldProps) {
  const { param, error } = props;
  const shared: Shared = {
    label: param.label || param.name,
    description: param.helpertext || param.description,
    placeholder: param.placeholder ?? "",
    required: param.required === true,
    disabled: param.disabled === true,
    readOnly: param.readOnly === true,
    variant: param.readOnly === true ? "filled" : "default",
    error,
  };
  const kind = kindOf(param);
  // A reference such as $(params.count) fits neither into a number field nor a switch.
  const isReference = typeof props.value === "string" && props.value.includes("$(");
  return fields[isReference && (kind === "number" || kind === "boolean") ? "text" : kind](shared, props);
}

const textField =
  (type: "text" | "email" | "url"): Draw =>
  (shared, { param, value, onChange }) => (
    <TextInput
      {...shared}
      type={type}
      {...(type !== "text" && { inputMode: type })}
      {...(param.maxValueLength ? { maxLength: param.maxValueLength } : {})}
      autoComplete="off"
      value={textOf(value)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );

const codeField =
  (languageFor: (param: Param) => CodeLanguage): Draw =>
  (shared, { param, value, onChange }) => (
    <Input.Wrapper label={shared.label} description={shared.description} error={shared.error} required={shared.required} labelElement="div">
      <CodeEditor
        label={shared.label}
        value={textOf(value)}
        onChange={onChange}
        language={languageFor(param)}
        isReadOnly={shared.readOnly || shared.disabled}
        placeholder={shared.placeholder}
        minHeight="80px"
        maxHeight="320px"
      />
    </Input.Wrapper>
  );

const fields: Readonly<Record<FieldKind, Draw>> = {
  text: textField("text"),
  email: textField("email"),
  url: textField("url"),
  textarea: (shared, { value, onChange }) => (
    <Textarea
      {...shared}
      autosize
      minRows={3}
      maxRows={12}
      value={textOf(value)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  ),
  number: (shared, { value, onChange }) => (
    <NumberInput {...shared} value={textOf(value)} onChange={onChange} hideControls={shared.readOnly} />
  ),
  boolean: ({ readOnly, placeholder: _, required: __, variant: ___, ...shared }, { value, onChange }) => (
    <Switch
      {...shared}
      disabled={shared.disabled || readOnly}
      checked={value === true || value === "true"}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  ),
  password: (shared, { param, value, onChange }) => (
    <SecretField
      {...shared}
      required={shared.required && param.hiddenValue !== true}
      placeholder={param.hiddenValue ? t("parameterField.secretStoredLeaveEmptyPlaceholder") : shared.placeholder}
      autoComplete="new-password"
      visibilityToggleButtonProps={{ "aria-label": t("parameterField.show", { label: shared.label }) }}
      value={textOf(value)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  ),
  select: (shared, { param, value, onChange }) => (
    <Select
      {...shared}
      data={choicesOf(param)}
      value={textOf(value) || null}
      onChange={(chosen) => onChange(chosen ?? "")}
      clearable={!shared.required && !shared.readOnly}
      clearButtonProps={{ "aria-label": t("parameterField.clear", { label: shared.label }) }}
      searchable={choicesOf(param).length > 8}
    />
  ),
  multiselect: (shared, { param, value, onChange }) => (
    <MultiSelect
      {...shared}
      data={choicesOf(param)}
      value={listOf(value)}
      onChange={onChange}
      clearable={!shared.readOnly}
      clearButtonProps={{ "aria-label": t("parameterField.clear", { label: shared.label }) }}
    />
  ),
  list: (shared, { value, onChange }) => (
    <TagsInput
      openOnFocus={false}
      {...shared}
      placeholder={shared.placeholder || t("parameterField.typeValuePressEnterPlaceholder")}
      value={listOf(value)}
      onChange={onChange}
      allowDuplicates
    />
  ),
  json: codeField(() => "json"),
  code: codeField(languageOfParam),
};

/** The selected values; a list may also come as JSON text. */
function listOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(textOf);
  if (typeof value !== "string" || value === "") return [];
  try {
    const list: unknown = JSON.parse(value);
    return Array.isArray(list) ? list.map(textOf) : [value];
  } catch {
    return [value];
  }
}

const languages: readonly CodeLanguage[] = ["yaml", "json", "shell", "javascript", "python", "markdown"];

/** From `texteditor::yaml` or the member `language`; plain text without either. */
function languageOfParam(param: Param): CodeLanguage {
  const named = param.type?.split("::")[1] || param.language || "text";
  return languages.find((language) => language === named) ?? "text";
}
