import { lateRunMessage } from "../../core/alert/alert-words.ts";
import { runLimits } from "../../core/alert/deadline.ts";
import {
  type AlertLimits,
  type LateLimit,
  type Lateness,
  needsUsualDuration,
  runLateness,
  type UsualDuration,
} from "../../core/alert/run-lateness.ts";
import {
  findUsualDurations,
  forgetRuns,
  lockWatchedRuns,
  recordLateRuns,
  type WatchedRun,
  watchLater,
} from "../../store/alert/watched-runs.ts";
import type { Transaction } from "../../store/database/database.ts";

/**
 * Checks a batch of runs that may be late by now. A late run gets its alert and is no longer watched, both in the caller's transaction: so
 * it gets exactly one alert, even if a process dies at any point. Runs that were late before the team wanted alerts get none.
 */
export async function findLateRuns(tx: Transaction, limits: AlertLimits, batchSize: number): Promise<{ looked: number; late: LateRun[] }> {
  const watched = await lockWatchedRuns(tx, batchSize);
  if (watched.length === 0) return { looked: 0, late: [] };
  const [over, open] = partition(watched, ({ phase }) => phase === null || phase === "completed" || phase === "finalized");
  const usual = await usualDurations(tx, open, limits);
  const seen = open.map((run) => assessRun(run, usual, limits));
  const late = seen.flatMap((one) => lateRunOf(one) ?? []);
  const later = seen.flatMap(({ run, lateness }) => (lateness.kind === "later" ? [{ ...keyOf(run), at: lateness.at }] : []));
  const done = seen.flatMap(({ run, lateness }) => (lateness.kind === "never" ? [keyOf(run)] : []));
  const recorded = new Set(late.length === 0 ? [] : await recordLateRuns(tx, late));
  const found = late.filter(({ runId }) => recorded.has(runId));
  if (later.length > 0) await watchLater(tx, later);
  await forgetRuns(tx, [...over.map(keyOf), ...done, ...found.map(keyOf)]);
  return { looked: watched.length - (late.length - found.length), late: found };
}

export interface LateRun {
  teamId: string;
  runId: string;
  members: { message: string; limit: LateLimit; dueDate: string; elapsed: number; usualDuration?: number; expectedDuration?: number };
}

interface SeenRun {
  run: WatchedRun;
  usual: UsualDuration | undefined;
  lateness: Lateness;
}

function assessRun(run: WatchedRun, usuals: ReadonlyMap<string, UsualDuration>, limits: AlertLimits): SeenRun {
  const usual = usuals.get(run.workflowId);
  const lateness = runLateness({ ...run, ...runLimits(run) }, usual, limits, run.now);
  const isOld = lateness.kind === "late" && lateness.dueAt < run.since;
  return { run, usual, lateness: isOld ? { kind: "never" } : lateness };
}

function lateRunOf({ run, usual, lateness }: SeenRun): LateRun | undefined {
  if (lateness.kind !== "late") return undefined;
  const { limit, dueAt } = lateness;
  const { expectedMs } = runLimits(run);
  const from = limit === "deadline" ? run.createdAt : (run.startedAt ?? run.createdAt);
  const elapsedMs = run.now.getTime() - from.getTime();
  const deadlineMs = limit === "deadline" ? dueAt.getTime() - run.createdAt.getTime() : undefined;
  const message = lateRunMessage({ limit, elapsedMs, isQueued: run.startedAt === null, deadlineMs, expectedMs, usual });
  const durations = {
    ...(limit === "usual" && usual !== undefined && { usualDuration: Math.round(usual.ms) }),
    ...(limit === "expected" && expectedMs !== undefined && { expectedDuration: expectedMs }),
  };
  return { ...keyOf(run), members: { message, limit, dueDate: dueAt.toISOString(), elapsed: elapsedMs, ...durations } };
}

/** By workflow; only for those with a run that may be late by it. */
async function usualDurations(tx: Transaction, open: readonly WatchedRun[], limits: AlertLimits): Promise<Map<string, UsualDuration>> {
  const asking = open.filter((run) => needsUsualDuration({ ...run, ...runLimits(run) }, limits, run.now));
  const workflows = new Map(asking.map(({ teamId, workflowId }) => [workflowId, { teamId, workflowId }]));
  if (workflows.size === 0) return new Map();
  const found = await findUsualDurations(tx, [...workflows.values()]);
  return new Map(found.flatMap(({ workflowId, ms, runs }) => (ms === null ? [] : [[workflowId, { ms, runs }] as const])));
}

const keyOf = ({ teamId, runId }: { teamId: string; runId: string }) => ({ teamId, runId });

function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}
