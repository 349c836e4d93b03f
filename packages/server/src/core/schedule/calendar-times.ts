import type { ScheduleFields } from "./schedule-fields.ts";
import { compileTiming, timesBetween } from "./timing.ts";

/**
 * The times of a schedule that lie ahead in a range, both ends included, as if it were active: a paused one shows what it would do. One
 * that is archived or completed has none.
 */
export function calendarTimes(schedule: ScheduleFields, range: { from: Date; to: Date }, now: Date, limit: number): Date[] {
  if (schedule.status === "archived" || schedule.status === "completed") return [];
  const from = range.from < now ? now : range.from;
  return from > range.to ? [] : timesBetween(compileTiming(schedule), from, range.to, limit);
}
