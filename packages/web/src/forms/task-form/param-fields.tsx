import { Button, Checkbox, Select, SimpleGrid, Stack } from "@mantine/core";
import { useState } from "react";
import { t } from "../../texts/task-form.ts";
import { fieldKinds, kindsWith } from "../parameter-kinds.ts";
import { DraftText } from "./draft-text.tsx";
import { ParamDetails } from "./param-details.tsx";
import type { ParamFieldsProps } from "./param-fields-props.ts";
import { ParamOptions } from "./param-options.tsx";
import { ParamPreset } from "./param-preset.tsx";

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
