import { AppError } from "../../base/error/app-error.ts";
import type { ScheduleFields, ScheduleSettings } from "./schedule-fields.ts";
import { compileTiming, nextTime } from "./timing.ts";

/** The members of a schedule that say whether it fires, and when next. */
export type Armed = Pick<ScheduleFields, "status" | "statusMessage" | "nextAt" | "fireAt">;

interface ArmOptions {
  id: string;
  /** Whether the trigger `schedule` of the workflow is enabled. */
  isTriggerEnabled: boolean;
  /** The schedule before the change: if its times stay the same, so does the next one, even if it is already due. */
  current?: ScheduleFields | undefined;
  now: Date;
}

/**
 * New times for a schedule that has ended start it again: the service ended it, not the user.
 *
 * @throws SCHEDULE_INVALID_RUNONCE, SCHEDULE_INVALID_CRON if it should be active but would never fire
 */
export function armSchedule(settings: ScheduleSettings, { id, isTriggerEnabled, current, now }: ArmOptions): Armed {
  const isOver = settings.status === "completed" || settings.status === "error";
  const comesAgain = isOver && current !== undefined && !haveSameTimes(settings, current);
  if (settings.status !== "active" && settings.status !== "trigger_disabled" && !comesAgain) {
    const isKept = settings.status === current?.status;
    return { status: settings.status, statusMessage: isKept ? current.statusMessage : null, nextAt: null, fireAt: null };
  }
  const isSame = current?.status === "active" && haveSameTimes(settings, current);
  const nextAt = isSame && current.nextAt ? current.nextAt : firstTime(settings, now);
  if (!isTriggerEnabled) return { status: "trigger_disabled", statusMessage: null, nextAt: null, fireAt: null };
  const statusMessage = isSame ? current.statusMessage : null;
  return { status: "active", statusMessage, nextAt, fireAt: fireAt(id, nextAt, settings.jitterSeconds) };
}

function firstTime(settings: ScheduleSettings, now: Date): Date {
  const { type, dateAt, cron, exclusions, timezone } = settings;
  if (type === "runOnce" && dateAt && dateAt <= now) throw new AppError("SCHEDULE_INVALID_RUNONCE", [dateAt.toISOString()]);
  const next = nextTime(compileTiming(settings), now);
  if (next) return next;
  if (type === "runOnce") throw new AppError("SCHEDULE_INVALID_REQ", [`dateSchedule ${dateAt?.toISOString()} is on an excluded day`]);
  const why = exclusions.length > 0 ? "all of its times are excluded" : `it never fires again in ${timezone}`;
  throw new AppError("SCHEDULE_INVALID_CRON", [cron, why]);
}

function haveSameTimes(one: ScheduleSettings, other: ScheduleSettings): boolean {
  const timesOf = ({ type, cron, dateAt, timezone, exclusions }: ScheduleSettings) =>
    JSON.stringify([type === "runOnce", cron, dateAt, timezone, exclusions]);
  return timesOf(one) === timesOf(other);
}

/**
 * When a time of a schedule is acted on: up to `jitterSeconds` later, by a number that is derived only from the schedule and the time. So
 * every process computes the same, the result for a time never changes, and schedules with the same minute are spread.
 */
export function fireAt(scheduleId: string, time: Date, jitterSeconds: number): Date {
  const spanMs = jitterSeconds * 1000;
  return spanMs === 0 ? time : new Date(time.getTime() + (scramble(`${scheduleId} ${time.getTime()}`) % (spanMs + 1)));
}

/** FNV-1a of 32 bits (RFC 9923), then the finalizer of MurmurHash3, since neighbouring times differ only in their last digits. */
function scramble(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
