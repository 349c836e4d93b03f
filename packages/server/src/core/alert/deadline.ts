import type { ErrorDetail } from "../../base/error/app-error.ts";
import { parseDuration } from "../task/tekton/quantity.ts";

/** Annotation of a workflow, or of a run when it is submitted: how long after its submission a run must have ended, or `none`. */
export const deadlineAnnotation = "millrace.dev/deadline";

/** In milliseconds; `none`: the run is never late. */
export type Deadline = number | "none";

const minuteMs = 60_000;
const maxDays = 366;

/** Undefined for what is no deadline, such as a text that an older version let in. */
export function parseDeadline(value: unknown): Deadline | undefined {
  if (value === "none") return "none";
  const ms = typeof value === "string" ? parseDuration(value) : undefined;
  return ms !== undefined && ms >= minuteMs && ms <= maxDays * 24 * 60 * minuteMs ? ms : undefined;
}

/** What is wrong with the annotations of a workflow or of a run. */
export function deadlineFaults(annotations: Readonly<Record<string, unknown>> | null | undefined): ErrorDetail[] {
  const value = annotations?.[deadlineAnnotation];
  if (value == null || parseDeadline(value) !== undefined) return [];
  return [
    {
      path: `/annotations/${deadlineAnnotation.replace("/", "~1")}`,
      message: `is ${JSON.stringify(value)?.slice(0, 100)}; it must be a duration from 1m to ${maxDays * 24}h, such as 45m or 2h30m, or none`,
    },
  ];
}
