import { Button, Checkbox, Select, SimpleGrid, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { fieldKinds, kindsWith } from "../parameter-kinds.ts";
import { DraftText } from "./draft-text.tsx";
import { type ParamFieldsProps } from "./param-fields-props.ts";
import { ParamPreset } from "./param-preset.tsx";
import { optionsOf, textOfOptions } from "./option-lines.ts";

/** One parameter: what everybody needs, and the rest behind a button. */
export function ParamFields({ param, error, isReadOnly, onChange }: ParamFieldsProps) {
  const [isOpen, setOpen] = useState(false);
  const type = param.type ?? "text";
  const hasOptions = type === "select" || type === "multiselect";
  const parts = { param, isReadOnly, onChange };
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
          data={kindsWith(fieldKinds, type)}
          value={type}
          allowDeselect={false}
          readOnly={isReadOnly}
          onChange={(value) => value !== null && onChange("type", value)}
        />
      </SimpleGrid>
      {hasOptions && <ParamOptions {...parts} />}
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <ParamPreset {...parts} />
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
        <ParamDetails {...parts} />
      ) : (
        <Button variant="subtle" size="compact-sm" style={{ alignSelf: "flex-start" }} onClick={() => setOpen(true)}>
          Help, placeholder, lengths…
        </Button>
      )}
    </Stack>
  );
}

/** What few parameters need. */
function ParamDetails({ param, isReadOnly, onChange }: Omit<ParamFieldsProps, "error">) {
  const set = (member: string) => (value: string) => onChange(member, value || undefined);
  const setNumber = (member: string) => (value: string) => onChange(member, /^\d+$/.test(value) ? Number(value) : undefined);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <DraftText label="Description" value={param.description ?? ""} isReadOnly={isReadOnly} onChange={set("description")} />
      <DraftText label="Help text below the field" value={param.helpertext ?? ""} isReadOnly={isReadOnly} onChange={set("helpertext")} />
      <DraftText label="Placeholder" value={param.placeholder ?? ""} isReadOnly={isReadOnly} onChange={set("placeholder")} />
      <Checkbox
        label="Read-only"
        size="sm"
        mt={{ base: 0, xs: 28 }}
        checked={param.readOnly === true}
        disabled={isReadOnly}
        onChange={(event) => onChange("readOnly", event.currentTarget.checked ? true : undefined)}
      />
      <DraftText
        label="Min length"
        value={String(param.minValueLength ?? "")}
        isReadOnly={isReadOnly}
        onChange={setNumber("minValueLength")}
      />
      <DraftText
        label="Max length"
        value={String(param.maxValueLength ?? "")}
        isReadOnly={isReadOnly}
        onChange={setNumber("maxValueLength")}
      />
      {param.type === "password" && <Text className="quiet">A default is encrypted and can't be viewed again.</Text>}
    </SimpleGrid>
  );
}

/** The choices of a parameter as lines of text. */
function ParamOptions({ param, isReadOnly, onChange }: Omit<ParamFieldsProps, "error">) {
  const [typed, setTyped] = useState(() => textOfOptions(param.options ?? []));
  const change = (text: string) => {
    setTyped(text);
    const options = optionsOf(text);
    onChange("options", options.length > 0 ? options : undefined);
  };
  return (
    <Textarea
      label="Choices (one per line)"
      description="VALUE, or VALUE: label"
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
