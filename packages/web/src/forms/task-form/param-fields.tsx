import { Button, Checkbox, Select, SimpleGrid, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { t } from "../../texts/task/task-form.ts";
import type { Param } from "../parameter-form.tsx";
import { fieldKinds, kindsWith } from "../parameter-kinds.ts";
import { DraftText } from "./draft-text.tsx";
import { kindOf, optionsOf, textOfOptions } from "./task-params.ts";

/** One parameter: the members that are always needed, with the others behind a button. */
export function ParamFields({ param, error, isReadOnly, onChange }: ParamFieldsProps) {
  const [isOpen, setOpen] = useState(false);
  const type = param.type ?? "text";
  const hasOptions = type === "select" || type === "multiselect";
  const parts = { param, isReadOnly, onChange };
  return (
    <Stack gap="xs">
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
        <DraftText
          label={t("paramFields.name")}
          value={param.name}
          isRequired
          isReadOnly={isReadOnly}
          error={error}
          onChange={(value) => onChange("name", value)}
        />
        <DraftText
          label={t("paramFields.label")}
          value={param.label === param.name ? "" : (param.label ?? "")}
          placeholder={param.name}
          isReadOnly={isReadOnly}
          onChange={(value) => onChange("label", value)}
        />
        <Select
          label={t("paramFields.type")}
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
          label={t("paramFields.required")}
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
          {t("paramFields.helpPlaceholderLengths")}
        </Button>
      )}
    </Stack>
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
      label={t("paramOptions.choicesPerLine")}
      description={t("paramOptions.choicesPerLineHelp")}
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

/** Members that few parameters need. */
function ParamDetails({ param, isReadOnly, onChange }: Omit<ParamFieldsProps, "error">) {
  const set = (member: string) => (value: string) => onChange(member, value || undefined);
  const setNumber = (member: string) => (value: string) => onChange(member, /^\d+$/.test(value) ? Number(value) : undefined);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <DraftText
        label={t("paramDetails.description")}
        value={param.description ?? ""}
        isReadOnly={isReadOnly}
        onChange={set("description")}
      />
      <DraftText
        label={t("paramDetails.helpTextBelowField")}
        value={param.helpertext ?? ""}
        isReadOnly={isReadOnly}
        onChange={set("helpertext")}
      />
      <DraftText
        label={t("paramDetails.placeholder")}
        value={param.placeholder ?? ""}
        isReadOnly={isReadOnly}
        onChange={set("placeholder")}
      />
      <Checkbox
        label={t("paramDetails.readOnly")}
        size="sm"
        mt={{ base: 0, xs: 28 }}
        checked={param.readOnly === true}
        disabled={isReadOnly}
        onChange={(event) => onChange("readOnly", event.currentTarget.checked ? true : undefined)}
      />
      <DraftText
        label={t("paramDetails.minLength")}
        value={String(param.minValueLength ?? "")}
        isReadOnly={isReadOnly}
        onChange={setNumber("minValueLength")}
      />
      <DraftText
        label={t("paramDetails.maxLength")}
        value={String(param.maxValueLength ?? "")}
        isReadOnly={isReadOnly}
        onChange={setNumber("maxValueLength")}
      />
      {param.type === "password" && <Text className="quiet">{t("paramDetails.defaultEncryptedCantViewed")}</Text>}
    </SimpleGrid>
  );
}

/** The default value. A list is written with one item per line, JSON as it is. */
function ParamPreset({ param, isReadOnly, onChange }: Omit<ParamFieldsProps, "error">) {
  const kind = kindOf(param.type ?? "text");
  if (kind === "string")
    return (
      <DraftText
        label={t("paramPreset.default")}
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
      setError(t("paramPreset.notJson"));
    }
  };
  return (
    <Textarea
      label={isList ? t("paramPreset.defaultPerLine") : t("paramPreset.defaultJson")}
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

/** The properties of the fields of one parameter. */
interface ParamFieldsProps {
  param: Param;
  error: string | undefined;
  isReadOnly: boolean;
  onChange: (member: string, value: unknown) => void;
}
