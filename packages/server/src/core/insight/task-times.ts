import { type TimeKind, timeKinds } from "@millrace/contract/run/time-kinds.ts";

/** What tasks did with their time, in milliseconds each. docs/insights.md says what each kind is. */
export type TaskTimes = Record<TimeKind, number>;

export const noTimes = (): TaskTimes => Object.fromEntries(timeKinds.map((kind) => [kind, 0])) as TaskTimes;

export function addTimes(sum: TaskTimes, more: TaskTimes): void {
  for (const kind of timeKinds) sum[kind] += more[kind];
}

export interface HourRange {
  from: Date;
  to: Date;
  /** The days (UTC) that lie in it as a whole, from this one on; the same as `lastDay` when there are none. */
  firstDay: Date;
  lastDay: Date;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A range rounded to whole hours, outward, and the whole days in it. */
export function hourRange(from: Date, to: Date): HourRange {
  const fromMs = Math.floor(from.getTime() / hourMs) * hourMs;
  const toMs = Math.max(fromMs, Math.ceil(to.getTime() / hourMs) * hourMs);
  const firstDay = Math.ceil(fromMs / dayMs) * dayMs;
  const lastDay = Math.floor(toMs / dayMs) * dayMs;
  const days = firstDay < lastDay ? { firstDay, lastDay } : { firstDay: toMs, lastDay: toMs };
  return { from: new Date(fromMs), to: new Date(toMs), firstDay: new Date(days.firstDay), lastDay: new Date(days.lastDay) };
}
