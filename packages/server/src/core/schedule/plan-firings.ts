import { type CatchUpPolicy, defaultCatchUpWindowMinutes } from "@millrace/contract/schedule.ts";
import { nextTime, type Timing, timesBetween } from "./timing.ts";

/**
 * What is to be done for a schedule whose time has come. On time that is one firing. A time that lies more than a minute back (and the
 * jitter) was missed, since nothing ran then, and the catch-up policy decides: `one` fires once for all of them, at the latest of them;
 * `all` fires each, oldest first, a batch at a time; `none` fires nothing and continues with what is not late. What lies further back than
 * the window, or before the newest thousand, is left out and only counted.
 */

export interface DueTimes {
  nextAt: Date;
  catchUpPolicy: CatchUpPolicy;
  /** Null: one day for `all`, no limit for `one`. */
  catchUpWindowMinutes: number | null;
  jitterSeconds: number;
}

export interface FiringPlan {
  /** Times to fire now, oldest first. */
  fire: Date[];
  /** Times that are not caught up: the first and the last of those counted, and whether there are more than were counted. */
  missed: { from: Date; to: Date; count: number; isMore: boolean } | undefined;
  /** Undefined: there are no further times. */
  next: Date | undefined;
}

const toleranceMs = 60_000;
/** For one transaction. */
const batchSize = 50;
export const maxCaughtUp = 1000;
const maxCounted = 10_000;

export function planFirings(timing: Timing, due: DueTimes, now: Date): FiringPlan {
  const lateMs = toleranceMs + due.jitterSeconds * 1000;
  if (now.getTime() - due.nextAt.getTime() <= lateMs) {
    return { fire: [due.nextAt], missed: undefined, next: nextTime(timing, due.nextAt) };
  }
  const keepFrom = oldestKept(due, now, lateMs);
  const kept = timesToCatchUp(timing, due, keepFrom, now);
  const fire = kept.slice(0, batchSize);
  const firstKept = kept[0] ?? keepFrom;
  const last = fire.at(-1);
  return {
    fire,
    missed: countMissed(timing, due.nextAt, before(firstKept)),
    next: nextTime(timing, last ?? before(keepFrom)),
  };
}

function oldestKept({ nextAt, catchUpPolicy, catchUpWindowMinutes }: DueTimes, now: Date, lateMs: number): Date {
  if (catchUpPolicy === "none") return new Date(now.getTime() - lateMs);
  const minutes = catchUpWindowMinutes ?? (catchUpPolicy === "all" ? defaultCatchUpWindowMinutes : undefined);
  if (minutes === undefined) return nextAt;
  return new Date(Math.max(nextAt.getTime(), now.getTime() - minutes * 60_000));
}

/** Times whose jitter has certainly passed; the others are due later, and are not late then. */
function timesToCatchUp(timing: Timing, { catchUpPolicy, jitterSeconds }: DueTimes, from: Date, now: Date): Date[] {
  const to = new Date(now.getTime() - jitterSeconds * 1000);
  if (catchUpPolicy === "none" || to < from) return [];
  return newestTimes(timing, from, to).slice(catchUpPolicy === "one" ? -1 : -maxCaughtUp);
}

/**
 * The newest times of a range, at most a thousand. If there are more, the beginning is found by bisection: times can only be computed
 * forwards, and it must not go through all times of a schedule that fires every second and was down for a year.
 */
function newestTimes(timing: Timing, from: Date, to: Date): Date[] {
  const all = timesBetween(timing, from, to, maxCaughtUp + 1);
  if (all.length <= maxCaughtUp) return all;
  let newest: Date[] = [];
  // From `tooEarly` on there are too many times, from `tooLate` on there are none.
  for (let [tooEarly, tooLate] = [from.getTime(), to.getTime()]; newest.length === 0 && tooLate - tooEarly > 1; ) {
    const middle = Math.floor((tooEarly + tooLate) / 2);
    const times = timesBetween(timing, new Date(middle), to, maxCaughtUp + 1);
    if (times.length > maxCaughtUp) tooEarly = middle;
    else if (times.length === 0) tooLate = middle;
    else newest = times;
  }
  return newest;
}

function countMissed(timing: Timing, from: Date, to: Date): FiringPlan["missed"] {
  const times = timesBetween(timing, from, to, maxCounted + 1);
  const [first] = times;
  if (first === undefined) return undefined;
  const counted = times.slice(0, maxCounted);
  return { from: first, to: counted.at(-1) ?? first, count: counted.length, isMore: times.length > maxCounted };
}

function before(date: Date): Date {
  return new Date(date.getTime() - 1);
}
