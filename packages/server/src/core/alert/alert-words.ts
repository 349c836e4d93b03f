import type { LateLimit, UsualDuration } from "./run-lateness.ts";

/** The sentence of an alert, which is the same in an email, in a chat message and in the payload of a webhook. */

/** "is late: it has been running for 42 min, and usually takes up to 12 min" */
export function lateRunMessage(run: {
  limit: LateLimit;
  elapsedMs: number;
  isQueued: boolean;
  /** For the deadline, in milliseconds. */
  deadlineMs: number | undefined;
  expectedMs?: number | undefined;
  usual: UsualDuration | undefined;
}): string {
  const elapsed = durationWords(run.elapsedMs);
  if (run.limit === "usual")
    return `is late: it has been running for ${elapsed}, and usually takes up to ${durationWords(run.usual?.ms ?? 0)}`;
  if (run.limit === "expected")
    return `is late: it has been running for ${elapsed}, and is expected to take ${durationWords(run.expectedMs ?? 0)}`;
  const state = run.isQueued ? "and is still in the queue" : "and is still open";
  return `is late: it was submitted ${elapsed} ago ${state}, and its deadline is ${durationWords(run.deadlineMs ?? 0)}`;
}

export function lateQueueMessage(waitedMs: number): string {
  return `The oldest task run in the queue has been waiting for ${durationWords(waitedMs)}`;
}

export const recoveredQueueMessage = "The queue has recovered: task runs start without delay again";

/**
 * An alert in one line, for people. Everything in it may be unescaped text from users.
 *
 * @param name of the workflow
 */
export function alertHeadline(status: string, data: Readonly<Record<string, unknown>>, name: string): string {
  const message = typeof data["message"] === "string" ? data["message"] : "";
  if (status === "run_late") return `${name} ${message}`;
  if (status.startsWith("queue_")) return message;
  const schedule = typeof data["name"] === "string" ? data["name"] : "";
  const count = typeof data["count"] === "number" ? data["count"] : 1;
  const times = count === 1 ? "a scheduled time" : `${count} scheduled times`;
  return `${name}: schedule ${schedule} ${status === "schedule_skipped" ? "skipped" : "missed"} ${times}`;
}

/** "1 h 30 min": at most two units, in whole numbers. */
export function durationWords(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return `${Math.max(0, Math.round(ms / 1000))} s`;
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60];
  const parts = days > 0 ? [[days, "d"] as const, [hours, "h"] as const] : [[hours, "h"] as const, [rest, "min"] as const];
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(" ");
}
