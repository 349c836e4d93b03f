import { Checkbox, Select, TextInput } from "@mantine/core";
import { ownActionResults } from "@millrace/contract/action/action-fields.ts";
import { ChoicesField } from "../../forms/choices-field.tsx";
import { ParameterField } from "../../forms/parameter-field.tsx";
import { fieldKinds, kindsWith } from "../../forms/parameter-kinds.ts";
import { jsonOf, textOf } from "../../forms/parameter-values.ts";
import { t } from "../../texts/workflow/request.ts";
import { hasReference } from "../form/node-params.ts";
import { ReferenceField } from "../form/reference-field.tsx";
import type { Offer } from "../form/references.ts";
import { optionsOfRow, type Row, withMember } from "./request-rows.ts";

export interface MembersProps {
  /** The path of the row among the texts of the task, e.g. `links/0`. */
  place: string;
  row: Row;
  others: readonly Row[];
  available: readonly Offer[];
  upstream: readonly string[];
  onChange: (row: Row) => void;
}

/** The types a field can have. Results are readable, so secrets aren't possible. */
const kinds = fieldKinds.filter(({ value }) => value !== "password");

/** The members of one field that people fill in. */
export function FieldMembers({ place, row, others, available, onChange }: MembersProps) {
  const set = (member: string, value: unknown) => onChange(withMember(row, member, value));
  const type = textOf(row["type"]) || "text";
  const text = (member: string, label: string, description?: string) => (
    <ReferenceField
      label={label}
      description={description}
      value={textOf(row[member])}
      available={available}
      param={`${place}/${member}`}
      onChange={(value) => set(member, value)}
    />
  );
  return (
    <>
      <TextInput
        label={t("rowMembers.name")}
        description={t("rowMembers.nameHelp")}
        required
        maxLength={100}
        error={nameFault(row, others)}
        value={textOf(row["name"])}
        onChange={(event) => onChange({ ...row, name: event.currentTarget.value })}
      />
      {text("label", t("rowMembers.label"))}
      <Select
        label={t("rowMembers.type")}
        data={kindsWith(kinds, type)}
        value={type}
        allowDeselect={false}
        // The service would reject a default of another type.
        onChange={(next) => onChange({ ...withMember(row, "default", undefined), type: next ?? "text" })}
      />
      {(type === "select" || type === "multiselect") && (
        <ChoicesField key={type} options={optionsOfRow(row)} onChange={(options) => set("options", options)} />
      )}
      <DefaultField place={place} row={row} type={type} available={available} onChange={(value) => set("default", value)} />
      {text("helpertext", t("rowMembers.help"))}
      <Checkbox
        label={t("rowMembers.required")}
        checked={row["required"] === true}
        onChange={(event) => set("required", event.currentTarget.checked)}
      />
    </>
  );
}

/** The same errors that the service reports when the action opens, shown earlier. */
function nameFault({ name }: Row, others: readonly Row[]): string | undefined {
  const text = textOf(name);
  if (!/^[A-Za-z_][\w-]*$/.test(text)) return t("rowMembers.nameForm");
  if ((ownActionResults as readonly string[]).includes(text)) return t("rowMembers.nameOwn");
  return others.some((other) => other["name"] === name) ? t("rowMembers.nameTaken") : undefined;
}

interface DefaultFieldProps extends Pick<MembersProps, "place" | "row" | "available"> {
  type: string;
  onChange: (value: unknown) => void;
}

/** Selections and switches get a field of their type; text fields can contain references. */
function DefaultField({ place, row, type, available, onChange }: DefaultFieldProps) {
  const value = row["default"];
  if (["boolean", "select", "multiselect"].includes(type) && !hasReference(value)) {
    const param = { name: "default", label: t("rowMembers.default"), type, options: optionsOfRow(row) };
    return <ParameterField param={param} value={value} error={undefined} onChange={(next) => onChange(jsonOf(param, next))} />;
  }
  return (
    <ReferenceField
      label={t("rowMembers.default")}
      value={textOf(value)}
      available={available}
      isLong={type === "textarea" || type.startsWith("texteditor")}
      param={`${place}/default`}
      onChange={(next) => onChange(type === "number" && next.trim() !== "" && Number.isFinite(Number(next)) ? Number(next) : next)}
    />
  );
}

/** A page with more information. */
export function LinkMembers({ place, row, available, onChange }: MembersProps) {
  const field = (member: string, label: string, rest: { required?: boolean; placeholder?: string }) => (
    <ReferenceField
      {...rest}
      label={label}
      value={textOf(row[member])}
      available={available}
      param={`${place}/${member}`}
      onChange={(value) => onChange(withMember(row, member, value))}
    />
  );
  return (
    <>
      {field("url", t("rowMembers.url"), { required: true, placeholder: "https://" })}
      {field("label", t("rowMembers.linkLabel"), {})}
    </>
  );
}

/** A text, e.g. a result of an earlier task, or a task's log. */
export function AttachmentMembers({ place, row, available, upstream, onChange }: MembersProps) {
  const log = textOf(row["log"]);
  const tasks = [...new Set([...upstream, ...(log === "" ? [] : [log])])];
  const isLog = row["log"] !== undefined;
  const { text: _, log: __, ...shared } = row;
  return (
    <>
      <Select
        label={t("rowMembers.what")}
        allowDeselect={false}
        data={[
          { value: "text", label: t("rowMembers.text") },
          { value: "log", label: t("rowMembers.log") },
        ]}
        value={isLog ? "log" : "text"}
        onChange={(next) => onChange(next === "log" ? { ...shared, log: upstream[0] ?? "" } : shared)}
      />
      {isLog ? (
        <Select
          label={t("rowMembers.task")}
          required
          allowDeselect={false}
          data={tasks}
          value={log || null}
          onChange={(next) => onChange({ ...shared, log: next ?? "" })}
        />
      ) : (
        <ReferenceField
          label={t("rowMembers.text")}
          required
          isLong
          value={textOf(row["text"])}
          available={available}
          param={`${place}/text`}
          onChange={(value) => onChange(withMember(row, "text", value))}
        />
      )}
      <ReferenceField
        label={t("rowMembers.label")}
        required={!isLog}
        value={textOf(row["label"])}
        available={available}
        param={`${place}/label`}
        onChange={(value) => onChange(withMember(row, "label", value))}
      />
    </>
  );
}
