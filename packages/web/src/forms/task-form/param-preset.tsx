import { Textarea } from "@mantine/core";
import { useState } from "react";
import { t } from "../../texts/task-form.ts";
import { DraftText } from "./draft-text.tsx";
import type { ParamFieldsProps } from "./param-fields-props.ts";
import { kindOf } from "./task-params.ts";

/** What counts when nobody says anything. A list is written one a line, JSON as it is. */
export function ParamPreset({ param, isReadOnly, onChange }: Omit<ParamFieldsProps, "error">) {
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
