import type { ScheduleStatus } from "@millrace/contract/schedule.ts";
import type { ComponentProps } from "react";
import type { Schedule } from "../../api/queries/schedules.ts";
import { cronWords } from "../../forms/schedule-form/cron-words.ts";
import { StateMark } from "../../ui/mark/state-mark.tsx";
import { clockText, dateText, zoneShort } from "../../ui/time/zone-time.ts";

const looks: Readonly<Record<ScheduleStatus, ComponentProps<typeof StateMark>>> = {
  active: { word: "Active", tone: "on" },
  inactive: { word: "Paused", tone: "rest" },
  trigger_disabled: { word: "Trigger off", tone: "wait" },
  completed: { word: "Completed", tone: "rest" },
  archived: { word: "Archived", tone: "rest" },
  error: { word: "Error", tone: "off" },
};

/** Active, and yet nothing comes: the clock of the database went back. */
const waiting: ComponentProps<typeof StateMark> = { word: "Waiting", tone: "wait" };

export function statusWord(status: ScheduleStatus): string {
  return looks[status].word;
}

/** Status of a schedule; what the service says about it on hover. */
export function ScheduleMark({ schedule }: { schedule: Schedule }) {
  const { status, statusMessage, waitingFor } = schedule;
  return (
    <span title={waitingFor ?? statusMessage}>
      <StateMark {...(waitingFor === undefined ? looks[status] : waiting)} />
    </span>
  );
}

/** When it runs, in words; the expression itself where there are none. */
export function whenWords(schedule: Schedule): string {
  const { type, dateSchedule, cronSchedule = "", timezone } = schedule;
  if (type !== "runOnce") return cronWords(cronSchedule) ?? cronSchedule;
  if (dateSchedule === undefined) return "One time";
  return `Once, ${dateText(timezone, dateSchedule)} ${clockText(timezone, dateSchedule)} ${zoneShort(timezone, dateSchedule)}`;
}
