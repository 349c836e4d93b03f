import { NumberInput, Select, Stack, TagsInput } from "@mantine/core";
import { type CatchUpPolicy, maxJitterSeconds, type OverlapPolicy } from "@millrace/contract/schedule.ts";
import { t } from "../../texts/schedule-form.ts";
import type { DraftField, ScheduleDraft } from "./schedule-draft.ts";

const overlaps: { value: OverlapPolicy; label: string }[] = [
  { value: "queue", label: t("policyFields.queueStartNextToo") },
  { value: "skip", label: t("policyFields.skipLeaveNextOut") },
  { value: "cancel", label: t("policyFields.cancelEndOpenRun") },
];
const catchUps: { value: CatchUpPolicy; label: string }[] = [
  { value: "one", label: t("policyFields.oneRunAllMissed") },
  { value: "all", label: t("policyFields.oneRunEach") },
  { value: "none", label: t("policyFields.none") },
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
        openOnFocus={false}
        label={t("policyFields.excludedDays")}
        description={t("policyFields.excludedDaysHelp")}
        placeholder={draft.exclusions.length === 0 ? "2030-12-25" : ""}
        value={draft.exclusions}
        onChange={(exclusions) => onChange({ exclusions })}
        error={errors.exclusions}
      />
      <Select
        label={t("policyFields.ifRunStillOpen")}
        data={overlaps}
        allowDeselect={false}
        value={draft.overlapPolicy}
        onChange={(value) => value && onChange({ overlapPolicy: value as OverlapPolicy })}
      />
      <Select
        label={t("policyFields.timesMissedWhileService")}
        data={catchUps}
        allowDeselect={false}
        value={draft.catchUpPolicy}
        onChange={(value) => value && onChange({ catchUpPolicy: value as CatchUpPolicy })}
      />
      {draft.catchUpPolicy !== "none" && (
        <NumberInput
          label={t("policyFields.lookBackMost")}
          description={t("policyFields.lookBackMostHelp", { kind: draft.catchUpPolicy === "all" ? "yes" : "no" })}
          min={1}
          max={525_600}
          allowDecimal={false}
          value={draft.catchUpWindow}
          onChange={(value) => onChange({ catchUpWindow: typeof value === "number" ? value : "" })}
          error={errors.catchUpWindow}
        />
      )}
      <NumberInput
        label={t("policyFields.jitter")}
        description={t("policyFields.jitterHelp")}
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
