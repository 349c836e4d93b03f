import { Button, Checkbox, Group, Stack, TagsInput, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../../texts/subscriptions.ts";
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
        label={t("targetFields.url")}
        description={t("targetFields.urlHelp")}
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
          label={t("targetFields.addresses")}
          description={t("targetFields.addressesHelp")}
          splitChars={[",", ";", " "]}
          error={error}
          value={draft.to}
          onChange={(to) => set({ to })}
        />
        <Checkbox.Group
          label={t("targetFields.people")}
          description={t("targetFields.peopleHelp")}
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
        label={t("targetFields.workspace")}
        description={team === undefined ? t("targetFields.workspaceHelp") : t("targetFields.workspaceHelpPlatformsIdWorkspaceLinked")}
        placeholder={t("targetFields.workspacePlaceholder")}
        required
        error={error}
        value={draft.workspace}
        onChange={(event) => set({ workspace: event.currentTarget.value })}
      />
      <TextInput
        label={t("targetFields.channel")}
        description={t("targetFields.channelHelp")}
        placeholder={t("targetFields.channelPlaceholder")}
        value={draft.channel}
        onChange={(event) => set({ channel: event.currentTarget.value })}
      />
      <TagsInput
        label={t("targetFields.peopleWorkspace")}
        description={t("targetFields.peopleWorkspaceHelp")}
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
      label={t("targetFields.signingSecret")}
      description={t("targetFields.signingSecretHelp")}
      placeholder={t("targetFields.signingSecretPlaceholder")}
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
          {t("targetFields.generate")}
        </Button>
      }
    />
  );
}

function newSecret(): string {
  return `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`;
}
