import { Checkbox, Group, NumberInput, Select, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { ChoicesField } from "../../forms/choices-field.tsx";
import { ParameterField } from "../../forms/parameter-field.tsx";
import { fieldKinds, kindsWith } from "../../forms/parameter-kinds.ts";
import { jsonOf, kindOf, type Param } from "../../forms/parameter-values.ts";
import { t } from "../../texts/workflow/configure.ts";
import { FormRefusal } from "../../ui/form/use-submission.tsx";

interface ParameterMembersProps {
  param: Param;
  nameFault: string | undefined;
  /** The error the service returned for a member, e.g. `/label`; an empty path means the whole parameter. */
  faultAt: (member: string) => string | undefined;
  onChange: (param: Param) => void;
}

/** The members of one declaration, depending on its type. */
export function ParameterMembers({ param, nameFault, faultAt, onChange }: ParameterMembersProps) {
  const set = (part: Partial<Param>) => onChange({ ...param, ...part });
  const kind = kindOf(param);
  const atField = ["/name", "/label", "/placeholder", "/helpertext", "/default"].some((member) => faultAt(member) !== undefined);
  const hasLength = ["text", "textarea", "password", "email", "url", "code"].includes(kind);
  return (
    <Stack gap="sm">
      <FormRefusal message={atField ? undefined : faultAt("")} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput
          label={t("parameterMembers.name")}
          error={nameFault ?? faultAt("/name")}
          description={t("parameterMembers.nameHelp", { name: param.name })}
          required
          maxLength={250}
          value={param.name}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <TextInput
          label={t("parameterMembers.label")}
          error={faultAt("/label")}
          description={t("parameterMembers.labelHelp")}
          value={param.label ?? ""}
          onChange={(event) => set({ label: event.currentTarget.value })}
        />
        <Select
          label={t("parameterMembers.type")}
          data={kindsWith(fieldKinds, param.type)}
          value={param.type ?? "text"}
          allowDeselect={false}
          onChange={(type) => set(retyped(type))}
        />
        <TextInput
          label={t("parameterMembers.placeholder")}
          error={faultAt("/placeholder")}
          value={param.placeholder ?? ""}
          onChange={(event) => set({ placeholder: event.currentTarget.value })}
        />
      </SimpleGrid>
      <TextInput
        label={t("parameterMembers.help")}
        error={faultAt("/helpertext")}
        description={t("parameterMembers.helpHelp")}
        value={param.helpertext ?? ""}
        onChange={(event) => set({ helpertext: event.currentTarget.value })}
      />
      {(kind === "select" || kind === "multiselect") && (
        <ChoicesField key={param.type} options={param.options} onChange={(options) => set({ options })} />
      )}
      <ParameterField
        param={asDefaultField(param)}
        value={param.default}
        error={faultAt("/default")}
        onChange={(value) => set({ default: kind === "json" ? value : (jsonOf(param, value) ?? "") })}
      />
      {hasLength && <Lengths param={param} onChange={set} />}
      <Group gap="md">
        <Checkbox
          label={t("parameterMembers.required")}
          checked={param.required === true}
          onChange={(event) => set({ required: event.currentTarget.checked })}
        />
        <Checkbox
          label={t("parameterMembers.readOnly")}
          checked={param.readOnly === true}
          onChange={(event) => set({ readOnly: event.currentTarget.checked })}
        />
      </Group>
    </Stack>
  );
}

/** The service would reject a default of another type. */
function retyped(type: string | null): Partial<Param> {
  return { type: type ?? "text", default: undefined };
}

/** The field for the default value has the type of the parameter. */
function asDefaultField(param: Param): Param {
  const { helpertext: _, description: __, readOnly: ___, ...rest } = param;
  return { ...rest, label: t("parameterMembers.default"), required: false, placeholder: "" };
}

function Lengths({ param, onChange }: { param: Param; onChange: (part: Partial<Param>) => void }) {
  const field = (label: string, key: "minValueLength" | "maxValueLength") => (
    <NumberInput
      label={label}
      min={0}
      allowDecimal={false}
      value={param[key] ?? ""}
      onChange={(value) => onChange({ [key]: value === "" ? undefined : Number(value) })}
    />
  );
  return (
    <SimpleGrid cols={2} spacing="sm">
      {field(t("parameterMembers.minLength"), "minValueLength")}
      {field(t("parameterMembers.maxLength"), "maxValueLength")}
    </SimpleGrid>
  );
}
