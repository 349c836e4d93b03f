import { Checkbox, Group, Stack, TagsInput, TextInput } from "@mantine/core";
import { type Channel, peopleChoices, type TargetDraft } from "./subscription-target.ts";

interface TargetFieldsProps {
  team: string | undefined;
  channel: Channel;
  draft: TargetDraft;
  onChange: (draft: TargetDraft) => void;
}

/** To whom, by channel. */
export function TargetFields({ team, channel, draft, onChange }: TargetFieldsProps) {
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
