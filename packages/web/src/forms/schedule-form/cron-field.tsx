import { Button, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { messageOf } from "../../api/api-error.ts";
import { cronQuery } from "../../api/queries/schedules.ts";
import { cronWords } from "./cron-words.ts";
import { NextRuns } from "./next-runs.tsx";
import classes from "./schedule-form.module.css";

const presets: readonly [name: string, cron: string][] = [
  ["Hourly", "0 * * * *"],
  ["Daily", "0 8 * * *"],
  ["Weekdays", "0 8 * * MON-FRI"],
  ["Weekly", "0 8 * * MON"],
  ["Monthly", "0 8 1 * *"],
];

interface CronFieldProps {
  team: string;
  value: string;
  onChange: (cron: string) => void;
  timezone: string;
  exclusions: readonly string[];
  error: string | undefined;
}

/** An expression, what it means in words, and the ten times that the service makes of it, while one types. */
export function CronField({ team, value, onChange, timezone, exclusions, error }: CronFieldProps) {
  const cron = value.trim();
  const [asked] = useDebouncedValue({ cron, timezone, exclusions }, 300);
  const { data, error: trouble } = useQuery({ ...cronQuery(team, asked), enabled: asked.cron !== "" });
  const isSettled = asked.cron === cron;
  const fault = isSettled && data?.valid === false ? data.message : undefined;
  const words = cronWords(cron);
  return (
    <Stack gap="xs">
      <TextInput
        label="Cron expression"
        description="Minute, hour, day of month, month, day of week. With six fields, seconds come first"
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
      <section className={classes.preview} aria-label="Next ten runs" aria-live="polite">
        {words !== undefined && fault === undefined && (
          <Text size="sm" fw={500} mb={4}>
            {words}
          </Text>
        )}
        {fault === undefined && data?.valid && cron !== "" ? (
          <NextRuns times={data.next ?? []} timezone={asked.timezone} label="Next ten runs" />
        ) : (
          <Text size="sm" className="quiet">
            {cron === "" ? "The next ten runs are shown here." : "This expression has no upcoming runs."}
          </Text>
        )}
      </section>
    </Stack>
  );
}
