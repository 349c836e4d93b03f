import { Button, Group, Select, SimpleGrid, Stack, Switch, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { TokenKind } from "../../api/queries/tokens.ts";
import { RefusalText } from "../../ui/state/refusal-text.tsx";
import { PermissionPicker } from "./permission-picker.tsx";
import { expiries, expiryDate } from "./token-expiry.ts";
import { type Chosen, presetOf, toWildcards } from "./token-permissions.ts";

export interface WantedToken {
  name: string;
  description: string | null;
  expirationDate: string | null;
  permissions: string[];
}

interface TokenFormProps {
  kind: TokenKind;
  whyNotGive: (permission: string) => string | undefined;
  isBusy: boolean;
  error: unknown;
  onSubmit: (wanted: WantedToken) => void;
  onCancel: () => void;
}

/** What a new token is called, what it may do and how long. One that acts as a user may do all that the user may, unless it is narrowed. */
export function TokenForm({ kind, whyNotGive, isBusy, error, onSubmit, onCancel }: TokenFormProps) {
  const [words, setWords] = useState<TokenWords>({ name: "", description: "", expiry: "90", day: "" });
  const [isNarrowed, setNarrowed] = useState(kind !== "user");
  const [chosen, setChosen] = useState<Chosen>(() => presetOf("Run workflows", (permission) => whyNotGive(permission) === undefined));
  const [isTried, setTried] = useState(false);
  const lacks = isNarrowed && chosen.size === 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!lacks) onSubmit({ ...wantedWords(words), permissions: isNarrowed ? toWildcards(chosen) : [] });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <WordFields words={words} onChange={(change) => setWords({ ...words, ...change })} />
        {kind === "user" && (
          <Switch
            label="Limit permissions"
            description={
              isNarrowed ? "Only the selected permissions, as far as the user has them" : "Everything that the user is allowed to do"
            }
            checked={isNarrowed}
            onChange={(event) => setNarrowed(event.currentTarget.checked)}
          />
        )}
        {isNarrowed && (
          <PermissionPicker
            chosen={chosen}
            onChange={setChosen}
            whyNot={whyNotGive}
            error={isTried && lacks ? "Select at least one permission." : undefined}
          />
        )}
        <RefusalText error={error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy}>
            Create token
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** What is typed of it, beside the permissions. */
interface TokenWords {
  name: string;
  description: string;
  expiry: string;
  /** Its last day, where the expiry is a date. */
  day: string;
}

function wantedWords({ name, description, expiry, day }: TokenWords): Omit<WantedToken, "permissions"> {
  return { name: name.trim(), description: description.trim() || null, expirationDate: expiryDate(expiry, day, Date.now()) };
}

/** What it is called, and how long it is good for. */
function WordFields({ words, onChange }: { words: TokenWords; onChange: (change: Partial<TokenWords>) => void }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <TextInput
        label="Name"
        placeholder="What uses it, for example nightly-build"
        required
        maxLength={200}
        value={words.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
        data-autofocus
      />
      <TextInput
        label="Description"
        maxLength={2000}
        value={words.description}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
      <Select
        label="Expires"
        data={[...expiries]}
        value={words.expiry}
        allowDeselect={false}
        onChange={(expiry) => onChange({ expiry: expiry ?? "90" })}
      />
      {words.expiry === "date" && (
        <TextInput
          label="Last day"
          type="date"
          required
          value={words.day}
          onChange={(event) => onChange({ day: event.currentTarget.value })}
        />
      )}
    </SimpleGrid>
  );
}
