import { toInstant } from "../cron/time-zone.ts";
import { offsetSpans } from "../cron/zone-offsets.ts";

/** Days of a calendar on which a schedule does not fire, both ends included, as `YYYY-MM-DD`: such texts sort like the days. */
export interface DayRange {
  first: string;
  last: string;
}

/**
 * `2030-12-25` or `2030-12-24/2031-01-02`; undefined for anything else, including days that do not exist and ranges that end before they
 * begin.
 */
export function parseDayRange(text: string): DayRange | undefined {
  const [first, last = first, ...more] = text.trim().split("/");
  if (first === undefined || last === undefined || more.length > 0) return undefined;
  return isDay(first) && isDay(last) && first <= last ? { first, last } : undefined;
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** The first instant after the excluded days that contain this one; undefined if it is not excluded. */
export function endOfExclusion(ranges: readonly DayRange[], timeZone: string, at: Date): Date | undefined {
  if (ranges.length === 0) return undefined;
  const day = localDay(timeZone, at);
  const range = ranges.find(({ first, last }) => first <= day && day <= last);
  return range && startOfDayAfter(timeZone, range.last);
}

/** The local date in a zone. */
function localDay(timeZone: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000);
  const offset = offsetSpans(timeZone, seconds, seconds)[0]?.offset ?? 0;
  return new Date((seconds + offset) * 1000).toISOString().slice(0, 10);
}

const daySeconds = 86_400;

function startOfDayAfter(timeZone: string, day: string): Date {
  return new Date(toInstant(timeZone, Date.parse(`${day}T00:00:00Z`) / 1000 + daySeconds) * 1000);
}
