import { SegmentedControl, Text, TextInput } from "@mantine/core";
import { viewerZone } from "../../ui/time/zone-time.ts";
import { CronField } from "./cron-field.tsx";
import type { DraftField, ScheduleDraft } from "./schedule-draft.ts";
import { ZoneSelect } from "./zone-select.tsx";

interface TimeFieldsProps {
  team: string;
  draft: ScheduleDraft;
  errors: Readonly<Partial<Record<DraftField, string>>>;
  onChange: (change: Partial<ScheduleDraft>) => void;
}

/** Again and again by an expression, or once at a date; on the clocks of a zone. */
export function TimeFields({ team, draft, errors, onChange }: TimeFieldsProps) {
  const isOnce = draft.type === "runOnce";
  const own = viewerZone();
  return (
    <>
      <SegmentedControl
        aria-label="Frequency"
        data={[
          { value: "cron", label: "Recurring" },
          { value: "runOnce", label: "One time" },
        ]}
        value={isOnce ? "runOnce" : "cron"}
        onChange={(value) => onChange({ type: value === "runOnce" ? "runOnce" : "cron" })}
      />
      <ZoneSelect
        value={draft.timezone}
        onChange={(timezone) => onChange({ timezone })}
        error={errors.timezone}
        {...(draft.timezone !== own && { description: `The schedule uses this time zone. Yours is ${own}` })}
      />
      {isOnce ? (
        <>
          <TextInput
            type="datetime-local"
            label="Date and time"
            required
            value={draft.date}
            onChange={(event) => onChange({ date: event.currentTarget.value })}
            error={errors.date}
          />
          <Text size="xs" className="quiet">
            Time zone: {draft.timezone}
          </Text>
        </>
      ) : (
        <CronField
          team={team}
          value={draft.cron}
          onChange={(cron) => onChange({ cron })}
          timezone={draft.timezone}
          exclusions={draft.exclusions}
          error={errors.cron}
        />
      )}
    </>
  );
}
