import { SegmentedControl, Text, TextInput } from "@mantine/core";
import { t } from "../../texts/schedule-form.ts";
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
        aria-label={t("timeFields.frequency")}
        data={[
          { value: "cron", label: t("timeFields.recurring") },
          { value: "runOnce", label: t("timeFields.oneTime") },
        ]}
        value={isOnce ? "runOnce" : "cron"}
        onChange={(value) => onChange({ type: value === "runOnce" ? "runOnce" : "cron" })}
      />
      <ZoneSelect
        value={draft.timezone}
        onChange={(timezone) => onChange({ timezone })}
        error={errors.timezone}
        {...(draft.timezone !== own && { description: t("timeFields.scheduleUsesTimeZone", { own }) })}
      />
      {isOnce ? (
        <>
          <TextInput
            type="datetime-local"
            label={t("timeFields.dateTime")}
            required
            value={draft.date}
            onChange={(event) => onChange({ date: event.currentTarget.value })}
            error={errors.date}
          />
          <Text size="xs" className="quiet">
            {t("timeFields.timeZone", { timezone: draft.timezone })}
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
