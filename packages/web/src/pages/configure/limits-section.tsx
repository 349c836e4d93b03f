import { NumberInput, Select, Stack, Text, TextInput } from "@mantine/core";
import { type SectionProps, useSectionDraft } from "../../editor/draft/use-section-draft.ts";
import { t } from "../../texts/workflow/configure.ts";
import { CollectPanel } from "./collect-panel.tsx";
import { KeyField, LimitPanel } from "./limit-panel.tsx";
import { type LimitAction, type LimitsValue, newConcurrency, newRate, readLimits, writeLimits } from "./limits-draft.ts";
import { SaveBar } from "./save-bar.tsx";

const choices: { value: LimitAction; label: string }[] = [
  { value: "queue", label: t("limitsSection.queue") },
  { value: "skip", label: t("limitsSection.skip") },
  { value: "cancelOldest", label: t("limitsSection.cancelOldest") },
];

/** How many runs of the workflow run at once, how fast they start, which events share a run, and the priority among the team's runs. */
export function LimitsSection({ team, workflow }: SectionProps) {
  const section = useSectionDraft<LimitsValue>({
    section: "limits",
    members: ["concurrency", "rate", "debounce", "batch", "priority"],
    read: readLimits,
    write: writeLimits,
  });
  const { value, change, faultAt } = section;
  const { concurrency, rate } = value;
  return (
    <Stack gap="sm" maw={720}>
      <LimitPanel
        word={t("limitsSection.concurrency")}
        about={t("limitsSection.concurrencyHelp")}
        isOn={concurrency !== undefined}
        onSwitch={(isOn) => change({ concurrency: isOn ? newConcurrency : undefined })}
      >
        {concurrency && (
          <>
            <NumberInput
              label={t("limitsSection.max")}
              min={1}
              max={1000}
              allowDecimal={false}
              error={faultAt("/concurrency/max")}
              value={concurrency.max}
              onChange={(max) => change({ concurrency: { ...concurrency, max } })}
            />
            <Select
              label={t("limitsSection.onLimit")}
              data={choices}
              allowDeselect={false}
              value={concurrency.onLimit}
              onChange={(onLimit) => change({ concurrency: { ...concurrency, onLimit: onLimit as LimitAction } })}
            />
            <KeyField
              value={concurrency.key}
              error={faultAt("/concurrency/key")}
              onChange={(key) => change({ concurrency: { ...concurrency, key } })}
            />
          </>
        )}
      </LimitPanel>
      <LimitPanel
        word={t("limitsSection.rate")}
        about={t("limitsSection.rateHelp")}
        isOn={rate !== undefined}
        onSwitch={(isOn) => change({ rate: isOn ? newRate : undefined })}
      >
        {rate && (
          <>
            <NumberInput
              label={t("limitsSection.limit")}
              min={1}
              max={1000}
              allowDecimal={false}
              error={faultAt("/rate/limit")}
              value={rate.limit}
              onChange={(limit) => change({ rate: { ...rate, limit } })}
            />
            <TextInput
              label={t("limitsSection.period")}
              description={t("limitsSection.periodHelp")}
              error={faultAt("/rate/period")}
              value={rate.period}
              onChange={(event) => change({ rate: { ...rate, period: event.currentTarget.value } })}
            />
            <KeyField value={rate.key} error={faultAt("/rate/key")} onChange={(key) => change({ rate: { ...rate, key } })} />
          </>
        )}
      </LimitPanel>
      <CollectPanel value={value.collect} params={listParams(workflow)} faultAt={faultAt} onChange={(collect) => change({ collect })} />
      <NumberInput
        maw={340}
        label={t("limitsSection.priority")}
        description={t("limitsSection.priorityHelp")}
        min={0}
        max={9}
        allowDecimal={false}
        error={faultAt("/priority")}
        value={value.priority}
        onChange={(priority) => change({ priority })}
      />
      <Text size="sm" className="quiet">
        {t("limitsSection.partOfVersion")}
      </Text>
      <SaveBar team={team} section={section} />
    </Stack>
  );
}

/** The parameters that can hold a list. */
function listParams({ params }: SectionProps["workflow"]): string[] {
  return (params ?? []).flatMap(({ name, type }) => (type === "json" || type === "array" ? [name] : []));
}
