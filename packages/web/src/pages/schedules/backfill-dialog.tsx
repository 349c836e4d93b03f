import { Button, Group, Modal, Select, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { maxBackfillTimes } from "@millrace/contract/schedule.ts";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../../api/api-error.ts";
import { backfillSchedule, type Schedule, scheduledWorkflowQuery } from "../../api/queries/schedules.ts";
import { addDays, dayOf, endOfDay, startOfDay } from "../../ui/zone-time.ts";
import { BackfillTimes } from "./backfill-times.tsx";
import { useRefreshSchedules } from "./use-schedule-deeds.ts";

interface BackfillDialogProps {
  team: string;
  schedule: Schedule;
  onClose: () => void;
}

/** Runs for past times: which days, which times that are, and only then the runs. Days are those of the schedule's zone. */
export function BackfillDialog({ team, schedule, onClose }: BackfillDialogProps) {
  const { timezone } = schedule;
  const today = dayOf(timezone, Date.now());
  const [days, setDays] = useState({ first: addDays(today, -3), last: today });
  const [timeParam, setTimeParam] = useState<string | null>(null);
  const [asked] = useDebouncedValue(days, 300);
  const isRange = asked.first !== "" && asked.last !== "";
  const range = isRange ? rangeOf(timezone, asked) : { from: "", to: "" };
  const preview = useQuery({
    queryKey: ["firings", team, schedule.id, "backfill", range],
    queryFn: () => backfillSchedule(team, schedule.id, { ...range, preview: true }),
    enabled: isRange,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const refresh = useRefreshSchedules(team);
  const start = useMutation({
    mutationFn: () => backfillSchedule(team, schedule.id, { ...range, preview: false, ...(timeParam !== null && { timeParam }) }),
    onSuccess: async ({ count }) => {
      notifications.show({ message: `${count} ${count === 1 ? "run" : "runs"} of ${schedule.workflowRef} started for past times.` });
      await refresh();
      onClose();
    },
  });
  const { data: workflow } = useQuery(scheduledWorkflowQuery(team, schedule.workflowRef));
  const names = (workflow?.params ?? []).map(({ name }) => name);
  const count = preview.error ? 0 : (preview.data?.count ?? 0);
  const error = start.error ?? preview.error;
  return (
    <Modal opened onClose={onClose} title={`Backfill ${schedule.name}`} size="lg" closeButtonProps={{ "aria-label": "Close" }}>
      <Stack gap="sm">
        <Text size="sm" className="quiet">
          Starts a run for each past time that has none, whatever came of it: missed, skipped, refused, or paused. A time that has a run
          gets no second one. At most {maxBackfillTimes} at once.
        </Text>
        <Group grow align="flex-start">
          <TextInput
            type="date"
            label="First day"
            max={today}
            value={days.first}
            onChange={(event) => setDays({ ...days, first: event.currentTarget.value })}
          />
          <TextInput
            type="date"
            label="Last day"
            max={today}
            value={days.last}
            onChange={(event) => setDays({ ...days, last: event.currentTarget.value })}
          />
        </Group>
        <Text size="xs" className="quiet">
          Days of {timezone}, both included
        </Text>
        {names.length > 0 && (
          <Select
            label="Parameter that gets the time of each run"
            description="So that a run for a past day can work on that day"
            placeholder="None"
            clearable
            data={names}
            value={timeParam}
            onChange={setTimeParam}
          />
        )}
        {error ? (
          <Text role="alert" size="sm" c="var(--status-failed)">
            {messageOf(error)}
          </Text>
        ) : (
          preview.data && <BackfillTimes team={team} times={preview.data.times} timezone={timezone} />
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button
            disabled={count === 0 || preview.isPlaceholderData || asked !== days}
            loading={start.isPending}
            onClick={() => start.mutate()}
          >
            {count === 0 ? "Nothing to start" : `Start ${count} ${count === 1 ? "run" : "runs"}`}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function rangeOf(timezone: string, { first, last }: { first: string; last: string }) {
  return { from: new Date(startOfDay(timezone, first)).toISOString(), to: new Date(endOfDay(timezone, last)).toISOString() };
}
