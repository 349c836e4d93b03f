import { Button, Checkbox, Group, Stack, TagsInput, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { type Channel, peopleChoices, type TargetDraft } from "./subscription-target.ts";

interface TargetFieldsProps {
  team: string | undefined;
  channel: Channel;
  draft: TargetDraft;
  /** What was refused of all of it. */
  error: ReactNode;
  onChange: (draft: TargetDraft) => void;
}

/** To whom, by channel. */
export function TargetFields({ team, channel, draft, error, onChange }: TargetFieldsProps) {
  const set = (change: Partial<TargetDraft>) => onChange({ ...draft, ...change });
  if (channel === "webhook")
    return (
      <TextInput
        label="URL"
        description="Receives each event as a signed POST. Only public internet addresses, unless an administrator allows others"
        placeholder="https://example.com/hooks/millrace"
        type="url"
        required
        maxLength={2000}
        error={error}
        value={draft.url}
        onChange={(event) => set({ url: event.currentTarget.value })}
      />
    );
  if (channel === "email")
    return (
      <Stack gap="sm">
        <TagsInput
          label="Addresses"
          description="Separate addresses with commas"
          splitChars={[",", ";", " "]}
          error={error}
          value={draft.to}
          onChange={(to) => set({ to })}
        />
        <Checkbox.Group
          label="People"
          description="Looked up when the email is sent"
          value={draft.people}
          onChange={(people) => set({ people })}
        >
          <Group gap="sm" mt={4}>
            {peopleChoices.map(([value, label]) => (
              <Checkbox key={value} size="xs" value={value} label={label} />
            ))}
          </Group>
        </Checkbox.Group>
      </Stack>
    );
  return (
    <Stack gap="sm">
      <TextInput
        label="Workspace"
        description={team === undefined ? "The platform's workspace ID" : "The platform's ID of a workspace linked to the team"}
        placeholder="T0HAWKS"
        required
        error={error}
        value={draft.workspace}
        onChange={(event) => set({ workspace: event.currentTarget.value })}
      />
      <TextInput
        label="Channel"
        description="The platform's ID of a channel that the app was invited to"
        placeholder="C0RELEASES"
        value={draft.channel}
        onChange={(event) => set({ channel: event.currentTarget.value })}
      />
      <TagsInput
        label="Or people in the workspace"
        description="By email address, up to ten"
        splitChars={[",", ";", " "]}
        disabled={draft.channel.trim() !== ""}
        value={draft.emails}
        onChange={(emails) => set({ emails })}
      />
    </Stack>
  );
}

interface MovedSecretProps {
  secret: string;
  error: ReactNode;
  onChange: (secret: string) => void;
}

/** Another address takes a secret: the stored one was agreed with another receiver, and is not sent to a new one. */
export function MovedSecret({ secret, error, onChange }: MovedSecretProps) {
  return (
    <TextInput
      label="Signing secret"
      description="The address has changed, so enter the secret again or a new one. Only this secret signs from now on."
      placeholder="whsec_…"
      required
      maxLength={200}
      autoComplete="off"
      spellCheck={false}
      error={error}
      value={secret}
      onChange={(event) => onChange(event.currentTarget.value)}
      rightSectionWidth={96}
      rightSection={
        <Button size="compact-xs" variant="subtle" onClick={() => onChange(newSecret())}>
          Generate
        </Button>
      }
    />
  );
}

function newSecret(): string {
  return `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`;
}
