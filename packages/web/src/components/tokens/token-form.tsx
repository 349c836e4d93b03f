import { Button, Group, Select, SimpleGrid, Stack, Switch, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { TokenKind } from "../../api/queries/tokens.ts";
import { RefusalText } from "../../ui/refusal-text.tsx";
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
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [expiry, setExpiry] = useState("90");
  const [day, setDay] = useState("");
  const [isNarrowed, setNarrowed] = useState(kind !== "user");
  const [chosen, setChosen] = useState<Chosen>(() => presetOf("Run workflows", (permission) => whyNotGive(permission) === undefined));
  const [isTried, setTried] = useState(false);
  const lacks = isNarrowed && chosen.size === 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (lacks) return;
    const permissions = isNarrowed ? toWildcards(chosen) : [];
    onSubmit({
      name: name.trim(),
      description: description.trim() || null,
      expirationDate: expiryDate(expiry, day, Date.now()),
      permissions,
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <TextInput
            label="Name"
            placeholder="What uses it, such as nightly-build"
            required
            maxLength={200}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
          />
          <TextInput
            label="Description"
            maxLength={2000}
            value={description}
            onChange={(event) => setDescription(event.currentTarget.value)}
          />
          <Select
            label="Good for"
            data={[...expiries]}
            value={expiry}
            allowDeselect={false}
            onChange={(value) => setExpiry(value ?? "90")}
          />
          {expiry === "date" && (
            <TextInput label="Last day" type="date" required value={day} onChange={(event) => setDay(event.currentTarget.value)} />
          )}
        </SimpleGrid>
        {kind === "user" && (
          <Switch
            label="Narrow what it may do"
            description={isNarrowed ? "Only what is chosen, as far as the user may it" : "It may do everything that its user may"}
            checked={isNarrowed}
            onChange={(event) => setNarrowed(event.currentTarget.checked)}
          />
        )}
        {isNarrowed && (
          <PermissionPicker
            chosen={chosen}
            onChange={setChosen}
            whyNot={whyNotGive}
            error={isTried && lacks ? "Choose at least one permission." : undefined}
          />
        )}
        <RefusalText error={error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy}>
            Create the token
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
