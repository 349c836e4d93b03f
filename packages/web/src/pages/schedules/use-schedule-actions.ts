import { notifications } from "@mantine/notifications";
import { useNavigate } from "@tanstack/react-router";
import { messageOf } from "../../api/api-error.ts";
import { deleteSchedule, runScheduleNow, type Schedule, saveSchedule } from "../../api/queries/schedules.ts";
import { useRenew } from "../../hooks/use-renew.ts";
import { paths } from "../../paths.ts";
import { t } from "../../texts/schedules.ts";

/** Invalidates all queries about the team's schedules after one was changed. */
export function useRefreshSchedules(team: string): () => Promise<unknown> {
  const renew = useRenew();
  return () => renew(["schedules", "schedule", "calendar", "firings", "runs"], team);
}

export interface ScheduleActions {
  pause: (schedule: Schedule) => Promise<void>;
  resume: (schedule: Schedule) => Promise<void>;
  archive: (schedule: Schedule) => Promise<void>;
  runNow: (schedule: Schedule) => Promise<void>;
  remove: (schedule: Schedule) => Promise<void>;
}

/** The actions for a schedule that need no form. Errors are shown in the service's words; deleting leaves that to its dialog. */
export function useScheduleActions(team: string): ScheduleActions {
  const refresh = useRefreshSchedules(team);
  const navigate = useNavigate();
  const tell = async (action: () => Promise<unknown>) => {
    try {
      await action();
    } catch (error) {
      notifications.show({ color: "red", title: t("scheduleActions.requestRejected"), message: messageOf(error) });
    }
    await refresh();
  };
  const setStatus = (status: string) => (schedule: Schedule) => tell(() => saveSchedule(team, { id: schedule.id, status }));
  return {
    pause: setStatus("inactive"),
    resume: setStatus("active"),
    archive: setStatus("archived"),
    runNow: (schedule) =>
      tell(async () => {
        const run = await runScheduleNow(team, schedule.id);
        await navigate({ to: paths.run(team, run.id) });
      }),
    remove: async (schedule) => {
      await deleteSchedule(team, schedule.id);
      await refresh();
    },
  };
}
