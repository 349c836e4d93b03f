import { Button, Checkbox, Select, SimpleGrid, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import type { Param } from "../parameter-form.tsx";
import { DraftText } from "./draft-text.tsx";
import { kindOf } from "./task-params.ts";

const types = [
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

interface ParamFieldsProps {
  param: Param;
  error: string | undefined;
  isReadOnly: boolean;
  onChange: (member: string, value: unknown) => void;
}

/** One parameter: what everybody needs, and the rest behind a button. */
export function ParamFields(props: ParamFieldsProps) {
  const { param, error, isReadOnly, onChange } = props;
  const [isOpen, setOpen] = useState(false);
  const type = param.type ?? "text";
  const hasOptions = type === "select" || type === "multiselect";
  return (
    <Stack gap="xs">
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
        <DraftText
          label="Name"
          value={param.name}
          isRequired
          isReadOnly={isReadOnly}
          error={error}
          onChange={(value) => onChange("name", value)}
        />
        <DraftText
          label="Label"
          value={param.label === param.name ? "" : (param.label ?? "")}
          placeholder={param.name}
          isReadOnly={isReadOnly}
          onChange={(value) => onChange("label", value)}
        />
        <Select
          label="Type"
          size="sm"
          data={types.some(({ value }) => value === type) ? types : [...types, { value: type, label: type }]}
          value={type}
          allowDeselect={false}
          readOnly={isReadOnly}
          onChange={(value) => value !== null && onChange("type", value)}
        />
      </SimpleGrid>
      {hasOptions && <Options param={param} isReadOnly={isReadOnly} onChange={onChange} />}
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <Preset {...props} />
        <Checkbox
          label="Required"
          size="sm"
          mt={{ base: 0, xs: 28 }}
          checked={param.required === true}
          disabled={isReadOnly}
          onChange={(event) => onChange("required", event.currentTarget.checked ? true : undefined)}
        />
      </SimpleGrid>
      {isOpen ? (
        <Details {...props} />
      ) : (
        <Button variant="subtle" size="compact-sm" style={{ alignSelf: "flex-start" }} onClick={() => setOpen(true)}>
          Help, placeholder, lengths…
        </Button>
      )}
    </Stack>
  );
}

/** What counts when nobody says anything. A list is written one a line, JSON as it is. */
function Preset({ param, isReadOnly, onChange }: ParamFieldsProps) {
  const kind = kindOf(param.type ?? "text");
  if (kind === "string")
    return (
      <DraftText
        label="Default"
        value={textOf(param.default)}
        isReadOnly={isReadOnly}
        onChange={(value) => onChange("default", value || undefined)}
      />
    );
  return (
    <StructuredPreset
      isList={kind === "array"}
      value={param.default}
      isReadOnly={isReadOnly}
      onChange={(value) => onChange("default", value)}
    />
  );
}

interface StructuredPresetProps {
  isList: boolean;
  value: unknown;
  isReadOnly: boolean;
  onChange: (value: unknown) => void;
}

function StructuredPreset({ isList, value, isReadOnly, onChange }: StructuredPresetProps) {
  const [typed, setTyped] = useState(() => (isList && Array.isArray(value) ? value.join("\n") : textOf(value)));
  const [error, setError] = useState<string>();
  const change = (text: string) => {
    setTyped(text);
    setError(undefined);
    if (text.trim() === "") return onChange(undefined);
    if (isList) return onChange(text.split("\n").filter((line) => line !== ""));
    try {
      onChange(JSON.parse(text));
    } catch {
      setError("This is not JSON yet");
    }
  };
  return (
    <Textarea
      label={isList ? "Default (one a line)" : "Default (JSON)"}
      size="sm"
      autosize
      minRows={1}
      maxRows={6}
      value={typed}
      error={error}
      readOnly={isReadOnly}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** One a line: `key` or `key: what people see`. */
function Options({ param, isReadOnly, onChange }: Omit<ParamFieldsProps, "error">) {
  const [typed, setTyped] = useState(() =>
    (param.options ?? []).map(({ key, value }) => (value && value !== key ? `${key}: ${value}` : key)).join("\n"),
  );
  const change = (text: string) => {
    setTyped(text);
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    const options = lines.map((line) => {
      const [key = "", ...label] = line.split(": ");
      return { key: key.trim(), value: label.join(": ").trim() || key.trim() };
    });
    onChange("options", options.length > 0 ? options : undefined);
  };
  return (
    <Textarea
      label="Choices (one a line)"
      description="The value, or value: what people see"
      size="sm"
      autosize
      minRows={2}
      maxRows={8}
      value={typed}
      readOnly={isReadOnly}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}

function Details({ param, isReadOnly, onChange }: ParamFieldsProps) {
  const set = (member: string) => (value: string) => onChange(member, value || undefined);
  const setNumber = (member: string) => (value: string) => onChange(member, /^\d+$/.test(value) ? Number(value) : undefined);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <DraftText label="Description" value={param.description ?? ""} isReadOnly={isReadOnly} onChange={set("description")} />
      <DraftText label="Help below the field" value={param.helpertext ?? ""} isReadOnly={isReadOnly} onChange={set("helpertext")} />
      <DraftText label="Placeholder" value={param.placeholder ?? ""} isReadOnly={isReadOnly} onChange={set("placeholder")} />
      <Checkbox
        label="Cannot be changed"
        size="sm"
        mt={{ base: 0, xs: 28 }}
        checked={param.readOnly === true}
        disabled={isReadOnly}
        onChange={(event) => onChange("readOnly", event.currentTarget.checked ? true : undefined)}
      />
      <DraftText
        label="Shortest length"
        value={String(param.minValueLength ?? "")}
        isReadOnly={isReadOnly}
        onChange={setNumber("minValueLength")}
      />
      <DraftText
        label="Longest length"
        value={String(param.maxValueLength ?? "")}
        isReadOnly={isReadOnly}
        onChange={setNumber("maxValueLength")}
      />
      {param.type === "password" && <Text className="quiet">A default is kept sealed and never shown again.</Text>}
    </SimpleGrid>
  );
}
