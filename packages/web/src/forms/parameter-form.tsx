import { MultiSelect, NumberInput, PasswordInput, Select, Stack, Switch, Textarea, TextInput } from "@mantine/core";
import type { components } from "../api/schema.generated.ts";
import { CodeEditor } from "../ui/code-editor.tsx";

export type Param = components["schemas"]["AbstractParam"];
export type ParamValues = Readonly<Record<string, unknown>>;

interface ParameterFormProps {
  params: readonly Param[];
  values: ParamValues;
  onChange: (values: ParamValues) => void;
  /** By the name of the parameter, in the words of the service. */
  errors?: Readonly<Record<string, string>>;
}

/** A form from declared parameters: one field each, of the kind that the declaration names. Used where a run is started, a node is set up, an action decided. */
export function ParameterForm({ params, values, onChange, errors = {} }: ParameterFormProps) {
  return (
    <Stack gap="sm">
      {params.map((param) => (
        <ParameterField
          key={param.name}
          param={param}
          value={values[param.name] ?? param.default}
          error={errors[param.name]}
          onChange={(value) => onChange({ ...values, [param.name]: value })}
        />
      ))}
    </Stack>
  );
}

interface FieldProps {
  param: Param;
  value: unknown;
  error: string | undefined;
  onChange: (value: unknown) => void;
}

function ParameterField({ param, value, error, onChange }: FieldProps) {
  const shared = {
    label: param.label || param.name,
    description: param.helpertext || param.description,
    placeholder: param.placeholder ?? "",
    required: param.required === true,
    disabled: param.disabled === true,
    error,
  };
  const options = (param.options ?? []).map(({ key, value: label }) => ({ value: key ?? "", label: label ?? key ?? "" }));
  const text = typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);
  switch (param.type) {
    case "boolean":
      return (
        <Switch {...shared} checked={value === true || value === "true"} onChange={(event) => onChange(event.currentTarget.checked)} />
      );
    case "number":
      return <NumberInput {...shared} value={text} onChange={onChange} />;
    case "password":
      return <PasswordInput {...shared} autoComplete="off" value={text} onChange={(event) => onChange(event.currentTarget.value)} />;
    case "select":
      return <Select {...shared} data={options} value={text || null} onChange={onChange} clearable />;
    case "multiselect":
      return <MultiSelect {...shared} data={options} value={Array.isArray(value) ? value.map(String) : []} onChange={onChange} />;
    case "textarea":
      return <Textarea {...shared} autosize minRows={3} value={text} onChange={(event) => onChange(event.currentTarget.value)} />;
    case "json":
    case "texteditor":
      return <CodeEditor label={shared.label} value={text} onChange={onChange} language={param.type === "json" ? "json" : "text"} />;
    default:
      return <TextInput {...shared} value={text} onChange={(event) => onChange(event.currentTarget.value)} />;
  }
}
