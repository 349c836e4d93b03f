import { maxBackfillTimes, type ScheduleType } from "@millrace/contract/schedule.ts";
import { AppError } from "../../base/error/app-error.ts";
import { nextFiring } from "../cron/next-firing.ts";
import { type Cron, parseCron } from "../cron/parse-cron.ts";
import { type DayRange, endOfExclusion, parseDayRange } from "./excluded-days.ts";
import type { ScheduleFields } from "./schedule-fields.ts";

/** When a schedule fires: its times, without jitter. */
export interface Timing {
  /** Undefined for runOnce. */
  cron: Cron | undefined;
  /** For runOnce. */
  dateAt: Date | undefined;
  timeZone: string;
  exclusions: readonly DayRange[];
}

/** The members as they are stored. */
export interface TimingFields {
  type: ScheduleType;
  cron: string | null;
  dateAt: Date | null;
  timezone: string;
  exclusions: readonly string[];
}

/** @throws Error if the stored expression is invalid, which was checked when it was written */
export function compileTiming({ type, cron, dateAt, timezone, exclusions }: TimingFields): Timing {
  const ranges = exclusions.map(parseDayRange).filter((range) => range !== undefined);
  if (type === "runOnce") return { cron: undefined, dateAt: dateAt ?? undefined, timeZone: timezone, exclusions: ranges };
  const parsed = parseCron(cron ?? "");
  if ("fault" in parsed) throw new Error(`cron expression ${cron}: ${parsed.fault.message}`);
  return { cron: parsed.cron, dateAt: undefined, timeZone: timezone, exclusions: ranges };
}

/** The next time strictly after that instant that is not on an excluded day; undefined if there is none. */
export function nextTime(timing: Timing, after: Date): Date | undefined {
  for (let from = after; ; ) {
    const next = nextWithExcluded(timing, from);
    const end = next && endOfExclusion(timing.exclusions, timing.timeZone, next);
    if (!end) return next;
    from = new Date(end.getTime() - 1);
  }
}

function nextWithExcluded({ cron, dateAt, timeZone }: Timing, after: Date): Date | undefined {
  if (cron) return nextFiring(cron, timeZone, after);
  return dateAt && dateAt > after ? dateAt : undefined;
}

/** The first times of a range, both ends included, at most `limit`. */
export function timesBetween(timing: Timing, from: Date, to: Date, limit: number): Date[] {
  const times: Date[] = [];
  for (let next = nextTime(timing, new Date(from.getTime() - 1)); next && next <= to && times.length < limit; ) {
    times.push(next);
    next = nextTime(timing, next);
  }
  return times;
}

/**
 * The future times of a schedule in a range, both ends included, as if it were active: for a paused one, these are the times at which it
 * would fire. An archived or completed one has none.
 */
export function calendarTimes(schedule: ScheduleFields, range: { from: Date; to: Date }, now: Date, limit: number): Date[] {
  if (schedule.status === "archived" || schedule.status === "completed") return [];
  const from = range.from < now ? now : range.from;
  return from > range.to ? [] : timesBetween(compileTiming(schedule), from, range.to, limit);
}

/** The range of a backfill, as sent by the client. */
export interface BackfillRange {
  from: string;
  to: string;
}

/**
 * The past times of a schedule in a range, both ends included.
 *
 * @throws SCHEDULE_INVALID_REQ if the range is invalid, in the future, or contains more times than one backfill may start
 */
export function backfillTimes(timing: TimingFields, range: BackfillRange, now: Date): Date[] {
  const [from, to] = [readInstant("from", range.from), readInstant("to", range.to)];
  if (from > to) throw invalid(`from ${range.from} is after to ${range.to}`);
  if (from > now) throw invalid(`from ${range.from} is in the future; a backfill starts runs for past times`);
  const times = timesBetween(compileTiming(timing), from, to < now ? to : now, maxBackfillTimes + 1);
  if (times.length <= maxBackfillTimes) return times;
  const last = times[maxBackfillTimes - 1]?.toISOString();
  throw invalid(`the range has more than ${maxBackfillTimes} times, as many as one backfill starts; the last of these is ${last}`);
}

function readInstant(member: string, text: string): Date {
  const date = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/i.test(text) ? new Date(text) : undefined;
  if (date && !Number.isNaN(date.getTime())) return date;
  throw invalid(`${member} ${JSON.stringify(text)} is not a time; give ISO 8601 with an offset, such as 2026-03-01T00:00:00Z`);
}

function invalid(message: string): AppError {
  return new AppError("SCHEDULE_INVALID_REQ", [message]);
}
