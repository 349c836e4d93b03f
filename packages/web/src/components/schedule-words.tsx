import type { ScheduleStatus } from "@millrace/contract/schedule.ts";
import type { ComponentProps } from "react";
import type { Schedule } from "../api/queries/schedules.ts";
import { cronWords } from "../forms/schedule-form/cron-words.ts";
import { outcomeOf } from "../texts/language.ts";
import { t } from "../texts/schedules.ts";
import { StateMark } from "../ui/mark/state-mark.tsx";
import { clockText, dateText, zoneShort } from "../ui/time/zone-time.ts";

const looks: Readonly<Record<ScheduleStatus, ComponentProps<typeof StateMark>>> = {
  active: { word: t("scheduleWords.active"), tone: "on" },
  inactive: { word: t("scheduleWords.paused"), tone: "rest" },
  trigger_disabled: { word: t("scheduleWords.triggerOff"), tone: "wait" },
  completed: { word: t("scheduleWords.completed"), tone: "rest" },
  archived: { word: t("scheduleWords.archived"), tone: "rest" },
  error: { word: t("scheduleWords.error"), tone: "off" },
};

/** The schedule is active but nothing fires, because the clock of the database went back. */
const waiting: ComponentProps<typeof StateMark> = { word: t("scheduleWords.waiting"), tone: "wait" };

export function statusWord(status: ScheduleStatus): string {
  return looks[status].word;
}

/** The status of a schedule, with the service's message on hover. */
export function ScheduleMark({ schedule }: { schedule: Schedule }) {
  const { status, statusMessage, waitingFor } = schedule;
  return (
    <span title={outcomeOf(waitingFor ?? statusMessage ?? "")}>
      <StateMark {...(waitingFor === undefined ? looks[status] : waiting)} />
    </span>
  );
}

/** When the schedule runs, in words; the expression itself if it can't be put into words. */
export function whenWords(schedule: Schedule): string {
  const { type, dateSchedule, cronSchedule = "", timezone } = schedule;
  if (type !== "runOnce") return cronWords(cronSchedule) ?? cronSchedule;
  if (dateSchedule === undefined) return t("scheduleWords.oneTime");
  return t("scheduleWords.once", {
    date: dateText(timezone, dateSchedule),
    clock: clockText(timezone, dateSchedule),
    zoneShort: zoneShort(timezone, dateSchedule),
  });
}
