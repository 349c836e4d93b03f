import { ActionIcon, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
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
    <Stack gap={4} align="flex-start" role="group" aria-label="Labels">
      <Text size="sm" fw={500}>
        Labels
      </Text>
      {labels.length === 0 && (
        <Text size="sm" className="quiet">
          None. Use labels to filter the list of teams.
        </Text>
      )}
      {labels.map(({ row, key, value }, index) => (
        <Group key={row} gap={4} wrap="nowrap" w="100%">
          <TextInput
            size="xs"
            flex={1}
            aria-label={`Key of label ${index + 1}`}
            placeholder="Key"
            value={key}
            readOnly={isReadOnly}
            onChange={(event) => set(row, { key: event.currentTarget.value })}
          />
          <TextInput
            size="xs"
            flex={2}
            aria-label={`Value of label ${index + 1}`}
            placeholder="Value"
            value={value}
            readOnly={isReadOnly}
            onChange={(event) => set(row, { value: event.currentTarget.value })}
          />
          {!isReadOnly && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Remove label ${key || index + 1}`}
              onClick={() => onChange(labels.filter((one) => one.row !== row))}
            >
              <IconX size={16} />
            </ActionIcon>
          )}
        </Group>
      ))}
      {!isReadOnly && (
        <Button size="compact-xs" variant="default" leftSection={<IconPlus size={14} />} onClick={add}>
          Add label
        </Button>
      )}
    </Stack>
  );
}
