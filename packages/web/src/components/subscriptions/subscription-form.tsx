import { Button, Group, SegmentedControl, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { EventFilter, Subscription, SubscriptionInput } from "../../api/queries/subscriptions.ts";
import { RefusalText } from "../../ui/state/refusal-text.tsx";
import { EventFilterEditor } from "../event-filters/event-filter-editor.tsx";
import { fromFilters, toFilters } from "./event-choice.ts";
import { EventPicker } from "./event-picker.tsx";
import { MovedSecret } from "./moved-secret.tsx";
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

/** What an event of the service has (docs/outbound-events.md). */
const filteredAttributes = ["type", "subject", "team", "workflow", "initiatorcontext", "source"];

const channels = Object.entries(channelWords).map(([value, label]) => ({ value, label }));

/** Who is told of what, and how. Filters that say more than can be chosen have a form of their own. */
export function SubscriptionForm({ team, known, isBusy, error, onSave, onCancel }: SubscriptionFormProps) {
  const [name, setName] = useState(known?.name ?? "");
  const [channel, setChannel] = useState<Channel>(known?.channel ?? "webhook");
  const [draft, setDraft] = useState(() => toDraft(known?.target));
  const [choice, setChoice] = useState(() => fromFilters(known?.filters ?? []) ?? { events: [], workflows: [] });
  const [isText, setText] = useState(() => fromFilters(known?.filters ?? []) === undefined);
  const [text, setFilterText] = useState(() => JSON.stringify(known?.filters ?? [], null, 2));
  const [secret, setSecret] = useState("");
  const [fault, setFault] = useState<Error>();
  const isMoved = known?.channel === "webhook" && draft.url.trim() !== toDraft(known.target).url;
  const save = (event: FormEvent) => {
    event.preventDefault();
    try {
      const filters = isText ? (JSON.parse(text.trim() || "[]") as EventFilter[]) : toFilters(choice);
      setFault(undefined);
      onSave({ name: name.trim(), channel, target: toTarget(channel, draft), filters, ...(isMoved && { secret: secret.trim() }) });
    } catch {
      setFault(new Error("The filters are not valid JSON."));
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
        {isMoved && <MovedSecret secret={secret} onChange={setSecret} />}
        {isText ? (
          <EventFilterEditor
            label="Filters of the subscription"
            text={text}
            attributes={filteredAttributes}
            problems={[]}
            onChange={setFilterText}
          />
        ) : (
          <Stack gap="xs" align="stretch">
            <EventPicker choice={choice} onChange={setChoice} />
            <Group>
              <Button size="compact-xs" variant="subtle" onClick={showAsText}>
                Use filters instead
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
            {known ? "Save subscription" : "Create subscription"}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
