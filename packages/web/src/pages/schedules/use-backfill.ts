import { useDebouncedValue } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { backfillSchedule, type Schedule } from "../../api/queries/schedules.ts";
import { endOfDay, startOfDay } from "../../ui/time/zone-time.ts";
import { useRefreshSchedules } from "./use-schedule-actions.ts";

/** Days of the schedule's zone, both included; empty while somebody types. */
export interface BackfillDays {
  first: string;
  last: string;
}

/** The times of the days, as the service tells them, and the action that starts their runs. */
export function useBackfill(team: string, schedule: Schedule, days: BackfillDays, onStarted: () => void) {
  const [asked] = useDebouncedValue(days, 300);
  const isRange = asked.first !== "" && asked.last !== "";
  const range = isRange ? rangeOf(schedule.timezone, asked) : { from: "", to: "" };
  const preview = useQuery({
    queryKey: ["firings", team, schedule.id, "backfill", range],
    queryFn: () => backfillSchedule(team, schedule.id, { ...range, preview: true }),
    enabled: isRange,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const refresh = useRefreshSchedules(team);
  const start = useMutation({
    mutationFn: (timeParam: string | null) =>
      backfillSchedule(team, schedule.id, { ...range, preview: false, ...(timeParam !== null && { timeParam }) }),
    onSuccess: async ({ count }) => {
      notifications.show({ message: `${count} ${count === 1 ? "run" : "runs"} of ${schedule.workflowRef} started for past times.` });
      await refresh();
      onStarted();
    },
  });
  return { preview, start, isSettled: asked === days && !preview.isPlaceholderData };
}

function rangeOf(timezone: string, { first, last }: BackfillDays) {
  return { from: new Date(startOfDay(timezone, first)).toISOString(), to: new Date(endOfDay(timezone, last)).toISOString() };
}
