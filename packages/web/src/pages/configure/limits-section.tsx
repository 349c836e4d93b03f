import { NumberInput, Select, SimpleGrid, Stack, Switch, Text, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../../texts/configure.ts";
import classes from "./configure.module.css";
import { type LimitAction, type LimitsValue, newConcurrency, newRate, readLimits, writeLimits } from "./limits-draft.ts";
import { SaveBar } from "./save-bar.tsx";
import { type SectionProps, useSectionDraft } from "./use-section-draft.ts";

const choices: { value: LimitAction; label: string }[] = [
  { value: "queue", label: t("limitsSection.queue") },
  { value: "skip", label: t("limitsSection.skip") },
  { value: "cancelOldest", label: t("limitsSection.cancelOldest") },
];

/** How many runs of the workflow run at once, how fast they start, and which of the team's runs comes first. */
export function LimitsSection({ team }: SectionProps) {
  const section = useSectionDraft<LimitsValue>({
    section: "limits",
    members: ["concurrency", "rate", "priority"],
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

interface LimitPanelProps {
  word: string;
  about: string;
  isOn: boolean;
  onSwitch: (isOn: boolean) => void;
  children: ReactNode;
}

function LimitPanel({ word, about, isOn, onSwitch, children }: LimitPanelProps) {
  return (
    <section className={classes.panel} aria-label={word}>
      <div className={classes.panelHead}>
        <Switch label={word} description={about} checked={isOn} onChange={(event) => onSwitch(event.currentTarget.checked)} />
      </div>
      {isOn && (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" className={classes.panelBody}>
          {children}
        </SimpleGrid>
      )}
    </section>
  );
}

function KeyField({ value, error, onChange }: { value: string; error: string | undefined; onChange: (key: string) => void }) {
  return (
    <TextInput
      label={t("limitsSection.key")}
      description={t("limitsSection.keyHelp")}
      placeholder="$(params.customer)"
      error={error}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
