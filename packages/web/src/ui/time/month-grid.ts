import { locale } from "../../texts/language.ts";
import { addDays } from "./zone-time.ts";

/** A month is `YYYY-MM`, a day `YYYY-MM-DD`, a day of the week 0 (Sunday) to 6. */

function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

/**
 * The whole weeks that contain a month, from its first to its last day. Independent of time zones: a day is a day, however many hours it
 * has.
 */
export function monthWeeks(month: string, weekStart: number): string[][] {
  const first = `${month}-01`;
  let day = addDays(first, -((weekdayOf(first) - weekStart + 7) % 7));
  const weeks: string[][] = [];
  while (day.slice(0, 7) <= month) {
    weeks.push(Array.from({ length: 7 }, (_, index) => addDays(day, index)));
    day = addDays(day, 7);
  }
  return weeks;
}

/** @param count the number of months; negative: earlier */
export function addMonths(month: string, count: number): string {
  const [year, index] = month.split("-").map(Number) as [number, number];
  return new Date(Date.UTC(year, index - 1 + count, 1)).toISOString().slice(0, 7);
}

/** The first day of the week in the viewer's region: 0 (Sunday) to 6; Monday if unknown. */
export function viewerWeekStart(of = locale): number {
  const region = new Intl.Locale(of) as Intl.Locale & { getWeekInfo?: () => { firstDay: number }; weekInfo?: { firstDay: number } };
  return (region.getWeekInfo?.() ?? region.weekInfo ?? { firstDay: 1 }).firstDay % 7;
}

/** The day to which a key moves from a day of the calendar; undefined if the key doesn't move. */
export function dayByKey(key: string, day: string, weekStart: number): string | undefined {
  const intoWeek = (weekdayOf(day) - weekStart + 7) % 7;
  const steps: Record<string, number> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -7,
    ArrowDown: 7,
    Home: -intoWeek,
    End: 6 - intoWeek,
  };
  const step = steps[key];
  if (step !== undefined) return addDays(day, step);
  if (key === "PageUp" || key === "PageDown") return sameDayOf(addMonths(day.slice(0, 7), key === "PageUp" ? -1 : 1), day);
  return undefined;
}

/** The day with that number in a month, or the last day of a shorter month. */
function sameDayOf(month: string, day: string): string {
  const last = addDays(`${addMonths(month, 1)}-01`, -1);
  const same = `${month}-${day.slice(8)}`;
  return same < last ? same : last;
}
