import { Button, Group, SegmentedControl, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { EventFilter, Subscription, SubscriptionInput } from "../../api/queries/subscriptions.ts";
import { CodeEditor } from "../../ui/code-editor.tsx";
import { RefusalText } from "../../ui/refusal-text.tsx";
import { fromFilters, toFilters } from "./event-choice.ts";
import { EventPicker } from "./event-picker.tsx";
import { type Channel, channelWords, toDraft, toTarget } from "./subscription-target.ts";
import { TargetFields } from "./target-fields.tsx";

interface SubscriptionFormProps {
  team: string | undefined;
  known: Subscription | undefined;
  isBusy: boolean;
  error: unknown;
  onSave: (wanted: SubscriptionInput) => void;
  onCancel: () => void;
}

const channels = Object.entries(channelWords).map(([value, label]) => ({ value, label }));

/** Who is told of what, and how. Filters that say more than can be chosen are written as JSON. */
export function SubscriptionForm({ team, known, isBusy, error, onSave, onCancel }: SubscriptionFormProps) {
  const [name, setName] = useState(known?.name ?? "");
  const [channel, setChannel] = useState<Channel>(known?.channel ?? "webhook");
  const [draft, setDraft] = useState(() => toDraft(known?.target));
  const [choice, setChoice] = useState(() => fromFilters(known?.filters ?? []) ?? { events: [], workflows: [] });
  const [isText, setText] = useState(() => fromFilters(known?.filters ?? []) === undefined);
  const [text, setFilterText] = useState(() => JSON.stringify(known?.filters ?? [], null, 2));
  const [fault, setFault] = useState<Error>();
  const save = (event: FormEvent) => {
    event.preventDefault();
    try {
      const filters = isText ? (JSON.parse(text) as EventFilter[]) : toFilters(choice);
      setFault(undefined);
      onSave({ name: name.trim(), channel, target: toTarget(channel, draft), filters });
    } catch {
      setFault(new Error("The filters are no JSON."));
    }
  };
  const showAsText = () => {
    setFilterText(JSON.stringify(toFilters(choice), null, 2));
    setText(true);
  };
  return (
    <form onSubmit={save}>
      <Stack gap="sm">
        <TextInput
          label="Name"
          required
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        {known === undefined && (
          <SegmentedControl
            aria-label="Channel"
            size="xs"
            data={channels}
            value={channel}
            onChange={(value) => setChannel(value as Channel)}
          />
        )}
        <TargetFields team={team} channel={channel} draft={draft} onChange={setDraft} />
        {isText ? (
          <Stack gap={4}>
            <Text size="sm" fw={500}>
              Filters
            </Text>
            <CodeEditor label="Filters as JSON" value={text} onChange={setFilterText} language="json" maxHeight="320px" />
            <Text size="xs" className="quiet">
              Those of CloudEvents Subscriptions: exact, prefix, suffix, all, any, not, sql. All must hold.
            </Text>
          </Stack>
        ) : (
          <Stack gap="xs" align="stretch">
            <EventPicker choice={choice} onChange={setChoice} />
            <Group>
              <Button size="compact-xs" variant="subtle" onClick={showAsText}>
                Write filters as JSON instead
              </Button>
            </Group>
          </Stack>
        )}
        <RefusalText error={fault ?? error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy}>
            {known ? "Save the subscription" : "Create the subscription"}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
