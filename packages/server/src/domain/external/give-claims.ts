import type { RunEvent } from "../../core/run/advance.ts";
import { textLengthOf } from "../../core/run/result-sizes.ts";
import { externalExecutor } from "../../core/task/external-task.ts";
import type { ExternalWorkerKey } from "../../store/external/external-workers.ts";
import type { Claim } from "../../store/worker/workers.ts";
import { groupByRun } from "../run/advance-runs.ts";
import { channels } from "../run/report-changes.ts";
import type { ExternalParts } from "./external-parts.ts";
import { remember } from "./held-attempts.ts";
import { type ExternalJob, type ExternalRefusal, prepareExternal } from "./prepare-external.ts";

/** The most characters of parameters in one response. Claims beyond it are released, and come with a later response. */
const maxAnswerLength = 8 * 1024 * 1024;

/** Turns claims into what their worker gets. A claim for which that fails ends at once, with the reason. */
export async function giveClaims(
  parts: ExternalParts,
  key: ExternalWorkerKey,
  claims: readonly Claim[],
  isGone: () => boolean = () => false,
): Promise<ExternalJob[]> {
  if (claims.length === 0) return [];
  if (isGone()) {
    await releaseClaims(parts, claims);
    return [];
  }
  const jobs: ExternalJob[] = [];
  const refused: ExternalRefusal[] = [];
  const tooMuch: Claim[] = [];
  let length = 0;
  for (const { job, refusal } of await prepare(parts, claims)) {
    if (refusal) refused.push(refusal);
    else {
      length += textLengthOf(job.params);
      if (length > maxAnswerLength && jobs.length > 0) tooMuch.push(job.claim);
      else jobs.push(job);
    }
  }
  for (const job of jobs) remember(parts, key, job, 0);
  for (const { runId } of claims) parts.bus.wake(channels.runs, runId);
  if (refused.length > 0)
    await end(
      parts,
      refused,
      ({ claim, ...outcome }) => endedEvent(claim, outcome),
      ({ claim }) => claim,
    );
  if (tooMuch.length > 0) await releaseClaims(parts, tooMuch);
  return jobs;
}

/** Claims that can't be prepared must not stay with a worker that never learns of them. */
async function prepare(parts: ExternalParts, claims: readonly Claim[]) {
  try {
    return await prepareExternal(parts.sql, parts.context, parts.recent, claims);
  } catch (error) {
    await releaseClaims(parts, claims).catch((cause) =>
      parts.log.warn({ err: cause }, "claims of an external worker could not be released"),
    );
    throw error;
  }
}

/** @param isNotStarted no program got them, so nothing is done twice */
export function releaseClaims(
  parts: ExternalParts,
  attempts: readonly Pick<Claim, "teamId" | "runId" | "id" | "attempt">[],
  isNotStarted = true,
): Promise<void> {
  const loss = { isReleased: true, isNotStarted, executor: externalExecutor } as const;
  return end(
    parts,
    attempts,
    ({ id, attempt }) => ({ kind: "lost", taskRunId: id, attempt, loss }),
    (attempt) => attempt,
  );
}

async function end<T>(
  { ends }: ExternalParts,
  items: readonly T[],
  eventOf: (item: T) => RunEvent,
  attemptOf: (item: T) => { teamId: string; runId: string },
): Promise<void> {
  const work = groupByRun(
    items.map((item) => ({ ...attemptOf(item), item })),
    ({ item }) => eventOf(item),
  );
  await ends.record(work);
}

function endedEvent({ id, attempt }: Claim, outcome: Omit<ExternalRefusal, "claim">): RunEvent {
  return { kind: "ended", taskRunId: id, attempt, outcome: { ...outcome, results: [], executor: externalExecutor } };
}
