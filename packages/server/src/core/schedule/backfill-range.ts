import { maxBackfillTimes } from "@millrace/contract/schedule.ts";
import { AppError } from "../../base/error/app-error.ts";
import { compileTiming, type TimingFields, timesBetween } from "./timing.ts";

/** Of a backfill, as a client wrote it. */
export interface BackfillRange {
  from: string;
  to: string;
}

/**
 * The past times of a schedule in a range, both ends included.
 *
 * @throws SCHEDULE_INVALID_REQ when the range is none, lies ahead, or holds more times than one backfill may start
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
