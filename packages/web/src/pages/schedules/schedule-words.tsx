import type { ScheduleStatus } from "@millrace/contract/schedule.ts";
import {
  IconAlertTriangleFilled,
  IconArchive,
  IconCircleCheckFilled,
  IconClock,
  IconPlayerPauseFilled,
  IconPlugOff,
} from "@tabler/icons-react";
import type { Schedule } from "../../api/queries/schedules.ts";
import { cronWords } from "../../forms/schedule-form/cron-words.ts";
import { clockText, dateText, zoneShort } from "../../ui/zone-time.ts";
import classes from "./schedules.module.css";

const looks: Readonly<Record<ScheduleStatus, { word: string; tone: string; icon: typeof IconClock }>> = {
  active: { word: "Active", tone: "running", icon: IconClock },
  inactive: { word: "Paused", tone: "waiting", icon: IconPlayerPauseFilled },
  trigger_disabled: { word: "Trigger off", tone: "waiting", icon: IconPlugOff },
  completed: { word: "Completed", tone: "skipped", icon: IconCircleCheckFilled },
  archived: { word: "Archived", tone: "skipped", icon: IconArchive },
  error: { word: "Error", tone: "failed", icon: IconAlertTriangleFilled },
};

export function statusWord(status: ScheduleStatus): string {
  return looks[status].word;
}

/** Status of a schedule: a shape, a colour, a word; what the service says about it on hover. */
export function ScheduleMark({ schedule }: { schedule: Schedule }) {
  const { word, tone, icon: Icon } = looks[schedule.status];
  return (
    <span className={classes.entryMark} data-tone={tone} title={schedule.statusMessage}>
      <Icon size={14} aria-hidden />
      {word}
    </span>
  );
}

/** When it runs, in words; the expression itself where there are none. */
export function whenWords(schedule: Schedule): string {
  const { type, dateSchedule, cronSchedule = "", timezone } = schedule;
  if (type !== "runOnce") return cronWords(cronSchedule) ?? cronSchedule;
  if (dateSchedule === undefined) return "Once";
  return `Once, ${dateText(timezone, dateSchedule)} ${clockText(timezone, dateSchedule)} ${zoneShort(timezone, dateSchedule)}`;
}
