import { Button, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { messageOf } from "../../api/api-error.ts";
import { cronQuery } from "../../api/queries/schedules.ts";
import { outcomeOf } from "../../texts/language.ts";
import { t } from "../../texts/schedules.ts";
import { cronWords } from "./cron-words.ts";
import { NextRuns } from "./next-runs.tsx";
import classes from "./schedule-form.module.css";

const presets: readonly [name: string, cron: string][] = [
  [t("cronField.hourly"), "0 * * * *"],
  [t("cronField.daily"), "0 8 * * *"],
  [t("cronField.weekdays"), "0 8 * * MON-FRI"],
  [t("cronField.weekly"), "0 8 * * MON"],
  [t("cronField.monthly"), "0 8 1 * *"],
];

interface CronFieldProps {
  team: string;
  value: string;
  onChange: (cron: string) => void;
  timezone: string;
  exclusions: readonly string[];
  error?: ReactNode;
}

/** An expression, its meaning in words, and its next ten times as the service computes them, updated while the user types. */
export function CronField({ team, value, onChange, timezone, exclusions, error }: CronFieldProps) {
  const cron = value.trim();
  const [asked] = useDebouncedValue({ cron, timezone, exclusions }, 300);
  const { data, error: trouble } = useQuery({ ...cronQuery(team, asked), enabled: asked.cron !== "" });
  const isSettled = asked.cron === cron;
  const fault = isSettled && data?.valid === false ? outcomeOf(data.message ?? "") : undefined;
  const words = cronWords(cron);
  return (
    <Stack gap="xs">
      <TextInput
        label={t("cronField.cronExpression")}
        description={t("cronField.cronExpressionHelp")}
        required
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={fault ?? error ?? (trouble ? messageOf(trouble) : undefined)}
        classNames={{ input: "code" }}
        spellCheck={false}
        autoComplete="off"
      />
      <div className={classes.presets}>
        {presets.map(([name, preset]) => (
          <Button key={name} size="compact-xs" variant="default" aria-pressed={preset === cron} onClick={() => onChange(preset)}>
            {name}
          </Button>
        ))}
      </div>
      <section className={classes.preview} aria-label={t("cronField.nextTenRuns")} aria-live="polite">
        {words !== undefined && fault === undefined && (
          <Text size="sm" fw={500} mb={4}>
            {words}
          </Text>
        )}
        {fault === undefined && data?.valid && cron !== "" ? (
          <NextRuns times={data.next ?? []} timezone={asked.timezone} label={t("cronField.nextTenRuns")} />
        ) : (
          <Text size="sm" className="quiet">
            {cron === "" ? t("cronField.nextTenRunsShown") : t("cronField.expressionHasNoUpcoming")}
          </Text>
        )}
      </section>
    </Stack>
  );
}
