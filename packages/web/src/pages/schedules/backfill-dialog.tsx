import { Button, Group, Modal, Select, Stack, Text, TextInput } from "@mantine/core";
import { maxBackfillTimes } from "@millrace/contract/schedule.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../../api/api-error.ts";
import { type Schedule, scheduledWorkflowQuery } from "../../api/queries/schedules.ts";
import { addDays, dayOf } from "../../ui/time/zone-time.ts";
import { BackfillTimes } from "./backfill-times.tsx";
import { type BackfillDays, useBackfill } from "./use-backfill.ts";

interface BackfillDialogProps {
  team: string;
  schedule: Schedule;
  onClose: () => void;
}

/** Runs for past times: which days, which times that are, and only then the runs. */
export function BackfillDialog({ team, schedule, onClose }: BackfillDialogProps) {
  const { timezone } = schedule;
  const today = dayOf(timezone, Date.now());
  const [days, setDays] = useState<BackfillDays>({ first: addDays(today, -3), last: today });
  const [timeParam, setTimeParam] = useState<string | null>(null);
  const { preview, start, isSettled } = useBackfill(team, schedule, days, onClose);
  const count = preview.error ? 0 : (preview.data?.count ?? 0);
  const error = start.error ?? preview.error;
  return (
    <Modal opened onClose={onClose} title={`Backfill ${schedule.name}`} size="lg" closeButtonProps={{ "aria-label": "Close" }}>
      <Stack gap="sm">
        <Text size="sm" className="quiet">
          Starts a run for each past time without one: missed, skipped, rejected or paused. Times that have a run are left out. At most{" "}
          {maxBackfillTimes} runs at a time.
        </Text>
        <DayFields days={days} today={today} timezone={timezone} onChange={setDays} />
        <TimeParameter team={team} workflow={schedule.workflowRef} value={timeParam} onChange={setTimeParam} />
        {error && (
          <Text role="alert" size="sm" c="var(--status-failed)">
            {messageOf(error)}
          </Text>
        )}
        {!error && preview.data && <BackfillTimes team={team} times={preview.data.times} timezone={timezone} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button disabled={count === 0 || !isSettled} loading={start.isPending} onClick={() => start.mutate(timeParam)}>
            {count === 0 ? "Nothing to start" : `Start ${count} ${count === 1 ? "run" : "runs"}`}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

interface DayFieldsProps {
  days: BackfillDays;
  today: string;
  timezone: string;
  onChange: (days: BackfillDays) => void;
}

function DayFields({ days, today, timezone, onChange }: DayFieldsProps) {
  const field = (name: keyof BackfillDays, label: string) => (
    <TextInput
      type="date"
      label={label}
      max={today}
      value={days[name]}
      onChange={(event) => onChange({ ...days, [name]: event.currentTarget.value })}
    />
  );
  return (
    <>
      <Group grow align="flex-start">
        {field("first", "First day")}
        {field("last", "Last day")}
      </Group>
      <Text size="xs" className="quiet">
        Days in {timezone}, both included
      </Text>
    </>
  );
}

interface TimeParameterProps {
  team: string;
  workflow: string;
  value: string | null;
  onChange: (value: string | null) => void;
}

/** So that a run for a past day can work on that day. Not there for workflows without parameters. */
function TimeParameter({ team, workflow, value, onChange }: TimeParameterProps) {
  const { data } = useQuery(scheduledWorkflowQuery(team, workflow));
  const names = (data?.params ?? []).map(({ name }) => name);
  if (names.length === 0) return null;
  return (
    <Select
      label="Parameter that receives the time of each run"
      description="So that a run for a past day can process that day"
      placeholder="None"
      clearable
      data={names}
      value={value}
      onChange={onChange}
    />
  );
}
