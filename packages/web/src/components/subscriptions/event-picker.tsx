import { Button, Checkbox, Chip, Group, Stack, TagsInput, Text } from "@mantine/core";
import { t } from "../../texts/integrations.ts";
import { type EventChoice, eventKinds, eventPresets } from "./event-choice.ts";
import classes from "./subscriptions.module.css";

interface EventPickerProps {
  choice: EventChoice;
  onChange: (choice: EventChoice) => void;
}

/** Selects the events to send by kind, status and workflow. An empty selection means all events. */
export function EventPicker({ choice, onChange }: EventPickerProps) {
  const { events, workflows } = choice;
  const toggle = (event: string) =>
    onChange({ ...choice, events: events.includes(event) ? events.filter((one) => one !== event) : [...events, event] });
  const setKind = (kind: string, isWhole: boolean) => {
    const others = events.filter((event) => !event.startsWith(`${kind}.`));
    onChange({ ...choice, events: isWhole ? [...others, `${kind}.`] : others });
  };
  return (
    <Stack gap="xs" role="group" aria-label={t("eventPicker.events")}>
      <Group gap={4} justify="space-between">
        <Text size="sm" fw={500}>
          {t("eventPicker.events")}
        </Text>
        <Group gap={4}>
          {eventPresets.map((preset) => (
            <Button
              key={preset.name}
              size="compact-xs"
              variant="default"
              onClick={() => onChange({ ...choice, events: [...preset.events] })}
            >
              {preset.name}
            </Button>
          ))}
        </Group>
      </Group>
      <div className={classes.kinds}>
        {eventKinds.map(({ kind, name, statuses }) => (
          <KindRow key={kind} {...{ kind, name, statuses, events, toggle }} onWhole={(isWhole) => setKind(kind, isWhole)} />
        ))}
      </div>
      {events.length === 0 && (
        <Text size="xs" className="quiet">
          {t("eventPicker.noSelectionEveryEvent")}
        </Text>
      )}
      <TagsInput
        openOnFocus={false}
        label={t("eventPicker.onlyTheseWorkflows")}
        description={t("eventPicker.onlyTheseWorkflowsHelp")}
        value={[...workflows]}
        onChange={(names) => onChange({ ...choice, workflows: names })}
      />
    </Stack>
  );
}

interface KindRowProps {
  kind: string;
  name: string;
  statuses: (typeof eventKinds)[number]["statuses"];
  events: readonly string[];
  toggle: (event: string) => void;
  onWhole: (isWhole: boolean) => void;
}

function KindRow({ kind, name, statuses, events, toggle, onWhole }: KindRowProps) {
  const isWhole = events.includes(`${kind}.`);
  const some = statuses.some(([status]) => events.includes(`${kind}.${status}`));
  return (
    <div className={classes.kind}>
      <Checkbox
        size="xs"
        label={name}
        checked={isWhole}
        indeterminate={some && !isWhole}
        onChange={(event) => onWhole(event.currentTarget.checked)}
      />
      <Group gap={4} role="group" aria-label={t("eventPicker.statuses", { name })}>
        {statuses.map(([status, word]) => (
          <Chip
            key={status}
            size="xs"
            disabled={isWhole}
            checked={isWhole || events.includes(`${kind}.${status}`)}
            onChange={() => toggle(`${kind}.${status}`)}
          >
            {word}
          </Chip>
        ))}
      </Group>
    </div>
  );
}
