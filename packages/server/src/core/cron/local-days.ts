/**
 * Calendar days of a time zone as moments. A day begins at the first moment with its date in that zone: if clocks are put forward at
 * midnight, that is one o'clock; if they are put back across midnight, the day before has its last hour twice. A date that the zone skipped
 * (Samoa had no 30 December 2011) is not a day.
 */

export interface LocalDay {
  /** YYYY-MM-DD. */
  date: string;
  startsAt: Date;
}

const dayMs = 86_400_000;

/** Whether this is the name of a time zone, such as `Europe/Oslo` or `UTC`. */
export function isTimeZone(name: string): boolean {
  try {
    formatter(name);
    return true;
  } catch {
    return false;
  }
}

/**
 * Every day from the one that contains `from` to the one that contains `to`.
 *
 * @param timeZone accepted by `isTimeZone`
 */
export function localDays(from: Date, to: Date, timeZone: string): LocalDay[] {
  const clock = formatter(timeZone);
  const days: LocalDay[] = [];
  const last = localTime(clock, to.getTime());
  for (let midnight = floorDay(localTime(clock, from.getTime())); midnight <= last; midnight += dayMs) {
    const startsAt = startOf(clock, midnight);
    if (floorDay(localTime(clock, startsAt)) !== midnight) continue;
    days.push({ date: new Date(midnight).toISOString().slice(0, 10), startsAt: new Date(startsAt) });
  }
  return days;
}

/** The first moment whose local date is that of `midnight`, which is the local midnight written as if it were UTC. */
function startOf(clock: Intl.DateTimeFormat, midnight: number): number {
  const offsets = [midnight - dayMs, midnight + dayMs].map((near) => localTime(clock, near) - near);
  const candidates = offsets.map((offset) => midnight - offset).sort((a, b) => a - b);
  return candidates.find((moment) => localTime(clock, moment) >= midnight) ?? (candidates[1] as number);
}

/** The local time at that moment, in milliseconds as if it were UTC; whole seconds. */
function localTime(clock: Intl.DateTimeFormat, moment: number): number {
  const parts = Object.fromEntries(clock.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

function floorDay(local: number): number {
  return Math.floor(local / dayMs) * dayMs;
}

function formatter(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en-US", {
    timeZone,
    calendar: "gregory",
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
}
