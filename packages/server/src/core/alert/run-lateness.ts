import type { RunLimits } from "./deadline.ts";

/**
 * Is a run late? Against its deadline if it has one, counted from its submission, so that a run which waits in the queue is late, too.
 * Against its expected duration if it has one, counted from its start. With both, whichever comes first. Otherwise against the usual duration
 * of its workflow, counted from its start. A run is examined only when it can have become late: first after the shortest time that counts
 * as late, then when its limit is due.
 */

export interface OpenRun extends RunLimits {
  createdAt: Date;
  /** Null: it waits in the queue. */
  startedAt: Date | null;
}

/** How long recent successful runs of a workflow took. */
export interface UsualDuration {
  /** 95 % took no longer. */
  ms: number;
  runs: number;
}

/** Settings of the group `alerts`. */
export interface AlertLimits {
  /** Percent of the usual duration above which a run is late. */
  runPercent: number;
  /** Minutes below which no run is late against its usual duration. */
  runMinutes: number;
  /** Minutes that the oldest task run in a queue may wait. */
  queueMinutes: number;
  /** Minutes that a scheduled run may start after its time. */
  scheduleMinutes: number;
}

/** The limit that the run has exceeded. */
export type LateLimit = "deadline" | "expected" | "usual";

export type Lateness =
  | { kind: "late"; dueAt: Date; limit: LateLimit }
  /** Check again at this time. */
  | { kind: "later"; at: Date }
  | { kind: "never" };

/** With fewer runs than this, the usual duration is unknown. */
const fewestRuns = 5;
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Whether the run may already be late against its usual duration. Only then must the usual duration be read. */
export function needsUsualDuration(run: OpenRun, { runMinutes }: AlertLimits, now: Date): boolean {
  return (
    run.deadline === undefined &&
    run.expectedMs === undefined &&
    run.startedAt !== null &&
    now.getTime() - run.startedAt.getTime() >= runMinutes * minuteMs
  );
}

/** @param usual undefined if `needsUsualDuration` returns false */
export function runLateness(run: OpenRun, usual: UsualDuration | undefined, limits: AlertLimits, now: Date): Lateness {
  const { createdAt, startedAt, deadline, expectedMs } = run;
  if (deadline === "none") return { kind: "never" };
  const shortestMs = limits.runMinutes * minuteMs;
  const dueAt = deadline === undefined ? undefined : after(createdAt, deadline);
  if (expectedMs !== undefined && startedAt !== null) {
    const expectedAt = after(startedAt, expectedMs);
    if (dueAt === undefined || expectedAt < dueAt) return lateFrom(expectedAt, "expected", now);
  }
  if (dueAt !== undefined) {
    const lateness = lateFrom(dueAt, "deadline", now);
    // The run may start in the meantime, and then become late sooner.
    const soon = after(now, shortestMs);
    return expectedMs !== undefined && lateness.kind === "later" && lateness.at > soon ? { kind: "later", at: soon } : lateness;
  }
  if (startedAt === null) return { kind: "later", at: after(now, shortestMs) };
  if (!needsUsualDuration(run, limits, now)) return { kind: "later", at: after(startedAt, shortestMs) };
  if (usual === undefined || usual.runs < fewestRuns) {
    // Other runs may end in the meantime and change the usual duration; for a run that takes long, checking later is enough.
    const elapsedMs = now.getTime() - startedAt.getTime();
    return { kind: "later", at: after(now, Math.min(Math.max(shortestMs, elapsedMs), dayMs)) };
  }
  return lateFrom(after(startedAt, Math.max(shortestMs, (usual.ms * limits.runPercent) / 100)), "usual", now);
}

function lateFrom(dueAt: Date, limit: LateLimit, now: Date): Lateness {
  return dueAt <= now ? { kind: "late", dueAt, limit } : { kind: "later", at: dueAt };
}

function after(time: Date, ms: number): Date {
  return new Date(time.getTime() + Math.ceil(ms));
}
