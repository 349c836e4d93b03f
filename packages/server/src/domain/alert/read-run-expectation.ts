import { deadlineAnnotation, expectedAnnotation, type RunLimits, runLimits } from "../../core/alert/deadline.ts";
import { type AlertLimits, type LateLimit, needsUsualDuration, runLateness } from "../../core/alert/run-lateness.ts";
import { findLimitTexts, findUsualDurations } from "../../store/alert/watched-runs.ts";
import type { Queryable } from "../../store/database/database.ts";

export interface RunExpectation {
  limits: RunLimits;
  /** The median of the recent successful runs; undefined if there are too few. */
  usualMs: number | undefined;
  late: { limit: LateLimit; dueAt: Date } | undefined;
}

interface ExpectedRun {
  teamId: string;
  id: string;
  workflowId: string;
  createdAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
}

/** With fewer successful runs, there is no usual duration. */
const fewestRuns = 5;

/** How long a run should take, and whether it is late by the rules of alerts. Reads a hundred runs of its workflow. */
export async function readRunExpectation(db: Queryable, run: ExpectedRun, alerts: AlertLimits): Promise<RunExpectation> {
  const { now, ...texts } = await findLimitTexts(db, run.teamId, run.id);
  const limits = runLimits(texts);
  const [found] = await findUsualDurations(db, [run]);
  const isKnown = found !== undefined && found.ms !== null && found.runs >= fewestRuns;
  const open = { createdAt: run.createdAt, startedAt: run.startedAt, ...limits };
  const usual = found?.ms == null || !needsUsualDuration(open, alerts, now) ? undefined : { ms: found.ms, runs: found.runs };
  const lateness = run.endedAt === null ? runLateness(open, usual, alerts, now) : undefined;
  return {
    limits,
    usualMs: isKnown ? (found.medianMs ?? undefined) : undefined,
    late: lateness?.kind === "late" ? { limit: lateness.limit, dueAt: lateness.dueAt } : undefined,
  };
}

/** What a workflow sets for its runs, in milliseconds. */
export function limitsOf(annotations: Readonly<Record<string, unknown>>): { deadline?: number; expected?: number } {
  const { deadline, expectedMs } = runLimits({ deadline: annotations[deadlineAnnotation], expected: annotations[expectedAnnotation] });
  return { ...(typeof deadline === "number" && { deadline }), ...(expectedMs !== undefined && { expected: expectedMs }) };
}
