import { ActionIcon, Button, Fieldset, Group, Stack, Text, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { t } from "../../texts/parameters.ts";
import { SecretField } from "../../ui/form/text-fields.tsx";

interface Row {
  key: string;
  text: string;
  /** Whether a value is stored, which can't be shown. */
  isStored: boolean;
}

interface SecretKeysFieldProps {
  /** A JSON object of the keys, with empty texts for stored values. */
  text: string;
  error: ReactNode;
  /** Whether more teams would get access, which requires all values to be entered again. */
  isWider: boolean;
  onChange: (text: string) => void;
}

/** The keys of a secret, with a field for each value. */
export function SecretKeysField({ text, error, isWider, onChange }: SecretKeysFieldProps) {
  const [rows, setRows] = useState<readonly Row[]>(() => rowsOf(text));
  const change = (next: readonly Row[]) => {
    setRows(next);
    onChange(JSON.stringify(Object.fromEntries(next.filter(({ key }) => key !== "").map((row) => [row.key, row.text]))));
  };
  const set = (index: number, part: Partial<Row>) => change(rows.map((row, at) => (at === index ? { ...row, ...part } : row)));
  return (
    <Fieldset legend={t("secretKeysField.keys")} variant="unstyled">
      <Stack gap="xs">
        {rows.map((row, index) => (
          // A row is identified by its position, since its key is being typed.
          // biome-ignore lint/suspicious/noArrayIndexKey: rows are added at the end only
          <Group key={index} align="end" wrap="nowrap" gap="xs">
            <TextInput
              label={t("secretKeysField.key")}
              value={row.key}
              readOnly={row.isStored}
              maxLength={253}
              required
              onChange={(event) => set(index, { key: event.currentTarget.value.trim() })}
            />
            <SecretField
              flex={1}
              label={row.key === "" ? t("secretKeysField.text") : t("secretKeysField.textOf", { key: row.key })}
              placeholder={row.isStored && !isWider ? t("secretKeysField.storedPlaceholder") : undefined}
              value={row.text}
              required={!row.isStored || isWider}
              minLength={4}
              autoComplete="new-password"
              onChange={(event) => set(index, { text: event.currentTarget.value })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={t("secretKeysField.remove", { key: row.key })}
              onClick={() => change(rows.filter((_, at) => at !== index))}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        ))}
        <Group>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => change([...rows, { key: "", text: "", isStored: false }])}
          >
            {t("secretKeysField.add")}
          </Button>
        </Group>
        <Text size="xs" className="quiet">
          {isWider ? t("parameterDialog.enterSecretAgainBecause") : t("secretKeysField.help")}
        </Text>
        {error && (
          <Text size="xs" c="var(--mantine-color-error)">
            {error}
          </Text>
        )}
      </Stack>
    </Fieldset>
  );
}

function rowsOf(text: string): Row[] {
  const keys = text === "" ? [] : Object.keys(JSON.parse(text) as object);
  return keys.length === 0 ? [{ key: "", text: "", isStored: false }] : keys.map((key) => ({ key, text: "", isStored: true }));
}
