import { firstYear, lastYear } from "./cron-field.ts";
import { matchingDays } from "./month-days.ts";
import type { Cron } from "./parse-cron.ts";

const daySeconds = 86_400;

/**
 * The first time on a calendar without shifts, at or after the given one, that the expression names; undefined when there is none
 * up to the last year. Goes field by field: a year, month or day that does not match is left in one step.
 *
 * @param from seconds since 1970-01-01 00:00 on that calendar
 */
export function nextWallTime(cron: Cron, from: number): number | undefined {
  const earliest = Math.max(from, Date.UTC(firstYear, 0) / 1000);
  const today = Math.floor(earliest / daySeconds);
  const day = nextDay(cron, today);
  const time = day === today ? nextTimeOfDay(cron, earliest - today * daySeconds) : undefined;
  if (time !== undefined) return today * daySeconds + time;
  const later = day === today ? nextDay(cron, today + 1) : day;
  return later === undefined ? undefined : later * daySeconds + (nextTimeOfDay(cron, 0) as number);
}

/** In days since 1970-01-01, at or after the given one. */
function nextDay(cron: Cron, from: number): number | undefined {
  const date = new Date(from * daySeconds * 1000);
  const [startYear, startMonth] = [date.getUTCFullYear(), date.getUTCMonth() + 1];
  for (let year = startYear; year <= lastYear; year += 1) {
    if (cron.years !== null && !cron.years.includes(year)) continue;
    for (const month of cron.months) {
      if (year === startYear && month < startMonth) continue;
      const isStart = year === startYear && month === startMonth;
      const passed = isStart ? date.getUTCDate() - 1 : 0;
      const days = (matchingDays(cron.days, year, month) >>> passed) << passed;
      if (days !== 0) return Date.UTC(year, month - 1, 1) / 1000 / daySeconds + lowestBit(days);
    }
  }
  return undefined;
}

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}

/** In seconds of the day, at or after the given one; undefined when the day has no more. */
function nextTimeOfDay({ hours, minutes, seconds }: Cron, from: number): number | undefined {
  for (const hour of hours) {
    if (hour * 3600 + 3599 < from) continue;
    for (const minute of minutes) {
      const base = hour * 3600 + minute * 60;
      if (base + 59 < from) continue;
      for (const second of seconds) if (base + second >= from) return base + second;
    }
  }
  return undefined;
}
