import { Button, Group, PasswordInput, Select, Stack, Switch, Textarea, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { Parameter } from "../../api/queries/parameters.ts";
import { kindsWith, valueKinds } from "../../forms/parameter-kinds.ts";
import { CodeEditor } from "../../ui/code/code-editor.tsx";
import { RefusalText } from "../../ui/state/refusal-text.tsx";
import { ParameterTeams } from "./parameter-teams.tsx";
import { typedValue, valueText } from "./parameter-types.ts";

interface ParameterEditFormProps {
  /** A parameter of the instance, which may be kept to some teams. */
  isGlobal: boolean;
  known: Parameter | undefined;
  taken: readonly string[];
  isBusy: boolean;
  error: unknown;
  onSave: (parameter: Parameter) => void;
  onCancel: () => void;
}

/** One parameter. Its name is how references find it, so it stays; members that the form does not show are kept. */
export function ParameterEditForm({ isGlobal, known, taken, isBusy, error, onSave, onCancel }: ParameterEditFormProps) {
  const [name, setName] = useState(known?.name ?? "");
  const [description, setDescription] = useState(known?.description ?? "");
  const [type, setType] = useState(known?.type ?? "text");
  const [text, setText] = useState(valueText(known?.value));
  const [teams, setTeams] = useState<readonly string[] | null>(known?.teams ?? null);
  const isWider = known?.teams !== undefined && (teams === null || teams.some((id) => !known.teams?.includes(id)));
  const isTaken = known === undefined && taken.includes(name.trim());
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (isTaken) return;
    const { hiddenValue: _, teams: __, ...kept } = known ?? { name: "" };
    const wanted = { ...kept, name: name.trim(), description, type, value: typedValue(type, text) };
    // Null opens it to all teams; left out, those that are stored would stay.
    onSave(isGlobal ? ({ ...wanted, teams } as Parameter) : wanted);
  };
  const choose = (next: string | null) => {
    if (next === null) return;
    // What was typed as a secret is not shown in clear because another type is chosen.
    if (type === "password" || next === "password") setText("");
    setType(next);
  };
  return (
    <form onSubmit={save}>
      <Stack gap="sm">
        <TextInput
          label="Name"
          required
          maxLength={250}
          readOnly={known !== undefined}
          description={known ? "The name can't be changed, because references use it" : undefined}
          error={isTaken && "This name is taken. Edit the existing parameter instead"}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus={known === undefined || undefined}
        />
        <TextInput label="Description" value={description} onChange={(event) => setDescription(event.currentTarget.value)} />
        <Select label="Type" data={kindsWith(valueKinds, type)} value={type} allowDeselect={false} onChange={choose} />
        <ValueField
          type={type}
          text={text}
          hasSecret={known?.hiddenValue === true && known.type === "password"}
          isWider={isWider}
          onChange={setText}
        />
        {isGlobal && <ParameterTeams teams={teams} onChange={setTeams} />}
        <RefusalText error={error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy}>
            {known ? "Save parameter" : "Add parameter"}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface ValueFieldProps {
  type: string;
  text: string;
  hasSecret: boolean;
  /** Further teams would get it. */
  isWider: boolean;
  onChange: (text: string) => void;
}

function ValueField({ type, text, hasSecret, isWider, onChange }: ValueFieldProps) {
  const shared = {
    label: "Value",
    value: text,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  if (type === "password")
    return (
      <PasswordInput
        {...shared}
        autoComplete="new-password"
        description={
          hasSecret && isWider
            ? "Enter the secret again, because more teams would get it"
            : hasSecret
              ? "A value is stored but can't be shown. Type to replace it, or leave empty to keep it"
              : "At least 4 characters. It can't be viewed again"
        }
        required={!hasSecret || isWider}
        minLength={4}
      />
    );
  if (type === "boolean")
    return <Switch label="Value" checked={text === "true"} onChange={(event) => onChange(String(event.currentTarget.checked))} />;
  if (type === "json") return <CodeEditor label="Value" value={text} onChange={onChange} language="json" maxHeight="320px" />;
  if (type === "text" || type === "number" || type === "url" || type === "email") return <TextInput {...shared} />;
  return <Textarea {...shared} autosize minRows={3} maxRows={16} />;
}
