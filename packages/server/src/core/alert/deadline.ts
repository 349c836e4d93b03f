import { escapePointer } from "@millrace/contract/json-pointer.ts";
import type { ErrorDetail } from "../../base/error/app-error.ts";
import { parseDuration } from "../task/tekton/step-resources.ts";

/** Annotation of a workflow, or of a run when it is submitted: how long after its submission a run must have ended, or `none`. */
export const deadlineAnnotation = "millrace.dev/deadline";

/** A similar annotation: how long the run is expected to take, from its start. It replaces the usual duration. */
export const expectedAnnotation = "millrace.dev/expected-duration";

/** In milliseconds; `none`: the run is never late. */
export type Deadline = number | "none";

/** Limits that a user has set for a run, or for its workflow. */
export interface RunLimits {
  deadline: Deadline | undefined;
  /** Milliseconds. */
  expectedMs: number | undefined;
}

const minuteMs = 60_000;
const maxDays = 366;

/** @param texts the annotations, as written */
export function runLimits(texts: { deadline: unknown; expected: unknown }): RunLimits {
  return { deadline: parseDeadline(texts.deadline), expectedMs: parseExpectedDuration(texts.expected) };
}

/** Undefined for invalid deadlines, such as a text that an older version accepted. */
export function parseDeadline(value: unknown): Deadline | undefined {
  if (value === "none") return "none";
  return durationFrom(value, minuteMs);
}

function parseExpectedDuration(value: unknown): number | undefined {
  return durationFrom(value, 1000);
}

function durationFrom(value: unknown, leastMs: number): number | undefined {
  const ms = typeof value === "string" ? parseDuration(value) : undefined;
  return ms !== undefined && ms >= leastMs && ms <= maxDays * 24 * 60 * minuteMs ? ms : undefined;
}

/** Problems with the annotations of a workflow or of a run. */
export function deadlineFaults(annotations: Readonly<Record<string, unknown>> | null | undefined): ErrorDetail[] {
  const most = `${maxDays * 24}h`;
  return [
    ...faultsOf(annotations, deadlineAnnotation, parseDeadline, `a duration from 1m to ${most}, such as 45m or 2h30m, or none`),
    ...faultsOf(annotations, expectedAnnotation, parseExpectedDuration, `a duration from 1s to ${most}, such as 90s or 45m`),
  ];
}

function faultsOf(
  annotations: Readonly<Record<string, unknown>> | null | undefined,
  key: string,
  parse: (value: unknown) => unknown,
  wanted: string,
): ErrorDetail[] {
  const value = annotations?.[key];
  if (value == null || parse(value) !== undefined) return [];
  const path = `/annotations/${escapePointer(key)}`;
  return [{ path, message: `is ${JSON.stringify(value)?.slice(0, 100)}; it must be ${wanted}` }];
}
