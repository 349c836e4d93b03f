import { ActionIcon, Button, Group, Input, Stack } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { t } from "../../texts/task/task-form.ts";
import { DraftText } from "./draft-text.tsx";
import { addItem, removeItem, setYaml, type YamlPath } from "./yaml-edit.ts";

interface PairRowsProps {
  label: string;
  /** The word for one of them, e.g. `variable`. */
  noun: string;
  pairs: readonly (readonly [string, string])[];
  /** The path of the list; each item has these two members. */
  path: YamlPath;
  members?: readonly [string, string];
  edit: (change: (text: string) => string) => void;
  error?: string | undefined;
  isReadOnly: boolean;
}

/** A list of names, each with a text. */
export function PairRows({ label, noun, pairs, path, members = ["name", "value"], edit, error, isReadOnly }: PairRowsProps) {
  const [first, second] = members;
  return (
    <Stack gap={4} role="group" aria-label={label}>
      <Input.Label component="div">{label}</Input.Label>
      {pairs.map(([name, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: nothing else stays the same while the name is typed
        <Group key={index} gap={4} wrap="nowrap" align="flex-start" grow preventGrowOverflow={false}>
          <DraftText
            label={t("pairRows.name", { noun, index: String(index + 1) })}
            isHiddenLabel
            placeholder={t("pairRows.namePlaceholder")}
            value={name}
            isReadOnly={isReadOnly}
            onChange={(next) => edit((text) => setYaml(text, [...path, index, first], next))}
          />
          <DraftText
            label={t(second === "value" ? "pairRows.valueOf" : "pairRows.descriptionOf", { noun, index: String(index + 1) })}
            isHiddenLabel
            placeholder={second === "value" ? t("pairRows.valuePlaceholder") : t("pairRows.descriptionPlaceholder")}
            value={value}
            isReadOnly={isReadOnly}
            onChange={(next) => edit((text) => setYaml(text, [...path, index, second], next))}
          />
          {!isReadOnly && (
            <ActionIcon
              variant="subtle"
              color="gray"
              mt={4}
              style={{ flex: "0 0 auto" }}
              aria-label={t("pairRows.remove", { noun, index: String(index + 1) })}
              onClick={() => edit((text) => removeItem(text, path, index))}
            >
              <IconTrash size={16} />
            </ActionIcon>
          )}
        </Group>
      ))}
      {error && <Input.Error>{error}</Input.Error>}
      {!isReadOnly && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} />}
          style={{ alignSelf: "flex-start" }}
          onClick={() => edit((text) => addItem(text, path, { name: `${noun}-${pairs.length + 1}` }))}
        >
          {t("pairRows.add", { noun })}
        </Button>
      )}
    </Stack>
  );
}
