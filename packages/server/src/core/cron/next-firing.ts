import { lastYear } from "./cron-field.ts";
import { nextWallTime } from "./next-wall-time.ts";
import type { Cron } from "./parse-cron.ts";
import { firstWallTimeAfter, toInstant } from "./time-zone.ts";

/**
 * When an expression fires next by the clocks of a zone: strictly later than `after`, on a whole second. Undefined when it does not fire any more
 * before the end of 2199; nothing fires before 1970 either. A wall time that a shift skips fires at the shift, one that comes twice the first time
 * (docs/cron.md).
 *
 * @throws RangeError for a zone that `timeZoneFault` refuses, and for an invalid date
 */
export function nextFiring(cron: Cron, timeZone: string, after: Date): Date | undefined {
  return nextFiringAfter(cron, timeZone, after.getTime());
}

/**
 * All firings between two instants, both included: the first ones when there are more than `limit`.
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

/** Where Intl need not look: two days before 1970 no clock of the world shows 1970, two days after 2199 none shows 2199. */
const earliest = Date.UTC(1969, 11, 30) / 1000;
const latest = Date.UTC(lastYear + 1, 0, 3) / 1000;

function nextFiringAfter(cron: Cron, timeZone: string, afterMs: number): Date | undefined {
  if (Number.isNaN(afterMs)) throw new RangeError("The date after which to look is invalid");
  const after = Math.max(Math.floor(afterMs / 1000), earliest);
  if (after > latest) return undefined;
  const wallTime = nextWallTime(cron, firstWallTimeAfter(timeZone, after));
  return wallTime === undefined ? undefined : new Date(toInstant(timeZone, wallTime) * 1000);
}
