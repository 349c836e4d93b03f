import { type TimeKind, timeKinds } from "@millrace/contract/run/time-kinds.ts";

/** How tasks spent their time, in milliseconds. docs/insights.md describes each kind. */
export type TaskTimes = Record<TimeKind, number>;

export const noTimes = (): TaskTimes => Object.fromEntries(timeKinds.map((kind) => [kind, 0])) as TaskTimes;

export function addTimes(sum: TaskTimes, more: TaskTimes): void {
  for (const kind of timeKinds) sum[kind] += more[kind];
}

export interface HourRange {
  from: Date;
  to: Date;
  /** The complete days (UTC) in the range begin with this one; the same as `lastDay` if there are none. */
  firstDay: Date;
  lastDay: Date;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A range, extended to whole hours, and the complete days in it. */
export function hourRange(from: Date, to: Date): HourRange {
  const fromMs = Math.floor(from.getTime() / hourMs) * hourMs;
  const toMs = Math.max(fromMs, Math.ceil(to.getTime() / hourMs) * hourMs);
  const firstDay = Math.ceil(fromMs / dayMs) * dayMs;
  const lastDay = Math.floor(toMs / dayMs) * dayMs;
  const days = firstDay < lastDay ? { firstDay, lastDay } : { firstDay: toMs, lastDay: toMs };
  return { from: new Date(fromMs), to: new Date(toMs), firstDay: new Date(days.firstDay), lastDay: new Date(days.lastDay) };
}
