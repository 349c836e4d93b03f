import type { Deadline } from "./deadline.ts";

/**
 * Is a run late? Against its deadline if it has one, counted from its submission, so that a run which waits in the queue is late, too.
 * Otherwise against the usual duration of its workflow, counted from its start. A run is looked at only when it can have become late:
 * first after the shortest time that counts as late, then when its limit is due.
 */

export interface OpenRun {
  createdAt: Date;
  /** Null: it waits in the queue. */
  startedAt: Date | null;
  deadline: Deadline | undefined;
}

/** How long the runs of a workflow took that succeeded lately. */
export interface UsualDuration {
  /** 95 of 100 took no longer. */
  ms: number;
  runs: number;
}

/** Settings of the group `alerts`. */
export interface AlertLimits {
  /** Percent of the usual duration above which a run is late. */
  runPercent: number;
  /** Minutes below which no run is late against its usual duration. */
  runMinutes: number;
  /** Minutes that the oldest task run may wait. */
  queueMinutes: number;
  /** Minutes that a scheduled run may start after its time. */
  scheduleMinutes: number;
}

export type Lateness =
  | { kind: "late"; dueAt: Date; limit: "deadline" | "usual" }
  /** Look again at this time. */
  | { kind: "later"; at: Date }
  | { kind: "never" };

/** With fewer runs than these the usual duration is not known. */
const fewestRuns = 5;
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Can it be late against its usual duration by now? Only then does anyone need to know that. */
export function needsUsualDuration(run: OpenRun, { runMinutes }: AlertLimits, now: Date): boolean {
  return run.deadline === undefined && run.startedAt !== null && now.getTime() - run.startedAt.getTime() >= runMinutes * minuteMs;
}

/** @param usual undefined where `needsUsualDuration` says no */
export function runLateness(run: OpenRun, usual: UsualDuration | undefined, limits: AlertLimits, now: Date): Lateness {
  const { createdAt, startedAt, deadline } = run;
  if (deadline === "none") return { kind: "never" };
  if (deadline !== undefined) return lateFrom(after(createdAt, deadline), "deadline", now);
  const shortestMs = limits.runMinutes * minuteMs;
  if (startedAt === null) return { kind: "later", at: after(now, shortestMs) };
  if (!needsUsualDuration(run, limits, now)) return { kind: "later", at: after(startedAt, shortestMs) };
  if (usual === undefined || usual.runs < fewestRuns) {
    // Other runs may end meanwhile; after a long time there is no hurry.
    const elapsedMs = now.getTime() - startedAt.getTime();
    return { kind: "later", at: after(now, Math.min(Math.max(shortestMs, elapsedMs), dayMs)) };
  }
  return lateFrom(after(startedAt, Math.max(shortestMs, (usual.ms * limits.runPercent) / 100)), "usual", now);
}

function lateFrom(dueAt: Date, limit: "deadline" | "usual", now: Date): Lateness {
  return dueAt <= now ? { kind: "late", dueAt, limit } : { kind: "later", at: dueAt };
}

function after(time: Date, ms: number): Date {
  return new Date(time.getTime() + Math.ceil(ms));
}
