import { Checkbox, SimpleGrid, Text } from "@mantine/core";
import { t } from "../../texts/task-form.ts";
import { DraftText } from "./draft-text.tsx";
import type { ParamFieldsProps } from "./param-fields-props.ts";

/** What few parameters need. */
export function ParamDetails({ param, isReadOnly, onChange }: Omit<ParamFieldsProps, "error">) {
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
