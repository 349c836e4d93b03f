import { firstYear, lastYear } from "./cron-field.ts";
import { matchingDays } from "./month-days.ts";
import type { Cron } from "./parse-cron.ts";
import { firstWallTimeAfter, toInstant } from "./time-zone.ts";
import { offsetSpans } from "./zone-offsets.ts";

const daySeconds = 86_400;

/**
 * The first time that matches the expression, at or after the given one, on a calendar without clock changes; undefined if there is none up
 * to the last year. It goes field by field: a year, month or day that does not match is skipped in one step.
 *
 * @param from seconds since 1970-01-01 00:00 on that calendar
 */
function nextWallTime(cron: Cron, from: number): number | undefined {
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

/** In seconds of the day, at or after the given one; undefined if there is none left on that day. */
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

/**
 * When an expression fires next in a time zone: strictly later than `after`, on a whole second. Undefined if it does not fire again before
 * the end of 2199; nothing fires before 1970, either.
 *
 * When clocks are changed, an expression fires as in Vixie cron (docs/cron.md). An expression with a fixed hour and minute fires once: a
 * local time that is skipped fires at the moment of the change, one that occurs twice fires the first time. An expression whose hour or
 * minute begins with `*` fires whenever the clock shows a matching time: skipped times do not fire, and repeated times fire again.
 *
 * @throws RangeError for a zone that `timeZoneFault` refuses, and for an invalid date
 */
export function nextFiring(cron: Cron, timeZone: string, after: Date): Date | undefined {
  return nextFiringAfter(cron, timeZone, after.getTime());
}

/**
 * All firings between two instants, both included; only the first `limit` ones if there are more.
 *
 * @throws RangeError as nextFiring
 */
export function firingsBetween(cron: Cron, timeZone: string, from: Date, to: Date, limit: number): Date[] {
  const firings: Date[] = [];
  let afterMs = from.getTime() - 1;
  while (firings.length < limit) {
    const firing = nextFiringAfter(cron, timeZone, afterMs);
    if (firing === undefined || firing > to) break;
    firings.push(firing);
    afterMs = firing.getTime();
  }
  return firings;
}

/**
 * Intl need not be asked outside of these limits: two days before 1970 no clock in the world shows 1970, two days after 2199 none shows
 * 2199.
 */
const earliest = Date.UTC(1969, 11, 30) / 1000;
const latest = Date.UTC(lastYear + 1, 0, 3) / 1000;

function nextFiringAfter(cron: Cron, timeZone: string, afterMs: number): Date | undefined {
  if (Number.isNaN(afterMs)) throw new RangeError("The date after which to look is invalid");
  const after = Math.max(Math.floor(afterMs / 1000), earliest);
  if (after > latest) return undefined;
  if (cron.isInterval) {
    const instant = nextShown(cron, timeZone, after + 1);
    return instant === undefined ? undefined : new Date(instant * 1000);
  }
  const wallTime = nextWallTime(cron, firstWallTimeAfter(timeZone, after));
  return wallTime === undefined ? undefined : new Date(toInstant(timeZone, wallTime) * 1000);
}
/** How far one step looks ahead; offsets are cached in blocks of this size. */
const windowSeconds = 4 * daySeconds;

/**
 * The first instant at or after `from` at which the clock of the zone shows a matching time.
 *
 * It looks a few days ahead, and jumps further if nothing matches there: no local time is more than a day from UTC, so nothing can fire
 * earlier than a day before the next matching local time.
 *
 * @param from seconds since the epoch, like the result
 */
function nextShown(cron: Cron, timeZone: string, from: number): number | undefined {
  for (let at = from; ; ) {
    const end = at + windowSeconds;
    for (const span of offsetSpans(timeZone, at, end - 1)) {
      const wallTime = nextWallTime(cron, Math.max(span.start, at) + span.offset);
      if (wallTime !== undefined && wallTime - span.offset < Math.min(span.end, end)) return wallTime - span.offset;
    }
    const later = nextWallTime(cron, end - daySeconds);
    if (later === undefined) return undefined;
    at = Math.max(end, later - daySeconds);
  }
}
