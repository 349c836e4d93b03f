import { NumberInput, Select, Stack, TagsInput } from "@mantine/core";
import { type CatchUpPolicy, maxJitterSeconds, type OverlapPolicy } from "@millrace/contract/schedule.ts";
import type { DraftField, ScheduleDraft } from "./schedule-draft.ts";

const overlaps: { value: OverlapPolicy; label: string }[] = [
  { value: "queue", label: "Queue: submit the next one, too" },
  { value: "skip", label: "Skip: leave the next one out" },
  { value: "cancel", label: "Cancel: end the open one, then submit" },
];
const catchUps: { value: CatchUpPolicy; label: string }[] = [
  { value: "one", label: "One run for all that was missed" },
  { value: "all", label: "A run for each" },
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
        label="Days without runs"
        description="Dates of the time zone such as 2030-12-25, or ranges such as 2030-12-24/2031-01-02. Enter adds one"
        placeholder={draft.exclusions.length === 0 ? "2030-12-25" : ""}
        value={draft.exclusions}
        onChange={(exclusions) => onChange({ exclusions })}
        error={errors.exclusions}
      />
      <Select
        label="When a run of it is still open"
        data={overlaps}
        allowDeselect={false}
        value={draft.overlapPolicy}
        onChange={(value) => value && onChange({ overlapPolicy: value as OverlapPolicy })}
      />
      <Select
        label="Times that were missed while the service was down"
        data={catchUps}
        allowDeselect={false}
        value={draft.catchUpPolicy}
        onChange={(value) => value && onChange({ catchUpPolicy: value as CatchUpPolicy })}
      />
      {draft.catchUpPolicy !== "none" && (
        <NumberInput
          label="Look back at most"
          description={`Minutes; empty is ${draft.catchUpPolicy === "all" ? "a day" : "without a limit"}`}
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
        description="Seconds by which each run may start later, so that not all start at once"
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
