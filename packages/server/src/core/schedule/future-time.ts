import { timeZoneFault, toInstant } from "../cron/time-zone.ts";
import { offsetSpans } from "../cron/zone-offsets.ts";

/** When a run is planned that a task schedules: so many periods from now; for days and longer, optionally at a time of day in a zone. */
export interface Delay {
  count: number;
  period: Period;
  /** `HH:mm` on a 24-hour clock; undefined keeps the time of day. */
  time: string | undefined;
  timeZone: string;
}

export const periods = ["minutes", "hours", "days", "weeks", "months"] as const;
export type Period = (typeof periods)[number];

/**
 * Minutes and hours are elapsed time; days, weeks and months follow the calendar of the zone, so that 08:30 stays 08:30 across a change of
 * the clocks. In a month that is too short, the last day is used.
 */
export function futureTime({ count, period, time, timeZone }: Delay, now: Date): Date {
  if (period === "minutes") return new Date(now.getTime() + count * 60_000);
  if (period === "hours") return new Date(now.getTime() + count * 3_600_000);
  const local = new Date(now.getTime() + offsetAt(timeZone, now) * 1000);
  const day = addDays(local, count, period);
  const [, hours, minutes] = (time === undefined ? undefined : readTime(time)) ?? [];
  const clockMs = hours === undefined ? local.getTime() % dayMs : (Number(hours) * 60 + Number(minutes)) * 60_000;
  return new Date(toInstant(timeZone, Math.floor((day + clockMs) / 1000)) * 1000);
}

const dayMs = 86_400_000;

/** The day, as its first millisecond in the local time of the zone. */
function addDays(local: Date, count: number, period: Period): number {
  const [year, month, day] = [local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()];
  if (period !== "months") return Date.UTC(year, month, day + count * (period === "weeks" ? 7 : 1));
  const lastDay = new Date(Date.UTC(year, month + count + 1, 0)).getUTCDate();
  return Date.UTC(year, month + count, Math.min(day, lastDay));
}

/** A date and time in a zone, written without an offset; undefined if it is not valid. */
export function localTime(text: string, timeZone: string): Date | undefined {
  if (timeZoneFault(timeZone) !== undefined || !/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?$/.test(text)) return undefined;
  const wallTime = Date.parse(`${text}Z`);
  return Number.isNaN(wallTime) ? undefined : new Date(toInstant(timeZone, Math.floor(wallTime / 1000)) * 1000);
}

function offsetAt(timeZone: string, at: Date): number {
  const seconds = Math.floor(at.getTime() / 1000);
  return offsetSpans(timeZone, seconds, seconds)[0]?.offset ?? 0;
}

/** The parts of `HH:mm`; undefined for anything else. */
export function readTime(text: string): RegExpExecArray | undefined {
  return /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text.trim()) ?? undefined;
}
