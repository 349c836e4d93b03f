import { concludeResults } from "../../core/external/external-values.ts";
import type { RunEvent } from "../../core/run/advance.ts";
import { externalExecutor, externalNeed } from "../../core/task/external-task.ts";
import {
  claimExternalTaskRuns,
  completeAndClaimExternal,
  type ExternalWorkerKey,
  listAttemptEnds,
} from "../../store/external/external-workers.ts";
import { groupByRun } from "../run/advance-runs.ts";
import { addExternalLines } from "./add-external-lines.ts";
import type { ExternalParts, HeldAttempt } from "./external-parts.ts";
import { giveClaims } from "./give-claims.ts";
import { type AttemptName, findHeld, nameOf } from "./held-attempts.ts";
import type { ExternalJob } from "./prepare-external.ts";

/** The worker's report about an attempt. */
export interface ReportedEnd extends AttemptName {
  status: "succeeded" | "failed" | "released";
  results?: Record<string, unknown>;
  message?: string;
  /** False: another attempt would fail, too. */
  retry?: boolean;
  /** The attempt is released because of a fault of the worker's machine. */
  fault?: boolean;
  lines?: string[];
}

export interface CompletedEnd extends AttemptName {
  recorded: boolean;
  /** How the attempt ended, if it has. */
  status?: string;
}

/**
 * Ends attempts of a worker, and claims its next ones in the same round trip. Logs are written first, so that a log is complete when its
 * task run ends. The fence refuses attempts that the worker has lost in the meantime; reporting the same end twice changes nothing.
 */
export async function completeExternal(
  parts: ExternalParts,
  key: ExternalWorkerKey,
  reported: readonly ReportedEnd[],
  next: { tasks: readonly string[]; max: number },
  closed: AbortSignal,
): Promise<{ completed: CompletedEnd[]; jobs: ExternalJob[] }> {
  const held = await findHeld(parts, key, reported);
  await addExternalLines(
    parts,
    key,
    reported.flatMap(({ id, attempt, lines = [] }) => (lines.length > 0 ? [{ id, attempt, lines }] : [])),
  );
  const ends = new Map(
    reported.flatMap((end) => {
      const holder = held.get(nameOf(end));
      return holder ? [[nameOf(end), { claim: holder.job.claim, event: eventOf(holder, end) }] as const] : [];
    }),
  );
  const work = groupByRun(
    [...ends.values()].map(({ claim, event }) => ({ ...claim, event })),
    ({ event }) => event,
  );
  const needs = next.tasks.map(externalNeed);
  const { claims, changes, isClaimed } = await parts.ends.record(work, {
    workerId: key.id,
    write: (planned) => completeAndClaimExternal(parts.sql, planned, key, next.max, needs),
  });
  if (!isClaimed && next.max > 0) {
    claims.push(...(await claimExternalTaskRuns(parts.sql, key, next.max, needs)));
    for (const claim of claims) parts.context.states.claimed(claim, key.id);
  }
  // Before the notifications of this change are sent.
  for (const name of ends.keys()) {
    parts.held.delete(name);
    parts.reported.set(name, true);
  }
  const recorded = new Set(changes.flatMap(({ attempts }) => attempts.map((end) => `${end.taskRunId} ${end.attempt} ${end.status}`)));
  const jobs = await giveClaims(parts, key, claims, () => closed.aborted);
  return { completed: await viewEnds(parts, key.teamId, reported, ends, recorded), jobs };
}

async function viewEnds(
  { sql }: ExternalParts,
  teamId: string,
  reported: readonly ReportedEnd[],
  ends: ReadonlyMap<string, { event: RunEvent }>,
  recorded: ReadonlySet<string>,
): Promise<CompletedEnd[]> {
  const isRecorded = (end: ReportedEnd) => {
    const event = ends.get(nameOf(end))?.event;
    return event !== undefined && recorded.has(`${nameOf(end)} ${statusOf(event)}`);
  };
  const refused = reported.filter((end) => !isRecorded(end));
  const known = new Map((await listAttemptEnds(sql, teamId, refused)).map((end) => [nameOf(end), end.status]));
  return reported.map((end) => {
    const { id, attempt } = end;
    if (isRecorded(end)) return { id, attempt, recorded: true };
    const status = known.get(nameOf(end));
    return { id, attempt, recorded: false, ...(status !== undefined && { status }) };
  });
}

function statusOf(event: RunEvent): string | undefined {
  return event.kind === "ended" ? event.outcome.status : event.kind;
}

function eventOf({ job }: HeldAttempt, { status, results = {}, message = "", retry = true, fault = false }: ReportedEnd): RunEvent {
  const { id: taskRunId, attempt } = job.claim;
  const said = job.masker.maskText(message);
  if (status === "released") {
    const loss = fault
      ? { fault: { reason: "MachineFault", message: said || "The machine of the worker has a fault" } }
      : { isReleased: true };
    return { kind: "lost", taskRunId, attempt, loss: { ...loss, executor: externalExecutor } };
  }
  const concluded = concludeResults(job.results, results, job.masker);
  const shared = { results: concluded.results, executor: externalExecutor } as const;
  if (status === "failed") {
    const outcome = { status, reason: "Failed", message: said || "The external worker reported a failure", isTerminal: !retry, ...shared };
    return { kind: "ended", taskRunId, attempt, outcome };
  }
  const { problem } = concluded;
  const outcome = problem ? ({ status: "failed", ...problem } as const) : ({ status, reason: "Succeeded", message: said } as const);
  return { kind: "ended", taskRunId, attempt, outcome: { ...outcome, ...shared } };
}
