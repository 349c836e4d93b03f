import { ActionIcon, Autocomplete, Button, Group, Select, Stack, TagsInput, Text } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { t } from "../../../texts/workflow/triggers.ts";
import { ProblemList } from "../../../ui/state/refusal-alert.tsx";
import { type Condition, problemsIn, type TriggerProblem } from "./trigger-draft.ts";

interface ConditionListProps {
  looksInto: string;
  fields: readonly string[];
  /** Known values of each field, as suggestions. */
  values?: Readonly<Record<string, readonly string[]>> | undefined;
  conditions: readonly Condition[];
  /** Problems the service would reject, with JSON pointers into the list. */
  problems: readonly TriggerProblem[];
  onChange: (conditions: Condition[]) => void;
}

const operations: readonly { value: Condition["operation"]; label: string }[] = [
  { value: "equals", label: t("conditionList.is") },
  { value: "in", label: t("conditionList.isOf") },
  { value: "matches", label: t("conditionList.matches") },
];

/** Conditions that must all match. */
export function ConditionList({ looksInto, fields, values, conditions, problems, onChange }: ConditionListProps) {
  const put = (index: number, condition: Condition) => onChange(conditions.map((other, at) => (at === index ? condition : other)));
  return (
    <Stack gap="xs">
      <Text size="sm" className="quiet">
        {conditions.length === 0
          ? t("conditionList.noConditionsEveryEvent", { looksInto })
          : t("conditionList.allTheseMustMatch", { looksInto })}
      </Text>
      {conditions.map((condition, index) => (
        <ConditionLine
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no other identity, and their fields are controlled
          key={index}
          number={index + 1}
          fields={fields}
          choices={values?.[condition.field] ?? []}
          condition={condition}
          problems={problemsIn(problems, `/${index}`).map(({ message }) => message)}
          onChange={(next) => put(index, next)}
          onRemove={() => onChange(conditions.filter((_, at) => at !== index))}
        />
      ))}
      <Group>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => onChange([...conditions, { field: fields[0] ?? "$.", operation: "equals", value: "" }])}
        >
          {t("conditionList.addCondition")}
        </Button>
      </Group>
    </Stack>
  );
}

interface ConditionLineProps {
  number: number;
  fields: readonly string[];
  choices: readonly string[];
  condition: Condition;
  problems: readonly string[];
  onChange: (condition: Condition) => void;
  onRemove: () => void;
}

function ConditionLine({ number, fields, choices, condition, problems, onChange, onRemove }: ConditionLineProps) {
  const { field, operation, value, values } = condition;
  const choose = (chosen: string | null) => {
    if (chosen === "in") onChange({ field, operation: "in", values: value ? [value] : [] });
    else onChange({ field, operation: chosen as Condition["operation"], value: value ?? values?.[0] ?? "" });
  };
  return (
    <Stack gap={4}>
      <Group gap="xs" align="flex-start">
        <Autocomplete
          aria-label={t("conditionList.fieldCondition", { number: String(number) })}
          size="xs"
          w={180}
          data={[...fields]}
          value={field}
          onChange={(next) => onChange({ ...condition, field: next })}
        />
        <Select
          aria-label={t("conditionList.comparisonCondition", { number: String(number) })}
          size="xs"
          w={120}
          data={operations}
          value={operation}
          allowDeselect={false}
          onChange={choose}
        />
        <ConditionValue number={number} choices={choices} condition={condition} onChange={onChange} />
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t("conditionList.removeCondition", { number: String(number) })}
          onClick={onRemove}
        >
          <IconTrash size={16} />
        </ActionIcon>
      </Group>
      <ProblemList problems={problems} />
    </Stack>
  );
}

function ConditionValue({
  number,
  choices,
  condition,
  onChange,
}: Pick<ConditionLineProps, "number" | "choices" | "condition" | "onChange">) {
  const { field, operation, value, values } = condition;
  if (operation === "in")
    return (
      <TagsInput
        aria-label={t("conditionList.valuesCondition", { number: String(number) })}
        size="xs"
        flex={1}
        miw={160}
        placeholder={values?.length ? "" : t("conditionList.typeValuePressEnterPlaceholder")}
        data={[...choices]}
        value={values ?? []}
        onChange={(next) => onChange({ field, operation, values: next })}
      />
    );
  return (
    <Autocomplete
      aria-label={t("conditionList.valueCondition", { number: String(number) })}
      size="xs"
      flex={1}
      miw={160}
      placeholder={operation === "matches" ? t("conditionList.regularExpressionMatchesWholePlaceholder") : ""}
      value={value ?? ""}
      data={operation === "matches" ? [] : [...choices]}
      onChange={(next) => onChange({ field, operation, value: next })}
    />
  );
}
