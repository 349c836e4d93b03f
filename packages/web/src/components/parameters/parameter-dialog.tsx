import { MultiSelect, Select, Stack, Switch, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { type Parameter, teamsQuery } from "../../api/queries/identity/session.ts";
import { isSecret, kindsWith, sharedKinds, typedValue } from "../../forms/parameter-kinds.ts";
import { textOf } from "../../forms/parameter-values.ts";
import { t } from "../../texts/parameters.ts";
import { CodeEditor } from "../../ui/code/code-editor.tsx";
import { FormDialog } from "../../ui/dialog/form-dialog.tsx";
import { SecretField } from "../../ui/form/text-fields.tsx";
import { SecretKeysField } from "./secret-keys-field.tsx";

interface ParameterDialogProps {
  /** Whether it is a parameter of the instance, which can be limited to certain teams. */
  isGlobal: boolean;
  /** Undefined: a new parameter. */
  known: Parameter | undefined;
  /** Existing names. */
  taken: readonly string[];
  onSave: (parameter: Parameter) => Promise<unknown>;
  onClose: () => void;
}

interface ParameterValues {
  name: string;
  description: string;
  type: string;
  value: string;
  teams: readonly string[] | null;
}

/** Creates or edits a parameter. The name can't be changed, since references use it. Members that the form doesn't show are kept. */
export function ParameterDialog({ isGlobal, known, taken, onSave, onClose }: ParameterDialogProps) {
  const isTaken = (name: string) => known === undefined && taken.includes(name.trim());
  const form = useForm<ParameterValues>({
    initialValues: {
      name: known?.name ?? "",
      description: known?.description ?? "",
      type: known?.type ?? "text",
      value: textOf(known?.value),
      teams: known?.teams ?? null,
    },
    validateInputOnChange: ["name"],
    validate: { name: (name) => isTaken(name) && t("parameterDialog.nameTakenEditExisting") },
  });
  const { type, value, teams } = form.values;
  const isWider = known?.teams !== undefined && (teams === null || teams.some((id) => !known.teams?.includes(id)));
  const choose = (next: string | null) => {
    if (next === null) return;
    // Choosing another type must not reveal a typed secret.
    form.setValues({ type: next, ...((isSecret({ type }) || isSecret({ type: next })) && { value: "" }) });
  };
  return (
    <FormDialog
      title={known ? t("parameterDialog.edit", { name: known.name }) : t("parameterDialog.addParameter")}
      action={known ? t("parameterDialog.saveParameter") : t("parameterDialog.addParameter")}
      form={form}
      places={parameterPlaces}
      onSubmit={(values) => onSave(parameterOf(values, known, isGlobal))}
      onClose={onClose}
    >
      <TextInput
        label={t("parameterDialog.name")}
        required
        maxLength={250}
        readOnly={known !== undefined}
        description={known ? t("parameterDialog.nameHelp") : undefined}
        data-autofocus={known === undefined || undefined}
        {...form.getInputProps("name")}
      />
      <TextInput label={t("parameterDialog.description")} {...form.getInputProps("description")} />
      <Select
        label={t("parameterDialog.type")}
        data={kindsWith(sharedKinds, type)}
        allowDeselect={false}
        {...form.getInputProps("type")}
        onChange={choose}
      />
      <ValueField
        type={type}
        text={value}
        error={form.errors["value"]}
        hasSecret={known?.hiddenValue === true && known.type === type}
        isWider={isWider}
        onChange={(text) => form.setFieldValue("value", text)}
      />
      {isGlobal && <ParameterTeams teams={teams} onChange={(next) => form.setFieldValue("teams", next)} />}
    </FormDialog>
  );
}

/** The service receives a team's change as a list of parameters, which contains only this one. */
const parameterPlaces = {
  "/parameters/0/name": "name",
  "/parameters/0/description": "description",
  "/parameters/0/type": "type",
  "/parameters/0/value": "value",
};

function parameterOf(
  { name, description, type, value, teams }: ParameterValues,
  known: Parameter | undefined,
  isGlobal: boolean,
): Parameter {
  const { hiddenValue: _, teams: __, ...kept } = known ?? { name: "" };
  const wanted = { ...kept, name: name.trim(), description, type, value: typedValue(type, value) };
  // Null makes it available to all teams; leaving it out would keep the stored teams.
  return isGlobal ? ({ ...wanted, teams } as Parameter) : wanted;
}

interface ValueFieldProps {
  type: string;
  text: string;
  error: ReactNode;
  hasSecret: boolean;
  /** Whether more teams would get access to it. */
  isWider: boolean;
  onChange: (text: string) => void;
}

function ValueField({ type, text, error, hasSecret, isWider, onChange }: ValueFieldProps) {
  const shared = {
    label: t("parameterDialog.value"),
    value: text,
    error,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  if (type === "password")
    return (
      <SecretField
        {...shared}
        autoComplete="new-password"
        description={
          hasSecret && isWider
            ? t("parameterDialog.enterSecretAgainBecause")
            : hasSecret
              ? t("parameterDialog.valueStoredButCant")
              : t("parameterDialog.least4CharactersCant")
        }
        required={!hasSecret || isWider}
        minLength={4}
      />
    );
  if (type === "secret") return <SecretKeysField text={text} error={error} isWider={hasSecret && isWider} onChange={onChange} />;
  if (type === "boolean")
    return (
      <Switch
        label={t("parameterDialog.value")}
        checked={text === "true"}
        onChange={(event) => onChange(String(event.currentTarget.checked))}
      />
    );
  if (type === "json")
    return <CodeEditor label={t("parameterDialog.value")} value={text} onChange={onChange} language="json" maxHeight="320px" />;
  if (type === "text" || type === "number" || type === "url" || type === "email") return <TextInput {...shared} />;
  return <Textarea {...shared} autosize minRows={3} maxRows={16} />;
}

interface ParameterTeamsProps {
  /** Team ids; null: all teams. */
  teams: readonly string[] | null;
  onChange: (teams: readonly string[] | null) => void;
}

/** The teams that may use a global parameter. For other teams it doesn't exist. */
function ParameterTeams({ teams, onChange }: ParameterTeamsProps) {
  const [search, setSearch] = useState("");
  const { data } = useQuery(teamsQuery(search));
  const [names, setNames] = useState<Readonly<Record<string, string>>>({});
  const found = (data?.content ?? []).map(({ id, name, displayName }) => ({ value: id ?? "", label: displayName || (name ?? "") }));
  const chosen = (teams ?? [])
    .filter((id) => !found.some(({ value }) => value === id))
    .map((id) => ({ value: id, label: names[id] ?? id }));
  const choose = (ids: string[]) => {
    setNames({ ...names, ...Object.fromEntries(found.map(({ value, label }) => [value, label])) });
    onChange(ids);
  };
  return (
    <Stack gap="xs">
      <Switch
        label={t("parameterDialog.availableAllTeams")}
        checked={teams === null}
        onChange={(event) => onChange(event.currentTarget.checked ? null : [])}
      />
      {teams !== null && (
        <MultiSelect
          label={t("parameterDialog.teams")}
          description={t("parameterDialog.teamsHelp")}
          data={[...chosen, ...found]}
          value={[...teams]}
          onChange={choose}
          searchable
          searchValue={search}
          onSearchChange={setSearch}
          nothingFoundMessage={t("parameterDialog.noTeamName")}
        />
      )}
    </Stack>
  );
}
