import type { ScheduleStatus } from "@millrace/contract/schedule.ts";

/**
 * An active schedule whose last time is ahead of the database's clock. The clock was set back, and since each time fires once, nothing
 * fires until the clock has passed that time. Readers of the schedule must see this, because everything else about it looks normal.
 */
export interface ScheduleClock {
  status: ScheduleStatus;
  createdAt: Date;
  nextAt: Date | null;
  /** The latest of its recorded times that the clock has not reached; null: there is none. */
  firedAhead: Date | null;
  /** The database's time. */
  now: Date;
}

/** The clocks of two servers, of which one takes over from the other, differ by less. */
const toleranceMs = 5_000;

/** @returns undefined: it is not waiting for the clock */
export function whyScheduleWaits({ status, createdAt, nextAt, firedAhead, now }: ScheduleClock): string | undefined {
  if (status !== "active" || nextAt === null) return undefined;
  const reached = firedAhead ?? createdAt;
  if (reached.getTime() - now.getTime() <= toleranceMs) return undefined;
  // A schedule that was saved in the meantime continues from the current time, but skips times that are already recorded.
  const when = nextAt > reached ? `at ${nextAt.toISOString()}` : `after ${reached.toISOString()}`;
  const before = firedAhead
    ? `the time ${reached.toISOString()} has fired already`
    : `the schedule was created at ${reached.toISOString()}`;
  return `The clock of the database went back: it shows ${now.toISOString()}, and ${before}. No time fires twice, so the schedule continues ${when}`;
}
