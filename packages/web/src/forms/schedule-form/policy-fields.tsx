import { NumberInput, Select, Stack, TagsInput } from "@mantine/core";
import { type CatchUpPolicy, maxJitterSeconds, type OverlapPolicy } from "@millrace/contract/schedule.ts";
import type { DraftField, ScheduleDraft } from "./schedule-draft.ts";

const overlaps: { value: OverlapPolicy; label: string }[] = [
  { value: "queue", label: "Queue: start the next one too" },
  { value: "skip", label: "Skip: leave the next one out" },
  { value: "cancel", label: "Cancel: end the open run, then start the next one" },
];
const catchUps: { value: CatchUpPolicy; label: string }[] = [
  { value: "one", label: "One run for all missed times" },
  { value: "all", label: "One run for each" },
  { value: "none", label: "None" },
];

interface PolicyFieldsProps {
  draft: ScheduleDraft;
  errors: Readonly<Partial<Record<DraftField, string>>>;
  onChange: (change: Partial<ScheduleDraft>) => void;
}

/** What most schedules leave as it is: overlap, downtime, jitter, days without runs. */
export function PolicyFields({ draft, errors, onChange }: PolicyFieldsProps) {
  return (
    <Stack gap="sm">
      <TagsInput
        label="Excluded days"
        description="Dates in the schedule's time zone such as 2030-12-25, or ranges such as 2030-12-24/2031-01-02. Press Enter to add one"
        placeholder={draft.exclusions.length === 0 ? "2030-12-25" : ""}
        value={draft.exclusions}
        onChange={(exclusions) => onChange({ exclusions })}
        error={errors.exclusions}
      />
      <Select
        label="If a run is still open"
        data={overlaps}
        allowDeselect={false}
        value={draft.overlapPolicy}
        onChange={(value) => value && onChange({ overlapPolicy: value as OverlapPolicy })}
      />
      <Select
        label="Times missed while the service was down"
        data={catchUps}
        allowDeselect={false}
        value={draft.catchUpPolicy}
        onChange={(value) => value && onChange({ catchUpPolicy: value as CatchUpPolicy })}
      />
      {draft.catchUpPolicy !== "none" && (
        <NumberInput
          label="Look back at most"
          description={`Minutes. Leave empty for ${draft.catchUpPolicy === "all" ? "a day" : "no limit"}`}
          min={1}
          max={525_600}
          allowDecimal={false}
          value={draft.catchUpWindow}
          onChange={(value) => onChange({ catchUpWindow: typeof value === "number" ? value : "" })}
          error={errors.catchUpWindow}
        />
      )}
      <NumberInput
        label="Jitter"
        description="Delay each run by up to this many seconds, so that not all start at once"
        min={0}
        max={maxJitterSeconds}
        allowDecimal={false}
        value={draft.jitter}
        onChange={(value) => onChange({ jitter: typeof value === "number" ? value : 0 })}
        error={errors.jitter}
      />
    </Stack>
  );
}
