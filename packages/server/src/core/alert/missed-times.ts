import type { FiringOutcome } from "@millrace/contract/schedule.ts";

/**
 * Which planned times of a schedule need an alert: those without a run, and those whose run started too late. Several times with the same
 * outcome, for example after an outage, give one alert.
 */

export interface PlannedTime {
  scheduledFor: Date;
  outcome: FiringOutcome;
  /** Number of planned times that it stands for. */
  count: number;
  message: string | null;
}

export interface MissedTimes {
  /** `schedule_skipped`: a run of the schedule was still open, and its overlap policy is to skip. */
  status: "schedule_missed" | "schedule_skipped";
  first: Date;
  count: number;
  /** Why. */
  message: string;
}

interface FiringTerms {
  now: Date;
  /** Minutes that a run may start after its time, in addition to the jitter. */
  scheduleMinutes: number;
  jitterSeconds: number;
  /** A time that was already reported before it got its outcome. */
  alertedFor: Date | null;
}

export function missedTimes(times: readonly PlannedTime[], terms: FiringTerms): MissedTimes[] {
  const open = times.filter(({ scheduledFor, count }) => count > 1 || scheduledFor.getTime() !== terms.alertedFor?.getTime());
  const skipped = open.filter(({ outcome }) => outcome === "skipped");
  const missed = open.filter((time) => time.outcome !== "skipped" && (time.outcome !== "submitted" || isLate(time, terms)));
  return [...together("schedule_missed", missed), ...together("schedule_skipped", skipped)];
}

function isLate({ scheduledFor }: PlannedTime, { now, scheduleMinutes, jitterSeconds }: FiringTerms): boolean {
  return now.getTime() - scheduledFor.getTime() >= scheduleMinutes * 60_000 + jitterSeconds * 1000;
}

function together(status: MissedTimes["status"], times: readonly PlannedTime[]): MissedTimes[] {
  const [first] = times;
  if (first === undefined) return [];
  const why = times.find(({ message }) => message !== null)?.message ?? "The service started its run late";
  return [
    {
      status,
      first: first.scheduledFor,
      count: times.reduce((sum, { count }) => sum + count, 0),
      message: why,
    },
  ];
}
