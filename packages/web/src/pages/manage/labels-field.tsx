import { ActionIcon, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { t } from "../../texts/team.ts";
import type { Label } from "./labels.ts";

interface LabelsFieldProps {
  labels: readonly Label[];
  onChange: (labels: Label[]) => void;
  isReadOnly: boolean;
}

/** Words that are found again in filters: a key and a value each. */
export function LabelsField({ labels, onChange, isReadOnly }: LabelsFieldProps) {
  const set = (row: number, change: Partial<Label>) => onChange(labels.map((one) => (one.row === row ? { ...one, ...change } : one)));
  const add = () => onChange([...labels, { row: Math.max(-1, ...labels.map(({ row }) => row)) + 1, key: "", value: "" }]);
  return (
    <Stack gap={4} align="flex-start" role="group" aria-label={t("labelsField.labels")}>
      <Text size="sm" fw={500}>
        {t("labelsField.labels")}
      </Text>
      {labels.length === 0 && (
        <Text size="sm" className="quiet">
          {t("labelsField.noneUseLabelsFilter")}
        </Text>
      )}
      {labels.map(({ row, key, value }, index) => (
        <Group key={row} gap={4} wrap="nowrap" w="100%">
          <TextInput
            size="xs"
            flex={1}
            aria-label={t("labelsField.keyLabel", { index: String(index + 1) })}
            placeholder={t("labelsField.keyPlaceholder")}
            value={key}
            readOnly={isReadOnly}
            onChange={(event) => set(row, { key: event.currentTarget.value })}
          />
          <TextInput
            size="xs"
            flex={2}
            aria-label={t("labelsField.valueLabel", { index: String(index + 1) })}
            placeholder={t("labelsField.valuePlaceholder")}
            value={value}
            readOnly={isReadOnly}
            onChange={(event) => set(row, { value: event.currentTarget.value })}
          />
          {!isReadOnly && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t("labelsField.removeLabel", { key: String(key || index + 1) })}
              onClick={() => onChange(labels.filter((one) => one.row !== row))}
            >
              <IconX size={16} />
            </ActionIcon>
          )}
        </Group>
      ))}
      {!isReadOnly && (
        <Button size="compact-xs" variant="default" leftSection={<IconPlus size={14} />} onClick={add}>
          {t("labelsField.addLabel")}
        </Button>
      )}
    </Stack>
  );
}
